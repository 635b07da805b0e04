//===- SlotOps.cpp - Maxima that remember where they were -----------------===//

#include "gyre/Dialect/Gyre.h"

using namespace mlir;

namespace gyre {

int64_t MaxSlotOp::getReducedDim() {
  if (!getMap())
    return getAxis();
  auto map = cast<MapType>(getMap().getType());
  for (auto [i, axis] : llvm::enumerate(map.getAxes()))
    if (axis.getName() == getMapAxisAttr())
      return getAxis() + i;
  return -1;
}

LogicalResult MaxSlotOp::verify() {
  auto x = cast<TensorType>(getX().getType());
  int64_t axis = getAxis();
  if (static_cast<bool>(getMap()) != static_cast<bool>(getMapAxisAttr()))
    return emitError("[max-slot-map-axis] expected a map together with the "
                     "name of an axis of it, got only ")
           << (getMap() ? "the map" : "the name");
  if (getMap()) {
    auto map = cast<MapType>(getMap().getType());
    SmallVector<PolyAttr> sizes = map.getAxisSizes();
    int64_t width = sizes.size();
    if (axis < 0 || axis > x.rank() - width ||
        x.getDims().slice(axis, width) != ArrayRef<PolyAttr>(sizes))
      return emitError("[max-slot-axis] expected the axes of ")
             << map << " at dimension " << axis << ", got " << x;
    if (getReducedDim() < 0)
      return emitError("[max-slot-map-axis] expected an axis of ")
             << map << ", got `" << *getMapAxis() << "`";
  } else if (axis < 0 || axis >= x.rank()) {
    return emitError("[max-slot-axis] expected an axis in [0, ")
           << x.rank() << "), got " << axis;
  }
  SmallVector<PolyAttr> dims(x.getDims());
  PolyAttr slots = dims[getReducedDim()];
  dims.erase(dims.begin() + getReducedDim());
  auto slot = cast<TensorType>(getSlot().getType());
  if (getMax().getType() != x.cloneWithDims(dims) ||
      slot.getDims() != ArrayRef<PolyAttr>(dims))
    return emitError("[max-slot-shape] expected ")
           << x.cloneWithDims(dims) << " and slots of its sizes, got "
           << getMax().getType() << " and " << slot;
  unsigned width = slot.getElementType().getIntOrFloatBitWidth();
  std::optional<int64_t> count = slots.getConstant();
  if (count && width < 63 && *count > (int64_t(1) << width))
    return emitError("[max-slot-width] expected an integer type that holds ")
           << *count << " slots, got " << slot.getElementType();
  return success();
}

LogicalResult SelectSlotOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> loc,
                                             SelectSlotOp::Adaptor adaptor,
                                             SmallVectorImpl<Type> &inferred) {
  TensorType x = TensorType::getOperand(loc, adaptor.getX());
  TensorType slot = TensorType::getOperand(loc, adaptor.getSlot());
  if (!x || !slot)
    return failure();
  int64_t axis = adaptor.getAxis();
  if (axis < 0 || axis >= x.rank())
    return emitOptionalError(loc, "[select-slot-axis] expected an axis in [0, ",
                             x.rank(), "), got ", axis);
  SmallVector<PolyAttr> dims(x.getDims());
  dims.erase(dims.begin() + axis);
  if (slot.getDims() != ArrayRef<PolyAttr>(dims))
    return emitOptionalError(loc,
                             "[select-slot-shape] expected slots of the "
                             "sizes of ",
                             x.cloneWithDims(dims), ", got ", slot);
  return TensorType::infer(loc, dims, x.getElementType(), inferred);
}

LogicalResult SpreadSlotOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> loc,
                                             SpreadSlotOp::Adaptor adaptor,
                                             SmallVectorImpl<Type> &inferred) {
  TensorType g = TensorType::getOperand(loc, adaptor.getG());
  TensorType slot = TensorType::getOperand(loc, adaptor.getSlot());
  if (!g || !slot)
    return failure();
  int64_t axis = adaptor.getAxis();
  if (axis < 0 || axis > g.rank())
    return emitOptionalError(loc, "[spread-slot-axis] expected an axis in [0, ",
                             g.rank(), "], got ", axis);
  if (slot.getDims() != g.getDims())
    return emitOptionalError(loc,
                             "[spread-slot-shape] expected slots of the "
                             "sizes of ",
                             g, ", got ", slot);
  if (adaptor.getSize().getConstant().value_or(0) < 0)
    return emitOptionalError(
        loc, "[spread-slot-size] expected a size of at least 0, got ",
        adaptor.getSize().str());
  SmallVector<PolyAttr> dims(g.getDims());
  dims.insert(dims.begin() + axis, adaptor.getSize());
  return TensorType::infer(loc, dims, g.getElementType(), inferred);
}

} // namespace gyre
