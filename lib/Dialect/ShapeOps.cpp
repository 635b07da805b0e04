//===- ShapeOps.cpp - Slice, pad, concat of static axes -------------------===//

#include "gyre/Dialect/Gyre.h"

using namespace mlir;

namespace gyre {

/// The type of `x` with dimension `axis` replaced, or an error of that id.
static FailureOr<TensorType> replaceDim(std::optional<Location> loc,
                                        StringRef id, TensorType x,
                                        int64_t axis, PolyAttr size) {
  if (axis < 0 || axis >= x.rank())
    return emitOptionalError(loc, "[", id, "] expected an axis in [0, ",
                             x.rank(), "), got ", axis);
  SmallVector<PolyAttr> dims(x.getDims());
  dims[axis] = size;
  return x.cloneWithDims(dims);
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc,
                                        SliceOp::Adaptor adaptor,
                                        SmallVectorImpl<Type> &inferred) {
  auto x = dyn_cast<TensorType>(adaptor.getX().getType());
  if (!x)
    return failure(); // the operand constraint says what is wrong
  if (adaptor.getSize().getConstant().value_or(0) < 0)
    return emitOptionalError(
        loc, "[slice-range] expected a size of at least 0, got ",
        adaptor.getSize().str());
  FailureOr<TensorType> type = replaceDim(
      loc, "slice-axis", x, adaptor.getAxis(), adaptor.getSize());
  if (failed(type))
    return failure();
  inferred.push_back(*type);
  return success();
}

LogicalResult SliceOp::verify() {
  PolyAttr dim = cast<TensorType>(getX().getType()).getDims()[getAxis()];
  std::optional<int64_t> from = getFrom().getConstant();
  std::optional<int64_t> left =
      dim.sub(getFrom()).sub(getSize()).getConstant();
  if ((from && *from < 0) || (left && *left < 0))
    return emitOpError("[slice-range] expected positions within [0, ")
           << dim.str() << "), got " << getSize().str() << " from "
           << getFrom().str();
  return success();
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc,
                                      PadOp::Adaptor adaptor,
                                      SmallVectorImpl<Type> &inferred) {
  auto x = dyn_cast<TensorType>(adaptor.getX().getType());
  if (!x)
    return failure(); // the operand constraint says what is wrong
  PolyAttr low = adaptor.getLow(), high = adaptor.getHigh();
  if (low.getConstant().value_or(0) < 0 || high.getConstant().value_or(0) < 0)
    return emitOptionalError(
        loc, "[pad-amount] expected amounts of at least 0, got ", low.str(),
        " and ", high.str());
  int64_t axis = adaptor.getAxis();
  PolyAttr size = low.add(high);
  if (axis >= 0 && axis < x.rank())
    size = size.add(x.getDims()[axis]);
  FailureOr<TensorType> type = replaceDim(loc, "pad-axis", x, axis, size);
  if (failed(type))
    return failure();
  inferred.push_back(*type);
  return success();
}

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         ConcatOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  if (adaptor.getInputs().empty())
    return emitOptionalError(
        loc, "[concat-operands] expected at least one operand");
  int64_t axis = adaptor.getAxis();
  TensorType result;
  for (Value input : adaptor.getInputs()) {
    auto type = dyn_cast<TensorType>(input.getType());
    if (!type)
      return failure(); // the operand constraint says what is wrong
    if (axis < 0 || axis >= type.rank())
      return emitOptionalError(loc, "[concat-axis] expected an axis in [0, ",
                               type.rank(), "), got ", axis);
    if (!result) {
      result = type;
      continue;
    }
    // Other dimensions agree exactly when replacing this one makes types equal.
    SmallVector<PolyAttr> dims(type.getDims());
    PolyAttr size = dims[axis];
    dims[axis] =
        axis < result.rank() ? result.getDims()[axis] : dims[axis];
    if (type.cloneWithDims(dims) != result)
      return emitOptionalError(loc, "[concat-shape] expected operands that "
                                    "agree but in dimension ",
                               axis, ", got ", result, " and ", type);
    dims[axis] = dims[axis].add(size);
    result = result.cloneWithDims(dims);
  }
  inferred.push_back(result);
  return success();
}

} // namespace gyre
