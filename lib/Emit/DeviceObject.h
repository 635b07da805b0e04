//===- DeviceObject.h - Kernels for one architecture ------------*- C++ -*-===//

#ifndef GYRE_LIB_EMIT_DEVICEOBJECT_H
#define GYRE_LIB_EMIT_DEVICEOBJECT_H

#include "Arch.h"
#include "CudaToolkit.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace gyre::emit {

llvm::SmallVector<mlir::LLVM::LLVMFuncOp> getKernels(mlir::gpu::GPUModuleOp);

/// What is said of kernels.
struct Judgement {
  double slow;  // seconds of ptxas that deserve a warning
  bool reports; // a remark for each kernel
};

/// The object of one architecture, with what is known of its kernels. Changes
/// how many blocks a multiprocessor is to hold, so that each architecture needs
/// a module of its own.
mlir::FailureOr<mlir::gpu::ObjectAttr>
emitObject(mlir::gpu::GPUModuleOp kernels, const Arch &arch,
           const CudaToolkit &toolkit, const Judgement &judgement);

} // namespace gyre::emit

#endif // GYRE_LIB_EMIT_DEVICEOBJECT_H
