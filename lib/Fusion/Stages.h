//===- Stages.h - When values are there -------------------------*- C++ -*-===//

#ifndef GYRE_LIB_FUSION_STAGES_H
#define GYRE_LIB_FUSION_STAGES_H

#include "CellOps.h"

namespace gyre::fusion {

/// Whether the op sums over rows: all of them end a stage.
bool sumsRows(mlir::Operation *op);

class Stages {
public:
  void compute(FuncOp func, const CellOps &cells);
  /// Lets rows wait for the stage that uses them: so they are not stored.
  void delay(FuncOp func, const CellOps &cells);

  /// The stage of the kernel that computes a value.
  int64_t of(mlir::Value value) const { return stages.lookup(value); }
  /// Whether a value depends on no row: kernels compute it where they need it.
  bool isShared(mlir::Value value) const;

private:
  /// False if no unit is later than `ofUnits` says.
  bool computeOnce(FuncOp func, const CellOps &cells,
                   llvm::DenseMap<int64_t, int64_t> &ofUnits);

  llvm::DenseMap<mlir::Value, int64_t> stages;
  /// Values without rows of their own that depend on a sum over rows, or that a
  /// kernel of cells computes.
  llvm::DenseSet<mlir::Value> summed;
};

} // namespace gyre::fusion

#endif // GYRE_LIB_FUSION_STAGES_H
