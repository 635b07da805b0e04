//===- CellTargets.h - Kernels of cells on each target ----------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_CELLTARGETS_H
#define GYRE_LIB_LOWERING_KERNELS_CELLTARGETS_H

#include "CellKernels.h"
#include "DeviceModule.h"
#include "Program.h"

namespace gyre::kernels {

/// A parallel loop over cells.
void emitCellsForCPU(Program &program, mlir::ModuleOp module, Tables &tables,
                     CellsOp kernel);
/// A thread for each cell.
mlir::LogicalResult emitCellsForCUDA(Program &program, DeviceModule &device,
                                     Tables &tables, CellsOp kernel);

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_CELLTARGETS_H
