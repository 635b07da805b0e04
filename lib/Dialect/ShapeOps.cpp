//===- ShapeOps.cpp - Slice, pad, concat of static axes -------------------===//

#include "gyre/Dialect/Gyre.h"

using namespace mlir;

namespace gyre {

/// Infers the type of `x` with dimension `axis` replaced.
static LogicalResult inferReplaced(std::optional<Location> loc, TensorType x,
                                   int64_t axis, PolyAttr size,
                                   SmallVectorImpl<Type> &inferred) {
  SmallVector<PolyAttr> dims(x.getDims());
  dims[axis] = size;
  return TensorType::infer(loc, dims, x.getElementType(), inferred);
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc,
                                        SliceOp::Adaptor adaptor,
                                        SmallVectorImpl<Type> &inferred) {
  TensorType x = TensorType::getOperand(loc, adaptor.getX());
  if (!x)
    return failure();
  int64_t axis = adaptor.getAxis();
  if (axis < 0 || axis >= x.rank())
    return emitOptionalError(loc, "[slice-axis] expected an axis in [0, ",
                             x.rank(), "), got ", axis);
  PolyAttr dim = x.getDims()[axis];
  PolyAttr from = adaptor.getFrom(), size = adaptor.getSize();
  PolyAttr left = dim.sub(from).sub(size);
  for (PolyAttr part : {from, size, left})
    if (part.getConstant().value_or(0) < 0)
      return emitOptionalError(
          loc, "[slice-range] expected positions within [0, ", dim.str(),
          "), got ", size.str(), " from ", from.str());
  return inferReplaced(loc, x, axis, size, inferred);
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc,
                                      PadOp::Adaptor adaptor,
                                      SmallVectorImpl<Type> &inferred) {
  TensorType x = TensorType::getOperand(loc, adaptor.getX());
  if (!x)
    return failure();
  int64_t axis = adaptor.getAxis();
  if (axis < 0 || axis >= x.rank())
    return emitOptionalError(loc, "[pad-axis] expected an axis in [0, ",
                             x.rank(), "), got ", axis);
  PolyAttr low = adaptor.getLow(), high = adaptor.getHigh();
  if (low.getConstant().value_or(0) < 0 || high.getConstant().value_or(0) < 0)
    return emitOptionalError(
        loc, "[pad-amount] expected amounts of at least 0, got ", low.str(),
        " and ", high.str());
  return inferReplaced(loc, x, axis, x.getDims()[axis].add(low).add(high),
                       inferred);
}

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         ConcatOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  if (adaptor.getInputs().empty())
    return emitOptionalError(
        loc, "[concat-operands] expected at least one operand, got none");
  int64_t axis = adaptor.getAxis();
  TensorType first;
  PolyAttr total;
  for (Value input : adaptor.getInputs()) {
    TensorType type = TensorType::getOperand(loc, input);
    if (!type)
      return failure();
    if (axis < 0 || axis >= type.rank())
      return emitOptionalError(loc, "[concat-axis] expected an axis in [0, ",
                               type.rank(), "), got ", axis);
    PolyAttr size = type.getDims()[axis];
    if (!first) {
      first = type;
      total = size;
      continue;
    }
    // Operands agree exactly when giving them one size here makes types equal.
    SmallVector<PolyAttr> dims(type.getDims());
    if (axis < first.rank())
      dims[axis] = first.getDims()[axis];
    if (type.cloneWithDims(dims) != first)
      return emitOptionalError(loc,
                               "[concat-shape] expected operands that "
                               "agree but in dimension ",
                               axis, ", got ", first, " and ", type);
    total = total.add(size);
  }
  return inferReplaced(loc, first, axis, total, inferred);
}

} // namespace gyre
