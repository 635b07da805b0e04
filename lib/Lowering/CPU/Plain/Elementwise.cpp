//===- Elementwise.cpp - One scalar op in a loop nest ---------------------===//

#include "Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace gyre::plain {

static Type elementOf(Value tensor) {
  return cast<TensorType>(tensor.getType()).getElementType();
}

/// The same op on scalars. Arithmetic on f16 and bf16 is done in f32 and
/// rounded once; changes of type are done as they are.
static Value computeScalar(Emitter &e, Operation *op, ValueRange scalars) {
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return e.convert(scalars.front(), elementOf(op->getResult(0)));
  SmallVector<Value> operands;
  for (Value scalar : scalars)
    operands.push_back(
        e.convert(scalar, Emitter::computeType(scalar.getType())));
  OperationState state(e.b.getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(Emitter::computeType(elementOf(op->getResult(0))));
  state.addAttributes(op->getAttrs());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  return e.b.create(state)->getResult(0);
}

void emitElementwise(Emitter &e, Operation *op) {
  Value result = op->getResult(0);
  e.loops(e.sizes(result), [&](ValueRange at) {
    auto scalars = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
      return e.load(e.buffer(operand), at);
    });
    e.store(computeScalar(e, op, scalars), e.buffer(result), at);
  });
}

void emitConstant(Emitter &e, ConstantOp op) {
  Value value = e.number(elementOf(op.getResult()),
                         op.getValue().convertToDouble());
  e.loops(e.sizes(op.getResult()), [&](ValueRange at) {
    e.store(value, e.buffer(op.getResult()), at);
  });
}

/// With t = exp(-|x|), which never overflows: sigmoid is 1 / (1 + t) or, for
/// negative x, t / (1 + t); silu has x times the numerator.
void emitSigmoid(Emitter &e, Operation *op) {
  Value result = op->getResult(0);
  Type type = Emitter::computeType(elementOf(result));
  e.loops(e.sizes(result), [&](ValueRange at) {
    Value x = e.convert(e.load(e.buffer(op->getOperand(0)), at), type);
    Value magnitude = math::AbsFOp::create(e.b, x);
    Value t = math::ExpOp::create(e.b, arith::NegFOp::create(e.b, magnitude));
    Value negative = arith::CmpFOp::create(e.b, arith::CmpFPredicate::OLT, x,
                                           e.number(type, 0));
    Value one = e.number(type, 1);
    Value numerator = arith::SelectOp::create(e.b, negative, t, one);
    if (isa<SiluOp>(op))
      numerator = e.mul(x, numerator);
    Value value = arith::DivFOp::create(e.b, numerator, e.add(one, t));
    e.store(value, e.buffer(result), at);
  });
}

} // namespace gyre::plain
