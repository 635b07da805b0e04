//===- Machine.h - Where kernels run ----------------------------*- C++ -*-===//

#ifndef GYRE_TOOLS_GYRE_RUN_MACHINE_H
#define GYRE_TOOLS_GYRE_RUN_MACHINE_H

#include "gyre/runtime.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gyre {

/// Memory of a machine, aligned as workspaces and maps must be.
using Block = std::unique_ptr<void, std::function<void(void *)>>;

/// A device with its memory. Work is done in the order in which it is asked
/// for; `finish` waits for it.
class Machine {
public:
  virtual ~Machine() = default;

  virtual gyre_device device() const = 0;
  virtual void *stream() const = 0;
  /// For reports.
  virtual std::string name() const = 0;
  /// Of the last cache before memory.
  virtual int64_t cacheBytes() const = 0;
  /// That memory itself is timed with: two such places exceed the cache by far,
  /// and a pass over one takes long beside starting it.
  virtual int64_t passBytes() const = 0;

  virtual llvm::Expected<Block> allocate(int64_t bytes) = 0;
  virtual llvm::Error upload(void *to, const void *from, int64_t bytes) = 0;
  virtual llvm::Error download(void *to, const void *from, int64_t bytes) = 0;
  /// From one place of the device to another.
  virtual llvm::Error copy(void *to, const void *from, int64_t bytes) = 0;
  /// Sets all bits: a NaN in every float type, and no index of anything.
  virtual llvm::Error spoil(void *memory, int64_t bytes) = 0;
  virtual llvm::Error finish() = 0;

  /// Records what `call` enqueues, in place of doing it; the function that is
  /// returned does it.
  virtual llvm::Expected<std::function<llvm::Error()>>
  record(llvm::function_ref<llvm::Error()> call) = 0;

  /// The seconds that each of `runs` calls takes on the device.
  virtual llvm::Expected<std::vector<double>>
  time(int64_t runs, llvm::function_ref<llvm::Error(int64_t)> call) = 0;
};

std::unique_ptr<Machine> createHostMachine();
/// The CUDA device of this number; an error where there is none.
llvm::Expected<std::unique_ptr<Machine>> createCudaMachine(int ordinal);
/// The machine of a manifest's target, cpu or cuda.
llvm::Expected<std::unique_ptr<Machine>> createMachine(llvm::StringRef target,
                                                       int ordinal);

} // namespace gyre

#endif // GYRE_TOOLS_GYRE_RUN_MACHINE_H
