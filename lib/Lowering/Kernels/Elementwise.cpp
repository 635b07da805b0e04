//===- Elementwise.cpp - Elementwise ops on numbers and vectors -----------===//

#include "Body.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gyre::kernels {

static Value number(Builder &b, Type type, double value) {
  auto vector = dyn_cast<VectorType>(type);
  Attribute scalar =
      b.getFloatAttr(vector ? vector.getElementType() : type, value);
  if (!vector)
    return arith::ConstantOp::create(b, cast<TypedAttr>(scalar));
  return arith::ConstantOp::create(b, DenseElementsAttr::get(vector, scalar));
}

/// With t = exp(-|x|), which never overflows: sigmoid is 1 / (1 + t) or, for
/// negative x, t / (1 + t); silu has x times the numerator. The divisor is in
/// [1, 2]: what divides by it may take a corrected reciprocal (GPUs do).
static Value emitSigmoid(Builder &b, Operation *op, Value x) {
  Value magnitude = math::AbsFOp::create(b, x);
  Value t = math::ExpOp::create(b, arith::NegFOp::create(b, magnitude));
  Value one = number(b, x.getType(), 1);
  Value negative = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x,
                                         number(b, x.getType(), 0));
  Value numerator = arith::SelectOp::create(b, negative, t, one);
  if (isa<SiluOp>(op))
    numerator = arith::MulFOp::create(b, x, numerator);
  return arith::DivFOp::create(
      b, numerator, arith::AddFOp::create(b, one, t),
      arith::FastMathFlagsAttr::get(b.getContext(), arith::FastMathFlags::afn));
}

static Value emitConvert(Builder &b, ConvertOp op, Value x) {
  Type element = cast<TensorType>(op.getResult().getType()).getElementType();
  auto vector = dyn_cast<VectorType>(x.getType());
  Type to = vector ? Type(vector.clone(element)) : element;
  unsigned from = getElementTypeOrSelf(x).getIntOrFloatBitWidth();
  if (x.getType() == to)
    return x;
  if (from < element.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, to, x);
  // Between f16 and bf16 by way of f32.
  if (from == element.getIntOrFloatBitWidth()) {
    Type wide = b.getF32Type();
    x = arith::ExtFOp::create(b, vector ? Type(vector.clone(wide)) : wide, x);
  }
  return arith::TruncFOp::create(b, to, x);
}

Value emitElementwise(Builder &b, Operation *op, ValueRange operands) {
  if (isa<SigmoidOp, SiluOp>(op))
    return emitSigmoid(b, op, operands[0]);
  if (isa<StopGradientOp>(op))
    return operands[0];
  if (auto convert = dyn_cast<ConvertOp>(op))
    return emitConvert(b, convert, operands[0]);
  if (isa<SelectOp>(op))
    return arith::SelectOp::create(b, operands[0], operands[1], operands[2]);
  OperationState state(b.getLoc(), op->getName());
  state.addOperands(operands);
  Type element = cast<TensorType>(op->getResult(0).getType()).getElementType();
  auto vector = dyn_cast<VectorType>(operands[0].getType());
  state.addTypes(vector ? Type(vector.clone(element)) : element);
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return b.create(state)->getResult(0);
}

} // namespace gyre::kernels
