//===- RelationCells.h - Cells that a relation reaches ----------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_CPU_PLAIN_RELATIONCELLS_H
#define GYRE_LIB_LOWERING_CPU_PLAIN_RELATIONCELLS_H

#include "gyre/Dialect/Gyre.h"

namespace gyre::plain {

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

} // namespace gyre::plain

#endif // GYRE_LIB_LOWERING_CPU_PLAIN_RELATIONCELLS_H
