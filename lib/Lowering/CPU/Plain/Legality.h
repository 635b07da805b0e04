//===- Legality.h - What the plain lowering takes ---------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_CPU_PLAIN_LEGALITY_H
#define GYRE_LIB_LOWERING_CPU_PLAIN_LEGALITY_H

#include "gyre/Dialect/Gyre.h"

namespace gyre::plain {

/// Reports what cannot be lowered: parameters and named ops that are left,
/// types that no memory holds, sizes that nothing binds.
mlir::LogicalResult checkModule(mlir::ModuleOp module);

} // namespace gyre::plain

#endif // GYRE_LIB_LOWERING_CPU_PLAIN_LEGALITY_H
