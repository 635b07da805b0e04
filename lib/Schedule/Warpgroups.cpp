//===- Warpgroups.cpp - Tiles of warpgroups -------------------------------===//

#include "Facts.h"

#include "gyre/Tiles/Product.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gyre::schedule {

using tiles::Piece;
using tiles::Product;

namespace {

/// Registers of a thread for sums of so many columns, two rows of a quarter of
/// them: for main sums, and corrections; or for those to which matrix units add
/// in turns, and the sums of all. `adds`: whether there are others before.
int64_t countRegisters(const Product &product, int64_t columns, bool adds) {
  bool isLong = product.estimate(product.depth) > product.countMostAdded();
  int64_t kinds = product.countParts() > 1 || isLong || adds ? 2 : 1;
  return columns / 2 * kinds;
}

/// Cycles for all columns of a product in tiles of so many, relative to
/// others: matrix units take half a cycle for a column and each product of
/// parts, 16 steps of depth at a time, and accesses of shared memory a quarter,
/// and some 48 for the rows, whatever the columns.
double estimateCycles(const Product &product, int64_t columns) {
  auto parts = static_cast<double>(product.countParts());
  double tiles = static_cast<double>(
      llvm::divideCeil(product.estimate(product.columns), columns));
  return tiles * static_cast<double>(product.estimate(product.depth)) *
         (parts * (parts + 1) / 4 * static_cast<double>(columns) + 48);
}

} // namespace

/// Whether a product is bound by matrix units. Of few terms it is by what
/// follows, which wants registers.
static bool suits(const Piece &piece) {
  constexpr int64_t shortest = 128;
  return llvm::all_of(piece.terms, [](const Product &product) {
    return product.getMatrixMode() && product.hasSharedColumns() &&
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
      fits &= countRegisters(product, columns, piece.terms.size() > 1) <=
              mostRegisters;
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
    registers = std::max(registers, countRegisters(piece.getProduct(), best,
                                                   piece.terms.size() > 1));
  int64_t warps = registers <= fewRegisters ? 16 : 12;
  ContractOp op = pieces.front().getProduct().op;
  return TileAttr::get(op.getContext(), rows, best, depth, threadRows, best / 4,
                       stages, warps, /*warpgroups=*/true);
}

} // namespace gyre::schedule
