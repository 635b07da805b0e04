//===- Partials.h - Where sums over rows go, and their sums -----*- C++ -*-===//
//
// Several workers may have rows of one sum. Each leaves what it has in a
// partial row of its own: for a segment it has two (Walk.h says which), for a
// total one.
//
//===----------------------------------------------------------------------===//

#ifndef GYRE_LIB_LOWERING_KERNELS_PARTIALS_H
#define GYRE_LIB_LOWERING_KERNELS_PARTIALS_H

#include "Plan.h"
#include "Walk.h"

namespace gyre::kernels {

/// A row of an array that is not known before run time.
struct TargetRow {
  Array array;
  mlir::Value row;
};

/// Where a worker puts its sum of a node: the node's row of the result, or a
/// partial row.
TargetRow getSegmentTarget(Builder &b, const Plan &plan, const Params &params,
                           unsigned result, const NodeRange &node,
                           mlir::Value worker);
/// The worker's partial row of a total, as an array without rows.
Array getTotalTarget(Builder &b, const Plan &plan, const Params &params,
                     unsigned result, mlir::Value worker);

/// A loop over cells of a row: from `lane` on, each `lanes`-th.
void forEachRowCell(Builder &b, const View &view, mlir::Value lane,
                    mlir::Value lanes,
                    llvm::function_ref<void(mlir::Value cell)> visit);

/// Writes the sums of a node whose rows no worker has all of. `lane` of `lanes`
/// threads takes every `lanes`-th cell.
void emitCombineNode(Builder &b, const Plan &plan, const Params &params,
                     mlir::Value node, mlir::Value lane, mlir::Value lanes);
/// Sums the workers' parts of totals.
void emitCombineTotals(Builder &b, const Plan &plan, const Params &params,
                       mlir::Value lane, mlir::Value lanes);

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_PARTIALS_H
