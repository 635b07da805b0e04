//===- Arch.h - Architectures of GPUs ---------------------------*- C++ -*-===//

#ifndef GYRE_LIB_EMIT_ARCH_H
#define GYRE_LIB_EMIT_ARCH_H

#include "mlir/IR/Diagnostics.h"

#include <string>

namespace gyre::emit {

constexpr llvm::StringLiteral kDeviceTriple = "nvptx64-nvidia-cuda";

/// `sm_90a` or `compute_80`.
struct Arch {
  std::string name;
  bool isPtx = false;
  std::string chip;
  /// The version of PTX: for code that a driver is to compile, the oldest that
  /// knows all functions the runtime calls; for ptxas, one that has everything.
  std::string features;

  static mlir::FailureOr<Arch> parse(mlir::Location loc, llvm::StringRef name);
};

/// Those of these names, or the default ones if there is none.
mlir::FailureOr<llvm::SmallVector<Arch>>
parseArchs(mlir::Location loc, llvm::ArrayRef<std::string> names);

} // namespace gyre::emit

#endif // GYRE_LIB_EMIT_ARCH_H
