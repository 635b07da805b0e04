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

/// The results of a kernel, those of the same sizes together.
llvm::SmallVector<llvm::SmallVector<unsigned, 1>, 1>
groupResults(CellsOp kernel);
/// The name of the code for one of these groups.
std::string nameGroup(const std::string &name, size_t number);
/// How many cells a result of a kernel has, and how many parts these have.
PolyAttr countCells(CellsOp kernel, unsigned result = 0);
PolyAttr countWork(CellsOp kernel, unsigned result = 0);
/// The type of the parts of a cell.
mlir::Type getPartType(CellsOp kernel);

/// A number of a kernel's runtime sizes, in its code.
mlir::Value emitSize(Builder &b, const Params &params, PolyAttr size);
/// Emits the cell of some results, or the part of one, that is number `at`.
void emitCell(Builder &b, CellsOp kernel, const Params &params, Tables &tables,
              llvm::ArrayRef<unsigned> results, mlir::Value at);
/// Adds the parts of cell `at`.
void emitCellOfParts(Builder &b, CellsOp kernel, const Params &params,
                     Tables &tables, mlir::Value at);

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_CELLKERNELS_H
