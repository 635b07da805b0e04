//===- Graph.h - The cells of a kernel's body -------------------*- C++ -*-===//
//
// A body becomes a graph of its cells: a node for each combination of indices
// of a value's unrolled axes that something delivered depends on. Cells along
// lane axes are one node. Relations are gone: a contract's cell is a sum of
// products.
//
//===----------------------------------------------------------------------===//

#ifndef GYRE_CELLS_GRAPH_H
#define GYRE_CELLS_GRAPH_H

#include "gyre/Cells/Axes.h"

namespace gyre::cells {

using NodeId = unsigned;
/// An index for each axis of a value; 0 for lane axes.
using CellIndex = llvm::SmallVector<int64_t, 4>;

enum class Extent {
  shared,  ///< one number for all lanes
  lane,    ///< a number for each lane
  partial, ///< a number for each lane, whose sum over the lanes is meant
};

/// coefficient * product of the factors.
struct Term {
  double coefficient;
  llvm::SmallVector<NodeId, 2> factors;
};

struct Node {
  enum Kind {
    load,     ///< a cell of a row, or of a value without rows
    constant, ///< the same number in all cells
    sum,      ///< the sum of its terms; none for an exact zero
    compute,  ///< an elementwise op
    reduce,   ///< the sum over the lanes of a partial node
  } kind;
  Extent extent;
  mlir::Type type;
  /// load: the value and its cell.
  mlir::Value value = {};
  CellIndex index = {};
  /// constant.
  double number = 0;
  /// sum.
  llvm::SmallVector<Term, 2> terms = {};
  /// compute, reduce.
  mlir::Operation *op = nullptr;
  llvm::SmallVector<NodeId, 3> operands = {};
};

/// A cell of what the kernel delivers.
struct DeliveredCell {
  unsigned result;
  CellIndex index;
  NodeId node;
};

class CellGraph {
public:
  /// `lanes`: the lane axes, outermost first. Fails, with an error, where the
  /// body has too many cells, or where a value has some of the lane axes only.
  static mlir::FailureOr<CellGraph> get(KernelOp kernel, const BodyAxes &axes,
                                        llvm::ArrayRef<unsigned> lanes);

  llvm::ArrayRef<Node> getNodes() const { return nodes; }
  const Node &node(NodeId id) const { return nodes[id]; }
  llvm::ArrayRef<DeliveredCell> getDelivered() const { return delivered; }
  /// Whether the node is summed over rows: it goes on from what it was.
  bool isCarried(NodeId id) const { return carried.contains(id); }
  /// Whether the node is the same for all rows.
  bool isInvariant(NodeId id) const;
  /// Whether nothing is summed over the lanes, and nothing is delivered that
  /// they share.
  bool hasLanesAlone() const;
  /// The graph of some of the delivered cells.
  CellGraph keep(llvm::ArrayRef<DeliveredCell> cells) const;

private:
  friend class GraphBuilder;
  std::vector<Node> nodes;
  std::vector<DeliveredCell> delivered;
  llvm::DenseSet<NodeId> carried;
};

} // namespace gyre::cells

#endif // GYRE_CELLS_GRAPH_H
