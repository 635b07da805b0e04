//===- Lanes.h - Lanes of a GPU's kernels -----------------------*- C++ -*-===//

#ifndef GYRE_SCHEDULE_LANES_H
#define GYRE_SCHEDULE_LANES_H

#include "gyre/Dialect/Gyre.h"

#include "llvm/Support/MathExtras.h"

namespace gyre::schedule {

/// Threads of a block of a GPU.
inline constexpr int64_t kMostThreads = 1024;

/// Of a large device.
inline constexpr int64_t kMultiprocessors = 132;

/// Threads of a block that has a part of the lanes of a row.
inline constexpr int64_t kShareThreads = 256;

/// How many blocks have the lanes of a row, if one block may not have so many
/// threads: as many as have some 256 each, or more where whole warps would not
/// be shared evenly.
inline int64_t countShares(int64_t lanes, int64_t most = kMostThreads) {
  constexpr int64_t warp = 32, threads = kShareThreads;
  if (lanes <= most)
    return 1;
  int64_t shares = llvm::divideCeil(lanes, threads);
  while (lanes % (shares * warp) != 0 && shares * warp < lanes)
    ++shares;
  return shares;
}

/// The most threads of a block. Workers of single nodes come and go: the
/// smaller their blocks, the more of them overlap.
inline int64_t getMostThreads(ScheduleAttr schedule) {
  return schedule.getHeavy() > 0 ? kShareThreads : kMostThreads;
}

inline int64_t countShares(ScheduleAttr schedule) {
  return countShares(schedule.getLanes(), getMostThreads(schedule));
}

/// The threads that a team has in a block.
inline int64_t getThreads(ScheduleAttr schedule) {
  return schedule.getLanes() / countShares(schedule);
}

/// Whether a kernel delivers nothing but sums of its owner's nodes.
inline bool sumsNodesOnly(KernelOp kernel) {
  return kernel.getOwner() &&
         llvm::all_of(kernel.getDeliveries(), [](mlir::Attribute delivery) {
           return llvm::cast<DeliveryAttr>(delivery).getKind() ==
                  DeliveryKind::segment;
         });
}

/// After so many steps without use a word that lanes share is asked for again,
/// on GPUs: that is cheaper than a register for long.
inline constexpr unsigned kReuse = 24;

/// Of memory, to each multiprocessor.
inline constexpr int64_t kBytesPerCycle = 18;

/// The cycles that a row takes a multiprocessor that computes it on so many
/// warps.
inline int64_t estimateCycles(int64_t steps, int64_t vector, int64_t warps) {
  constexpr int64_t beside = 40, schedulers = 4;
  return (beside + steps * vector) * warps / schedulers;
}

} // namespace gyre::schedule

#endif // GYRE_SCHEDULE_LANES_H
