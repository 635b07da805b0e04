//===- Support.h - Arrays and maps for tests of the runtime -----*- C++ -*-===//

#ifndef GYRE_TEST_UNIT_RUNTIME_SUPPORT_H
#define GYRE_TEST_UNIT_RUNTIME_SUPPORT_H

#include "gyre/runtime.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace gyre::test {

/// A gyre_tensor that owns its shape and strides, over somebody's data.
class TensorView {
public:
  TensorView(void *data, gyre_dtype dtype, std::vector<int64_t> sizes)
      : shape(std::move(sizes)) {
    handle.data = data;
    handle.device = {GYRE_DEVICE_CPU, 0};
    handle.ndim = static_cast<int32_t>(shape.size());
    handle.dtype = gyre_data_type_of(dtype);
    handle.shape = shape.data();
    handle.strides = nullptr;
    handle.byte_offset = 0;
  }
  TensorView(void *data, gyre_dtype dtype, std::vector<int64_t> sizes,
             std::vector<int64_t> steps)
      : TensorView(data, dtype, std::move(sizes)) {
    strides = std::move(steps);
    handle.strides = strides.data();
  }
  TensorView(const TensorView &) = delete;
  TensorView &operator=(const TensorView &) = delete;

  gyre_tensor *get() { return &handle; }
  gyre_tensor *operator->() { return &handle; }

  std::vector<int64_t> shape, strides;

private:
  gyre_tensor handle;
};

/// Memory with the alignment that the runtime asks for, filled with a pattern
/// that shows whether it has been written.
class Memory {
public:
  static constexpr unsigned char kUntouched = 0xa5;

  explicit Memory(int64_t bytes)
      : bytes(bytes), block(static_cast<unsigned char *>(
                          ::operator new(static_cast<size_t>(bytes) + 1,
                                         std::align_val_t(GYRE_ALIGNMENT)))) {
    std::fill(block.get(), block.get() + bytes, kUntouched);
  }

  void *data() const { return block.get(); }
  template <typename T> T *as() const {
    return reinterpret_cast<T *>(block.get());
  }
  bool untouched() const {
    for (int64_t i = 0; i < bytes; ++i)
      if (block.get()[i] != kUntouched)
        return false;
    return true;
  }

  const int64_t bytes;

private:
  struct Release {
    void operator()(unsigned char *pointer) const {
      ::operator delete(pointer, std::align_val_t(GYRE_ALIGNMENT));
    }
  };
  std::unique_ptr<unsigned char, Release> block;
};

/// A map and its memory.
class BuiltMap {
public:
  BuiltMap(const gyre_tensor *index, int64_t target, bool padded = false,
           int64_t chunkLength = 0)
      : memory(bytesFor(index, target, chunkLength)) {
    EXPECT_EQ(gyre_map_build(index, target, padded, chunkLength, memory.data(),
                             memory.bytes, &map),
              GYRE_OK)
        << gyre_last_error();
  }

  gyre_map *operator->() { return &map; }

  Memory memory;
  gyre_map map{};

private:
  static int64_t bytesFor(const gyre_tensor *index, int64_t target,
                          int64_t chunkLength) {
    int64_t bytes = 0;
    EXPECT_EQ(gyre_map_bytes(index, target, chunkLength, &bytes), GYRE_OK)
        << gyre_last_error();
    return bytes;
  }
};

} // namespace gyre::test

#endif // GYRE_TEST_UNIT_RUNTIME_SUPPORT_H
