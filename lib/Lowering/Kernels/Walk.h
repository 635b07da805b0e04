//===- Walk.h - The rows of a worker, node by node --------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_WALK_H
#define GYRE_LIB_LOWERING_KERNELS_WALK_H

#include "View.h"

namespace gyre::kernels {

/// The arrays of a map that an owner is walked with.
struct OwnerArrays {
  mlir::Value order, ptr, nodes;
  /// The node of each row.
  mlir::Value index;
};

/// A node, as far as a worker has its rows. Where it has `all` of them it
/// writes the node's sum; else it writes to one of its two partial rows: 0 for
/// the node that its range begins with, 1 for the one that it ends with.
struct NodeRange {
  mlir::Value node, all, slot;
};

/// The sums of a node before its first row.
using NodeStart = llvm::function_ref<Values(const NodeRange &)>;
/// A row, or its position in the owner's order: from the sums before it to
/// those after it.
using RowBody =
    llvm::function_ref<Values(mlir::Value at, mlir::ValueRange carried)>;
using NodeEnd =
    llvm::function_ref<void(const NodeRange &, mlir::ValueRange sums)>;

/// Runs over positions [lo, hi) of the rows in the order of their nodes. Rows
/// carry the node's sums, then `totals`, whose last values are returned.
Values walkOwner(Builder &b, const OwnerArrays &owner, mlir::Value lo,
                 mlir::Value hi, mlir::ValueRange totals, NodeStart start,
                 RowBody row, NodeEnd end);

/// Positions [lo, hi) in the owner's order, all of one node, that a worker has
/// where each node has a worker; of none where it has nothing to do.
struct NodeRun {
  NodeRange range;
  mlir::Value lo, hi, works;
};

/// What worker `worker` has: two for each `span` of the rows have the heavy
/// nodes that the range begins and ends with, and each after these has a node
/// of at most `span` rows.
NodeRun findRun(Builder &b, const OwnerArrays &owner, mlir::Value rows,
                mlir::Value span, mlir::Value worker);

/// Runs over rows [lo, hi).
Values walkRows(Builder &b, mlir::Value lo, mlir::Value hi,
                mlir::ValueRange totals, RowBody row);

/// An element of an array of i32, as i64.
mlir::Value loadIndex(Builder &b, mlir::Value array, mlir::Value position);

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_WALK_H
