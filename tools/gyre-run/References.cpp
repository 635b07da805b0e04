//===- References.cpp - Index maps that are made up -----------------------===//

#include "References.h"

#include "llvm/Support/MathExtras.h"

namespace gyre {

/// Each of the groups 0; 1, 2; 3 to 6; 7 to 14; ... is as probable as any
/// other: no table of all nodes is needed, and no logarithm, which machines may
/// round differently. The last group may have nodes that there are not.
static int64_t drawByPowerLaw(int64_t nodes, Random &random) {
  const int64_t groups = llvm::Log2_64(static_cast<uint64_t>(nodes)) + 1;
  for (;;) {
    const int64_t size = int64_t{1} << random.below(groups);
    const int64_t node = size - 1 + random.below(size);
    if (node < nodes)
      return node;
  }
}

int64_t drawReference(References kind, int64_t nodes, Random &random) {
  switch (kind) {
  case References::PowerLaw:
    return drawByPowerLaw(nodes, random);
  case References::Hub:
    return random.below(10) > 0 ? 0 : random.below(nodes);
  case References::Uniform:
  case References::Sorted:
    break;
  }
  return random.below(nodes);
}

} // namespace gyre
