//===- Rows.h - Which dimension of a value counts rows ----------*- C++ -*-===//
//
// Edges and nodes are counted by sizes that are known at run time only; all
// other sizes are constants once a spec is specialised. A value has at most one
// dimension of rows.
//
//===----------------------------------------------------------------------===//

#ifndef GYRE_LIB_FUSION_ROWS_H
#define GYRE_LIB_FUSION_ROWS_H

#include "gyre/Dialect/Gyre.h"

namespace gyre::fusion {

/// The dimension that counts rows, if there is one.
std::optional<unsigned> getRowsDim(mlir::Value value);
/// How many rows there are; null without that dimension.
PolyAttr getRows(mlir::Value value);

/// The axis of a contract that counts rows; null if there is none.
mlir::StringAttr getRowsAxis(ContractOp op);

/// Whether the op only sums the rows of its one operand.
bool isTotal(mlir::Operation *op);

/// Whether all ops of a function can stand in kernels.
llvm::LogicalResult checkOps(FuncOp func);

} // namespace gyre::fusion

#endif // GYRE_LIB_FUSION_ROWS_H
