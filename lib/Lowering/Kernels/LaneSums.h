//===- LaneSums.h - Many sums over the lanes of a warp ----------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_LANESUMS_H
#define GYRE_LIB_LOWERING_KERNELS_LANESUMS_H

#include "Warp.h"

namespace gyre::kernels {

/// Sums up to 32 values over a warp, one for each thread. Values are joined as
/// they come: halves of the threads go on with one of two each, so that of all
/// values no more than one for each power of two is alive at once.
class LaneSums {
public:
  LaneSums(Builder &b, Team &team) : b(b), team(team) {}

  /// Takes the next value, the number `size()`.
  void add(mlir::Value value);
  int64_t size() const { return count; }
  bool isFull() const { return count == kWarp; }
  /// The sum that a thread has. `owned[i]` is the number of the value whose sum
  /// thread i has; each is there once or more. Starts anew.
  mlir::Value finish(llvm::SmallVectorImpl<int32_t> &owned);

private:
  /// A value of which thread t has a part of the sum of number
  /// owned[t / (32 / owned.size())].
  struct Part {
    mlir::Value value;
    llvm::SmallVector<int32_t> owned;
  };
  Part join(const Part &lower, const Part &upper);
  /// As if it were joined with nothing.
  Part fold(const Part &part);

  Builder &b;
  Team &team;
  int64_t count = 0;
  /// Ever fewer values in each.
  llvm::SmallVector<Part, 5> parts;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_LANESUMS_H
