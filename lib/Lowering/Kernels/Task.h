//===- Task.h - Parallel loops of the CPU -----------------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_TASK_H
#define GYRE_LIB_LOWERING_KERNELS_TASK_H

#include "Plan.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace gyre::kernels {

/// A function that works on [begin, end) of a parallel loop, in a version for
/// each kind of processor. The best one has the code; the others are declared.
class Task {
public:
  Task(Builder &b, mlir::ModuleOp module, std::string name)
      : b(b), module(module), name(std::move(name)) {}

  /// `body` is called once, with the loop's index.
  void define(Params &params, bool versions,
              llvm::function_ref<void(mlir::Value)> body);
  /// Runs the task over [0, count), by pieces of `grain`.
  void run(const Params &params, mlir::Value count, int64_t grain);

private:
  mlir::LLVM::LLVMFuncOp define(Params &params, llvm::StringRef suffix,
                                llvm::function_ref<void(mlir::Value)> body);
  mlir::LLVM::LLVMFuncOp declareVersion(mlir::LLVM::LLVMFuncOp code,
                                        llvm::StringRef suffix);
  mlir::LLVM::LLVMFuncOp declare(llvm::StringRef name,
                                 llvm::ArrayRef<mlir::Type> arguments);

  Builder &b;
  mlir::ModuleOp module;
  std::string name;
  llvm::SmallVector<std::pair<int32_t, mlir::LLVM::LLVMFuncOp>> versions;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_TASK_H
