//===- Warp.h - Lanes that are threads --------------------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_WARP_H
#define GYRE_LIB_LOWERING_KERNELS_WARP_H

#include "Plan.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace gyre::kernels {

inline constexpr int64_t kWarp = 32;

/// A pointer to the memory that the block shares of which a launch says the
/// size, aligned to 16 bytes.
mlir::Value getDynamicMemory(Builder &b, mlir::gpu::GPUFuncOp func);

/// A team of threads that has a row: one warp, or a block of several.
class Team {
public:
  /// `thread`: the number of a thread among `threads`, all of which run the
  /// code that is built. They have the cells from `first` on, if it is given,
  /// of those along all lanes.
  Team(Builder &b, mlir::gpu::GPUFuncOp func, mlir::Value thread,
       int64_t threads, int64_t vector, int64_t width, mlir::Value first = {});

  bool isOneWarp() const { return threads == kWarp; }
  int64_t getWarps() const { return threads / kWarp; }
  mlir::Value getThread() const { return thread; }
  /// The number in its warp, i32.
  mlir::Value getLane() const { return lane; }
  mlir::Value getWarp() const { return warp; }
  /// Where its cells along the lanes begin. Threads without cells do what the
  /// last one with cells does, in its warp: they write the same to the same
  /// place, which costs no branch and no access.
  mlir::Value getStart() const { return start; }

  /// The value in threads that have cells of their own, zero in others.
  mlir::Value orZero(mlir::Value value);
  /// Waits for all threads, and for what they wrote.
  void synchronise();
  /// Waits for the warp only.
  void synchroniseWarp();
  mlir::Value shuffle(mlir::Value value, mlir::NVVM::ShflKind kind,
                      mlir::Value offset);
  mlir::Value exchange(mlir::Value value, int64_t distance);
  /// Whether this power of two is in the number of the lane.
  mlir::Value hasLaneBit(int64_t bit);
  /// The sum of a vector's cells.
  mlir::Value addCells(mlir::Value value);
  /// The sum over all threads, in all of them.
  mlir::Value sumAll(mlir::Value value);
  /// Memory that the block shares, of so many elements.
  mlir::Value allocate(mlir::Type element, int64_t elements);
  mlir::Value getDynamicMemory();

private:
  Builder &b;
  mlir::gpu::GPUFuncOp func;
  mlir::Value thread, lane, warp, start, active;
  int64_t threads;
  mlir::Value scratch;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_WARP_H
