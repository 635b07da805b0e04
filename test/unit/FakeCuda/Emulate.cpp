//===- Emulate.cpp - A block of a GPU on the host -------------------------===//

#include "Emulate.h"

#include <csetjmp>
#include <deque>
#include <memory>
#include <mutex>
#include <sys/mman.h>
#include <ucontext.h>

using namespace gyre::test;

namespace {

constexpr size_t kStack = 256 * 1024, kWarp = 32, kPage = 4096;

/// Threads that meet, again and again.
struct Meeting {
  size_t members = 0, arrived = 0, held = 0;
};

class FiberThread : public Thread {
public:
  using Thread::Thread;
  void wait() override;
  void waitForWarp() override;
  uint32_t shuffle(uint32_t value, char kind, uint32_t by) override;
  void multiply(char format, const uint32_t (&a)[4], const uint32_t (&b)[2],
                const float (&c)[4], float *d) override;
  void multiplyInGroup(char format, uint32_t columns, const uint32_t (&a)[4],
                       uint64_t description, bool adds,
                       std::vector<uint32_t *> sums) override;
  void waitForProducts() override;
  void waitForCopies(size_t left) override;

private:
  struct Product {
    char format;
    uint32_t columns, a[4];
    uint64_t description;
    bool adds;
    std::vector<uint32_t *> sums;
  };
  std::vector<Product> products;
};

struct Fiber {
  std::unique_ptr<FiberThread> thread;
  std::jmp_buf place;
  /// Not touched before the kernel does: pages that it needs not are none.
  std::unique_ptr<char[]> stack;
  bool isDone = false;
};

struct Warp {
  Meeting meeting;
  /// Of this exchange and the next one.
  uint32_t values[2][kWarp];
  /// Of the words of two operands, one number or two.
  double numbers[2][kWarp][6][2];
};

struct {
  std::jmp_buf scheduler;
  std::deque<Fiber> fibers; // those of the largest block so far
  std::vector<Warp> warps;
  Meeting all;
  Kernel *kernel;
  void *const *params;
  bool moved;
} machine;

Fiber &current(Thread &thread) { return machine.fibers[thread.number]; }

/// Jumps, as each swap of contexts would call the kernel twice.
void resume(Fiber &fiber) {
  if (!_setjmp(machine.scheduler))
    _longjmp(fiber.place, 1);
}

void pause(Fiber &fiber) {
  if (!_setjmp(fiber.place))
    _longjmp(machine.scheduler, 1);
}

/// Returns when all are there; the number of the meeting.
size_t meet(Thread &thread, Meeting &meeting) {
  const size_t number = meeting.held;
  machine.moved = true;
  if (++meeting.arrived == meeting.members) {
    meeting.arrived = 0;
    ++meeting.held;
    return number;
  }
  while (meeting.held == number)
    pause(current(thread));
  return number;
}

/// Runs a thread of each block, one after another.
void enter(unsigned number) {
  for (;;) {
    Fiber &fiber = machine.fibers[number];
    pause(fiber);
    machine.kernel(*fiber.thread, machine.params);
    // As if it had arrived everywhere from here on.
    --machine.all.members;
    fiber.isDone = machine.moved = true;
    if (machine.all.members && machine.all.arrived == machine.all.members) {
      machine.all.arrived = 0;
      ++machine.all.held;
    }
  }
}

/// Runs a fiber until it waits for its first block.
void start(Fiber &fiber, unsigned number) {
  fiber.stack.reset(new char[kStack]);
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = fiber.stack.get();
  context.uc_stack.ss_size = kStack;
  context.uc_link = nullptr;
  makecontext(&context, reinterpret_cast<void (*)()>(enter), 1, number);
  if (!_setjmp(machine.scheduler))
    setcontext(&context);
}

void runBlock(Block &block) {
  while (machine.fibers.size() < block.threads) {
    Fiber &fiber = machine.fibers.emplace_back();
    start(fiber, static_cast<unsigned>(machine.fibers.size() - 1));
  }
  machine.warps.assign((block.threads + kWarp - 1) / kWarp, {});
  machine.all = {block.threads};
  for (uint32_t i = 0; i < block.threads; ++i) {
    Fiber &fiber = machine.fibers[i];
    ++machine.warps[i / kWarp].meeting.members;
    fiber.thread.reset(new FiberThread(block, i));
    fiber.isDone = false;
  }
  size_t left = block.threads;
  while (left) {
    machine.moved = false;
    for (uint32_t i = 0; i < block.threads; ++i) {
      Fiber &fiber = machine.fibers[i];
      if (fiber.isDone)
        continue;
      resume(fiber);
      left -= fiber.isDone;
    }
    if (!machine.moved) {
      std::fprintf(stderr, "emulate: threads wait for one another\n");
      std::abort();
    }
  }
}

void FiberThread::wait() { meet(*this, machine.all); }

void FiberThread::waitForWarp() {
  meet(*this, machine.warps[number / kWarp].meeting);
}

uint32_t FiberThread::shuffle(uint32_t value, char kind, uint32_t by) {
  Warp &warp = machine.warps[number / kWarp];
  const uint32_t lane = number % kWarp, turn = warp.meeting.held % 2;
  warp.values[turn][lane] = value;
  meet(*this, warp.meeting);
  uint32_t from = kind == 'b'   ? lane ^ by
                  : kind == 'd' ? lane + by
                  : kind == 'u' ? lane - by
                                : by;
  return warp.values[turn][from < kWarp ? from : lane];
}

double ofHalf(uint16_t word) {
  const uint64_t sign = word >> 15, exponent = word >> 10 & 31,
                 mantissa = word & 1023;
  if (exponent == 0)
    return (sign ? -0x1p-24 : 0x1p-24) * double(mantissa);
  return bits<double>(sign << 63 |
                      (exponent == 31 ? 2047 : exponent + 1008) << 52 |
                      mantissa << 42);
}

/// A number of 32 bits, or one of two of 16.
double readNumber(char format, uint32_t word, unsigned number) {
  const auto half = uint16_t(word >> 16 * number);
  switch (format) {
  case 'f':
    return ofHalf(half);
  case 'b':
    return double(bits<float>(uint32_t(half) << 16));
  default:
    return double(bits<float>(word & ~0x1fffu));
  }
}

/// As tensor cores of sm_80 are known to add: terms are cut to the last bit but
/// one of the largest, and so is the sum.
double addTruncated(const double *terms, unsigned count) {
  constexpr unsigned mantissa = 52, bias = 1023, kept = 24;
  constexpr uint64_t sign = uint64_t(1) << 63;
  uint64_t largest = 0;
  double sum = 0;
  for (unsigned i = 0; i < count; ++i) {
    largest = std::max(largest, bits<uint64_t>(terms[i]) & ~sign);
    sum += terms[i];
  }
  if (largest == 0 || !std::isfinite(sum))
    return sum;
  const auto exponent = int(largest >> mantissa) - int(bias);
  const auto scale = bits<double>(uint64_t(bias + kept - exponent) << mantissa);
  int64_t total = 0;
  for (unsigned i = 0; i < count; ++i)
    total += int64_t(terms[i] * scale);
  // As many bits as f32 has.
  int64_t size = std::abs(total), unit = 1;
  while (size >> kept) {
    size >>= 1;
    unit *= 2;
  }
  return double(total < 0 ? -size * unit : size * unit) / scale;
}

void FiberThread::multiply(char format, const uint32_t (&a)[4],
                           const uint32_t (&b)[2], const float (&c)[4],
                           float *d) {
  Warp &warp = machine.warps[number / kWarp];
  const uint32_t lane = number % kWarp, turn = warp.meeting.held % 2;
  const unsigned ofWord = format == 't' ? 1 : 2;
  auto &own = warp.numbers[turn][lane];
  for (unsigned i = 0; i < 6; ++i)
    for (unsigned j = 0; j < ofWord; ++j)
      own[i][j] = readNumber(format, i < 4 ? a[i] : b[i - 4], j);
  meet(*this, warp.meeting);
  // Groups of four lanes share rows of `a`, and columns of `b`.
  const auto *rows = warp.numbers[turn] + lane / 4 * 4;
  for (unsigned i = 0; i < 4; ++i) {
    const auto *columns = warp.numbers[turn] + (lane % 4 * 2 + i % 2) * 4;
    double sum = c[i];
    for (unsigned half = 0; half < 2; ++half) {
      double terms[9] = {sum};
      unsigned count = 1;
      for (unsigned from = 0; from < 4; ++from)
        for (unsigned j = 0; j < ofWord; ++j)
          terms[count++] =
              rows[from][2 * half + i / 2][j] * columns[from][4 + half][j];
      sum = addTruncated(terms, count);
    }
    d[i] = float(sum);
  }
}

void FiberThread::multiplyInGroup(char format, uint32_t columns,
                                  const uint32_t (&a)[4], uint64_t description,
                                  bool adds, std::vector<uint32_t *> sums) {
  products.push_back({format, columns, {}, description, adds, std::move(sums)});
  std::copy(std::begin(a), std::end(a), products.back().a);
}

/// A warp has 16 of the rows, as of `multiply`. Columns are matrices of eight
/// of them and 16 bytes of depth, not swizzled.
void FiberThread::waitForProducts() {
  constexpr uint64_t window = 0x40000, unit = 16, field = 0x3fff;
  constexpr uint64_t matrixBytes = 16;
  const uint32_t lane = number % kWarp;
  for (const Product &product : products) {
    auto distance = [&](unsigned bit) {
      return (product.description >> bit & field) * unit;
    };
    const auto shared = reinterpret_cast<uint64_t>(block.shared);
    uint64_t at = shared / window * window + distance(0);
    at += at < shared ? window : 0;
    for (uint32_t eight = 0; eight < product.columns / 8; ++eight) {
      const uint64_t from = at + eight * distance(32) + lane / 4 * matrixBytes +
                            lane % 4 * sizeof(uint32_t);
      const uint32_t b[2] = {load<uint32_t>(from),
                             load<uint32_t>(from + distance(16))};
      float c[4] = {}, d[4];
      for (unsigned i = 0; product.adds && i < 4; ++i)
        c[i] = bits<float>(*product.sums[4 * eight + i]);
      multiply(product.format, product.a, b, c, d);
      for (unsigned i = 0; i < 4; ++i)
        *product.sums[4 * eight + i] = bits<uint32_t>(d[i]);
    }
  }
  products.clear();
}

void FiberThread::waitForCopies(size_t left) {
  while (groups.size() > left + 1) {
    for (const Copy &copy : groups.front()) {
      aligned(copy.to, copy.size);
      aligned(copy.read ? copy.from : 0, copy.size);
      auto *to = reinterpret_cast<char *>(copy.to);
      std::memcpy(to, reinterpret_cast<void *>(copy.from), copy.read);
      std::memset(to + copy.read, 0, copy.size - copy.read);
    }
    groups.erase(groups.begin());
  }
}

} // namespace

void gyre::test::runKernel(Kernel *kernel, uint32_t blocks, uint32_t threads,
                           uint32_t shared, void *const *params) {
  static std::mutex lock;
  const std::lock_guard<std::mutex> guard(lock);
  machine.kernel = kernel;
  machine.params = params;
  // The memory ends where a page does that may not be touched.
  const size_t bytes = (shared + 15) / 16 * 16;
  const size_t pages = (bytes + kPage - 1) / kPage * kPage + kPage;
  auto *start = static_cast<uint8_t *>(
      mmap(nullptr, pages, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0));
  mprotect(start + pages - kPage, kPage, PROT_NONE);
  Block block{0, blocks, threads, start + pages - kPage - bytes};
  for (; block.number < blocks; ++block.number) {
    block.poison(block.shared, bytes);
    runBlock(block);
  }
  munmap(start, pages);
}
