//===- SinkSums.h - Sums over rows last -------------------------*- C++ -*-===//

#ifndef GYRE_LIB_FUSION_SINKSUMS_H
#define GYRE_LIB_FUSION_SINKSUMS_H

#include "gyre/Dialect/Gyre.h"

namespace gyre::fusion {

/// Moves sums over rows behind what is linear: a contract that sums rows
/// becomes one for each row and a total, and sums of segment sums, or of
/// totals, become one segment sum, or total, of sums. So each sum over rows is
/// one delivery of a kernel.
void sinkSums(FuncOp func);

} // namespace gyre::fusion

#endif // GYRE_LIB_FUSION_SINKSUMS_H
