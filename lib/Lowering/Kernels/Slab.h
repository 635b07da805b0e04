//===- Slab.h - What a block of threads multiplies at a time ----*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_SLAB_H
#define GYRE_LIB_LOWERING_KERNELS_SLAB_H

#include "mlir/IR/BuiltinTypes.h"

#include <optional>

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
  /// Whether numbers become parts in place, once for all warps. A thread does
  /// that with four neighbours of four steps of depth of each `kStep`: `l`,
  /// `l + 1`, for an even `l`, and those `kApart` from these. Numbers that are
  /// so far apart share a word. What the instruction takes of two neighbours is
  /// an access of 16 bytes: heads of both two at `l` and `l + 1`, tails at the
  /// others.
  bool isSplit = false;
  static constexpr int64_t kStep = 16, kApart = kStep / 2, kSteps = 4;

  int64_t getElementBytes() const {
    return element.getIntOrFloatBitWidth() / 8;
  }
  /// Elements of an access of 16 bytes.
  int64_t getVector() const { return 16 / getElementBytes(); }
  /// How cells of a line of memory (a row; or a step of depth) are exchanged:
  /// cell `x` of line `y` is at `x ^ (y >> from & mask) << to`, so that threads
  /// which read different lines at once find their cells in different banks.
  struct Swizzle {
    int64_t from, mask, to;
    /// Whether lines that are so far apart have the same exchanges.
    bool repeats(int64_t lines) const {
      return lines % ((mask + 1) << from) == 0;
    }
  };
  std::optional<Swizzle> getSwizzle() const {
    if (!ofMatrixUnits)
      return std::nullopt;
    if (isSplit)
      return Swizzle{/*from=*/1, /*mask=*/3, /*to=*/3};
    if (!alongDepth)
      return Swizzle{/*from=*/2, /*mask=*/3, /*to=*/3};
    // Halves of 32 numbers, which have all banks.
    if (depth % 32 == 0)
      return Swizzle{/*from=*/2, /*mask=*/1, /*to=*/4};
    return std::nullopt;
  }
  /// Elements from a row to the next; or from a step of depth to the next. Some
  /// are in between where nothing is exchanged, to the same end.
  int64_t getPitch() const {
    if (!alongDepth)
      return extent;
    return getSwizzle() ? depth : depth + getVector();
  }
  int64_t getBytes() const {
    return (alongDepth ? extent : depth) * getPitch() * getElementBytes();
  }
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
