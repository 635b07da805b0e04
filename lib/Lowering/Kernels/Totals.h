//===- Totals.h - Sums of sums, in shared memory ----------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_TOTALS_H
#define GYRE_LIB_LOWERING_KERNELS_TOTALS_H

#include "Slab.h"
#include "View.h"

namespace gyre::kernels {

/// A thread's sums of its sums: numbers that no other thread reads, and for
/// which there are no registers.
class Totals {
public:
  /// `memory`: of a block, from byte `first` on; `thread`: of `threads`, i32.
  Totals(Builder &b, mlir::Value memory, int64_t first, mlir::Value thread,
         int64_t threads, mlir::Type element)
      : b(b), memory(memory), first(first), thread(thread), threads(threads),
        element(element) {}

  int64_t getBytes(int64_t count) const {
    return threads * count * element.getIntOrFloatBitWidth() / 8;
  }
  void store(mlir::ValueRange totals);
  Values load(int64_t count);

private:
  /// Numbers of an access of 16 bytes.
  mlir::VectorType getVector() const {
    return mlir::VectorType::get({128 / element.getIntOrFloatBitWidth()},
                                 element);
  }
  mlir::Value point(int64_t number);

  Builder &b;
  mlir::Value memory;
  int64_t first;
  mlir::Value thread;
  int64_t threads;
  mlir::Type element;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_TOTALS_H
