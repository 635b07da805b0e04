//===- CudaLaunch.cpp - Launching compiled kernels --------------*- C++ -*-===//
//
// Handles of kernels are kept in the words that a library brings along for
// them (`state`): for each kernel one word an image, then the set of devices
// whose limit of shared memory has been raised. So a launch takes no lock.
//
//===----------------------------------------------------------------------===//

#include "Cuda.h"

#include <atomic>
#include <cinttypes>
#include <cstdlib>
#include <mutex>

namespace gyre::runtime {
namespace {

/// Devices whose properties are remembered; more work too, only slower.
constexpr int kRememberedDevices = 63;

std::mutex loading;
std::atomic<int32_t> architectures[kRememberedDevices];

/// One launch: what all steps need.
struct Launch {
  const cuda::Driver &driver;
  const gyre_rt_device_code &code;
  int64_t kernel;
  cuda::Stream stream;

  const char *name() const { return code.kernel[kernel]; }
  int64_t &word(int64_t of, int64_t number) const {
    return code.state[of * (code.images + 1) + number];
  }
  gyre_status fail(const char *id, const char *expected,
                   cuda::Result result) const {
    return failDriver(id, name(), driver, expected, result);
  }

  gyre_status findDevice(cuda::Device &device) const;
  gyre_status findArchitecture(cuda::Device device, int32_t &version) const;
  gyre_status pickImage(int32_t version, int64_t &image) const;
  gyre_status getHandle(int64_t image, cuda::Kernel &handle) const;
  gyre_status load(int64_t image) const;
  gyre_status raiseSharedLimit(cuda::Kernel handle, cuda::Device device,
                               int64_t bytes) const;
};

/// The device of the stream's context, which need not be the current one.
gyre_status Launch::findDevice(cuda::Device &device) const {
  cuda::Context own = nullptr, current = nullptr;
  if (cuda::Result result = driver.currentContext(&current))
    return fail("cuda-context", "a CUDA context", result);
  own = current;
  if (stream)
    if (cuda::Result result = driver.streamContext(stream, &own))
      return fail("cuda-context", "a stream of a CUDA context", result);
  if (!own)
    return Message("cuda-context", name())
        .add("expected a current CUDA context of this thread, got none")
        .as(GYRE_ERROR_DRIVER);
  if (own != current)
    if (cuda::Result result = driver.pushContext(own))
      return fail("cuda-context", "the context of the stream", result);
  const cuda::Result result = driver.contextDevice(&device);
  if (own != current)
    driver.popContext(&own);
  return result ? fail("cuda-context", "a device", result) : GYRE_OK;
}

/// 10 * major + minor of the compute capability.
gyre_status Launch::findArchitecture(cuda::Device device,
                                     int32_t &version) const {
  const bool remembered = device >= 0 && device < kRememberedDevices;
  version =
      remembered ? architectures[device].load(std::memory_order_relaxed) : 0;
  if (version)
    return GYRE_OK;
  int major = 0, minor = 0;
  cuda::Result result =
      driver.deviceAttribute(&major, cuda::kComputeMajor, device);
  if (!result)
    result = driver.deviceAttribute(&minor, cuda::kComputeMinor, device);
  if (result)
    return fail("cuda-context", "the architecture of the device", result);
  version = 10 * major + minor;
  if (remembered)
    architectures[device].store(version, std::memory_order_relaxed);
  return GYRE_OK;
}

/// How well code for `arch` suits a device: 0 for not at all. Machine code is
/// better than PTX, a newer version better than an older one, and code that
/// only one device can run better than code for all of its version.
int32_t rate(const char *arch, int32_t version) {
  const bool isPtx = arch[0] == 'c';
  const char *digits = arch;
  while (*digits && (*digits < '0' || *digits > '9'))
    ++digits;
  char *end = nullptr;
  const auto own = static_cast<int32_t>(std::strtol(digits, &end, 10));
  const bool isSpecific = *end != '\0';
  const bool fits = isSpecific ? own == version
                    : isPtx    ? own <= version
                               : own / 10 == version / 10 && own <= version;
  return fits ? (isPtx ? 0 : 100000) + 10 * own + isSpecific : 0;
}

gyre_status Launch::pickImage(int32_t version, int64_t &image) const {
  int32_t best = 0;
  for (int64_t i = 0; i < code.images; ++i)
    if (const int32_t rating = rate(code.image[i].arch, version);
        rating > best) {
      best = rating;
      image = i;
    }
  if (best)
    return GYRE_OK;
  Message message("cuda-arch", name());
  message.add("expected code for the device's sm_%" PRId32 ", got", version);
  for (int64_t i = 0; i < code.images; ++i)
    message.add("%s %s", i ? "," : "", code.image[i].arch);
  return message.as(GYRE_ERROR_DRIVER);
}

/// Loads an image and stores the handles of all its kernels.
gyre_status Launch::load(int64_t image) const {
  const std::lock_guard<std::mutex> guard(loading);
  if (__atomic_load_n(&word(kernel, image), __ATOMIC_ACQUIRE))
    return GYRE_OK;
  cuda::Library library = nullptr;
  if (cuda::Result result =
          driver.loadLibrary(&library, code.image[image].data, nullptr, nullptr,
                             0, nullptr, nullptr, 0))
    return fail("cuda-load", "code that the driver loads", result);
  for (int64_t i = 0; i < code.kernels; ++i) {
    cuda::Kernel handle = nullptr;
    if (cuda::Result result =
            driver.getKernel(&handle, library, code.kernel[i]))
      return failDriver("cuda-load", code.kernel[i], driver,
                        "a kernel in the code", result);
    __atomic_store_n(&word(i, image),
                     static_cast<int64_t>(reinterpret_cast<intptr_t>(handle)),
                     __ATOMIC_RELEASE);
  }
  return GYRE_OK;
}

gyre_status Launch::getHandle(int64_t image, cuda::Kernel &handle) const {
  int64_t stored = __atomic_load_n(&word(kernel, image), __ATOMIC_ACQUIRE);
  if (!stored) {
    if (gyre_status status = load(image))
      return status;
    stored = __atomic_load_n(&word(kernel, image), __ATOMIC_ACQUIRE);
  }
  handle = reinterpret_cast<cuda::Kernel>(static_cast<intptr_t>(stored));
  return GYRE_OK;
}

/// Raises the limit to all that the device has: two threads with different
/// needs cannot then take it from each other.
gyre_status Launch::raiseSharedLimit(cuda::Kernel handle, cuda::Device device,
                                     int64_t bytes) const {
  int64_t &raised = word(kernel, code.images);
  const int64_t bit =
      device >= 0 && device < kRememberedDevices ? int64_t{1} << device : 0;
  if (__atomic_load_n(&raised, __ATOMIC_ACQUIRE) & bit)
    return GYRE_OK;
  int all = 0, used = 0;
  cuda::Result result =
      driver.deviceAttribute(&all, cuda::kSharedOptInBytes, device);
  if (!result)
    result =
        driver.kernelAttribute(&used, cuda::kStaticSharedBytes, handle, device);
  if (!result && bytes > all - used)
    return Message("cuda-shared", name())
        .add("expected at most %d bytes of dynamic shared memory on this "
             "device, got %" PRId64,
             all - used, bytes)
        .as(GYRE_ERROR_DRIVER);
  if (!result)
    result = driver.setKernelAttribute(cuda::kMaxDynamicSharedBytes, all - used,
                                       handle, device);
  if (result)
    return fail("cuda-shared", "leave to use more shared memory", result);
  __atomic_fetch_or(&raised, bit, __ATOMIC_RELEASE);
  return GYRE_OK;
}

} // namespace
} // namespace gyre::runtime

using namespace gyre;
using namespace gyre::runtime;

int32_t gyre_rt_launch(int32_t status, const gyre_rt_device_code *code,
                       int64_t kernel, int64_t grid_x, int64_t grid_y,
                       int64_t grid_z, int64_t block_x, int64_t block_y,
                       int64_t block_z, int64_t shared_bytes, void *stream,
                       void *const *params) {
  if (status)
    return status;
  const char *name = code->kernel[kernel];
  const int64_t grid[] = {grid_x, grid_y, grid_z};
  const int64_t limit[] = {INT32_MAX, UINT16_MAX, UINT16_MAX};
  for (int axis = 0; axis < 3; ++axis)
    if (grid[axis] < 0 || grid[axis] > limit[axis])
      return Message("cuda-grid", name)
          .add("expected 0 to %" PRId64 " blocks along %c, got %" PRId64,
               limit[axis], 'x' + axis, grid[axis])
          .as(GYRE_ERROR_LIMIT);
  if (grid_x == 0 || grid_y == 0 || grid_z == 0)
    return GYRE_OK;
  const cuda::Driver *driver = getDriver(name);
  if (!driver)
    return GYRE_ERROR_DRIVER;
  const Launch launch{*driver, *code, kernel,
                      static_cast<cuda::Stream>(stream)};
  cuda::Device device = 0;
  int32_t version = 0;
  int64_t image = 0;
  cuda::Kernel handle = nullptr;
  if (gyre_status failed = launch.findDevice(device))
    return failed;
  if (gyre_status failed = launch.findArchitecture(device, version))
    return failed;
  if (gyre_status failed = launch.pickImage(version, image))
    return failed;
  if (gyre_status failed = launch.getHandle(image, handle))
    return failed;
  // Beyond 48 KiB, static memory included, a launch needs leave.
  if (shared_bytes > 0)
    if (gyre_status failed =
            launch.raiseSharedLimit(handle, device, shared_bytes))
      return failed;
  if (cuda::Result result = driver->launch(
          handle, static_cast<unsigned>(grid_x), static_cast<unsigned>(grid_y),
          static_cast<unsigned>(grid_z), static_cast<unsigned>(block_x),
          static_cast<unsigned>(block_y), static_cast<unsigned>(block_z),
          static_cast<unsigned>(shared_bytes), launch.stream, params, nullptr))
    return launch.fail("cuda-launch", "a launch that the driver takes", result);
  return GYRE_OK;
}
