//===- Width.h - Cells along the lanes of a GPU's threads -------*- C++ -*-===//

#ifndef GYRE_LIB_SCHEDULE_WIDTH_H
#define GYRE_LIB_SCHEDULE_WIDTH_H

#include "Facts.h"

namespace gyre::schedule {

/// Warps on a multiprocessor, and the registers that each of their threads may
/// have. More than 20 need not be there to keep the memory busy.
struct Room {
  int64_t warps, registers;
};
inline constexpr Room kLargestRoom = {8, 255};

/// What a multiprocessor may read again and again: its shared memory and its
/// cache have 256 KB, and a little may come from farther away.
inline constexpr int64_t kNearBytes = 288 << 10;

/// A thread's cells along the lanes.
struct Width {
  int64_t vector, lanes;
  /// Registers that a vector takes, and those for vectors.
  int64_t perAlive, registers;
  /// How many are alive at once, if need be in phases.
  int64_t alive;
  /// Whether what rows of as many warps as the largest room holds read of their
  /// owners' nodes is near.
  bool isNear;

  /// How many vectors fit.
  int64_t getMost() const { return std::max<int64_t>(registers / perAlive, 1); }
  bool fits() const { return alive <= getMost(); }
};

/// The lanes that take the fewest instructions, of those whose cells fit the
/// registers.
Width chooseWidth(const Facts &facts, int64_t registers);

/// Whether the lanes could have more cells each, and none of them less.
bool couldBeWider(const Facts &facts, const Width &width);

/// The cycles that a row takes a multiprocessor, by what keeps it busiest:
/// instructions, accesses to shared memory and the cache, or memory.
int64_t estimateCycles(const Facts &facts, const Width &width);

} // namespace gyre::schedule

#endif // GYRE_LIB_SCHEDULE_WIDTH_H
