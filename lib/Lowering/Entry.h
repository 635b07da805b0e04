//===- Entry.h - The signature of lowered functions -------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_ENTRY_H
#define GYRE_LIB_LOWERING_ENTRY_H

#include "gyre/Dialect/Gyre.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gyre {

/// What the code asks of its callers' tensors.
struct EntryDemands {
  DeviceKind device = DeviceKind::CPU;
  bool compact = false;
  int64_t alignment = 0;
};

/// The signature of a function, with the runtime sizes in the order in which
/// its operands name them.
EntryAttr makeEntry(FuncOp func, llvm::ArrayRef<EntryBufferAttr> buffers,
                    EntryDemands demands = {});

/// An empty function @NAME__body that takes what `entry` says, for `func`.
mlir::func::FuncOp createEntryBody(mlir::OpBuilder &builder, FuncOp func,
                                   EntryAttr entry);

/// Has the entry point refuse calls whose sizes an op does not take, which its
/// verifier could not tell: by buffers of no bytes.
void requireSizes(mlir::Operation *op,
                  llvm::SmallVectorImpl<EntryBufferAttr> &buffers);

/// The number of elements of a value.
PolyAttr countElements(TensorType type);

/// The type of an element in memory: i16 for f16 and bf16. No value of these
/// types goes through control flow, where code generation would convert it by
/// functions that a machine may not have.
mlir::Type getMemoryType(mlir::Type element);

} // namespace gyre

#endif // GYRE_LIB_LOWERING_ENTRY_H
