//===- DeviceTable.h - Kernels as constant data -----------------*- C++ -*-===//

#ifndef GYRE_LIB_EMIT_DEVICETABLE_H
#define GYRE_LIB_EMIT_DEVICETABLE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace gyre::emit {

/// The kernels of a binary, in the order of their numbers.
mlir::gpu::KernelTableAttr getKernels(mlir::gpu::BinaryOp binary);

/// The architecture of an object, as its properties say.
llvm::StringRef getArch(mlir::gpu::ObjectAttr object);

/// Writes the gyre_rt_device_code of a binary after it; the global of the code.
mlir::LLVM::GlobalOp createDeviceTable(mlir::gpu::BinaryOp binary);

/// What a manifest says of a binary's kernels: for each of each object with
/// machine code {name, arch, registers, spills, shared}.
mlir::ArrayAttr describeKernels(mlir::gpu::BinaryOp binary);

} // namespace gyre::emit

#endif // GYRE_LIB_EMIT_DEVICETABLE_H
