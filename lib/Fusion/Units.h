//===- Units.h - Kernels of several values of one product -------*- C++ -*-===//

#ifndef GYRE_LIB_FUSION_UNITS_H
#define GYRE_LIB_FUSION_UNITS_H

#include "gyre/Dialect/Gyre.h"

namespace gyre::fusion {

/// The number of the kernel of cells that computes an op, by `formUnits`.
inline constexpr llvm::StringLiteral kUnitAttr = "gyre.unit";

/// Finds products of rows and a matrix of which several values become, or that
/// are joined with others of the same rows, and gives each a kernel of its own
/// with all of that: the sums of a tile are in registers, and what else a cell
/// takes is computed where it is used. So neither is stored.
void formUnits(FuncOp func);

} // namespace gyre::fusion

#endif // GYRE_LIB_FUSION_UNITS_H
