//===- TileOps.h - What is computed with products ---------------*- C++ -*-===//

#ifndef GYRE_LIB_FUSION_TILEOPS_H
#define GYRE_LIB_FUSION_TILEOPS_H

#include "mlir/IR/Operation.h"

namespace gyre::fusion {

/// Whether the op is a product of rows and a matrix.
bool multipliesRows(mlir::Operation *op);

} // namespace gyre::fusion

#endif // GYRE_LIB_FUSION_TILEOPS_H
