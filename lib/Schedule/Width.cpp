//===- Width.cpp - Cells along the lanes of a GPU's threads ---------------===//

#include "Width.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gyre::schedule {

static constexpr int64_t kWarp = 32;
static constexpr int64_t kVectorBytes = 16;

/// Lanes of so many cells each.
static Width makeWidth(const Facts &facts, int64_t vector, int64_t lanes,
                       int64_t registers) {
  // The fewer threads share the cells of a node, the fewer nodes' are near,
  // beside two rows.
  int64_t teams = std::max<int64_t>(kLargestRoom.warps * kWarp / lanes, 1);
  int64_t near =
      facts.ownerBytes > 0 ? facts.ownerBytes + 2 * facts.rowBytes : 0;
  bool isNear = near * teams <= kNearBytes;
  bool isWide = vector > 1 && facts.bytes <= 4 && isNear;
  return {vector,
          lanes,
          vector * facts.bytes / 4,
          isWide ? registers : getNarrow(registers),
          isWide ? facts.leastAlive : facts.mostAlive,
          isNear};
}

/// What a warp does beside the steps of a row is done once for all cells of its
/// threads.
Width chooseWidth(const Facts &facts, int64_t registers) {
  constexpr int64_t beside = 40;
  Width best{};
  double bestUse = 0;
  for (int64_t vector : {4, 2, 1}) {
    if (facts.contiguous % vector != 0 || vector * facts.bytes > kVectorBytes)
      continue;
    int64_t lanes = llvm::alignTo(llvm::divideCeil(facts.width, vector), kWarp);
    if (lanes > kMostThreads && facts.spreads) {
      // The same number for each block.
      int64_t shares = countShares(lanes);
      lanes = llvm::alignTo(llvm::divideCeil(lanes, shares), kWarp) * shares;
    } else if (lanes > kMostThreads && (vector > 1 || best.vector > 0)) {
      continue;
    }
    Width width = makeWidth(facts, vector, lanes, registers);
    double use = double(facts.width) * (beside / 4.0 + facts.steps) /
                 double(lanes * (beside + facts.steps * vector));
    if (!width.fits())
      use -= 1;
    if (best.vector == 0 || use > bestUse || (vector == 1 && bestUse <= 0)) {
      bestUse = use;
      best = width;
    }
  }
  return best;
}

bool couldBeWider(const Facts &facts, const Width &width) {
  int64_t wider = 2 * width.vector;
  return facts.contiguous % wider == 0 && wider * facts.bytes <= kVectorBytes &&
         facts.width % (wider * kWarp) == 0;
}

int64_t estimateCycles(const Facts &facts, const Width &width) {
  int64_t warps = width.lanes / kWarp, words = facts.bytes / 4;
  int64_t accesses =
      (facts.words + facts.vectors * width.vector + facts.sums) * words * warps;
  return std::max({accesses, facts.rowBytes / kBytesPerCycle,
                   estimateCycles(facts.steps, width.vector, warps)});
}

} // namespace gyre::schedule
