//===- CudaDriver.h - The CUDA driver, loaded at run time -------*- C++ -*-===//
//
// The few functions of libcuda.so.1 that Gyre calls, declared here so that
// neither its build nor its CPU kernels need anything of CUDA. Names, types and
// numbers are those of the driver API (cuda.h). Plain C++; no LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef GYRE_RUNTIME_CUDADRIVER_H
#define GYRE_RUNTIME_CUDADRIVER_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>

namespace gyre::cuda {

using Result = int; // CUresult; 0 is success
using Device = int;
using Context = struct ContextTag *;
using Stream = struct StreamTag *;
using Event = struct EventTag *;
using Graph = struct GraphTag *;
using GraphExec = struct GraphExecTag *;
using Library = struct LibraryTag *;
using Kernel = struct KernelTag *;
using Pointer = uint64_t; // CUdeviceptr

// CUdevice_attribute
inline constexpr int kComputeMajor = 75, kComputeMinor = 76;
inline constexpr int kL2CacheBytes = 38, kSharedOptInBytes = 97;
// CUstreamCaptureMode
inline constexpr int kCaptureThreadLocal = 1;
// CUfunction_attribute
inline constexpr int kStaticSharedBytes = 1, kMaxDynamicSharedBytes = 8;

/// X(member, symbol, parameters) for each function.
#define GYRE_CUDA_FUNCTIONS(X)                                                 \
  X(init, "cuInit", (unsigned flags))                                          \
  X(errorName, "cuGetErrorName", (Result, const char **))                      \
  X(errorString, "cuGetErrorString", (Result, const char **))                  \
  X(deviceGet, "cuDeviceGet", (Device *, int ordinal))                         \
  X(deviceName, "cuDeviceGetName", (char *, int length, Device))               \
  X(deviceAttribute, "cuDeviceGetAttribute", (int *, int attribute, Device))   \
  X(retainPrimary, "cuDevicePrimaryCtxRetain", (Context *, Device))            \
  X(currentContext, "cuCtxGetCurrent", (Context *))                            \
  X(setCurrent, "cuCtxSetCurrent", (Context))                                  \
  X(pushContext, "cuCtxPushCurrent_v2", (Context))                             \
  X(popContext, "cuCtxPopCurrent_v2", (Context *))                             \
  X(contextDevice, "cuCtxGetDevice", (Device *))                               \
  X(allocate, "cuMemAlloc_v2", (Pointer *, size_t bytes))                      \
  X(release, "cuMemFree_v2", (Pointer))                                        \
  X(upload, "cuMemcpyHtoDAsync_v2",                                            \
    (Pointer to, const void *from, size_t bytes, Stream))                      \
  X(download, "cuMemcpyDtoHAsync_v2",                                          \
    (void *to, Pointer from, size_t bytes, Stream))                            \
  X(copy, "cuMemcpyDtoDAsync_v2",                                              \
    (Pointer to, Pointer from, size_t bytes, Stream))                          \
  X(fill, "cuMemsetD8Async", (Pointer, unsigned char, size_t bytes, Stream))   \
  X(createStream, "cuStreamCreate", (Stream *, unsigned flags))                \
  X(streamContext, "cuStreamGetCtx", (Stream, Context *))                      \
  X(waitForStream, "cuStreamSynchronize", (Stream))                            \
  X(beginCapture, "cuStreamBeginCapture_v2", (Stream, int mode))               \
  X(endCapture, "cuStreamEndCapture", (Stream, Graph *))                       \
  X(instantiate, "cuGraphInstantiateWithFlags",                                \
    (GraphExec *, Graph, unsigned long long flags))                            \
  X(launchGraph, "cuGraphLaunch", (GraphExec, Stream))                         \
  X(createEvent, "cuEventCreate", (Event *, unsigned flags))                   \
  X(recordEvent, "cuEventRecord", (Event, Stream))                             \
  X(elapsed, "cuEventElapsedTime", (float *milliseconds, Event, Event))        \
  X(loadLibrary, "cuLibraryLoadData",                                          \
    (Library *, const void *code, void *, void *, unsigned, void *, void *,    \
     unsigned))                                                                \
  X(getKernel, "cuLibraryGetKernel", (Kernel *, Library, const char *name))    \
  X(kernelAttribute, "cuKernelGetAttribute",                                   \
    (int *, int attribute, Kernel, Device))                                    \
  X(setKernelAttribute, "cuKernelSetAttribute",                                \
    (int attribute, int value, Kernel, Device))                                \
  X(launch, "cuLaunchKernel",                                                  \
    (Kernel, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,  \
     unsigned blockY, unsigned blockZ, unsigned sharedBytes, Stream,           \
     void *const *parameters, void *const *extra))

/// The functions, once loaded.
struct Driver {
#define GYRE_CUDA_MEMBER(member, symbol, parameters)                           \
  Result(*member) parameters = nullptr;
  GYRE_CUDA_FUNCTIONS(GYRE_CUDA_MEMBER)
#undef GYRE_CUDA_MEMBER

  /// Finds all functions in a library of dlopen; the symbol that is missing, or
  /// null.
  const char *load(void *library) {
#define GYRE_CUDA_LOAD(member, symbol, parameters)                             \
  if (void *address = dlsym(library, symbol))                                  \
    std::memcpy(&member, &address, sizeof(member));                            \
  else                                                                         \
    return symbol;
    GYRE_CUDA_FUNCTIONS(GYRE_CUDA_LOAD)
#undef GYRE_CUDA_LOAD
    return nullptr;
  }

  /// "CUDA_ERROR_INVALID_VALUE" and "invalid argument", for example.
  const char *nameOf(Result result) const {
    const char *name = nullptr;
    return errorName(result, &name) == 0 && name ? name : "an unknown error";
  }
  const char *describe(Result result) const {
    const char *text = nullptr;
    return errorString(result, &text) == 0 && text ? text : "no description";
  }
};
#undef GYRE_CUDA_FUNCTIONS

} // namespace gyre::cuda

#endif // GYRE_RUNTIME_CUDADRIVER_H
