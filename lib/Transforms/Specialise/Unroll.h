//===- Unroll.h - Layers one after the other --------------------*- C++ -*-===//

#ifndef GYRE_TRANSFORMS_SPECIALISE_UNROLL_H
#define GYRE_TRANSFORMS_SPECIALISE_UNROLL_H

#include "gyre/Dialect/Gyre.h"

namespace gyre {

/// Replaces each `gyre.repeat` in `func` by its layers, inner ones first.
llvm::LogicalResult unrollRepeats(FuncOp func);

} // namespace gyre

#endif // GYRE_TRANSFORMS_SPECIALISE_UNROLL_H
