//===- RelationCells.h - Cells that a relation reaches ----------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_RELATIONCELLS_H
#define GYRE_LIB_LOWERING_RELATIONCELLS_H

#include "gyre/Dialect/Gyre.h"

namespace gyre {

/// The block of the result, along the axes of the relation, that holds all
/// cells with tuples. Cells outside are exact zeros.
struct RelationCells {
  /// An axis of the result that the relation ties.
  struct Axis {
    mlir::StringAttr name;
    size_t position; // in the tuples
    int64_t first, last;
    bool whole; // all of the axis, whatever the runtime sizes

    int64_t width() const { return last - first + 1; }
  };

  /// In the order of the result; none where there are no tuples.
  llvm::SmallVector<Axis> axes;

  explicit RelationCells(ContractOp op);

  /// Nullopt beyond 64 bits.
  std::optional<int64_t> count() const;
  bool coverResult() const;
  /// The row-major number of a tuple's cell in the block.
  int64_t cellOf(llvm::ArrayRef<int64_t> tuple) const;
};

/// The relation's tuples in the order of the cells that they belong to. The
/// table of `starts` has the cells of the block, and one more, without tuples,
/// for all cells outside where there are such.
struct GroupedTuples {
  /// First tuple of each cell, and the end; a single range where the result
  /// has no axis of the relation.
  llvm::SmallVector<int64_t> starts;
  /// The indices of the summed axes of the relation, tuple after tuple.
  llvm::SmallVector<int64_t> indices;
  llvm::SmallVector<double> coefficients;

  /// `summed`: axes of the relation that the result does not have.
  GroupedTuples(TuplesAttr tuples, const RelationCells &cells,
                llvm::ArrayRef<mlir::StringAttr> summed);
};

} // namespace gyre

#endif // GYRE_LIB_LOWERING_RELATIONCELLS_H
