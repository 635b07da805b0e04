//===- Passes.h - All passes, and their registration ------------*- C++ -*-===//

#ifndef GYRE_TRANSFORMS_PASSES_H
#define GYRE_TRANSFORMS_PASSES_H

#include "gyre/Dialect/Gyre.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/Pass.h"

namespace gyre {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "gyre/Transforms/Passes.h.inc"

/// gyre-print-program, to a stream other than stderr.
std::unique_ptr<mlir::Pass> createPrintProgram(llvm::raw_ostream &os);

} // namespace gyre

#endif // GYRE_TRANSFORMS_PASSES_H
