//===- DeviceModule.h - Kernels of a module, and launches -------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_DEVICEMODULE_H
#define GYRE_LIB_LOWERING_KERNELS_DEVICEMODULE_H

#include "Plan.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gyre::kernels {

/// Warps on a multiprocessor for kernels that combine sums, which move data and
/// do little else.
inline constexpr int64_t kCombineWarps = 20;

/// Builds the kernels of a module.
class DeviceModule {
public:
  DeviceModule(Builder &b, mlir::ModuleOp module);

  /// Emits code; the bytes of shared memory that a launch has to give it.
  using Code = llvm::function_ref<int64_t(
      mlir::gpu::GPUFuncOp, mlir::Value block, mlir::Value thread)>;
  /// A kernel of `blocks` blocks, and its launch.
  /// The assembler is held to registers for `warps` warps on a multiprocessor.
  mlir::gpu::LaunchFuncOp run(llvm::StringRef name, Params &params,
                              mlir::Value blocks, int64_t threads,
                              int64_t warps, Code code);
  mlir::gpu::GPUModuleOp get() const { return device; }
  /// What the kernel of a name is outside of the module of kernels.
  static mlir::SymbolRefAttr getReference(mlir::MLIRContext *context,
                                          llvm::StringRef kernel);

private:
  Builder &b;
  mlir::gpu::GPUModuleOp device;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_DEVICEMODULE_H
