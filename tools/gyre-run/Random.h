//===- Random.h - Numbers that every machine draws alike --------*- C++ -*-===//

#ifndef GYRE_TOOLS_GYRE_RUN_RANDOM_H
#define GYRE_TOOLS_GYRE_RUN_RANDOM_H

#include <cstdint>

namespace gyre {

/// SplitMix64: every machine has the same sequence.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// In [-1, 1), a multiple of 2^-23, so that f32 has it exactly.
  double real() { return static_cast<double>(next() >> 40) * 0x1p-23 - 1.0; }
  int64_t below(int64_t bound) {
    return static_cast<int64_t>(next() % static_cast<uint64_t>(bound));
  }

private:
  uint64_t state;
};

} // namespace gyre

#endif // GYRE_TOOLS_GYRE_RUN_RANDOM_H
