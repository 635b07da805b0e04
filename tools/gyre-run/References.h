//===- References.h - Index maps that are made up ---------------*- C++ -*-===//

#ifndef GYRE_TOOLS_GYRE_RUN_REFERENCES_H
#define GYRE_TOOLS_GYRE_RUN_REFERENCES_H

#include "Random.h"

namespace gyre {

/// To which nodes the references of a map are.
enum class References {
  /// To all alike.
  Uniform,
  /// To node k in proportion to 1 / 2^floor(log2(k + 1)), about 1 / (k + 1).
  PowerLaw,
  /// Nine of ten to node 0, the others to all alike.
  Hub,
  /// To all alike, in ascending order. Pads come last.
  Sorted
};

/// A reference to one of `nodes` nodes, at least 1. (Of a sorted map, whoever
/// has drawn all of them sorts them.)
int64_t drawReference(References kind, int64_t nodes, Random &random);

} // namespace gyre

#endif // GYRE_TOOLS_GYRE_RUN_REFERENCES_H
