//===- CudaMachine.cpp - A GPU through the CUDA driver --------------------===//

#include "Files.h"
#include "Machine.h"

#include "gyre/Runtime/CudaDriver.h"

using namespace llvm;

namespace gyre {
namespace {

class CudaMachine : public Machine {
public:
  Error open(int number);

  gyre_device device() const override { return {GYRE_DEVICE_CUDA, ordinal}; }
  void *stream() const override { return queue; }
  std::string name() const override { return title; }
  int64_t cacheBytes() const override { return cache; }
  int64_t passBytes() const override {
    return std::min(8 * cache, int64_t{1} << 28);
  }

  Expected<Block> allocate(int64_t bytes) override {
    cuda::Pointer place = 0;
    if (cuda::Result result = driver.allocate(
            &place, static_cast<size_t>(std::max<int64_t>(bytes, 1))))
      return makeError("[run-memory] expected " + Twine(bytes) +
                       " bytes of memory of the device, got " +
                       driver.nameOf(result));
    return Block(reinterpret_cast<void *>(place), [this](void *memory) {
      driver.release(reinterpret_cast<uintptr_t>(memory));
    });
  }
  Error upload(void *to, const void *from, int64_t bytes) override {
    return bytes == 0
               ? Error::success()
               : check(driver.upload(reinterpret_cast<uintptr_t>(to), from,
                                     static_cast<size_t>(bytes), queue));
  }
  Error download(void *to, const void *from, int64_t bytes) override {
    if (bytes > 0)
      if (Error error =
              check(driver.download(to, reinterpret_cast<uintptr_t>(from),
                                    static_cast<size_t>(bytes), queue)))
        return error;
    return finish();
  }
  Error copy(void *to, const void *from, int64_t bytes) override {
    return check(driver.copy(reinterpret_cast<uintptr_t>(to),
                             reinterpret_cast<uintptr_t>(from),
                             static_cast<size_t>(bytes), queue));
  }
  Error spoil(void *memory, int64_t bytes) override {
    return bytes == 0
               ? Error::success()
               : check(driver.fill(reinterpret_cast<uintptr_t>(memory), 0xff,
                                   static_cast<size_t>(bytes), queue));
  }
  Error finish() override { return check(driver.waitForStream(queue)); }

  Expected<std::function<Error()>> record(function_ref<Error()> call) override;

  Expected<std::vector<double>>
  time(int64_t runs, function_ref<Error(int64_t)> call) override;

private:
  Error check(cuda::Result result) const {
    if (!result)
      return Error::success();
    return makeError(
        Twine("[run-cuda] expected the CUDA driver to work, got ") +
        driver.nameOf(result) + " (" + driver.describe(result) + ")");
  }

  cuda::Driver driver;
  cuda::Stream queue = nullptr;
  int ordinal = 0;
  int64_t cache = 0;
  std::string title;
};

} // namespace

Error CudaMachine::open(int number) {
  ordinal = number;
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return makeError("[run-cuda] expected the CUDA driver, got: " +
                     Twine(dlerror()));
  if (const char *missing = driver.load(library))
    return makeError("[run-cuda] expected a CUDA driver of version 12.0 or "
                     "newer, got one without " +
                     Twine(missing));
  cuda::Device device = 0;
  cuda::Context context = nullptr;
  char text[256] = {};
  int major = 0, minor = 0, bytes = 0;
  cuda::Result result = driver.init(0);
  auto next = [&](auto step) {
    if (!result)
      result = step();
  };
  next([&] { return driver.deviceGet(&device, ordinal); });
  next([&] { return driver.retainPrimary(&context, device); });
  next([&] { return driver.setCurrent(context); });
  next([&] { return driver.createStream(&queue, /*non-blocking*/ 1); });
  next([&] { return driver.deviceName(text, sizeof(text), device); });
  next([&] {
    return driver.deviceAttribute(&major, cuda::kComputeMajor, device);
  });
  next([&] {
    return driver.deviceAttribute(&minor, cuda::kComputeMinor, device);
  });
  next([&] {
    return driver.deviceAttribute(&bytes, cuda::kL2CacheBytes, device);
  });
  if (result)
    return makeError("[run-cuda] expected a CUDA device of number " +
                     Twine(ordinal) + ", got " + driver.nameOf(result) + " (" +
                     driver.describe(result) + ")");
  cache = bytes;
  title = (Twine(text) + " (sm_" + Twine(major) + Twine(minor) + ")").str();
  return Error::success();
}

Expected<std::function<Error()>>
CudaMachine::record(function_ref<Error()> call) {
  cuda::Graph graph = nullptr;
  cuda::GraphExec exec = nullptr;
  if (Error error =
          check(driver.beginCapture(queue, cuda::kCaptureThreadLocal)))
    return error;
  Error error = call();
  // Capturing ends whatever the call said.
  error = joinErrors(std::move(error), check(driver.endCapture(queue, &graph)));
  if (error)
    return error;
  if (Error error = check(driver.instantiate(&exec, graph, 0)))
    return error;
  return [this, exec] { return check(driver.launchGraph(exec, queue)); };
}

/// All runs are enqueued before the first is waited for: the device never waits
/// for the host, unless it is the faster one.
Expected<std::vector<double>>
CudaMachine::time(int64_t runs, function_ref<Error(int64_t)> call) {
  std::vector<std::pair<cuda::Event, cuda::Event>> events(
      static_cast<size_t>(runs));
  for (auto &[begin, end] : events) {
    if (Error error = check(driver.createEvent(&begin, 0)))
      return error;
    if (Error error = check(driver.createEvent(&end, 0)))
      return error;
  }
  for (int64_t i = 0; i < runs; ++i) {
    auto &[begin, end] = events[static_cast<size_t>(i)];
    if (Error error = check(driver.recordEvent(begin, queue)))
      return error;
    if (Error error = call(i))
      return error;
    if (Error error = check(driver.recordEvent(end, queue)))
      return error;
  }
  if (Error error = finish())
    return error;
  std::vector<double> seconds;
  for (auto &[begin, end] : events) {
    float milliseconds = 0;
    if (Error error = check(driver.elapsed(&milliseconds, begin, end)))
      return error;
    seconds.push_back(1e-3 * static_cast<double>(milliseconds));
  }
  return seconds;
}

Expected<std::unique_ptr<Machine>> createCudaMachine(int ordinal) {
  auto machine = std::make_unique<CudaMachine>();
  if (Error error = machine->open(ordinal))
    return error;
  return machine;
}

Expected<std::unique_ptr<Machine>> createMachine(StringRef target,
                                                 int ordinal) {
  if (target == "cuda")
    return createCudaMachine(ordinal);
  return createHostMachine();
}

} // namespace gyre
