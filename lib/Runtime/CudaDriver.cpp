//===- CudaDriver.cpp - Loading the CUDA driver -----------------*- C++ -*-===//

#include "Cuda.h"

#include <atomic>
#include <mutex>

namespace gyre::runtime {
namespace {

constexpr char kLibrary[] = "libcuda.so.1";

std::atomic<const cuda::Driver *> ready{nullptr};
std::mutex loading;
cuda::Driver storage; // written under `loading`, before `ready` points to it

const cuda::Driver *fail(Message &message) {
  message.as(GYRE_ERROR_DRIVER);
  return nullptr;
}

} // namespace

const cuda::Driver *getDriver(const char *function) {
  if (const cuda::Driver *driver = ready.load(std::memory_order_acquire))
    return driver;
  const std::lock_guard<std::mutex> guard(loading);
  if (const cuda::Driver *driver = ready.load(std::memory_order_acquire))
    return driver;
  void *library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = dlerror();
    return fail(Message("cuda-driver", function)
                    .add("expected the CUDA driver, got: %s",
                         why ? why : "no library libcuda.so.1"));
  }
  // It stays loaded: the driver does not like to go.
  if (const char *missing = storage.load(library))
    return fail(Message("cuda-driver", function)
                    .add("expected a CUDA driver of version 12.0 or newer, got "
                         "one without %s",
                         missing));
  if (const cuda::Result result = storage.init(0)) {
    failDriver("cuda-driver", function, storage, "a CUDA driver that works",
               result);
    return nullptr;
  }
  ready.store(&storage, std::memory_order_release);
  return &storage;
}

gyre_status failDriver(const char *id, const char *function,
                       const cuda::Driver &driver, const char *expected,
                       cuda::Result result) {
  return Message(id, function)
      .add("expected %s, got %s (%s)", expected, driver.nameOf(result),
           driver.describe(result))
      .as(GYRE_ERROR_DRIVER);
}

} // namespace gyre::runtime
