//===- LaneSums.cpp - Many sums over the lanes of a warp ------------------===//

#include "LaneSums.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace gyre::kernels {

/// Threads so far from each other exchange parts of so many values.
static int64_t distanceFor(size_t values) { return kWarp / 2 / values; }

LaneSums::Part LaneSums::join(const Part &lower, const Part &upper) {
  int64_t distance = distanceFor(lower.owned.size());
  Value isUpper = team.hasLaneBit(distance);
  Value keep = arith::SelectOp::create(b, isUpper, upper.value, lower.value);
  Value send = arith::SelectOp::create(b, isUpper, lower.value, upper.value);
  Part part{arith::AddFOp::create(b, keep, team.exchange(send, distance)), {}};
  for (auto [first, second] : llvm::zip_equal(lower.owned, upper.owned)) {
    part.owned.push_back(first);
    part.owned.push_back(second);
  }
  return part;
}

LaneSums::Part LaneSums::fold(const Part &half) {
  int64_t distance = distanceFor(half.owned.size());
  Part part{
      arith::AddFOp::create(b, half.value, team.exchange(half.value, distance)),
      {}};
  for (int32_t number : half.owned) {
    part.owned.append(2, number);
  }
  return part;
}

void LaneSums::add(Value value) {
  Part part{team.orZero(team.addCells(value)), {static_cast<int32_t>(count++)}};
  while (!parts.empty() && parts.back().owned.size() == part.owned.size())
    part = join(parts.pop_back_val(), part);
  parts.push_back(std::move(part));
}

Value LaneSums::finish(SmallVectorImpl<int32_t> &owned) {
  Part part = parts.pop_back_val();
  while (part.owned.size() < kWarp) {
    bool joins =
        !parts.empty() && parts.back().owned.size() == part.owned.size();
    part = joins ? join(parts.pop_back_val(), part) : fold(part);
  }
  count = 0;
  owned.assign(part.owned.begin(), part.owned.end());
  return part.value;
}

} // namespace gyre::kernels
