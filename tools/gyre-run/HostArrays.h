//===- HostArrays.h - Operands of a call, in memory -------------*- C++ -*-===//

#ifndef GYRE_TOOLS_GYRE_RUN_HOSTARRAYS_H
#define GYRE_TOOLS_GYRE_RUN_HOSTARRAYS_H

#include "gyre/Support/Npy.h"
#include "gyre/runtime.h"

namespace gyre {

/// An array and the tensor that views it. NumPy has no bf16: files hold f4.
class HostTensor {
public:
  /// An argument of this element type. Another type of the file is kept, for
  /// the runtime to refuse.
  HostTensor(NpyArray file, llvm::StringRef dtype);
  /// Zeros, if there is memory for them: a result to be written.
  static llvm::Expected<HostTensor> create(llvm::ArrayRef<int64_t> shape,
                                           llvm::StringRef dtype);

  /// The tensor; its data may be moved to other memory of `bytes()` bytes.
  gyre_tensor *get();
  NpyArray toFile() const;
  char *data() { return array.data.data(); }
  int64_t bytes() const { return static_cast<int64_t>(array.data.size()); }

private:
  NpyArray array;
  gyre_data_type type{};
  bool isBF16 = false;
  gyre_tensor tensor{};
};

/// Writes a number as a float of 2, 4 or 8 bytes, rounded to the nearest.
void storeFloat(double value, int bytes, char *place);

} // namespace gyre

#endif // GYRE_TOOLS_GYRE_RUN_HOSTARRAYS_H
