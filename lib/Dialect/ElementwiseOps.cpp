//===- ElementwiseOps.cpp - What arith and math do not have ---------------===//

#include "gyre/Dialect/Gyre.h"

using namespace mlir;

namespace gyre {

namespace {
/// SameOperandsAndResultType compares shapes, where all runtime sizes look
/// alike.
template <typename OpT> LogicalResult verifySameType(OpT op) {
  if (op.getX().getType() != op.getResult().getType())
    return op.emitError("[elementwise-type] expected a result of type ")
           << op.getX().getType() << ", got " << op.getResult().getType();
  return success();
}
} // namespace

LogicalResult SelectOp::verify() {
  auto condition = cast<TensorType>(getCondition().getType());
  auto values = cast<TensorType>(getResult().getType());
  if (condition.getDims() != values.getDims())
    return emitError("[select-shape] expected a condition of the sizes of ")
           << values << ", got " << condition;
  return success();
}

LogicalResult ConvertOp::verify() {
  auto x = cast<TensorType>(getX().getType());
  auto result = cast<TensorType>(getResult().getType());
  if (x.getDims() != result.getDims())
    return emitError("[convert-shape] expected a result of the sizes of ")
           << x << ", got " << result;
  return success();
}

OpFoldResult ConvertOp::fold(FoldAdaptor) {
  return getX().getType() == getResult().getType() ? getX() : Value();
}

LogicalResult SigmoidOp::verify() { return verifySameType(*this); }
LogicalResult SiluOp::verify() { return verifySameType(*this); }
LogicalResult StopGradientOp::verify() { return verifySameType(*this); }

} // namespace gyre
