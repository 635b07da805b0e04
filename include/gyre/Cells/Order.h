//===- Order.h - In which order cells are computed --------------*- C++ -*-===//

#ifndef GYRE_CELLS_ORDER_H
#define GYRE_CELLS_ORDER_H

#include "gyre/Cells/Graph.h"

namespace gyre::cells {

/// A step of a body: load a cell of a row (again, if it was loaded before), add
/// a term to its sum, compute a node. Loads of shared cells and of what is the
/// same for all rows are no steps: they are there when they are needed.
struct Step {
  enum Kind { load, term, compute } kind;
  NodeId node;
  unsigned number = 0; ///< of the term
  /// The step completes its node.
  bool last = false;
};

struct Order {
  std::vector<Step> steps;
  /// The most nodes that are alive at once, loads of shared cells apart; the
  /// sums over rows and the invariant cells are among them.
  int64_t mostAlive = 0;
};

/// An order that keeps few cells alive: each step that can be taken without a
/// load is taken at once, and of the loads the one comes first after which the
/// cell is needed no more, and which opens the fewest sums.
Order orderCells(const CellGraph &graph);

} // namespace gyre::cells

#endif // GYRE_CELLS_ORDER_H
