//===- CudaToolkit.h - ptxas and libdevice ----------------------*- C++ -*-===//

#ifndef GYRE_LIB_EMIT_CUDATOOLKIT_H
#define GYRE_LIB_EMIT_CUDATOOLKIT_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace gyre::emit {

/// What ptxas says about a kernel.
struct KernelUsage {
  int64_t registers = 0;
  int64_t spillBytes = 0;  // stores and loads
  int64_t sharedBytes = 0; // static ones
  double milliseconds = 0; // that ptxas took
};

/// A cubin and its kernels.
struct Cubin {
  std::string code;
  llvm::StringMap<KernelUsage> kernels;
};

/// How much ptxas moves code to where it would be faster.
enum class Effort {
  most,
  fewRegisters, // where that takes no more registers
  least,        // it may have too few registers for what it moved
};

/// A CUDA toolkit as far as the compiler needs one. Parts may be missing.
struct CudaToolkit {
  std::string root;  // "" if there is none
  std::string ptxas; // "" if there is none
  bool hasLibdevice = false;

  /// Finds it in `given`, if that is not empty, or else in the places that the
  /// pass `gyre-emit-device-code` lists.
  static CudaToolkit find(llvm::StringRef given);

  /// Assembles PTX for an `sm_XX` by `ptxas`, which is there.
  mlir::FailureOr<Cubin> assemble(mlir::Location loc, llvm::StringRef ptx,
                                  llvm::StringRef arch, Effort effort) const;
};

/// Reads the messages of `ptxas -v`.
llvm::StringMap<KernelUsage> readUsage(llvm::StringRef messages);

} // namespace gyre::emit

#endif // GYRE_LIB_EMIT_CUDATOOLKIT_H
