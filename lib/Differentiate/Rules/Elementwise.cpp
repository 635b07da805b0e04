//===- Elementwise.cpp - Sigmoid, SiLU, convert, select -------------------===//

#include "RuleUtils.h"

using namespace mlir;

namespace gyre::rules {

namespace {
struct Sigmoid {
  static void vjp(SigmoidOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool>, MutableArrayRef<Value> gradients) {
    Arithmetic a(b, op.getLoc());
    Value s = op.getResult();
    Value slope = a.mul(s, a.sub(a.constant(1.0, s), s));
    gradients[0] = a.mul(cotangents[0], slope);
  }
};

struct Silu {
  static void vjp(SiluOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool>, MutableArrayRef<Value> gradients) {
    Arithmetic a(b, op.getLoc());
    Value x = op.getX();
    Value s = SigmoidOp::create(b, op.getLoc(), x);
    Value one = a.constant(1.0, x);
    Value slope = a.mul(s, a.add(one, a.mul(x, a.sub(one, s))));
    gradients[0] = a.mul(cotangents[0], slope);
  }
};

struct Convert {
  static void vjp(ConvertOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool>, MutableArrayRef<Value> gradients) {
    gradients[0] =
        ConvertOp::create(b, op.getLoc(), op.getX().getType(), cotangents[0]);
  }
};

struct Select {
  static void vjp(SelectOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool> wanted, MutableArrayRef<Value> gradients) {
    Arithmetic a(b, op.getLoc());
    Value zero = a.constant(0.0, cotangents[0]);
    if (wanted[1])
      gradients[1] = a.select(op.getCondition(), cotangents[0], zero);
    if (wanted[2])
      gradients[2] = a.select(op.getCondition(), zero, cotangents[0]);
  }
};
} // namespace

void registerElementwiseRules(MLIRContext *context) {
  attach<Sigmoid, SigmoidOp>(context);
  attach<Silu, SiluOp>(context);
  attach<Convert, ConvertOp>(context);
  attach<Select, SelectOp>(context);
}

} // namespace gyre::rules
