//===- StoreByColumns.h - Matrices in the order of tiles --------*- C++ -*-===//

#ifndef GYRE_LIB_FUSION_STOREBYCOLUMNS_H
#define GYRE_LIB_FUSION_STOREBYCOLUMNS_H

#include "gyre/Dialect/Gyre.h"

namespace gyre::fusion {

/// Stores matrices that rows are multiplied by, and that lie along what is
/// summed, once more: along the columns of the product, so that cells that a
/// thread has lie side by side in the result.
void storeByColumns(FuncOp func);

} // namespace gyre::fusion

#endif // GYRE_LIB_FUSION_STOREBYCOLUMNS_H
