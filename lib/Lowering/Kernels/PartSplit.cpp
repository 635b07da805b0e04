//===- PartSplit.cpp - Numbers as sums of shorter ones --------------------===//

#include "PartSplit.h"

#include "gyre/Tiles/Product.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gyre::kernels {

PartSplit PartSplit::get(Precision mode) {
  int64_t parts = tiles::countParts(mode);
  switch (mode) {
  case Precision::tf32:
  case Precision::tf32x3:
    return {tf32, parts};
  case Precision::bf16:
  case Precision::bf16x3:
  case Precision::bf16x6:
    return {bf16, parts};
  case Precision::fp16:
    return {f16, parts};
  case Precision::fp16x3:
    // Tails of numbers that are not small are no subnormal ones.
    return {f16, parts, 2048};
  case Precision::ieee:
  case Precision::fp64:
    break;
  }
  llvm_unreachable("not a mode of matrix units");
}

/// To the format, in one register.
Value PartSplit::round(Builder &b, ArrayRef<Value> numbers) const {
  constexpr auto nearest = NVVM::FPRoundingMode::RN;
  Type i32 = b.getI32Type();
  if (format == tf32)
    return NVVM::ConvertFloatToTF32Op::create(b, i32, numbers[0],
                                              NVVM::FPRoundingMode::RNA);
  if (format == f16)
    return NVVM::ConvertF32x2ToF16x2Op::create(
        b, VectorType::get({2}, b.getF16Type()), numbers[1], numbers[0],
        /*random_bits=*/Value(), nearest);
  Value pair = NVVM::ConvertF32x2ToBF16x2Op::create(
      b, VectorType::get({2}, b.getBF16Type()), numbers[1], numbers[0],
      /*random_bits=*/Value(), nearest);
  return LLVM::BitcastOp::create(b, i32, pair);
}

/// A number of a register, in f32.
Value PartSplit::widen(Builder &b, Value word, int64_t number) const {
  Type f32 = b.getF32Type();
  auto constant32 = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  if (format == f16) {
    Value half = vector::ExtractOp::create(b, word, number);
    return arith::ExtFOp::create(b, f32, half);
  }
  // Numbers of bf16 are the upper halves of those of f32.
  if (format == bf16 && number == 0)
    word = arith::ShLIOp::create(b, word, constant32(16));
  if (format == bf16 && number == 1)
    word = arith::AndIOp::create(b, word, constant32(-(1 << 16)));
  return arith::BitcastOp::create(b, f32, word);
}

SmallVector<Values> PartSplit::apply(Builder &b,
                                     ArrayRef<Value> numbers) const {
  SmallVector<Values> result(parts);
  size_t ofWord = format == tf32 ? 1 : 2;
  Value factor = arith::ConstantOp::create(b, b.getF32FloatAttr(float(scale)));
  for (; !numbers.empty(); numbers = numbers.drop_front(ofWord)) {
    Values rest(numbers.take_front(ofWord));
    for (int64_t p = 0; p < parts; ++p) {
      Value word = round(b, rest);
      result[p].push_back(word);
      if (p + 1 == parts)
        break;
      for (size_t i = 0; i < ofWord; ++i) {
        rest[i] = arith::SubFOp::create(b, rest[i], widen(b, word, int64_t(i)));
        if (scale != 1)
          rest[i] = arith::MulFOp::create(b, rest[i], factor);
      }
    }
  }
  return result;
}

} // namespace gyre::kernels
