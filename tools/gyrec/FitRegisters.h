//===- FitRegisters.h - Kernels that fit the registers of a GPU -*- C++ -*-===//

#ifndef GYRE_TOOLS_GYREC_FITREGISTERS_H
#define GYRE_TOOLS_GYREC_FITREGISTERS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace gyre {

/// Runs passes from functions of primitives to binaries for GPUs, on one
/// function after the other. Of one with kernels that spill, these are given
/// fewer registers for vectors (`gyre.registers`), by which `gyre-schedule`
/// cuts them into more parts, and it is compiled again, as long as that helps
/// and a few times at most. Only what is said of the way that is chosen is
/// printed. What the passes add to `program` is kept for the chosen ways only.
mlir::LogicalResult compileWithoutSpills(mlir::ModuleOp module,
                                         mlir::PassManager &passes,
                                         std::string &program);

} // namespace gyre

#endif // GYRE_TOOLS_GYREC_FITREGISTERS_H
