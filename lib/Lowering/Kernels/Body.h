//===- Body.h - The straight-line code of one row ---------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_BODY_H
#define GYRE_LIB_LOWERING_KERNELS_BODY_H

#include "View.h"

#include "gyre/Cells/Order.h"

namespace gyre::kernels {

/// What a target does for a body: how lanes share numbers, and where numbers
/// go.
class Lanes {
public:
  virtual ~Lanes() = default;

  /// The number of a shared cell of this row.
  virtual mlir::Value loadShared(cells::NodeId node) = 0;
  /// A cell of this row along the lanes, null if it is still in memory.
  virtual mlir::Value loadAhead(cells::NodeId) { return {}; }
  /// After how many steps without use such a number is loaded again.
  virtual unsigned getReuse() const = 0;
  /// A sum over rows, as it is before this row, and after it.
  virtual mlir::Value openCarried(cells::NodeId node) = 0;
  virtual void closeCarried(cells::NodeId node, mlir::Value value) = 0;
  /// Writes a cell of the row: a vector along the lanes, a number that all
  /// lanes have, or the sum over the lanes.
  virtual void deliver(const cells::DeliveredCell &cell, cells::Extent extent,
                       mlir::Value value) = 0;
  /// The sum over the lanes, for all of them.
  virtual mlir::Value reduce(mlir::Value partial) = 0;
};

/// A pointer to where this lane's cells of a row begin, and the rows of the
/// array.
struct RowPointer {
  const View *view = nullptr;
  mlir::Value pointer, rows;
};

/// Emits the steps of a body. Vectors have `vector` cells; a vector of one cell
/// is a scalar. Where they are `aligned`, all accesses to memory are.
class Body {
public:
  Body(Builder &b, const cells::CellGraph &graph, const cells::Order &order,
       int64_t vector, bool aligned)
      : b(b), graph(graph), order(order), vector(vector), aligned(aligned) {}

  /// Where rows, and values without rows, are.
  llvm::DenseMap<mlir::Value, RowPointer> pointers;
  /// Values of nodes that are the same for all rows, if they are kept.
  llvm::DenseMap<cells::NodeId, mlir::Value> invariants;

  void emit(Lanes &lanes);
  /// Loads what is the same for all rows, for rows to come.
  void loadInvariants();

  mlir::Type laneType(mlir::Type element) const;
  /// A number in each cell of the vector.
  mlir::Value splat(mlir::Value value) const;
  /// `isInvariant`: nothing writes there while the kernel runs.
  mlir::Value loadCell(const cells::Node &node, bool isInvariant = true);
  mlir::Value zero(const cells::Node &node) const;
  mlir::Value loadLanes(const RowPointer &row, mlir::Value pointer,
                        bool isInvariant) const;
  void storeLanes(mlir::Value value, const RowPointer &row,
                  mlir::Value pointer) const;
  int64_t getVector() const { return vector; }

private:
  unsigned alignment(const View &view) const;
  mlir::Value loadRow(cells::NodeId id);
  mlir::Value get(cells::NodeId id);
  mlir::Value getAs(cells::NodeId id, bool lanes);
  void takeTerm(const cells::Step &step);
  mlir::Value product(const cells::Node &node, const cells::Term &term,
                      mlir::Value &lastFactor);
  mlir::Value compute(const cells::Node &node);
  void finish(cells::NodeId id);

  Builder &b;
  const cells::CellGraph &graph;
  const cells::Order &order;
  int64_t vector;
  bool aligned;
  Lanes *lanes = nullptr;
  llvm::DenseMap<cells::NodeId, mlir::Value> values;
  unsigned step = 0;
  llvm::DenseMap<cells::NodeId, unsigned> loadedAt;
  llvm::DenseMap<cells::NodeId, llvm::SmallVector<unsigned, 1>> deliveries;
};

/// An elementwise op of the algebra on numbers or vectors of them.
mlir::Value emitElementwise(Builder &b, mlir::Operation *op,
                            mlir::ValueRange operands);

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_BODY_H
