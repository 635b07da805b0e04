//===- CellKernels.h - Kernels of cells -------------------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_CELLKERNELS_H
#define GYRE_LIB_LOWERING_KERNELS_CELLKERNELS_H

#include "Plan.h"
#include "Tables.h"

namespace gyre::kernels {

/// What a kernel of cells reads, in the order of its body: tensors and maps
/// from outside, and the names of runtime sizes.
struct CellInputs {
  explicit CellInputs(CellsOp kernel);

  llvm::SetVector<mlir::Value> tensors, maps;
  llvm::SetVector<mlir::StringAttr> sizes;
};

/// How many cells a kernel computes, and of all of their parts.
PolyAttr countCells(CellsOp kernel);
PolyAttr countWork(CellsOp kernel);
/// The type of the parts of a cell.
mlir::Type getPartType(CellsOp kernel);

/// A number of a kernel's runtime sizes, in its code.
mlir::Value emitSize(Builder &b, const Params &params, PolyAttr size);
/// Emits the cell, or the part of one, that is number `at`.
void emitCell(Builder &b, CellsOp kernel, const Params &params, Tables &tables,
              mlir::Value at);
/// Adds the parts of cell `at`.
void emitCellOfParts(Builder &b, CellsOp kernel, const Params &params,
                     Tables &tables, mlir::Value at);

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_CELLKERNELS_H
