//===- Tensor.h - Checks of a single tensor ---------------------*- C++ -*-===//

#ifndef GYRE_LIB_RUNTIME_TENSOR_H
#define GYRE_LIB_RUNTIME_TENSOR_H

#include "Error.h"

#include <cstdint>

namespace gyre::runtime {

/// A half-open range of addresses.
struct ByteRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;

  bool overlaps(const ByteRange &other) const {
    return begin < other.end && other.begin < end;
  }
};

/// The name of an element type, for messages.
const char *dtypeName(gyre_dtype dtype);

/// The bytes of one element.
inline int64_t elementBytes(gyre_dtype dtype) {
  return (static_cast<int64_t>(dtype) >> 8) / 8;
}

inline bool hasDtype(const gyre_tensor &tensor, gyre_dtype dtype) {
  const gyre_data_type type = gyre_data_type_of(dtype);
  return tensor.dtype.code == type.code && tensor.dtype.bits == type.bits;
}

/// Checks that `device` is of the kind `expected`.
gyre_status checkDevice(const Subject &subject, gyre_device device,
                        int64_t expected);

/// Reports that the type is not what `expected` says.
gyre_status failDtype(const Subject &subject, const gyre_tensor &tensor,
                      const char *expected);

/// Checks that there is a tensor with one lane, ndim >= 0, and sizes >= 0.
gyre_status checkTensor(const Subject &subject, const gyre_tensor *tensor);

/// Checks the strides and the data of a tensor that passed checkTensor, and
/// computes the product of its sizes and where its elements are. Data must be
/// aligned to an element, or to `alignment` bytes if that is more.
gyre_status checkLayout(const Subject &subject, const gyre_tensor &tensor,
                        int64_t bytesPerElement, int64_t alignment,
                        int64_t &elements, ByteRange &range);

/// The product of sizes >= 0; false if it is beyond 64 bits.
bool countElements(const gyre_tensor &tensor, int64_t &elements);

/// Calls visit(axis, size, stride) for each axis, the last first. Strides that
/// do not matter are those of a compact array.
template <typename Visit>
void forEachAxis(const gyre_tensor &tensor, int64_t elements, Visit visit) {
  int64_t compact = 1;
  for (int32_t axis = tensor.ndim - 1; axis >= 0; --axis) {
    const int64_t size = tensor.shape[axis];
    const bool given = tensor.strides && elements > 0 && size > 1;
    visit(axis, size, given ? tensor.strides[axis] : compact);
    if (elements > 0)
      compact *= size; // a factor of `elements`, so it fits
  }
}

} // namespace gyre::runtime

#endif // GYRE_LIB_RUNTIME_TENSOR_H
