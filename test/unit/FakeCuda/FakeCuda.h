//===- FakeCuda.h - A libcuda.so.1 that records calls -----------*- C++ -*-===//
//
// Memory of the device is the host's, and one kernel is known: one whose name
// starts with `twice` does y[i] = 2 * x[i] for i < n with parameters x, y
// (f32 pointers) and n (i64). Others do nothing.
//
// With GYRE_FAKE_CUDA_EMULATE, a command (emulate.py of this directory), and
// GYRE_FAKE_CUDA_SCRATCH, a directory for what it makes, kernels that come as
// PTX are run on the host instead, and do what they do on a device.
//
// Tests that live in the process use getFakeCuda; tools are told by the
// environment: GYRE_FAKE_CUDA_VERSION (10 * major + minor, 90 if unset) and
// GYRE_FAKE_CUDA_LOG (a file that the log is appended to).
//
//===----------------------------------------------------------------------===//

#ifndef GYRE_TEST_UNIT_FAKECUDA_FAKECUDA_H
#define GYRE_TEST_UNIT_FAKECUDA_FAKECUDA_H

#include <map>
#include <string>

namespace gyre::test {

struct FakeCuda {
  /// One line a call: loads, kernels, attributes that are set, launches,
  /// copies.
  std::string log;
  /// Of device 0; device 1 is of version 80.
  int version = 90;
  /// The device of the current context, -1 for none.
  int current = 0;
  /// What calls of these symbols return.
  std::map<std::string, int> failures;
};

/// Streams of the fake driver: any pointer; this one belongs to device 1.
inline void *const kStreamOfDevice1 = reinterpret_cast<void *>(0x1001);

} // namespace gyre::test

extern "C" __attribute__((visibility("default"))) gyre::test::FakeCuda *
getFakeCuda();

#endif // GYRE_TEST_UNIT_FAKECUDA_FAKECUDA_H
