//===- JoinPads.h - Sums of pads that are concatenations --------*- C++ -*-===//

#ifndef GYRE_LIB_FUSION_JOINPADS_H
#define GYRE_LIB_FUSION_JOINPADS_H

#include "gyre/Dialect/Gyre.h"

namespace gyre::fusion {

/// Sums of values that are padded to different parts of an axis, all of it, as
/// the gradients of slices are, become concatenations.
void joinPads(FuncOp func);

} // namespace gyre::fusion

#endif // GYRE_LIB_FUSION_JOINPADS_H
