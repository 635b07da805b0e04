//===- OwnWords.h - Constants of each thread of a team ----------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_OWNWORDS_H
#define GYRE_LIB_LOWERING_KERNELS_OWNWORDS_H

#include "Tables.h"
#include "Warp.h"

#include <map>

namespace gyre::kernels {

/// What each thread of a team needs of constant arrays in every row. It is kept
/// in shared memory of dynamic size: the optimiser would keep invariants of the
/// loop, as offsets of 64 bits, in registers.
class OwnWords {
public:
  /// Built where no row has begun. `number` is the team's in its block.
  OwnWords(Builder &b, Team &team, Tables &tables, int64_t teams,
           mlir::Value number);
  /// Where the words begin: each team has so many bytes before them.
  void placeAfter(int64_t bytes) { begin = bytes * teams; }
  /// Of all teams, as far as words have been asked for.
  int64_t getBytes() const;
  /// The word of this thread, as i64, of those that threads of a team have.
  mlir::Value get(llvm::function_ref<int32_t(int64_t thread)> word);

private:
  Builder &b;
  Team &team;
  Tables &tables;
  int64_t threads, teams, begin = 0;
  /// This thread's index in the block.
  mlir::Value own;
  mlir::Operation *start;
  std::map<std::vector<int32_t>, mlir::Value> slots;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_OWNWORDS_H
