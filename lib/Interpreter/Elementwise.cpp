//===- Elementwise.cpp - Functions of numbers -----------------------------===//

#include "Semantics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <functional>
#include <limits>

using namespace mlir;

namespace gyre {

namespace {
/// The value of an op from those of its operands; null for other ops.
using Scalar = std::function<double(const double *)>;
} // namespace

static auto unary(double (*f)(double)) {
  return [f](Operation *) -> Scalar {
    return [f](const double *v) { return f(v[0]); };
  };
}

static auto binary(double (*f)(double, double)) {
  return [f](Operation *) -> Scalar {
    return [f](const double *v) { return f(v[0], v[1]); };
  };
}

/// Each branch takes the exponential of something negative: no overflow.
static double sigmoid(double x) {
  double e = std::exp(-std::abs(x));
  return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

static double silu(double x) { return x * sigmoid(x); }

/// arith's maximum: NaN wins, and -0 is less than +0.
static double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

static bool compare(arith::CmpFPredicate predicate, double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return false;
  case arith::CmpFPredicate::OEQ:
    return a == b;
  case arith::CmpFPredicate::OGT:
    return a > b;
  case arith::CmpFPredicate::OGE:
    return a >= b;
  case arith::CmpFPredicate::OLT:
    return a < b;
  case arith::CmpFPredicate::OLE:
    return a <= b;
  case arith::CmpFPredicate::ONE:
    return !unordered && a != b;
  case arith::CmpFPredicate::ORD:
    return !unordered;
  case arith::CmpFPredicate::UEQ:
    return unordered || a == b;
  case arith::CmpFPredicate::UGT:
    return unordered || a > b;
  case arith::CmpFPredicate::UGE:
    return unordered || a >= b;
  case arith::CmpFPredicate::ULT:
    return unordered || a < b;
  case arith::CmpFPredicate::ULE:
    return unordered || a <= b;
  case arith::CmpFPredicate::UNE:
    return unordered || a != b;
  case arith::CmpFPredicate::UNO:
    return unordered;
  case arith::CmpFPredicate::AlwaysTrue:
    return true;
  }
  llvm_unreachable("all predicates are listed");
}

static Scalar getScalar(Operation *op) {
  return llvm::TypeSwitch<Operation *, Scalar>(op)
      .Case<ConstantOp>([](ConstantOp op) -> Scalar {
        double value = op.getValue().convertToDouble();
        return [value](const double *) { return value; };
      })
      .Case<arith::CmpFOp>([](arith::CmpFOp op) -> Scalar {
        arith::CmpFPredicate predicate = op.getPredicate();
        return [predicate](const double *v) -> double {
          return compare(predicate, v[0], v[1]);
        };
      })
      .Case<SelectOp>([](Operation *) -> Scalar {
        return [](const double *v) { return v[0] != 0 ? v[1] : v[2]; };
      })
      // All float types are fp64 here.
      .Case<ConvertOp, StopGradientOp>(unary([](double x) { return x; }))
      .Case<SigmoidOp>(unary(sigmoid))
      .Case<SiluOp>(unary(silu))
      .Case<arith::AddFOp>(binary([](double a, double b) { return a + b; }))
      .Case<arith::SubFOp>(binary([](double a, double b) { return a - b; }))
      .Case<arith::MulFOp>(binary([](double a, double b) { return a * b; }))
      .Case<arith::DivFOp>(binary([](double a, double b) { return a / b; }))
      .Case<arith::NegFOp>(unary([](double x) { return -x; }))
      .Case<arith::MaximumFOp>(binary(maximum))
      .Case<arith::MinimumFOp>(
          binary([](double a, double b) { return -maximum(-a, -b); }))
      .Case<math::ExpOp>(unary([](double x) { return std::exp(x); }))
      .Case<math::LogOp>(unary([](double x) { return std::log(x); }))
      .Case<math::SqrtOp>(unary([](double x) { return std::sqrt(x); }))
      .Case<math::RsqrtOp>(unary([](double x) { return 1 / std::sqrt(x); }))
      .Case<math::TanhOp>(unary([](double x) { return std::tanh(x); }))
      .Case<math::SinOp>(unary([](double x) { return std::sin(x); }))
      .Case<math::CosOp>(unary([](double x) { return std::cos(x); }))
      .Case<math::AbsFOp>(unary([](double x) { return std::abs(x); }))
      .Case<math::PowFOp>(
          binary([](double a, double b) { return std::pow(a, b); }))
      .Default([](Operation *) { return Scalar(); });
}

bool isElementwise(Operation *op) { return static_cast<bool>(getScalar(op)); }

void elementwise(Operation *op, Operands inputs, Array &out) {
  Scalar scalar = getScalar(op);
  SmallVector<double> values(inputs.size());
  for (size_t i = 0; i < out.data.size(); ++i) {
    for (size_t p = 0; p < inputs.size(); ++p)
      values[p] = inputs[p]->data[i];
    out.data[i] = scalar(values.data());
  }
}

} // namespace gyre
