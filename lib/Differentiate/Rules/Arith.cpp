//===- Arith.cpp - Rules of the arith dialect -----------------------------===//

#include "RuleUtils.h"

using namespace mlir;

namespace gyre::rules {

namespace {
struct Add {
  static void vjp(arith::AddFOp, OpBuilder &, ArrayRef<Value> cotangents,
                  ArrayRef<bool> wanted, MutableArrayRef<Value> gradients) {
    for (unsigned i : {0, 1})
      if (wanted[i])
        gradients[i] = cotangents[0];
  }
};

struct Sub {
  static void vjp(arith::SubFOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool> wanted, MutableArrayRef<Value> gradients) {
    if (wanted[0])
      gradients[0] = cotangents[0];
    if (wanted[1])
      gradients[1] = Arithmetic(b, op.getLoc()).neg(cotangents[0]);
  }
};

struct Mul {
  static void vjp(arith::MulFOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool> wanted, MutableArrayRef<Value> gradients) {
    Arithmetic a(b, op.getLoc());
    if (wanted[0])
      gradients[0] = a.mul(cotangents[0], op.getRhs());
    if (wanted[1])
      gradients[1] = a.mul(cotangents[0], op.getLhs());
  }
};

struct Div {
  static void vjp(arith::DivFOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool> wanted, MutableArrayRef<Value> gradients) {
    Arithmetic a(b, op.getLoc());
    Value scaled = a.div(cotangents[0], op.getRhs());
    if (wanted[0])
      gradients[0] = scaled;
    if (wanted[1])
      gradients[1] = a.neg(a.mul(scaled, op.getResult()));
  }
};

struct Neg {
  static void vjp(arith::NegFOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool>, MutableArrayRef<Value> gradients) {
    gradients[0] = Arithmetic(b, op.getLoc()).neg(cotangents[0]);
  }
};

/// Where the operands are equal, the first takes the whole cotangent.
template <typename OpT, arith::CmpFPredicate takesFirst> struct Extremum {
  static void vjp(OpT op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool> wanted, MutableArrayRef<Value> gradients) {
    Arithmetic a(b, op.getLoc());
    Value zero = a.constant(0.0, cotangents[0]);
    Value first = a.compare(takesFirst, op.getLhs(), op.getRhs());
    if (wanted[0])
      gradients[0] = a.select(first, cotangents[0], zero);
    if (wanted[1])
      gradients[1] = a.select(first, zero, cotangents[0]);
  }
};
} // namespace

void registerArithRules(MLIRContext *context) {
  using Predicate = arith::CmpFPredicate;
  attach<Add, arith::AddFOp>(context);
  attach<Sub, arith::SubFOp>(context);
  attach<Mul, arith::MulFOp>(context);
  attach<Div, arith::DivFOp>(context);
  attach<Neg, arith::NegFOp>(context);
  attach<Extremum<arith::MaximumFOp, Predicate::OGE>, arith::MaximumFOp>(
      context);
  attach<Extremum<arith::MinimumFOp, Predicate::OLE>, arith::MinimumFOp>(
      context);
}

} // namespace gyre::rules
