//===- Tiles.cpp - Which products are computed by tiles -------------------===//

#include "Facts.h"

#include "gyre/Tiles/Access.h"
#include "gyre/Tiles/Product.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;

namespace gyre::schedule {

using tiles::Piece;
using tiles::Pieces;
using tiles::Product;

static bool isDouble(const Product &product) {
  ContractOp op = product.op;
  return op.getPrecision() == Precision::fp64 ||
         op.getAccumulatorType().isF64();
}

/// Rows and columns of a block.
struct Extents {
  int64_t rows = 0, columns = 0;

  int64_t countCells() const { return rows * columns; }
  double countTiles(const Product &product) const {
    return double(llvm::divideCeil(product.estimate(product.rows), rows)) *
           double(llvm::divideCeil(product.estimate(product.columns), columns));
  }
  /// Instructions of all threads for a step of depth: one for each cell, also
  /// of tiles that are not filled, and some for what is copied and waited for.
  double estimateStep(const Product &product) const {
    constexpr int64_t ofCopied = 8;
    return countTiles(product) *
           double(countCells() + ofCopied * (rows + columns));
  }
};

/// The tiles that take the fewest instructions for a sum that is cut. There are
/// blocks enough in any case. None where a thread for each cell, which reads
/// two numbers for each term, takes fewer.
static std::optional<Extents> chooseExtents(const Product &product,
                                            bool isWide) {
  constexpr double ofTerm = 6;
  int64_t mostCells = isWide ? 4096 : 8192, mostRows = isWide ? 64 : 128;
  std::optional<Extents> best;
  double fewest = ofTerm * double(product.estimate(product.rows)) *
                  double(product.estimate(product.columns));
  for (int64_t rows = mostRows; rows > 0; rows -= 32)
    for (int64_t columns : {96, 64, 32}) {
      Extents extents{rows, columns};
      double step = extents.estimateStep(product);
      if (extents.countCells() > mostCells || step >= fewest)
        continue;
      fewest = step;
      best = extents;
    }
  return best;
}

/// Says of which products each cell is computed by a thread of its own, though
/// tiles of them would pay.
static void remarkProducts(CellsOp kernel) {
  if (kernel.getSum())
    return;
  for (auto op : kernel.getBody().getOps<ContractOp>()) {
    std::optional<Product> product = Product::get(op);
    if (product && product->pays())
      op.emitRemark(
          "product of matrices without tiles: a thread for each cell of "
          "what is computed from it");
  }
}

void chooseTile(CellsOp kernel, bool warpgroups) {
  constexpr int64_t multiprocessors = 132, blocksOfEach = 4;
  constexpr int64_t longDepth = 256, warp = 32;
  constexpr double mostParts = 1024;
  if (kernel.getTile() || kernel.getParts())
    return;
  std::optional<Pieces> pieces = Pieces::get(kernel);
  if (!pieces)
    return remarkProducts(kernel);
  std::optional<Extents> ofSum;
  if (kernel.getSum()) {
    const Product &product = pieces->pieces.front().getProduct();
    ofSum = chooseExtents(product, isDouble(product));
    if (!ofSum)
      return;
  } else if (!llvm::all_of(pieces->pieces, [](const Piece &piece) {
               return llvm::all_of(piece.terms, std::mem_fn(&Product::pays));
             })) {
    return;
  }
  if (warpgroups && !kernel.getSum())
    if (TileAttr tile = chooseWarpgroups(pieces->pieces)) {
      kernel.setTileAttr(tile);
      return;
    }
  int64_t mostRows = 0, mostColumns = 0;
  bool isWide = false, ofMatrixUnits = false, isPacked = true, isDeep = true;
  bool isLong = !kernel.getSum();
  for (const Piece &piece : pieces->pieces) {
    const Product &product = piece.getProduct();
    mostRows = std::max(mostRows, product.estimate(product.rows));
    mostColumns = std::max(mostColumns, product.estimate(product.columns));
    isWide |= isDouble(product);
    ofMatrixUnits |= product.getMatrixMode().has_value();
    isLong &= piece.estimateDepth() >= longDepth;
    for (const Product &term : piece.terms) {
      isPacked &= term.getMatrixMode() && term.hasSharedColumns();
      isDeep &= tiles::isMultipleOf(term.count(term.depth), 32);
    }
  }
  int64_t rows = mostRows > 64 && !isWide ? 128 : 64;
  int64_t columns = mostColumns > 32 ? 64 : 32;
  if (ofSum) {
    rows = ofSum->rows;
    columns = ofSum->columns;
  }
  // Deep slabs, where no part of one is beyond the end: one is on its way while
  // another one is multiplied, and threads wait for one another half as often.
  int64_t depth = isDeep ? 32 : 16, stages = isDeep ? 2 : 3;
  int64_t threadRows = 8, threadColumns = 8;
  // Registers for 64 numbers of 32 bits, and as many again for what is on its
  // way to them: 16 warps have 128 for each of their threads. Long sums are
  // bound by arithmetic: fewer warps have what they multiply there earlier.
  int64_t warps = isLong && !isWide ? 12 : 16;
  if (isWide) {
    depth = 8;
    threadColumns = 4;
    stages = 3;
  }
  // Small tiles: so few cells of a thread that there are two warps.
  constexpr int64_t fewestThreads = 2 * warp;
  for (int64_t *ofThread : {&threadRows, &threadColumns})
    if (rows * columns < fewestThreads * threadRows * threadColumns)
      *ofThread = 4;
  if (ofMatrixUnits) {
    // A warp has 64 x 32 cells, and registers for the parts of 16 steps of
    // depth beside the sums. Of sums over rows, both operands lie along the
    // cells: deep slabs have something to split for each thread.
    depth = ofSum ? 32 : 16;
    threadColumns = 8;
    threadRows = rows < 128 ? 4 : 8;
    stages = ofSum ? 2 : 4;
    warps = 12;
  }
  if (isPacked) {
    // Columns are there in parts: a warp splits rows, each once, for all
    // columns of the tile, and needs registers for few parts of these.
    depth = isDeep ? 32 : 16;
    threadRows = 4;
    threadColumns = columns / 4;
    stages = isDeep ? 2 : 3;
    warps = 16;
  }
  // What a cell goes to many others with takes registers as well: fewer sums
  // leave these, so that as many warps hide the time of all that is read.
  constexpr size_t manyWays = 6;
  auto countWays = [](const Piece &piece) {
    size_t ways = 0;
    for (const auto &ofResult : piece.steps)
      ways += ofResult.size();
    return ways;
  };
  bool goesFar = llvm::any_of(pieces->pieces, [&](const Piece &piece) {
    return countWays(piece) > manyWays;
  });
  if (goesFar && !ofMatrixUnits && !isWide && rows == 128) {
    rows = 64;
    threadRows = 4;
  }
  int64_t threads = rows / threadRows * (columns / threadColumns);
  // A long sum of few cells is cut, so that there is a block for each place.
  if (ofSum) {
    const Product &product = pieces->pieces.front().getProduct();
    double tiles =
        ofSum->countTiles(product) * double(product.estimate(product.batch));
    int64_t blocks = std::max(warps * warp / threads, blocksOfEach);
    auto parts = static_cast<int64_t>(std::min(
        std::ceil(double(multiprocessors * blocks) / tiles), mostParts));
    if (parts > 1)
      kernel.setParts(parts);
  }
  kernel.setTileAttr(TileAttr::get(kernel.getContext(), rows, columns, depth,
                                   threadRows, threadColumns, stages, warps,
                                   /*warpgroups=*/false));
}

} // namespace gyre::schedule
