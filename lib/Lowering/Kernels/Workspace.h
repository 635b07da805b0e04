//===- Workspace.h - The plans of a function, and its buffers ---*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_WORKSPACE_H
#define GYRE_LIB_LOWERING_KERNELS_WORKSPACE_H

#include "Plan.h"
#include "Stack.h"

namespace gyre::kernels {

/// The plans of a function's kernels, part by part, in order. Fails, with an
/// error, where it has something that kernels do not compute.
mlir::FailureOr<std::vector<Plan>> planKernels(FuncOp func);

/// The buffers of a function's workspace.
struct Workspace {
  /// Buffers for values between kernels, for partial rows and parts of cells,
  /// and for packed columns; what is not needed at the same time shares one.
  static Workspace get(FuncOp func, llvm::ArrayRef<Plan> plans);

  llvm::SmallVector<EntryBufferAttr> buffers;
  /// Values between kernels that have no buffer: they are in other arrays.
  Stacks stacks;
  /// Of values between kernels, and of what is partial or packed: the buffer.
  llvm::DenseMap<mlir::Value, unsigned> bufferOf, partialOf;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_WORKSPACE_H
