//===- Elementwise.cpp - One scalar op in a loop nest ---------------------===//

#include "Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace gyre::plain {

static Type elementOf(Value tensor) {
  return cast<TensorType>(tensor.getType()).getElementType();
}

void emitElementwise(Emitter &e, Operation *op) {
  Value result = op->getResult(0);
  e.loops(e.sizes(result), [&](ValueRange at) {
    OperationState state(e.b.getLoc(), op->getName());
    for (Value operand : op->getOperands())
      state.operands.push_back(e.load(operand, at));
    state.addTypes(Emitter::computeType(elementOf(result)));
    state.propertiesAttr = op->getPropertiesAsAttribute();
    e.store(e.b.create(state)->getResult(0), result, at);
  });
}

void emitConvert(Emitter &e, ConvertOp op) {
  e.loops(e.sizes(op.getResult()), [&](ValueRange at) {
    e.store(e.load(op.getX(), at), op.getResult(), at);
  });
}

void emitSelect(Emitter &e, SelectOp op) {
  Value onTrue = e.buffer(op.getOnTrue()), onFalse = e.buffer(op.getOnFalse());
  e.loops(e.sizes(op.getResult()), [&](ValueRange at) {
    Value condition = e.load(op.getCondition(), at);
    Value first = e.read(onTrue, at), second = e.read(onFalse, at);
    Value chosen = arith::SelectOp::create(e.b, condition, first, second);
    e.write(chosen, e.buffer(op.getResult()), at);
  });
}

void emitConstant(Emitter &e, ConstantOp op) {
  Type element = elementOf(op.getResult());
  double value = op.getValue().convertToDouble();
  Value constant;
  if (isHalf(element)) {
    llvm::APInt bits =
        FloatAttr::get(element, value).getValue().bitcastToAPInt();
    constant = e.number(getMemoryType(element), bits.getZExtValue());
  } else {
    constant = e.number(element, value);
  }
  e.loops(e.sizes(op.getResult()), [&](ValueRange at) {
    e.write(constant, e.buffer(op.getResult()), at);
  });
}

/// With t = exp(-|x|), which never overflows: sigmoid is 1 / (1 + t) or, for
/// negative x, t / (1 + t); silu has x times the numerator.
void emitSigmoid(Emitter &e, Operation *op) {
  Value result = op->getResult(0);
  Type type = Emitter::computeType(elementOf(result));
  e.loops(e.sizes(result), [&](ValueRange at) {
    Value x = e.load(op->getOperand(0), at);
    Value magnitude = math::AbsFOp::create(e.b, x);
    Value t = math::ExpOp::create(e.b, arith::NegFOp::create(e.b, magnitude));
    Value negative = arith::CmpFOp::create(e.b, arith::CmpFPredicate::OLT, x,
                                           e.number(type, 0));
    Value one = e.number(type, 1);
    Value numerator = arith::SelectOp::create(e.b, negative, t, one);
    if (isa<SiluOp>(op))
      numerator = e.mul(x, numerator);
    Value value = arith::DivFOp::create(e.b, numerator, e.add(one, t));
    e.store(value, result, at);
  });
}

} // namespace gyre::plain
