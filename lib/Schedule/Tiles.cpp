//===- Tiles.cpp - Which products are computed by tiles -------------------===//

#include "Facts.h"

#include "gyre/Tiles/Access.h"
#include "gyre/Tiles/Product.h"

#include "llvm/Support/MathExtras.h"

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

void chooseTile(CellsOp kernel) {
  constexpr int64_t multiprocessors = 132, blocksOfEach = 4, mostParts = 1024;
  constexpr int64_t longDepth = 256;
  if (kernel.getTile() || kernel.getParts())
    return;
  std::optional<Pieces> pieces = Pieces::get(kernel);
  if (!pieces || !llvm::all_of(pieces->pieces, [](const Piece &piece) {
        return llvm::all_of(piece.terms, std::mem_fn(&Product::pays));
      }))
    return;
  int64_t mostRows = 0, mostColumns = 0, cells = 0;
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
  if (ofMatrixUnits) {
    // A warp has 64 x 32 cells, and registers for the parts of 16 steps of
    // depth beside the sums.
    depth = 16;
    threadColumns = 8;
    threadRows = rows < 128 ? 4 : 8;
    stages = 4;
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
  // A long sum of few cells is cut, so that there is a block for each place.
  if (kernel.getSum()) {
    const Product &product = pieces->pieces.front().getProduct();
    cells = llvm::SaturatingMultiply<uint64_t>(
        llvm::divideCeil(product.estimate(product.rows), rows),
        llvm::divideCeil(product.estimate(product.columns), columns));
    cells = llvm::SaturatingMultiply<uint64_t>(cells,
                                               product.estimate(product.batch));
    int64_t parts = std::min<int64_t>(
        llvm::divideCeil(multiprocessors * blocksOfEach, cells), mostParts);
    if (parts > 1)
      kernel.setParts(parts);
  }
  kernel.setTileAttr(TileAttr::get(kernel.getContext(), rows, columns, depth,
                                   threadRows, threadColumns, stages, warps));
}

} // namespace gyre::schedule
