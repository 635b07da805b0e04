//===- Cuda.h - The CUDA driver of this process -----------------*- C++ -*-===//

#ifndef GYRE_LIB_RUNTIME_CUDA_H
#define GYRE_LIB_RUNTIME_CUDA_H

#include "Error.h"
#include "gyre/Runtime/CudaDriver.h"

namespace gyre::runtime {

/// The driver, loaded by the first call that succeeds; null, and an error about
/// `function`, where there is none.
const cuda::Driver *getDriver(const char *function);

/// Reports what the driver said: "[id] function: expected ..., got ...".
gyre_status failDriver(const char *id, const char *function,
                       const cuda::Driver &driver, const char *expected,
                       cuda::Result result);

} // namespace gyre::runtime

#endif // GYRE_LIB_RUNTIME_CUDA_H
