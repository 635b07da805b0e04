//===- HostMachine.cpp - The CPU ------------------------------------------===//

#include "Files.h"
#include "Machine.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace llvm;

namespace gyre {
namespace {

/// The third-level caches of all processors that there are; sysconf has those
/// of the socket, though a virtual machine may be given one of many. 0 if
/// unknown.
int64_t addCaches() {
  int64_t sum = 0;
  const int64_t count = sysconf(_SC_NPROCESSORS_CONF);
  for (int64_t processor = 0; processor < count; ++processor) {
    const std::string cache = "/sys/devices/system/cpu/cpu" +
                              std::to_string(processor) + "/cache/index3/";
    auto size = MemoryBuffer::getFileAsStream(cache + "size"),
         shared = MemoryBuffer::getFileAsStream(cache + "shared_cpu_list");
    if (!size || !shared)
      continue;
    // `32768K`, and `0-7`: the first counts for all.
    StringRef sizeText = (*size)->getBuffer(),
              sharedText = (*shared)->getBuffer();
    int64_t first, kilobytes;
    if (!sharedText.consumeInteger(10, first) && first == processor &&
        !sizeText.consumeInteger(10, kilobytes) && sizeText.starts_with("K"))
      sum += kilobytes << 10;
  }
  return sum;
}

class HostMachine : public Machine {
public:
  gyre_device device() const override { return {GYRE_DEVICE_CPU, 0}; }
  void *stream() const override { return nullptr; }
  std::string name() const override { return "cpu"; }
  int64_t cacheBytes() const override {
    static const int64_t bytes = addCaches();
    return bytes > 0 ? bytes : int64_t{64} << 20;
  }
  /// No more than machines of large caches have to spare.
  int64_t passBytes() const override {
    int64_t memory = int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
    return std::min(4 * cacheBytes(), memory / 8);
  }

  Expected<Block> allocate(int64_t bytes) override {
    Block memory(
        std::aligned_alloc(GYRE_ALIGNMENT, alignTo(std::max<int64_t>(bytes, 1),
                                                   GYRE_ALIGNMENT)),
        [](void *memory) { std::free(memory); });
    if (!memory)
      return makeError("[run-memory] expected " + Twine(bytes) +
                       " bytes of memory, got none");
    return memory;
  }
  Error upload(void *to, const void *from, int64_t bytes) override {
    return copy(to, from, bytes);
  }
  Error copy(void *to, const void *from, int64_t bytes) override {
    if (bytes > 0)
      std::memcpy(to, from, static_cast<size_t>(bytes));
    return Error::success();
  }
  Error download(void *to, const void *from, int64_t bytes) override {
    return copy(to, from, bytes);
  }
  Error spoil(void *memory, int64_t bytes) override {
    std::memset(memory, 0xff, static_cast<size_t>(bytes));
    return Error::success();
  }
  Error finish() override { return Error::success(); }

  Expected<std::function<Error()>> record(function_ref<Error()>) override {
    return makeError("[run-mode] expected a kernel for GPUs with --graph, got "
                     "one for the CPU");
  }

  Expected<std::vector<double>>
  time(int64_t runs, function_ref<Error(int64_t)> call) override {
    using Clock = std::chrono::steady_clock;
    std::vector<double> seconds;
    for (int64_t i = 0; i < runs; ++i) {
      const Clock::time_point begin = Clock::now();
      if (Error error = call(i))
        return error;
      seconds.push_back(
          std::chrono::duration<double>(Clock::now() - begin).count());
    }
    return seconds;
  }
};

} // namespace

std::unique_ptr<Machine> createHostMachine() {
  return std::make_unique<HostMachine>();
}

} // namespace gyre
