//===- Lanes.h - Which axes lie along lanes ---------------------*- C++ -*-===//

#ifndef GYRE_LIB_SCHEDULE_LANES_H
#define GYRE_LIB_SCHEDULE_LANES_H

#include "gyre/Cells/Axes.h"

namespace gyre::schedule {

/// The axes to put along lanes, outermost first: the axis along which most of
/// what a row reads and writes is contiguous, and the axes that all values with
/// it have, too. None where no axis is free of relations.
llvm::SmallVector<unsigned> chooseLanes(KernelOp kernel,
                                        const cells::BodyAxes &axes);

} // namespace gyre::schedule

#endif // GYRE_LIB_SCHEDULE_LANES_H
