//===- HostArrays.h - Operands of a call, in memory -------------*- C++ -*-===//

#ifndef GYRE_TOOLS_GYRE_RUN_HOSTARRAYS_H
#define GYRE_TOOLS_GYRE_RUN_HOSTARRAYS_H

#include "gyre/Support/Npy.h"
#include "gyre/runtime.h"

#include <cstdlib>
#include <memory>

namespace gyre {

/// Memory that is aligned as workspaces and maps must be.
struct FreeMemory {
  void operator()(void *memory) const { std::free(memory); }
};
using AlignedMemory = std::unique_ptr<void, FreeMemory>;
llvm::Expected<AlignedMemory> allocate(int64_t bytes);

/// An array and the tensor that views it. NumPy has no bf16: files hold f4.
class HostTensor {
public:
  /// An argument of this element type. Another type of the file is kept, for
  /// the runtime to refuse.
  HostTensor(NpyArray file, llvm::StringRef dtype);
  /// A result to be written.
  static llvm::Expected<HostTensor> create(llvm::ArrayRef<int64_t> shape,
                                           llvm::StringRef dtype);

  gyre_tensor *get();
  NpyArray toFile() const;

private:
  NpyArray array;
  gyre_data_type type{};
  bool isBF16 = false;
  gyre_tensor tensor{};
};

} // namespace gyre

#endif // GYRE_TOOLS_GYRE_RUN_HOSTARRAYS_H
