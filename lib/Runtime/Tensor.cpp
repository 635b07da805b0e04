//===- Tensor.cpp - Checks of a single tensor -------------------*- C++ -*-===//

#include "Tensor.h"

#include <algorithm>
#include <cinttypes>

namespace gyre::runtime {

const char *dtypeName(gyre_dtype dtype) {
  switch (dtype) {
  case GYRE_DTYPE_I1:
    return "i1";
  case GYRE_DTYPE_I8:
    return "i8";
  case GYRE_DTYPE_I16:
    return "i16";
  case GYRE_DTYPE_I32:
    return "i32";
  case GYRE_DTYPE_I64:
    return "i64";
  case GYRE_DTYPE_F16:
    return "f16";
  case GYRE_DTYPE_BF16:
    return "bf16";
  case GYRE_DTYPE_F32:
    return "f32";
  case GYRE_DTYPE_F64:
    return "f64";
  }
  return nullptr;
}

static const char *deviceName(int64_t type) {
  return type == GYRE_DEVICE_CPU    ? "cpu"
         : type == GYRE_DEVICE_CUDA ? "cuda"
                                    : "another kind";
}

gyre_status checkDevice(const Subject &subject, gyre_device device,
                        int64_t expected) {
  if (device.type == expected)
    return GYRE_OK;
  return Message("device", subject)
      .add("expected device %s, got %s (device type %" PRId32 ")",
           deviceName(expected), deviceName(device.type), device.type)
      .as(GYRE_ERROR_DEVICE);
}

gyre_status failDtype(const Subject &subject, const gyre_tensor &tensor,
                      const char *expected) {
  const gyre_data_type type = tensor.dtype;
  Message message("tensor-dtype", subject);
  message.add("expected dtype %s, got ", expected);
  const auto dtype = static_cast<gyre_dtype>(type.code | type.bits << 8);
  if (const char *name = dtypeName(dtype))
    message.add("%s", name);
  else
    message.add("DLPack type code %u of %u bits", type.code, type.bits);
  return message.as(GYRE_ERROR_DTYPE);
}

gyre_status checkTensor(const Subject &subject, const gyre_tensor *tensor) {
  if (!tensor)
    return Message("argument-null", subject)
        .add("expected a tensor, got NULL")
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  if (tensor->dtype.lanes != 1)
    return Message("tensor-lanes", subject)
        .add("expected 1 lane, got %u", tensor->dtype.lanes)
        .as(GYRE_ERROR_DTYPE);
  if (tensor->ndim < 0)
    return Message("tensor-ndim", subject)
        .add("expected ndim >= 0, got %" PRId32, tensor->ndim)
        .as(GYRE_ERROR_SHAPE);
  if (tensor->ndim > 0 && !tensor->shape)
    return Message("tensor-shape", subject)
        .add("expected a shape, got NULL with ndim %" PRId32, tensor->ndim)
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  for (int32_t axis = 0; axis < tensor->ndim; ++axis)
    if (tensor->shape[axis] < 0)
      return Message("tensor-size", subject)
          .add("dimension %" PRId32 ": expected a size >= 0, got %" PRId64,
               axis, tensor->shape[axis])
          .as(GYRE_ERROR_SHAPE);
  return GYRE_OK;
}

bool countElements(const gyre_tensor &tensor, int64_t &elements) {
  // A size of 0 makes the product 0, however large the sizes before it.
  for (int32_t axis = 0; axis < tensor.ndim; ++axis)
    if (tensor.shape[axis] == 0) {
      elements = 0;
      return true;
    }
  elements = 1;
  for (int32_t axis = 0; axis < tensor.ndim; ++axis)
    if (__builtin_mul_overflow(elements, tensor.shape[axis], &elements))
      return false;
  return true;
}

/// The bytes from the first element to the end of the last one, for a tensor
/// with elements; false if they are beyond 64 bits.
static bool extentBytes(const gyre_tensor &tensor, int64_t elements,
                        int64_t bytesPerElement, int64_t &bytes) {
  int64_t last = 0;
  bool fits = true;
  forEachAxis(tensor, elements, [&](int32_t, int64_t size, int64_t stride) {
    int64_t step;
    fits = fits && !__builtin_mul_overflow(size - 1, stride, &step) &&
           !__builtin_add_overflow(last, step, &last);
  });
  return fits && !__builtin_add_overflow(last, 1, &last) &&
         !__builtin_mul_overflow(last, bytesPerElement, &bytes);
}

gyre_status checkLayout(const Subject &subject, const gyre_tensor &tensor,
                        int64_t bytesPerElement, int64_t alignment,
                        int64_t &elements, ByteRange &range) {
  const auto failExtent = [&] {
    return Message("tensor-extent", subject)
        .add("expected elements within the address space, got sizes, strides "
             "or a byte offset beyond it")
        .as(GYRE_ERROR_LIMIT);
  };
  if (!countElements(tensor, elements))
    return failExtent();

  gyre_status status = GYRE_OK;
  forEachAxis(tensor, elements, [&](int32_t axis, int64_t, int64_t stride) {
    if (status == GYRE_OK && stride < 0)
      status = Message("tensor-stride", subject)
                   .add("dimension %" PRId32
                        ": expected a stride >= 0, got %" PRId64,
                        axis, stride)
                   .as(GYRE_ERROR_INVALID_ARGUMENT);
  });
  if (status != GYRE_OK)
    return status;

  range = ByteRange();
  uintptr_t first;
  if (__builtin_add_overflow(reinterpret_cast<uintptr_t>(tensor.data),
                             tensor.byte_offset, &first))
    return failExtent();
  if (elements == 0)
    return GYRE_OK;
  if (!tensor.data)
    return Message("tensor-data", subject)
        .add("expected data for %" PRId64 " elements, got NULL", elements)
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  alignment = std::max(alignment, bytesPerElement);
  if (const uintptr_t excess = first % static_cast<uintptr_t>(alignment))
    return Message("tensor-alignment", subject)
        .add("expected data aligned to %" PRId64
             " bytes, got %d more than a multiple of them",
             alignment, static_cast<int>(excess))
        .as(GYRE_ERROR_INVALID_ARGUMENT);

  int64_t bytes;
  uintptr_t end;
  if (!extentBytes(tensor, elements, bytesPerElement, bytes) ||
      __builtin_add_overflow(first, static_cast<uintptr_t>(bytes), &end))
    return failExtent();
  range = {first, end};
  return GYRE_OK;
}

} // namespace gyre::runtime
