//===- Buffers.h - Where each value of a function is kept -------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_CPU_PLAIN_BUFFERS_H
#define GYRE_LIB_LOWERING_CPU_PLAIN_BUFFERS_H

#include "../../Entry.h"

#include "gyre/Dialect/Gyre.h"

#include "llvm/ADT/DenseMap.h"

namespace gyre::plain {

/// The plan of a function's memory. A value that is returned is kept in the
/// (first) result that it is returned as; any other one in a buffer of the
/// workspace, which is free again after its last use.
struct BufferPlan {
  explicit BufferPlan(FuncOp func);

  llvm::DenseMap<mlir::Value, unsigned> resultOf;
  llvm::DenseMap<mlir::Value, unsigned> bufferOf;
  llvm::SmallVector<EntryBufferAttr> buffers;

private:
  void place(mlir::Value value);
  void release(mlir::Value value);

  llvm::DenseMap<EntryBufferAttr, llvm::SmallVector<unsigned>> free;
};

/// Whether it is f16 or bf16.
bool isHalf(mlir::Type element);

/// Bytes of an element in memory; none if no memory holds it.
std::optional<int64_t> getElementBytes(mlir::Type element);

} // namespace gyre::plain

#endif // GYRE_LIB_LOWERING_CPU_PLAIN_BUFFERS_H
