//===- Math.cpp - Rules of the math dialect -------------------------------===//

#include "RuleUtils.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace gyre::rules {

namespace {
struct Exp {
  static void vjp(math::ExpOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool>, MutableArrayRef<Value> gradients) {
    gradients[0] =
        Arithmetic(b, op.getLoc()).mul(cotangents[0], op.getResult());
  }
};

struct Log {
  static void vjp(math::LogOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool>, MutableArrayRef<Value> gradients) {
    gradients[0] =
        Arithmetic(b, op.getLoc()).div(cotangents[0], op.getOperand());
  }
};

/// d sqrt(x) = 1 / (2 sqrt(x))
struct Sqrt {
  static void vjp(math::SqrtOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool>, MutableArrayRef<Value> gradients) {
    Arithmetic a(b, op.getLoc());
    Value half = a.mul(cotangents[0], a.constant(0.5, cotangents[0]));
    gradients[0] = a.div(half, op.getResult());
  }
};

/// d x^(-1/2) = -1/2 (x^(-1/2))^3
struct Rsqrt {
  static void vjp(math::RsqrtOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool>, MutableArrayRef<Value> gradients) {
    Arithmetic a(b, op.getLoc());
    Value r = op.getResult();
    Value cube = a.mul(a.mul(r, r), r);
    gradients[0] =
        a.mul(a.mul(cotangents[0], a.constant(-0.5, cotangents[0])), cube);
  }
};

struct Tanh {
  static void vjp(math::TanhOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool>, MutableArrayRef<Value> gradients) {
    Arithmetic a(b, op.getLoc());
    Value t = op.getResult();
    Value one = a.constant(1.0, t);
    Value slope = a.sub(one, a.mul(t, t));
    gradients[0] = a.mul(cotangents[0], slope);
  }
};

struct Sin {
  static void vjp(math::SinOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool>, MutableArrayRef<Value> gradients) {
    Value slope = math::CosOp::create(b, op.getLoc(), op.getOperand());
    gradients[0] = Arithmetic(b, op.getLoc()).mul(cotangents[0], slope);
  }
};

struct Cos {
  static void vjp(math::CosOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool>, MutableArrayRef<Value> gradients) {
    Arithmetic a(b, op.getLoc());
    Value slope = math::SinOp::create(b, op.getLoc(), op.getOperand());
    gradients[0] = a.neg(a.mul(cotangents[0], slope));
  }
};

/// At 0, where no derivative exists, the one from the right is taken.
struct Abs {
  static void vjp(math::AbsFOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool>, MutableArrayRef<Value> gradients) {
    Arithmetic a(b, op.getLoc());
    Value x = op.getOperand();
    Value negative =
        a.compare(arith::CmpFPredicate::OLT, x, a.constant(0.0, x));
    gradients[0] = a.select(negative, a.neg(cotangents[0]), cotangents[0]);
  }
};

/// d x^p = p x^(p-1) dx + x^p log(x) dp, where the factor that is 0 wins: x^0
/// is constant, and 0^p with p > 0 is.
struct Pow {
  static void vjp(math::PowFOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool> wanted, MutableArrayRef<Value> gradients) {
    Arithmetic a(b, op.getLoc());
    Value x = op.getLhs(), p = op.getRhs();
    Value zero = a.constant(0.0, x);
    if (wanted[0]) {
      Value lower =
          math::PowFOp::create(b, op.getLoc(), x, a.sub(p, a.constant(1.0, p)));
      Value flat = a.compare(arith::CmpFPredicate::OEQ, p, zero);
      Value slope = a.select(flat, zero, a.mul(p, lower));
      gradients[0] = a.mul(cotangents[0], slope);
    }
    if (wanted[1]) {
      // The logarithm of a number that is never 0: no NaN to differentiate.
      Value flat = a.compare(arith::CmpFPredicate::OEQ, x, zero);
      Value base = a.select(flat, a.constant(1.0, x), x);
      Value log = math::LogOp::create(b, op.getLoc(), base);
      gradients[1] = a.mul(cotangents[0], a.mul(op.getResult(), log));
    }
  }
};
} // namespace

void registerMathRules(MLIRContext *context) {
  attach<Exp, math::ExpOp>(context);
  attach<Log, math::LogOp>(context);
  attach<Sqrt, math::SqrtOp>(context);
  attach<Rsqrt, math::RsqrtOp>(context);
  attach<Tanh, math::TanhOp>(context);
  attach<Sin, math::SinOp>(context);
  attach<Cos, math::CosOp>(context);
  attach<Abs, math::AbsFOp>(context);
  attach<Pow, math::PowFOp>(context);
}

} // namespace gyre::rules
