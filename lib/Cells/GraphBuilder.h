//===- GraphBuilder.h - From a body to its cells ----------------*- C++ -*-===//

#ifndef GYRE_LIB_CELLS_GRAPHBUILDER_H
#define GYRE_LIB_CELLS_GRAPHBUILDER_H

#include "gyre/Cells/Graph.h"

#include <map>

namespace gyre::cells {

/// The products of each cell of a contract's result.
struct ContractCells {
  struct Product {
    double coefficient;
    llvm::SmallVector<CellIndex, 2> inputs;
  };
  std::map<CellIndex, std::vector<Product>> products;
};

/// Builds the graph from the delivered cells: what they need, and no more.
class GraphBuilder {
public:
  GraphBuilder(KernelOp kernel, const BodyAxes &axes,
               llvm::ArrayRef<unsigned> lanes)
      : kernel(kernel), axes(axes), lanes(lanes) {}
  mlir::FailureOr<CellGraph> run();

private:
  bool isLane(unsigned axis) const { return llvm::is_contained(lanes, axis); }
  llvm::LogicalResult checkLanes(mlir::Value value);
  llvm::LogicalResult checkLanes(ContractOp op);
  /// Counts `times` products, or cells, for each index of the unrolled axes.
  llvm::LogicalResult countTerms(mlir::Operation *op, uint64_t times,
                                 llvm::ArrayRef<unsigned> list);
  bool hasLanes(mlir::Value value) const {
    return llvm::any_of(axes.of(value),
                        [&](unsigned axis) { return isLane(axis); });
  }
  /// Calls visit for each index of the unrolled ones among `list`.
  void forEachIndex(llvm::ArrayRef<unsigned> list,
                    llvm::function_ref<void(const CellIndex &)> visit) const;
  /// The index of `value` on the axes of `list`.
  CellIndex split(int64_t value, llvm::ArrayRef<unsigned> list) const;

  llvm::LogicalResult expand(ContractOp op);
  NodeId cell(mlir::Value value, const CellIndex &index);
  NodeId create(mlir::Value value, const CellIndex &index);
  NodeId contractCell(ContractOp op, const CellIndex &index);
  NodeId sumCell(mlir::Operation *op, const CellIndex &index);
  NodeId computeCell(mlir::Operation *op, const CellIndex &index);
  NodeId add(Node node) {
    graph.nodes.push_back(std::move(node));
    return graph.nodes.size() - 1;
  }
  /// The node itself, or the sum over the lanes of a partial one.
  NodeId whole(NodeId id);
  void deliver();
  void flatten();

  KernelOp kernel;
  const BodyAxes &axes;
  llvm::SmallVector<unsigned> lanes;
  CellGraph graph;
  llvm::DenseMap<mlir::Operation *, ContractCells> contracts;
  std::map<std::pair<void *, CellIndex>, NodeId> known;
  llvm::DenseMap<NodeId, NodeId> reduced;
  uint64_t terms = 0;
};

} // namespace gyre::cells

#endif // GYRE_LIB_CELLS_GRAPHBUILDER_H
