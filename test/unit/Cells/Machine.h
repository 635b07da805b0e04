//===- Machine.h - Kernels run cell by cell ---------------------*- C++ -*-===//

#ifndef GYRE_TEST_UNIT_CELLS_MACHINE_H
#define GYRE_TEST_UNIT_CELLS_MACHINE_H

#include "gyre/Cells/Order.h"
#include "gyre/Interpreter/Interpreter.h"

namespace gyre::test {

/// The lane axes of a scheduled kernel, in the order in which values have them.
llvm::SmallVector<unsigned> getLanes(KernelOp kernel,
                                     const cells::BodyAxes &axes);

/// Runs a function of scheduled kernels row by row, each row in the order of
/// its steps. What no step writes is NaN. `visit` sees what runs.
std::vector<Array>
runKernels(FuncOp func, llvm::ArrayRef<Argument> arguments,
           const llvm::StringMap<int64_t> &sizes,
           llvm::function_ref<void(KernelOp, const cells::CellGraph &,
                                   const cells::Order &)>
               visit);

} // namespace gyre::test

#endif // GYRE_TEST_UNIT_CELLS_MACHINE_H
