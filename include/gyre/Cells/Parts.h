//===- Parts.h - Bodies that are computed part by part ----------*- C++ -*-===//

#ifndef GYRE_CELLS_PARTS_H
#define GYRE_CELLS_PARTS_H

#include "gyre/Cells/Graph.h"

namespace gyre::cells {

/// Cuts what a graph delivers into parts, each with the nodes that it needs:
/// none keeps more than `mostAlive` nodes alive in the order of `orderCells`,
/// if it has more than one cell. Cells that are done one after the other stay
/// together, so that few nodes are computed twice. One part for `mostAlive` 0.
std::vector<CellGraph> cutCells(const CellGraph &graph, int64_t mostAlive);

} // namespace gyre::cells

#endif // GYRE_CELLS_PARTS_H
