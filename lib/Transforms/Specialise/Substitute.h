//===- Substitute.h - Values in place of parameters -------------*- C++ -*-===//

#ifndef GYRE_TRANSFORMS_SPECIALISE_SUBSTITUTE_H
#define GYRE_TRANSFORMS_SPECIALISE_SUBSTITUTE_H

#include "Parameters.h"

namespace gyre {

/// Puts the parameters' values into each type and attribute of `root` and of
/// what it holds, and lists the tuples of relations. Says what is wrong at the
/// op that it is about, and then leaves the rest as it was.
llvm::LogicalResult substituteParameters(mlir::Operation *root,
                                         const Parameters &parameters);

/// Whether a condition of an alternative holds.
llvm::FailureOr<bool> evaluateCondition(mlir::Operation *op,
                                        ConditionAttr condition,
                                        const Parameters &parameters);

} // namespace gyre

#endif // GYRE_TRANSFORMS_SPECIALISE_SUBSTITUTE_H
