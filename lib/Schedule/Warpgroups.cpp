//===- Warpgroups.cpp - Tiles of warpgroups -------------------------------===//

#include "Facts.h"

#include "gyre/Tiles/Product.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gyre::schedule {

using tiles::Piece;
using tiles::Product;

namespace {

/// Parts that a mode takes numbers apart into, more or fewer.
int64_t countParts(Precision mode) {
  switch (mode) {
  case Precision::tf32:
  case Precision::bf16:
  case Precision::fp16:
    return 1;
  case Precision::bf16x6:
    return 3;
  default:
    return 2;
  }
}

/// Registers of a thread for sums of so many columns, two rows of a quarter of
/// them: for main sums, and corrections, or in long sums for those to which
/// both are added in turns; of one part, for long sums and as many on their way.
int64_t countRegisters(const Product &product, int64_t columns) {
  int64_t sums = columns / 2, kinds = 1;
  if (countParts(*product.getMatrixMode()) > 1)
    kinds = 2;
  else if (product.estimate(product.depth) > product.countMostAdded())
    kinds = 3;
  return sums * kinds;
}

/// Cycles for all columns of a product in tiles of so many, relative to
/// others: matrix units take half a cycle for a column and each of the usual
/// three products of parts, 16 steps of depth at a time, and accesses of shared
/// memory a quarter, and some 48 for the rows, whatever the columns.
double estimateCycles(const Product &product, int64_t columns) {
  double tiles = static_cast<double>(
      llvm::divideCeil(product.estimate(product.columns), columns));
  return tiles * static_cast<double>(product.estimate(product.depth)) *
         (1.5 * static_cast<double>(columns) + 48);
}

} // namespace

/// Whether a product is bound by matrix units. Of few terms it is by what
/// follows, which wants registers.
static bool suits(const Piece &piece) {
  constexpr int64_t shortest = 128, fewest = 64;
  return llvm::all_of(piece.terms, [](const Product &product) {
    return product.getMatrixMode() && product.hasSharedColumns() &&
           product.estimate(product.rows) > fewest &&
           product.estimate(product.depth) >= shortest;
  });
}

TileAttr chooseWarpgroups(ArrayRef<Piece> pieces) {
  // Sixteens are what lanes have four neighbours of.
  constexpr int64_t widest = 128, narrowest = 32, sixteen = 16;
  constexpr int64_t mostRegisters = 128, fewRegisters = 64;
  // Of 64 rows, one warpgroup's: blocks wait for one another's slabs as little
  // as they can.
  constexpr int64_t rows = 64, threadRows = 2, depth = 32, stages = 3;
  if (!llvm::all_of(pieces, suits))
    return {};
  int64_t best = 0;
  double fewest = 0;
  for (int64_t columns = widest; columns >= narrowest; columns -= sixteen) {
    double cycles = 0;
    bool fits = true;
    for (const Piece &piece : pieces) {
      const Product &product = piece.getProduct();
      fits &= countRegisters(product, columns) <= mostRegisters;
      cycles += estimateCycles(product, columns);
    }
    if (fits && (best == 0 || cycles < fewest)) {
      best = columns;
      fewest = cycles;
    }
  }
  if (best == 0)
    return {};
  int64_t registers = 0;
  for (const Piece &piece : pieces)
    registers = std::max(registers, countRegisters(piece.getProduct(), best));
  int64_t warps = registers <= fewRegisters ? 16 : 12;
  ContractOp op = pieces.front().getProduct().op;
  return TileAttr::get(op.getContext(), rows, best, depth, threadRows, best / 4,
                       stages, warps, /*warpgroups=*/true);
}

} // namespace gyre::schedule
