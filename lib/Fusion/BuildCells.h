//===- BuildCells.h - Kernels of cells --------------------------*- C++ -*-===//

#ifndef GYRE_LIB_FUSION_BUILDCELLS_H
#define GYRE_LIB_FUSION_BUILDCELLS_H

#include "CellOps.h"

namespace gyre::fusion {

/// Visits the values, computed by others, that the kernel of `op` loads.
void forEachLoad(const CellOps &cells, mlir::Operation *op,
                 llvm::function_ref<void(mlir::Value)> visit);

/// Builds the kernel that delivers `delivered`, results of one op or unit, or
/// an argument. `findWhole` gives the array of a value that is in memory, or
/// null.
CellsOp buildCells(mlir::OpBuilder &b, llvm::ArrayRef<mlir::Value> delivered,
                   llvm::function_ref<mlir::Value(mlir::Value)> findWhole);

} // namespace gyre::fusion

#endif // GYRE_LIB_FUSION_BUILDCELLS_H
