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
// 8 q + 7; of columns that are packed (PackedColumns.h), 4 q to 4 q + 3 of 16.
//
// Where both operands lie along rows, and columns, threads split what they have
// copied, in place (Slab::isSplit): a lane's depths are then 2 q, 2 q + 1 and
// those that are 8 more.
//
//===----------------------------------------------------------------------===//

#include "TileProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <array>

using namespace mlir;

namespace gyre::kernels {

/// Depth of what the lanes of a warp read at once. Matrix units truncate where
/// they add to a sum: they add so many terms to zero, and the rest is done in
/// registers, rounded. PackedColumns.h says where they may add more.
static constexpr int64_t kDepth = 16;
static_assert(kDepth == Slab::kStep);

namespace {

class MatrixProduct final : public SlabProduct {
public:
  MatrixProduct(Builder &b, Precision mode, const Slab &rows,
                const Slab &columns, const std::optional<PackedColumns> &packed,
                Value thread);

  Values zeros() override;
  Values add(Value rowSlab, Value columnSlab, ValueRange sums) override;
  Values finish(ValueRange sums) override;
  std::optional<int64_t> getMostAdded() const override {
    if (accumulates())
      return tiles::Product::kMostAdded;
    return std::nullopt;
  }
  Value getRow(int64_t i) override {
    return getPlace(rowWarp, /*cells=*/4, 32 * (i / 4) + i % 4, rowLane);
  }
  Value getColumn(int64_t j) override {
    if (packed)
      return getPlace(columnWarp, /*cells=*/4, 16 * (j / 4) + j % 4, depthLane);
    return getPlace(columnWarp, /*cells=*/8, 32 * (j / 8) + j % 8, depthLane);
  }
  int64_t getNeighbours() const override { return 4; }

private:
  /// What one part is in registers, for each row, or column, of a lane.
  using Words = SmallVector<Values>;

  /// Whether matrix units add to sums themselves: to main products, and to what
  /// corrects these, which are kept apart until they are finished.
  bool accumulates() const { return rows.isSplit && columns.isSplit; }
  int64_t countSums() const { return rows.ofThread * columns.ofThread; }
  Value getPlace(Value warp, int64_t cells, int64_t more, Value lane);
  int64_t countOfWarp(Value warp) const {
    return warp == rowWarp ? 8 * rows.ofThread : 4 * columns.ofThread;
  }
  Value point(const Slab &slab, Value pointer, Value warp, Value depth);
  /// Four steps of depth of some rows, or columns, from line `first` on.
  SmallVector<std::array<Value, 4>> load(const Slab &slab, Value pointer,
                                         int64_t first, int64_t count);
  SmallVector<Words> read(const Slab &slab, Value pointer, int64_t first,
                          int64_t count);
  SmallVector<Words> loadWords(const Slab &slab, Value pointer, int64_t first,
                               int64_t count);
  Value viewWord(Value word);
  using Sums = std::array<Value, 4>;
  void multiplyWords(ArrayRef<Value> first, ArrayRef<Value> second,
                     ArrayRef<Value> column, Sums &sums);
  /// Products of 16 rows, two of a lane, and eight columns: the main one, and
  /// what corrects it.
  void multiplyParts(const SmallVector<Words> &ofRows, int64_t i,
                     ArrayRef<ArrayRef<Value>> ofColumn, Sums &main,
                     Sums &correction);
  /// The lane's sum of number `c` of a matrix unit's result: it has two of the
  /// rows, from `i` on, and two of the columns of eight `j`.
  Value &at(Values &sums, int64_t i, int64_t j, int64_t c) const {
    int64_t column = packed ? 2 * j + c % 2 : j / 4 * 8 + 4 * (c % 2) + j % 4;
    return sums[(i + c / 2) * columns.ofThread + column];
  }
  /// The main product, and what corrects it.
  Value correct(Value main, Value correction);
  void addTo(Values &sums, int64_t i, int64_t j, const Sums &main,
             const Sums &correction);
  void addToUnits(const SmallVector<Words> &ofRows, int64_t i, int64_t first,
                  int64_t j, ArrayRef<ArrayRef<Value>> ofColumn, Values &sums);
  void addSteps(Value rowSlab, Value columnSlab, int64_t depth, Values &sums);
  Values loadPacked(Value pointer, int64_t eight, int64_t part);
  void addPacked(Value rowSlab, Value columnSlab, Value depth, Values &sums);

  PartSplit split;
  std::optional<PackedColumns> packed;
  /// Which warp of those that share the rows, or columns; and the lane's g, q.
  Value rowWarp, columnWarp, rowLane, depthLane;
};

} // namespace

MatrixProduct::MatrixProduct(Builder &b, Precision mode, const Slab &rows,
                             const Slab &columns,
                             const std::optional<PackedColumns> &packed,
                             Value thread)
    : SlabProduct(b, rows, columns), split(PartSplit::get(mode)),
      packed(packed) {
  constexpr int64_t lanes = 32, across = 4;
  Value warp = arith::DivUIOp::create(b, thread, constant32(b, lanes));
  Value lane = arith::RemUIOp::create(b, thread, constant32(b, lanes));
  Value warps = constant32(b, columns.extent / (across * columns.ofThread));
  columnWarp = arith::RemUIOp::create(b, warp, warps);
  rowWarp = arith::DivUIOp::create(b, warp, warps);
  rowLane = arith::DivUIOp::create(b, lane, constant32(b, across));
  depthLane = arith::RemUIOp::create(b, lane, constant32(b, across));
}

/// A cell of those that the lanes of a warp share, each so many of a row of
/// them.
Value MatrixProduct::getPlace(Value warp, int64_t cells, int64_t more,
                              Value lane) {
  Value place =
      arith::MulIOp::create(b, warp, constant32(b, countOfWarp(warp)));
  place = arith::AddIOp::create(
      b, place, arith::MulIOp::create(b, lane, constant32(b, cells)));
  place = arith::ExtUIOp::create(b, b.getI64Type(), place);
  return arith::AddIOp::create(b, place, constant(b, more));
}

/// Where the lane's first number is, of those from a depth on.
Value MatrixProduct::point(const Slab &slab, Value pointer, Value warp,
                           Value depth) {
  auto times = [&](Value x, int64_t by) -> Value {
    return arith::MulIOp::create(b, x, constant32(b, by));
  };
  Value first = times(warp, countOfWarp(warp)), cell = times(rowLane, 4);
  Value offset;
  auto swizzle = slab.getSwizzle();
  if (slab.alongDepth) {
    offset = times(arith::AddIOp::create(b, first, cell), slab.getPitch());
    Value along = arith::AddIOp::create(b, times(depthLane, 4), depth);
    if (swizzle) {
      // Rows of a lane differ in bits that exchange nothing, or not at all.
      Value bits =
          arith::AndIOp::create(b, rowLane, constant32(b, swizzle->mask));
      along = arith::XOrIOp::create(b, along, times(bits, 1 << swizzle->to));
    }
    offset = arith::AddIOp::create(b, offset, along);
  } else {
    // Depths of a lane differ in bits that exchange nothing, and so do cells
    // that are 32 apart.
    offset =
        arith::AddIOp::create(b, times(depthLane, slab.isSplit ? 2 : 4), depth);
    offset = times(offset, slab.getPitch());
    cell = arith::XOrIOp::create(b, cell, times(depthLane, 1 << swizzle->to));
    offset =
        arith::AddIOp::create(b, offset, arith::AddIOp::create(b, first, cell));
  }
  return LLVM::GEPOp::create(b, pointer.getType(), slab.element, pointer,
                             offset);
}

/// In groups of four where these lie along memory.
SmallVector<std::array<Value, 4>> MatrixProduct::load(const Slab &slab,
                                                      Value pointer,
                                                      int64_t first,
                                                      int64_t count) {
  SmallVector<std::array<Value, 4>> numbers(count);
  int64_t pitch = slab.getPitch();
  auto getCell = [&](int64_t line) { return line / 4 * 32 + line % 4; };
  if (slab.alongDepth) {
    for (int64_t i = 0; i < count; ++i) {
      Value loaded = loadVector(slab, pointer, getCell(first + i) * pitch);
      for (int64_t k = 0; k < 4; ++k)
        numbers[i][k] = vector::ExtractOp::create(b, loaded, k);
    }
    return numbers;
  }
  for (int64_t i = 0; i < count; i += 4)
    for (int64_t k = 0; k < 4; ++k) {
      Value loaded = loadVector(slab, pointer, k * pitch + getCell(first + i));
      for (int64_t j = 0; j < 4; ++j)
        numbers[i + j][k] = vector::ExtractOp::create(b, loaded, j);
    }
  return numbers;
}

/// A word of parts, as matrix units take it.
Value MatrixProduct::viewWord(Value word) {
  if (split.format != PartSplit::f16)
    return word;
  return LLVM::BitcastOp::create(b, VectorType::get({2}, b.getF16Type()), word);
}

/// The words of parts that were split before, of two rows, or columns, at once.
SmallVector<MatrixProduct::Words> MatrixProduct::loadWords(const Slab &slab,
                                                           Value pointer,
                                                           int64_t first,
                                                           int64_t count) {
  SmallVector<Words> parts(split.parts, Words(count, Values(2)));
  auto type = VectorType::get({4}, b.getI32Type());
  for (int64_t part = 0; part < split.parts; ++part)
    for (int64_t i = 0; i < count; i += 2) {
      int64_t line = (first + i) / 2 % 2 + part * Slab::kApart;
      auto place =
          static_cast<int32_t>(line * slab.getPitch() + (first + i) / 4 * 32);
      Value from = LLVM::GEPOp::create(b, pointer.getType(), slab.element,
                                       pointer, ArrayRef<LLVM::GEPArg>{place});
      Value loaded = LLVM::LoadOp::create(b, type, from, /*alignment=*/16);
      for (int64_t word = 0; word < 2; ++word)
        for (int64_t x = 0; x < 2; ++x) {
          int64_t at = &slab == &rows ? 2 * word + x : word + 2 * x;
          parts[part][i + x][word] =
              viewWord(vector::ExtractOp::create(b, loaded, at));
        }
    }
  return parts;
}

/// The parts of what a lane reads of some rows, or columns.
SmallVector<MatrixProduct::Words> MatrixProduct::read(const Slab &slab,
                                                      Value pointer,
                                                      int64_t first,
                                                      int64_t count) {
  if (slab.isSplit)
    return loadWords(slab, pointer, first, count);
  SmallVector<Words> parts(split.parts);
  for (const auto &numbers : load(slab, pointer, first, count))
    for (auto [words, own] : llvm::zip_equal(parts, split.apply(b, numbers)))
      words.push_back(own);
  return parts;
}

/// Adds the product of 16 rows and 8 columns in two words of each.
void MatrixProduct::multiplyWords(ArrayRef<Value> first, ArrayRef<Value> second,
                                  ArrayRef<Value> column, Sums &sums) {
  Value x[] = {first[0], second[0], first[1], second[1]};
  Value y[] = {column[0], column[1]};
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

void MatrixProduct::multiplyParts(const SmallVector<Words> &ofRows, int64_t i,
                                  ArrayRef<ArrayRef<Value>> ofColumn,
                                  Sums &main, Sums &correction) {
  for (size_t at = 0; at < ofColumn[0].size(); at += 2)
    // The smallest products first.
    for (int64_t order = split.parts - 1; order >= 0; --order)
      for (int64_t p = 0; p <= order; ++p)
        multiplyWords(ArrayRef(ofRows[p][i]).slice(at, 2),
                      ArrayRef(ofRows[p][i + 1]).slice(at, 2),
                      ofColumn[order - p].slice(at, 2),
                      order == 0 ? main : correction);
}

Value MatrixProduct::correct(Value main, Value correction) {
  if (split.parts == 1)
    return main;
  auto contraction = arith::FastMathFlagsAttr::get(
      b.getContext(), arith::FastMathFlags::contract);
  Value unscale =
      arith::ConstantOp::create(b, b.getF32FloatAttr(float(1 / split.scale)));
  return arith::AddFOp::create(
      b, main, arith::MulFOp::create(b, correction, unscale, contraction),
      contraction);
}

void MatrixProduct::addTo(Values &sums, int64_t i, int64_t j, const Sums &main,
                          const Sums &correction) {
  for (int64_t c = 0; c < 4; ++c) {
    Value &sum = at(sums, i, j, c);
    sum = arith::AddFOp::create(b, sum, correct(main[c], correction[c]));
  }
}

/// Adds products of 16 rows and eight columns to what is first in `sums`, and
/// what corrects them to what is behind that.
void MatrixProduct::addToUnits(const SmallVector<Words> &ofRows, int64_t i,
                               int64_t first, int64_t j,
                               ArrayRef<ArrayRef<Value>> ofColumn,
                               Values &sums) {
  Values mains(ValueRange(sums).take_front(countSums()));
  Values corrections(ValueRange(sums).drop_front(countSums()));
  Sums main, correction;
  for (int64_t c = 0; c < 4; ++c) {
    main[c] = at(mains, first + i, j, c);
    correction[c] =
        corrections.empty() ? main[c] : at(corrections, first + i, j, c);
  }
  multiplyParts(ofRows, i, ofColumn, main, correction);
  for (int64_t c = 0; c < 4; ++c) {
    at(mains, first + i, j, c) = main[c];
    if (!corrections.empty())
      at(corrections, first + i, j, c) = correction[c];
  }
  sums = mains;
  llvm::append_range(sums, corrections);
}

void MatrixProduct::addSteps(Value rowSlab, Value columnSlab, int64_t depth,
                             Values &sums) {
  Value from = constant32(b, depth);
  rowSlab = point(rows, rowSlab, rowWarp, from);
  columnSlab = point(columns, columnSlab, columnWarp, from);
  // Of eight columns, a lane reads one.
  int64_t tiles = columns.ofThread / 2;
  SmallVector<Words> ofColumns = read(columns, columnSlab, 0, tiles);
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  // No more rows at a time than are there anyway: registers are scarce.
  int64_t atOnce = rows.alongDepth || rows.isSplit ? 2 : 4;
  for (int64_t first = 0; first < rows.ofThread; first += atOnce) {
    SmallVector<Words> ofRows = read(rows, rowSlab, first, atOnce);
    for (int64_t i = 0; i < atOnce; i += 2)
      for (int64_t j = 0; j < tiles; ++j) {
        SmallVector<ArrayRef<Value>> ofColumn;
        for (const Words &part : ofColumns)
          ofColumn.push_back(part[j]);
        if (accumulates()) {
          addToUnits(ofRows, i, first, j, ofColumn, sums);
          continue;
        }
        Sums main = {zero, zero, zero, zero}, correction = main;
        multiplyParts(ofRows, i, ofColumn, main, correction);
        addTo(sums, first + i, j, main, correction);
      }
  }
}

/// A lane's words of a part of eight columns.
Values MatrixProduct::loadPacked(Value pointer, int64_t eight, int64_t part) {
  constexpr int64_t bytes = 4;
  int64_t width = packed->getStepWords();
  Type type = b.getI32Type();
  auto place = static_cast<int32_t>(packed->getPlace(eight, part, 0));
  Value from = LLVM::GEPOp::create(b, pointer.getType(), type, pointer,
                                   ArrayRef<LLVM::GEPArg>{place});
  Value loaded = LLVM::LoadOp::create(b, VectorType::get({width}, type), from,
                                      width * bytes);
  Values words;
  for (int64_t i = 0; i < width; ++i) {
    words.push_back(viewWord(vector::ExtractOp::create(b, loaded, i)));
  }
  return words;
}

/// Rows are split here, once for all columns of the tile.
void MatrixProduct::addPacked(Value rowSlab, Value columnSlab, Value depth,
                              Values &sums) {
  columnSlab = LLVM::GEPOp::create(
      b, columnSlab.getType(), b.getI32Type(), columnSlab,
      Value(arith::MulIOp::create(
          b, depth, constant32(b, packed->getPlace(0, 0, 1) / kDepth))));
  SmallVector<Words> ofRows =
      read(rows, point(rows, rowSlab, rowWarp, depth), 0, rows.ofThread);
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  bool addsToSums = packed->addsToSums();
  for (int64_t eight = 0; eight < columns.ofThread / 2; ++eight) {
    SmallVector<Values> words;
    for (int64_t part = 0; part < split.parts; ++part)
      words.push_back(loadPacked(columnSlab, eight, part));
    SmallVector<ArrayRef<Value>> ofColumn(words.begin(), words.end());
    for (int64_t i = 0; i < rows.ofThread; i += 2) {
      Sums main = {zero, zero, zero, zero}, correction = main;
      for (int64_t c = 0; addsToSums && c < 4; ++c)
        main[c] = at(sums, i, eight, c);
      multiplyParts(ofRows, i, ofColumn, main, correction);
      if (!addsToSums)
        addTo(sums, i, eight, main, correction);
      for (int64_t c = 0; addsToSums && c < 4; ++c)
        at(sums, i, eight, c) = correct(main[c], correction[c]);
    }
  }
}

Values MatrixProduct::zeros() {
  Values zeros = SlabProduct::zeros();
  if (accumulates() && split.parts > 1)
    zeros.append(Values(zeros));
  return zeros;
}

Values MatrixProduct::finish(ValueRange sums) {
  Values finished(sums.take_front(countSums()));
  for (auto [sum, correction] :
       llvm::zip(finished, sums.drop_front(countSums())))
    sum = correct(sum, correction);
  return finished;
}

Values MatrixProduct::add(Value rowSlab, Value columnSlab, ValueRange sums) {
  Values result(sums);
  if (!packed) {
    for (int64_t depth = 0; depth < rows.depth; depth += kDepth)
      addSteps(rowSlab, columnSlab, depth, result);
    return result;
  }
  // Of eights, those of the warp, and of their words those of the lane.
  Value first = arith::MulIOp::create(
      b, columnWarp,
      constant32(b, packed->getPlace(columns.ofThread / 2, 0, 0)));
  Value lane = arith::AddIOp::create(
      b, arith::MulIOp::create(b, rowLane, constant32(b, 4)), depthLane);
  Value own =
      arith::MulIOp::create(b, lane, constant32(b, packed->getStepWords()));
  columnSlab =
      LLVM::GEPOp::create(b, columnSlab.getType(), b.getI32Type(), columnSlab,
                          Value(arith::AddIOp::create(b, first, own)));
  Value zero = constant32(b, 0), end = constant32(b, rows.depth);
  // A loop, or the assembler would take registers for several steps at once.
  auto loop = scf::ForOp::create(
      b, zero, end, constant32(b, kDepth), result,
      [&](OpBuilder &, Location, Value depth, ValueRange carried) {
        Values own(carried);
        addPacked(rowSlab, columnSlab, depth, own);
        scf::YieldOp::create(b, own);
      });
  return Values(loop.getResults());
}

std::unique_ptr<TileProduct>
createMatrixProduct(Builder &b, Precision mode, const Slab &rows,
                    const Slab &columns,
                    const std::optional<PackedColumns> &packed, Value thread) {
  return std::make_unique<MatrixProduct>(b, mode, rows, columns, packed,
                                         thread);
}

} // namespace gyre::kernels
