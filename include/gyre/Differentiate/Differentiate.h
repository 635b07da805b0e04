//===- Differentiate.h - Carrying out declared derivatives ------*- C++ -*-===//

#ifndef GYRE_DIFFERENTIATE_DIFFERENTIATE_H
#define GYRE_DIFFERENTIATE_DIFFERENTIATE_H

#include "gyre/Dialect/Gyre.h"

namespace gyre {

/// Is shown each gradient that a rule has built, before it is added up, and may
/// replace it. Tests count which rules they reach with it, and seed faults.
using GradientObserver =
    llvm::function_ref<void(mlir::OpBuilder &builder, mlir::Operation *op,
                            unsigned operand, mlir::Value &gradient)>;

/// Replaces each `gyre.derive` under `root` by the function that it declares.
llvm::LogicalResult carryOutDerivatives(mlir::Operation *root,
                                        GradientObserver observer = nullptr);

} // namespace gyre

#endif // GYRE_DIFFERENTIATE_DIFFERENTIATE_H
