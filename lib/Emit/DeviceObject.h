//===- DeviceObject.h - Kernels for one architecture ------------*- C++ -*-===//

#ifndef GYRE_LIB_EMIT_DEVICEOBJECT_H
#define GYRE_LIB_EMIT_DEVICEOBJECT_H

#include "Arch.h"
#include "CudaToolkit.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <memory>
#include <mutex>

namespace gyre::emit {

llvm::SmallVector<mlir::LLVM::LLVMFuncOp> getKernels(mlir::gpu::GPUModuleOp);
std::string print(mlir::gpu::GPUModuleOp);

/// What is said of kernels.
struct Judgement {
  double slow;  // seconds of ptxas that deserve a warning
  bool reports; // a remark for each kernel
};

/// A module's code for one architecture.
struct DeviceCode {
  std::string ptx;
  Cubin cubin;                     // none for PTX
  llvm::StringMap<int32_t> blocks; // on a multiprocessor, asked for in the end
};

/// Code by the text of modules, as the same kernels come again where a function
/// is compiled in another way. For several threads.
class KnownCode {
public:
  std::shared_ptr<const DeviceCode> lookup(llvm::StringRef module) const;
  void insert(llvm::StringRef module, std::shared_ptr<const DeviceCode> code);
  /// The name of the first kernel of that text.
  llvm::StringRef getName(llvm::StringRef kernel, llvm::StringRef name);

private:
  mutable std::mutex mutex;
  llvm::StringMap<std::shared_ptr<const DeviceCode>> codes;
  llvm::StringMap<std::string> names;
};

/// The object of one architecture, with what is known of its kernels. Changes
/// how many blocks a multiprocessor is to hold, so that each architecture needs
/// a module of its own.
mlir::FailureOr<mlir::gpu::ObjectAttr>
emitObject(mlir::gpu::GPUModuleOp kernels, const Arch &arch,
           const CudaToolkit &toolkit, const Judgement &judgement,
           KnownCode &known);

} // namespace gyre::emit

#endif // GYRE_LIB_EMIT_DEVICEOBJECT_H
