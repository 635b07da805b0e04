//===- FakeCuda.cpp - A libcuda.so.1 that records calls -------------------===//

#include "FakeCuda.h"

#include "Emulate.h"

#include "gyre/Runtime/CudaDriver.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <functional>
#include <mutex>
#include <sys/file.h>
#include <unistd.h>
#include <vector>

using gyre::test::FakeCuda;
using namespace gyre::cuda;

#define FAKE extern "C" __attribute__((visibility("default"))) Result

namespace {

using Find = gyre::test::Kernel *(const char *name);

/// Code, and what finds kernels that the host can run.
struct FakeLibrary {
  Find *find = nullptr;
};

struct FakeKernel {
  std::string name;
  gyre::test::Kernel *onHost = nullptr;
  bool isEmulated = false;
};

std::mutex lock;

FakeCuda *make() {
  auto *fake = new FakeCuda;
  if (const char *version = std::getenv("GYRE_FAKE_CUDA_VERSION"))
    fake->version = std::atoi(version);
  return fake;
}

FakeCuda &fake() { return *getFakeCuda(); }

void log(const std::string &line) {
  const std::lock_guard<std::mutex> guard(lock);
  fake().log += line + "\n";
  if (const char *path = std::getenv("GYRE_FAKE_CUDA_LOG"))
    if (std::FILE *file = std::fopen(path, "a")) {
      std::fprintf(file, "%s\n", line.c_str());
      std::fclose(file);
    }
}

Result outcome(const char *symbol) {
  const std::lock_guard<std::mutex> guard(lock);
  auto it = fake().failures.find(symbol);
  return it == fake().failures.end() ? 0 : it->second;
}

/// Contexts are numbered by their devices, from 1.
Context contextOf(int device) {
  return reinterpret_cast<Context>(static_cast<intptr_t>(device + 1));
}
int deviceOf(Context context) {
  return static_cast<int>(reinterpret_cast<intptr_t>(context)) - 1;
}

std::string number(int64_t value) { return std::to_string(value); }

/// Runs `make` unless the file is there. Processes that want the same one wait
/// for the first.
void makeOnce(const std::string &file, const std::function<void()> &make) {
  if (access(file.c_str(), R_OK) == 0)
    return;
  const int lock = open((file + ".lock").c_str(), O_CREAT | O_RDWR, 0666);
  flock(lock, LOCK_EX);
  if (access(file.c_str(), R_OK) != 0)
    make();
  close(lock);
}

/// Makes code of the host of PTX, by the command that the environment names.
/// The same PTX is the same file, and made once.
Find *translate(const char *ptx) {
  const char *command = std::getenv("GYRE_FAKE_CUDA_EMULATE");
  const char *directory = std::getenv("GYRE_FAKE_CUDA_SCRATCH");
  if (!command || !directory)
    return nullptr;
  const std::string base =
      std::string(directory) + "/" +
      std::to_string(std::hash<std::string>()(std::string(ptx)));
  const std::string library = base + ".so";
  makeOnce(library, [&] {
    std::FILE *file = std::fopen((base + ".ptx").c_str(), "w");
    std::fputs(ptx, file);
    std::fclose(file);
    const std::string line =
        std::string(command) + " " + base + ".ptx " + library;
    if (std::system(line.c_str()) != 0)
      std::abort();
  });
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<Find *>(dlsym(handle, "findKernel"));
}

} // namespace

extern "C" FakeCuda *getFakeCuda() {
  static FakeCuda *fake = make();
  return fake;
}

FAKE cuInit(unsigned) { return outcome("cuInit"); }
FAKE cuGetErrorName(Result result, const char **name) {
  *name = result == 1 ? "CUDA_ERROR_INVALID_VALUE" : nullptr;
  return result == 1 ? 0 : 1;
}
FAKE cuGetErrorString(Result result, const char **text) {
  *text = result == 1 ? "invalid argument" : nullptr;
  return result == 1 ? 0 : 1;
}
FAKE cuDeviceGet(Device *device, int ordinal) {
  *device = ordinal;
  return ordinal < 2 ? 0 : 101;
}
FAKE cuDeviceGetName(char *name, int length, Device device) {
  std::snprintf(name, static_cast<size_t>(length), "Fake %d", device);
  return 0;
}
FAKE cuDeviceGetAttribute(int *value, int attribute, Device device) {
  const int version = device == 0 ? fake().version : 80;
  *value = attribute == kComputeMajor       ? version / 10
           : attribute == kComputeMinor     ? version % 10
           : attribute == kSharedOptInBytes ? 227 * 1024
           : attribute == kL2CacheBytes     ? 1 << 20
                                            : 0;
  return outcome("cuDeviceGetAttribute");
}
FAKE cuDevicePrimaryCtxRetain(Context *context, Device device) {
  *context = contextOf(device);
  return 0;
}
FAKE cuCtxGetCurrent(Context *context) {
  *context = fake().current < 0 ? nullptr : contextOf(fake().current);
  return 0;
}
FAKE cuCtxSetCurrent(Context context) {
  fake().current = deviceOf(context);
  return 0;
}
FAKE cuCtxPushCurrent_v2(Context context) {
  log("push " + number(deviceOf(context)));
  fake().current = deviceOf(context);
  return 0;
}
FAKE cuCtxPopCurrent_v2(Context *) {
  log("pop");
  fake().current = 0;
  return 0;
}
FAKE cuCtxGetDevice(Device *device) {
  *device = fake().current;
  return 0;
}
FAKE cuMemAlloc_v2(Pointer *pointer, size_t bytes) {
  *pointer = reinterpret_cast<uintptr_t>(
      std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  return outcome("cuMemAlloc_v2");
}
FAKE cuMemFree_v2(Pointer pointer) {
  std::free(reinterpret_cast<void *>(pointer));
  return 0;
}
FAKE cuMemcpyHtoDAsync_v2(Pointer to, const void *from, size_t bytes, Stream) {
  log("upload " + number(static_cast<int64_t>(bytes)));
  if (Result result = outcome("cuMemcpyHtoDAsync_v2"))
    return result;
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return 0;
}
FAKE cuMemcpyDtoHAsync_v2(void *to, Pointer from, size_t bytes, Stream) {
  log("download " + number(static_cast<int64_t>(bytes)));
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return outcome("cuMemcpyDtoHAsync_v2");
}
FAKE cuMemcpyDtoDAsync_v2(Pointer to, Pointer from, size_t bytes, Stream) {
  log("copy " + number(static_cast<int64_t>(bytes)));
  std::memcpy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
              bytes);
  return outcome("cuMemcpyDtoDAsync_v2");
}
FAKE cuMemsetD8Async(Pointer to, unsigned char value, size_t bytes, Stream) {
  log("fill " + number(static_cast<int64_t>(bytes)));
  std::memset(reinterpret_cast<void *>(to), value, bytes);
  return 0;
}
FAKE cuStreamCreate(Stream *stream, unsigned) {
  *stream = reinterpret_cast<Stream>(static_cast<intptr_t>(0x1000));
  return 0;
}
FAKE cuStreamGetCtx(Stream stream, Context *context) {
  *context = contextOf(stream == gyre::test::kStreamOfDevice1 ? 1 : 0);
  return outcome("cuStreamGetCtx");
}
FAKE cuStreamSynchronize(Stream) { return outcome("cuStreamSynchronize"); }
// Capturing does not keep a launch from being done at once; a graph does
// nothing.
FAKE cuStreamBeginCapture_v2(Stream, int) {
  log("begin capture");
  return outcome("cuStreamBeginCapture_v2");
}
FAKE cuStreamEndCapture(Stream, Graph *graph) {
  log("end capture");
  *graph = nullptr;
  return outcome("cuStreamEndCapture");
}
FAKE cuGraphInstantiateWithFlags(GraphExec *exec, Graph, unsigned long long) {
  *exec = nullptr;
  return outcome("cuGraphInstantiateWithFlags");
}
FAKE cuGraphLaunch(GraphExec, Stream) {
  log("launch graph");
  return outcome("cuGraphLaunch");
}
FAKE cuEventCreate(Event *event, unsigned) {
  *event = reinterpret_cast<Event>(new std::chrono::steady_clock::time_point);
  return 0;
}
FAKE cuEventRecord(Event event, Stream) {
  *reinterpret_cast<std::chrono::steady_clock::time_point *>(event) =
      std::chrono::steady_clock::now();
  return 0;
}
FAKE cuEventElapsedTime(float *milliseconds, Event begin, Event end) {
  using Time = std::chrono::steady_clock::time_point;
  *milliseconds =
      std::chrono::duration<float, std::milli>(*reinterpret_cast<Time *>(end) -
                                               *reinterpret_cast<Time *>(begin))
          .count();
  return 0;
}
FAKE cuLibraryLoadData(Library *library, const void *code, void *, void *,
                       unsigned, void *, void *, unsigned) {
  const char *text = static_cast<const char *>(code);
  const bool isCubin = std::strncmp(text + 1, "ELF", 3) == 0;
  log(isCubin
          ? "load cubin"
          : "load " + std::string(text).substr(0, std::strcspn(text, "\n")));
  *library = reinterpret_cast<Library>(
      new FakeLibrary{isCubin ? nullptr : translate(text)});
  return outcome("cuLibraryLoadData");
}
FAKE cuLibraryGetKernel(Kernel *kernel, Library library, const char *name) {
  log(std::string("kernel ") + name);
  Find *find = reinterpret_cast<FakeLibrary *>(library)->find;
  *kernel = reinterpret_cast<Kernel>(
      find ? new FakeKernel{name, find(name), true} : new FakeKernel{name});
  return outcome("cuLibraryGetKernel");
}
FAKE cuKernelGetAttribute(int *value, int, Kernel, Device) {
  *value = 1024;
  return 0;
}
FAKE cuKernelSetAttribute(int attribute, int value, Kernel kernel, Device) {
  log("attribute " + number(attribute) + " of " +
      reinterpret_cast<FakeKernel *>(kernel)->name + " = " + number(value));
  return outcome("cuKernelSetAttribute");
}
FAKE cuLaunchKernel(Kernel kernel, unsigned gridX, unsigned gridY,
                    unsigned gridZ, unsigned blockX, unsigned blockY,
                    unsigned blockZ, unsigned shared, Stream stream,
                    void *const *parameters, void *const *) {
  const auto &[name, onHost, isEmulated] =
      *reinterpret_cast<FakeKernel *>(kernel);
  log("launch " + name + " grid " + number(gridX) + " " + number(gridY) + " " +
      number(gridZ) + " block " + number(blockX) + " " + number(blockY) + " " +
      number(blockZ) + " shared " + number(shared) + " stream " +
      number(reinterpret_cast<intptr_t>(stream)));
  if (Result result = outcome("cuLaunchKernel"))
    return result;
  if (isEmulated && !onHost)
    return 500;
  if (onHost) {
    gyre::test::runKernel(onHost, gridX, blockX, shared, parameters);
    return 0;
  }
  if (name.rfind("twice", 0) == 0) {
    const float *x = *static_cast<const float *const *>(parameters[0]);
    float *y = *static_cast<float *const *>(parameters[1]);
    const int64_t count = *static_cast<const int64_t *>(parameters[2]);
    for (int64_t i = 0; i < count; ++i)
      y[i] = 2 * x[i];
  }
  return 0;
}
