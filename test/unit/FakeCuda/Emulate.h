//===- Emulate.h - A block of a GPU on the host -----------------*- C++ -*-===//
//
// What the code that emulate.py makes of kernels is compiled with, and what
// runs it.
//
//===----------------------------------------------------------------------===//

#ifndef GYRE_TEST_UNIT_FAKECUDA_EMULATE_H
#define GYRE_TEST_UNIT_FAKECUDA_EMULATE_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace gyre::test {

struct Block {
  uint32_t number, blocks, threads;
  uint8_t *shared;

  /// All bytes set: a NaN in every float type.
  static void poison(void *memory, size_t bytes) {
    std::memset(memory, 0xFF, bytes);
  }
};

/// A thread of a block. What it does with others is in Emulate.cpp: the code of
/// a kernel has no symbols to find.
class Thread {
public:
  struct Copy {
    uint64_t to, from;
    uint32_t size, read;
  };

  Thread(Block &block, uint32_t number) : block(block), number(number) {}
  virtual ~Thread() = default;

  Block &block;
  const uint32_t number;

  virtual void wait() = 0;
  virtual void waitForWarp() = 0;
  virtual uint32_t shuffle(uint32_t value, char kind, uint32_t by) = 0;
  /// 16 x 8 cells of a warp's, the thread's four of which are `d`: `c`, and the
  /// products of `a` and `b`, in `f`16, `b`f16 or `t`f32.
  virtual void multiply(char format, const uint32_t (&a)[4],
                        const uint32_t (&b)[2], const float (&c)[4],
                        float *d) = 0;
  /// 64 rows of a warpgroup, of which the thread has words of `a`, by columns
  /// that are described: its sums, words of f32, are there after
  /// `waitForProducts`.
  virtual void multiplyInGroup(char format, uint32_t columns,
                               const uint32_t (&a)[4], uint64_t description,
                               bool adds, std::vector<uint32_t *> sums) = 0;
  virtual void waitForProducts() = 0;
  void copy(uint64_t to, uint64_t from, uint32_t size, uint32_t read) {
    groups.back().push_back({to, from, size, read});
  }
  void commit() { groups.emplace_back(); }
  virtual void waitForCopies(size_t left) = 0;

protected:
  /// Copies of groups that are not there yet, the current one last.
  std::vector<std::vector<Copy>> groups{1};
};

using Kernel = void(Thread &, void *const *);

/// Runs all blocks of a kernel, one after another.
void runKernel(Kernel *kernel, uint32_t blocks, uint32_t threads,
               uint32_t shared, void *const *params);

template <typename To, typename From> To bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
template <typename T, typename R> T get(R reg) {
  T value;
  if constexpr (sizeof(T) <= sizeof(R)) {
    std::memcpy(&value, &reg, sizeof value);
  } else {
    value = T(reg);
  }
  return value;
}
template <typename R, typename T> void put(R &reg, T value) {
  if constexpr (sizeof(T) <= sizeof(R)) {
    reg = 0;
    std::memcpy(&reg, &value, sizeof value);
  } else {
    std::memcpy(&reg, &value, sizeof reg);
  }
}
template <typename T> T load(uint64_t at) {
  T value;
  std::memcpy(&value, reinterpret_cast<void *>(at), sizeof value);
  return value;
}
template <typename T> void store(uint64_t at, T value) {
  std::memcpy(reinterpret_cast<void *>(at), &value, sizeof value);
}
inline void aligned(uint64_t at, uint64_t bytes) {
  if (at % bytes == 0)
    return;
  std::fprintf(stderr, "emulate: access of %d bytes is not aligned\n",
               static_cast<int>(bytes));
  std::abort();
}

template <typename T> T shl(T x, uint32_t by) {
  return by < 8 * sizeof(T) ? T(x << by) : T(0);
}
template <typename T> T shr(T x, uint32_t by) {
  const uint32_t most = 8 * sizeof(T) - 1;
  if (by > most)
    return x < 0 ? T(-1) : T(0);
  return T(x >> by);
}
/// `count` bits of a number, all of which it has; of a signed one, with a sign.
template <typename T> T field(T x, uint32_t from, uint32_t count) {
  const uint32_t width = 8 * sizeof(T);
  if (count == 0)
    return 0;
  return shr(shl(x, width - from - count), width - count);
}
__extension__ using Unsigned128 = unsigned __int128;
__extension__ using Signed128 = __int128;
inline uint64_t high(uint64_t x, uint64_t y) {
  return uint64_t((static_cast<Unsigned128>(x) * y) >> 64);
}
inline int64_t high(int64_t x, int64_t y) {
  return int64_t((static_cast<Signed128>(x) * y) >> 64);
}
inline uint32_t high(uint32_t x, uint32_t y) {
  return uint32_t((uint64_t(x) * y) >> 32);
}
inline uint16_t high(uint16_t x, uint16_t y) {
  return uint16_t((uint32_t(x) * y) >> 16);
}
inline int16_t high(int16_t x, int16_t y) {
  return int16_t((int32_t(x) * y) >> 16);
}
inline int32_t high(int32_t x, int32_t y) {
  return int32_t((int64_t(x) * y) >> 32);
}
template <typename T> bool ordered(T x, T y) { return x == x && y == y; }
inline float saturate(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
/// Rounded to nearest, or down (`m`).
template <typename T> T fused(T x, T y, T z, char rounding) {
  T nearest = T(std::fma(x, y, z));
  if (rounding != 'm')
    return nearest;
  const long double exact =
      static_cast<long double>(x) * static_cast<long double>(y) + z;
  return static_cast<long double>(nearest) > exact
             ? std::nextafter(nearest, -T(INFINITY))
             : nearest;
}
inline uint16_t toBrain(float x) {
  const auto word = bits<uint32_t>(x);
  if (x != x)
    return uint16_t(word >> 16 | 0x40);
  return uint16_t((word + 0x7fff + (word >> 16 & 1)) >> 16);
}
/// Rounded to 11 bits, ties away from zero.
inline uint32_t toTF32(float x) {
  const auto word = bits<uint32_t>(x);
  if (x != x)
    return 0x7fffffff;
  return (std::isinf(x) ? word : word + 0x1000) & ~0x1fffu;
}

} // namespace gyre::test

#endif // GYRE_TEST_UNIT_FAKECUDA_EMULATE_H
