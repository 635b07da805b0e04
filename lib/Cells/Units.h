//===- Units.h - What the steps of a body take ------------------*- C++ -*-===//

#ifndef GYRE_LIB_CELLS_UNITS_H
#define GYRE_LIB_CELLS_UNITS_H

#include "gyre/Cells/Order.h"

namespace gyre::cells {

/// A term of a sum, or a whole node of another kind.
struct Unit {
  NodeId node;
  unsigned term;
  /// Each once.
  llvm::SmallVector<NodeId, 3> inputs;
};

/// The units of a graph.
struct Units {
  explicit Units(const CellGraph &graph);

  /// A cell that a step has to load.
  bool isSource(NodeId id) const { return sources[id]; }
  /// There when it is needed.
  bool isFree(NodeId id) const { return free[id]; }
  bool isComputed(NodeId id) const { return !isFree(id) && !isSource(id); }
  bool takesRegister(NodeId id) const {
    return !isFree(id) && !graph.isCarried(id);
  }

  const CellGraph &graph;
  std::vector<Unit> all;
  /// Of each node: its units, and those that use it.
  std::vector<llvm::SmallVector<unsigned>> of, users;

private:
  std::vector<bool> sources, free;
};

/// The units of what a graph delivers, cell by cell, each with those that it
/// needs and that no cell before has; a sum over rows term by term. Next comes
/// what has the fewest nodes computed for it that were not needed before.
std::vector<std::vector<unsigned>> sortByNeeds(const Units &units);

} // namespace gyre::cells

#endif // GYRE_LIB_CELLS_UNITS_H
