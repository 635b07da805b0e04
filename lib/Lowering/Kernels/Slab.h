//===- Slab.h - What a block of threads multiplies at a time ----*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_SLAB_H
#define GYRE_LIB_LOWERING_KERNELS_SLAB_H

#include "mlir/IR/BuiltinTypes.h"

namespace gyre::kernels {

/// The layout of some rows of a product, or columns, and of some of its depth,
/// in the memory that a block shares. What an access of 16 bytes takes lies
/// along the one or the other, as in the array that it is copied from.
struct Slab {
  mlir::Type element;
  /// Rows, or columns; and how many of these a thread has.
  int64_t extent, ofThread;
  int64_t depth;
  bool alongDepth;
  /// Whether it is multiplied by matrix units, whose threads read several steps
  /// of depth at once.
  bool ofMatrixUnits = false;

  int64_t getElementBytes() const {
    return element.getIntOrFloatBitWidth() / 8;
  }
  /// Elements of an access of 16 bytes.
  int64_t getVector() const { return 16 / getElementBytes(); }
  /// Elements from a row to the next; or from a step of depth to the next. Some
  /// are in between, so that threads which read different rows at once find
  /// them in different banks.
  int64_t getPitch() const { return alongDepth ? depth + getVector() : extent; }
  int64_t getBytes() const {
    return (alongDepth ? extent : depth) * getPitch() * getElementBytes();
  }
  /// Whether cells of a row of memory are exchanged: cell `x` of depth `k` is
  /// at `x ^ (k >> from & mask) << to`, so that threads which read the same
  /// cells of different depths at once find them in different banks.
  bool isSwizzled() const { return ofMatrixUnits && !alongDepth; }
  /// The bits of the depth that exchange cells, and where they do.
  static constexpr int64_t kSwizzleFrom = 2, kSwizzleMask = 3, kSwizzleTo = 3;
  /// Threads that share the extent, and how many cells of each of them are
  /// neighbours.
  int64_t getThreads() const { return extent / ofThread; }
  int64_t getNeighbours() const { return alongDepth ? 1 : getVector(); }
  /// Cell `i` of thread `t` is at this place, and `t` times the neighbours.
  int64_t getPlace(int64_t i) const {
    int64_t several = getNeighbours();
    return i / several * several * getThreads() + i % several;
  }
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_SLAB_H
