//===- ExpandHalf.cpp - gyre-expand-half: f16 and bf16 by integers --------===//
//
// Processors of the baseline have no instruction for these formats, and the
// functions that compilers call instead are not on every machine.
//
//===----------------------------------------------------------------------===//

#include "gyre/Transforms/Passes.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

#include <limits>

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_EXPANDHALF
#include "gyre/Transforms/Passes.h.inc"

namespace {

/// Arithmetic on bits, of numbers or vectors of them.
struct Bits {
  ImplicitLocOpBuilder b;
  /// Null for numbers.
  VectorType vector;

  Bits(OpBuilder &builder, Location loc, Type type)
      : b(loc, builder), vector(dyn_cast<VectorType>(type)) {}

  Type shaped(Type element) {
    return vector ? Type(vector.clone(element)) : element;
  }
  Value splat(TypedAttr number) {
    if (!vector)
      return arith::ConstantOp::create(b, number);
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(vector.clone(number.getType()),
                                  Attribute(number)));
  }
  Value like(Value x, int64_t value) {
    Type type = getElementTypeOrSelf(x);
    llvm::APInt constant(type.getIntOrFloatBitWidth(), value,
                         /*isSigned=*/false, /*implicitTrunc=*/true);
    return splat(b.getIntegerAttr(type, constant));
  }
  Value number(double value) { return splat(b.getF32FloatAttr(value)); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value band(Value x, int64_t mask) {
    return arith::AndIOp::create(b, x, like(x, mask));
  }
  Value bor(Value x, Value y) { return arith::OrIOp::create(b, x, y); }
  Value shl(Value x, int64_t n) {
    return arith::ShLIOp::create(b, x, like(x, n));
  }
  Value shr(Value x, int64_t n) {
    return arith::ShRUIOp::create(b, x, like(x, n));
  }
  Value less(Value x, int64_t y) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, like(x, y));
  }
  Value choose(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }
  Value cast(Type element, Value x) {
    return arith::BitcastOp::create(b, shaped(element), x);
  }
  Value toBits(Value x) {
    return cast(
        b.getIntegerType(getElementTypeOrSelf(x).getIntOrFloatBitWidth()), x);
  }
  Value widen(Value x) {
    return arith::ExtUIOp::create(b, shaped(b.getI32Type()), x);
  }
  Value narrow(Value x) {
    return arith::TruncIOp::create(b, shaped(b.getI16Type()), x);
  }

  Value extend(Value x);
  Value truncate(Value x, Type half);
  Value toF16(Value bits);
  Value toBF16(Value bits);
  Value roundToOdd(Value x);
};

} // namespace

/// f16 or bf16 to f32, exactly.
Value Bits::extend(Value x) {
  Value half = widen(toBits(x));
  if (getElementTypeOrSelf(x).isBF16())
    return cast(b.getF32Type(), shl(half, 16));
  Value sign = shl(band(half, 0x8000), 16);
  Value magnitude = shl(band(half, 0x7fff), 13);
  // Read as f32 the exponent is too small by 112, which a product corrects, for
  // subnormal numbers too. Infinities and NaNs get the largest exponent.
  Value small = cast(b.getF32Type(), magnitude);
  Value scaled = toBits(arith::MulFOp::create(b, small, number(0x1p112)));
  Value special = bor(magnitude, like(magnitude, 0x7f800000));
  Value finite = less(magnitude, 0x7c00 << 13);
  return cast(b.getF32Type(), bor(sign, choose(finite, scaled, special)));
}

/// The bits of an f32 to those of a bf16, to the nearest, ties to even.
Value Bits::toBF16(Value bits) {
  Value lowest = band(shr(bits, 16), 1);
  Value rounded = shr(add(bits, add(lowest, like(bits, 0x7fff))), 16);
  Value high = shr(bits, 16);
  Value quiet = bor(high, like(bits, 0x40));
  Value isNumber = less(band(bits, 0x7fffffff), 0x7f800001);
  return narrow(choose(isNumber, rounded, quiet));
}

/// The same for f16.
Value Bits::toF16(Value bits) {
  Value sign = shr(band(bits, 0x80000000), 16);
  Value magnitude = band(bits, 0x7fffffff);
  // From 2^16 on: infinity, or a NaN.
  Value isNumber = less(magnitude, 0x7f800001);
  Value infinity = like(bits, 0x7c00), nan = like(bits, 0x7e00);
  Value large = choose(isNumber, infinity, nan);
  // Below 2^-14: adding 1/2 rounds at the lowest bit of an f16.
  Value single = cast(b.getF32Type(), magnitude);
  Value shifted = toBits(arith::AddFOp::create(b, single, number(0.5)));
  Value small = add(shifted, like(bits, -0x3f000000));
  // Otherwise the exponent loses 112, and the 13 lowest bits are rounded.
  Value odd = band(shr(magnitude, 13), 1);
  Value normal = shr(
      add(magnitude, add(odd, like(bits, 0xfff - (int64_t(112) << 23)))), 13);
  Value inRange = choose(less(magnitude, 0x38800000), small, normal);
  Value result = choose(less(magnitude, 0x47800000), inRange, large);
  return narrow(bor(sign, result));
}

/// f64 to f32 such that rounding again, to fewer bits, is as good as rounding
/// once: toward zero, and the lowest bit says whether anything was lost.
Value Bits::roundToOdd(Value x) {
  Value nearest = arith::TruncFOp::create(b, shaped(b.getF32Type()), x);
  Value back = arith::ExtFOp::create(b, shaped(b.getF64Type()), nearest);
  auto magnitude = [&](Value number) {
    Value bits = toBits(number);
    return arith::AndIOp::create(
        b, bits, like(bits, std::numeric_limits<int64_t>::max()));
  };
  Value bits = toBits(nearest);
  Value rounded = magnitude(back), exact = magnitude(x);
  Value away =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ugt, rounded, exact);
  Value inexact = arith::CmpFOp::create(b, arith::CmpFPredicate::ONE, back, x);
  Value toZero = choose(away, add(bits, like(bits, -1)), bits);
  return choose(inexact, bor(toZero, like(bits, 1)), bits);
}

/// f32 or f64 to f16 or bf16.
Value Bits::truncate(Value x, Type half) {
  Value bits = getElementTypeOrSelf(x).isF64() ? roundToOdd(x) : toBits(x);
  return cast(half, half.isBF16() ? toBF16(bits) : toF16(bits));
}

static bool isHalf(Type type) {
  type = getElementTypeOrSelf(type);
  return type.isF16() || type.isBF16();
}

namespace {

struct ExpandExtF : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isHalf(op.getIn().getType()))
      return failure();
    Bits bits(rewriter, op.getLoc(), op.getType());
    Value result = bits.extend(op.getIn());
    if (getElementTypeOrSelf(op.getType()).isF64())
      result = arith::ExtFOp::create(bits.b, op.getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct ExpandTruncF : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isHalf(op.getType()))
      return failure();
    Bits bits(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOp(
        op, bits.truncate(op.getIn(), getElementTypeOrSelf(op.getType())));
    return success();
  }
};

struct ExpandHalf : impl::ExpandHalfBase<ExpandHalf> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandExtF, ExpandTruncF>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace

} // namespace gyre
