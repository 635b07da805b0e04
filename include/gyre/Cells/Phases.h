//===- Phases.h - Bodies that are computed in phases ------------*- C++ -*-===//

#ifndef GYRE_CELLS_PHASES_H
#define GYRE_CELLS_PHASES_H

#include "gyre/Cells/Order.h"

namespace gyre::cells {

/// The order of `orderCells`, if that keeps no more than `most` nodes alive or
/// `most` is 0. Else what is delivered is computed in phases, one after the
/// other and as few as keep no more alive, if that can be done; cells that
/// several of them need are loaded in each.
Order orderInPhases(const CellGraph &graph, int64_t most);

} // namespace gyre::cells

#endif // GYRE_CELLS_PHASES_H
