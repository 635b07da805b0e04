//===- TileMatrix.cpp - Products by matrix units --------------------------===//
//
// A warp multiplies 16 rows by 8 columns at a time (mma.sync). Numbers are
// split into parts of fewer bits when they are taken from a slab.
//
// Which row, column or step of depth is which of the instruction's is free, as
// long as both operands agree on the depth. Lane 4 g + q of a warp reads rows,
// and columns, 4 g to 4 g + 3 of 32 that follow each other, and depths 4 q to
// 4 q + 3 of 16: accesses of 16 bytes, whichever of these lies along memory.
// The sums of a lane are then of rows 4 g to 4 g + 3 and of columns 8 q to
// 8 q + 7.
//
//===----------------------------------------------------------------------===//

#include "PartSplit.h"
#include "TileProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <array>

using namespace mlir;

namespace gyre::kernels {

/// Depth of what the lanes of a warp read at once. Matrix units truncate where
/// they add to a sum: they add these terms to zero, and the rest is done in
/// registers, rounded.
static constexpr int64_t kDepth = 16;

static Value constant32(Builder &b, int64_t value) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
}

namespace {

class MatrixProduct final : public TileProduct {
public:
  MatrixProduct(Builder &b, Precision mode, const Slab &rows,
                const Slab &columns, Value thread);

  Values add(Value rowSlab, Value columnSlab, ValueRange sums) override;
  Value getRow(int64_t i) override {
    return getPlace(rowWarp, /*cells=*/4, 32 * (i / 4) + i % 4, rowLane);
  }
  Value getColumn(int64_t j) override {
    return getPlace(columnWarp, /*cells=*/8, 32 * (j / 8) + j % 8, depthLane);
  }
  int64_t getNeighbours() const override { return 4; }

private:
  /// What one part is in registers, for each row, or column, of a lane.
  using Words = SmallVector<Values>;

  Value getPlace(Value warp, int64_t cells, int64_t more, Value lane);
  Value point(const Slab &slab, Value pointer, Value warp);
  /// Four steps of depth of some rows, or columns, from line `first` on.
  SmallVector<std::array<Value, 4>> load(const Slab &slab, Value pointer,
                                         int64_t depth, int64_t first,
                                         int64_t count);
  SmallVector<Words> read(const Slab &slab, Value pointer, int64_t depth,
                          int64_t first, int64_t count);
  using Sums = std::array<Value, 4>;
  void multiply(ArrayRef<Value> first, ArrayRef<Value> second,
                ArrayRef<Value> column, int64_t step, Sums &sums);
  void addTo(Values &sums, int64_t i, int64_t j, const Sums &main,
             const Sums &correction);
  void addSteps(Value rowSlab, Value columnSlab, int64_t depth, Values &sums);

  PartSplit split;
  /// Which warp of those that share the rows, or columns; and the lane's g, q.
  Value rowWarp, columnWarp, rowLane, depthLane;
};

} // namespace

MatrixProduct::MatrixProduct(Builder &b, Precision mode, const Slab &rows,
                             const Slab &columns, Value thread)
    : TileProduct(b, rows, columns), split(PartSplit::get(mode)) {
  constexpr int64_t lanes = 32, across = 4;
  Value warp = arith::DivUIOp::create(b, thread, constant32(b, lanes));
  Value lane = arith::RemUIOp::create(b, thread, constant32(b, lanes));
  Value warps = constant32(b, columns.extent / (across * columns.ofThread));
  columnWarp = arith::RemUIOp::create(b, warp, warps);
  rowWarp = arith::DivUIOp::create(b, warp, warps);
  rowLane = arith::DivUIOp::create(b, lane, constant32(b, across));
  depthLane = arith::RemUIOp::create(b, lane, constant32(b, across));
}

/// A cell of those that the lanes of a warp share, each so many of 32.
Value MatrixProduct::getPlace(Value warp, int64_t cells, int64_t more,
                              Value lane) {
  const Slab &slab = cells == 4 ? rows : columns;
  Value place =
      arith::MulIOp::create(b, warp, constant32(b, 32 / cells * slab.ofThread));
  place = arith::AddIOp::create(
      b, place, arith::MulIOp::create(b, lane, constant32(b, cells)));
  place = arith::ExtUIOp::create(b, b.getI64Type(), place);
  return arith::AddIOp::create(b, place, constant(b, more));
}

/// Where the lane's first number is.
Value MatrixProduct::point(const Slab &slab, Value pointer, Value warp) {
  auto times = [&](Value x, int64_t by) -> Value {
    return arith::MulIOp::create(b, x, constant32(b, by));
  };
  int64_t ofWarp = &slab == &rows ? 8 * rows.ofThread : 4 * columns.ofThread;
  Value first = times(warp, ofWarp), cell = times(rowLane, 4);
  Value offset;
  if (slab.alongDepth) {
    offset = times(arith::AddIOp::create(b, first, cell), slab.getPitch());
    offset = arith::AddIOp::create(b, offset, times(depthLane, 4));
  } else {
    // Depths of a lane differ in bits that exchange nothing, and so do cells
    // that are 32 apart.
    static_assert(Slab::kSwizzleFrom == 2 && Slab::kSwizzleMask == 3 &&
                  Slab::kSwizzleTo == 3);
    Value swizzle = times(depthLane, 1 << Slab::kSwizzleTo);
    offset = times(depthLane, 4 * slab.getPitch());
    cell = arith::XOrIOp::create(b, cell, swizzle);
    offset =
        arith::AddIOp::create(b, offset, arith::AddIOp::create(b, first, cell));
  }
  return LLVM::GEPOp::create(b, pointer.getType(), slab.element, pointer,
                             offset);
}

/// In groups of four where these lie along memory.
SmallVector<std::array<Value, 4>>
MatrixProduct::load(const Slab &slab, Value pointer, int64_t depth,
                    int64_t first, int64_t count) {
  SmallVector<std::array<Value, 4>> numbers(count);
  int64_t pitch = slab.getPitch();
  auto getCell = [&](int64_t line) { return line / 4 * 32 + line % 4; };
  if (slab.alongDepth) {
    for (int64_t i = 0; i < count; ++i) {
      Value loaded =
          loadVector(slab, pointer, getCell(first + i) * pitch + depth);
      for (int64_t k = 0; k < 4; ++k)
        numbers[i][k] = vector::ExtractOp::create(b, loaded, k);
    }
    return numbers;
  }
  for (int64_t i = 0; i < count; i += 4)
    for (int64_t k = 0; k < 4; ++k) {
      Value loaded =
          loadVector(slab, pointer, (depth + k) * pitch + getCell(first + i));
      for (int64_t j = 0; j < 4; ++j)
        numbers[i + j][k] = vector::ExtractOp::create(b, loaded, j);
    }
  return numbers;
}

/// The parts of what a lane reads of some rows, or columns.
SmallVector<MatrixProduct::Words>
MatrixProduct::read(const Slab &slab, Value pointer, int64_t depth,
                    int64_t first, int64_t count) {
  SmallVector<Words> parts(split.parts);
  for (const auto &numbers : load(slab, pointer, depth, first, count))
    for (auto [words, own] : llvm::zip_equal(parts, split.apply(b, numbers)))
      words.push_back(own);
  return parts;
}

/// Adds the product of 16 rows and 8 columns in the two words of a step.
void MatrixProduct::multiply(ArrayRef<Value> first, ArrayRef<Value> second,
                             ArrayRef<Value> column, int64_t step, Sums &sums) {
  int64_t at = 2 * step;
  Value x[] = {first[at], second[at], first[at + 1], second[at + 1]};
  Value y[] = {column[at], column[at + 1]};
  Type f32 = b.getF32Type();
  auto type =
      LLVM::LLVMStructType::getLiteral(b.getContext(), {f32, f32, f32, f32});
  bool isTF32 = split.format == PartSplit::tf32;
  auto format = isTF32                           ? NVVM::MMATypes::tf32
                : split.format == PartSplit::f16 ? NVVM::MMATypes::f16
                                                 : NVVM::MMATypes::bf16;
  Value product = NVVM::MmaOp::create(
      b, type, x, y, sums, {16, 8, isTF32 ? 8 : 16}, std::nullopt, std::nullopt,
      std::array{format, format},
      std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  for (auto [i, sum] : llvm::enumerate(sums))
    sum = LLVM::ExtractValueOp::create(b, product, static_cast<int64_t>(i));
}

/// Of 16 rows, those of a lane from `i` on, and of 8 columns, those of number
/// `j`.
void MatrixProduct::addTo(Values &sums, int64_t i, int64_t j, const Sums &main,
                          const Sums &correction) {
  auto contraction = arith::FastMathFlagsAttr::get(
      b.getContext(), arith::FastMathFlags::contract);
  Value unscale =
      arith::ConstantOp::create(b, b.getF32FloatAttr(float(1 / split.scale)));
  for (int64_t c = 0; c < 4; ++c) {
    Value product = main[c];
    if (split.parts > 1)
      product = arith::AddFOp::create(
          b, product,
          arith::MulFOp::create(b, correction[c], unscale, contraction),
          contraction);
    // A lane has two of the rows and two of the columns.
    int64_t row = i + c / 2, column = j / 4 * 8 + 4 * (c % 2) + j % 4;
    Value &sum = sums[row * columns.ofThread + column];
    sum = arith::AddFOp::create(b, sum, product);
  }
}

void MatrixProduct::addSteps(Value rowSlab, Value columnSlab, int64_t depth,
                             Values &sums) {
  // Of eight columns, a lane reads one.
  int64_t tiles = columns.ofThread / 2;
  SmallVector<Words> ofColumns = read(columns, columnSlab, depth, 0, tiles);
  int64_t steps = ofColumns[0][0].size() / 2;
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  // No more rows at a time than are there anyway: registers are scarce.
  int64_t atOnce = rows.alongDepth ? 2 : 4;
  for (int64_t first = 0; first < rows.ofThread; first += atOnce) {
    SmallVector<Words> ofRows = read(rows, rowSlab, depth, first, atOnce);
    for (int64_t i = 0; i < atOnce; i += 2)
      for (int64_t j = 0; j < tiles; ++j) {
        Sums main = {zero, zero, zero, zero}, correction = main;
        for (int64_t step = 0; step < steps; ++step)
          // The smallest products first.
          for (int64_t order = split.parts - 1; order >= 0; --order)
            for (int64_t p = 0; p <= order; ++p)
              multiply(ofRows[p][i], ofRows[p][i + 1], ofColumns[order - p][j],
                       step, order == 0 ? main : correction);
        addTo(sums, first + i, j, main, correction);
      }
  }
}

Values MatrixProduct::add(Value rowSlab, Value columnSlab, ValueRange sums) {
  rowSlab = point(rows, rowSlab, rowWarp);
  columnSlab = point(columns, columnSlab, columnWarp);
  Values result(sums);
  for (int64_t depth = 0; depth < rows.depth; depth += kDepth)
    addSteps(rowSlab, columnSlab, depth, result);
  return result;
}

std::unique_ptr<TileProduct> createMatrixProduct(Builder &b, Precision mode,
                                                 const Slab &rows,
                                                 const Slab &columns,
                                                 Value thread) {
  return std::make_unique<MatrixProduct>(b, mode, rows, columns, thread);
}

} // namespace gyre::kernels
