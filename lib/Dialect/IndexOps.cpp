//===- IndexOps.cpp - Gather, segment sum and validity --------------------===//

#include "gyre/Dialect/Gyre.h"

using namespace mlir;

namespace gyre {

LogicalResult GatherOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         GatherOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  TensorType x = TensorType::getOperand(loc, adaptor.getX());
  MapType map = MapType::getOperand(loc, adaptor.getMap());
  if (!x || !map)
    return failure();
  int64_t axis = adaptor.getAxis();
  if (axis < 0 || axis >= x.rank())
    return emitOptionalError(loc, "[gather-axis] expected an axis in [0, ",
                             x.rank(), "), got ", axis);
  if (x.getDims()[axis] != map.getTarget())
    return emitOptionalError(loc, "[gather-target] expected dimension ", axis,
                             " to be the map's target size ",
                             map.getTarget().str(), ", got ",
                             x.getDims()[axis].str());
  SmallVector<PolyAttr> dims(x.getDims().take_front(axis));
  llvm::append_range(dims, map.getAxisSizes());
  llvm::append_range(dims, x.getDims().drop_front(axis + 1));
  return TensorType::infer(loc, dims, x.getElementType(), inferred);
}

LogicalResult SegmentSumOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> loc,
                                             SegmentSumOp::Adaptor adaptor,
                                             SmallVectorImpl<Type> &inferred) {
  TensorType rows = TensorType::getOperand(loc, adaptor.getRows());
  MapType map = MapType::getOperand(loc, adaptor.getMap());
  if (!rows || !map)
    return failure();
  int64_t axis = adaptor.getAxis();
  SmallVector<PolyAttr> sizes = map.getAxisSizes();
  int64_t width = sizes.size();
  if (axis < 0 || axis > rows.rank() - width ||
      rows.getDims().slice(axis, width) != ArrayRef<PolyAttr>(sizes))
    return emitOptionalError(loc, "[segment-sum-axis] expected the axes of ",
                             map, " at dimension ", axis, ", got ", rows);
  SmallVector<PolyAttr> dims(rows.getDims().take_front(axis));
  dims.push_back(map.getTarget());
  llvm::append_range(dims, rows.getDims().drop_front(axis + width));
  return TensorType::infer(loc, dims, rows.getElementType(), inferred);
}

LogicalResult ValidOp::verify() {
  auto map = cast<MapType>(getMap().getType());
  auto result = cast<TensorType>(getResult().getType());
  if (result.getDims() != ArrayRef<PolyAttr>(map.getAxisSizes()))
    return emitError("[valid-shape] expected the axes of ")
           << map << ", got " << result;
  return success();
}

} // namespace gyre
