//===- FitRegisters.h - Kernels that fit the registers of a GPU -*- C++ -*-===//

#ifndef GYRE_TOOLS_GYREC_FITREGISTERS_H
#define GYRE_TOOLS_GYREC_FITREGISTERS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace gyre {

/// Runs passes from functions of primitives to binaries for GPUs. Functions
/// whose kernels spill are given fewer registers for vectors
/// (`gyre.registers`), by which `gyre-schedule` cuts kernels into more parts,
/// and all is done again, as long as that helps and a few times at most. Only
/// what is said of the way that is chosen is printed; each begins with
/// `restart`.
mlir::LogicalResult compileWithoutSpills(mlir::ModuleOp module,
                                         mlir::PassManager &passes,
                                         llvm::function_ref<void()> restart);

} // namespace gyre

#endif // GYRE_TOOLS_GYREC_FITREGISTERS_H
