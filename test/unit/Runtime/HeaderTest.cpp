//===- HeaderTest.cpp - The public header ---------------------------------===//

#include "gyre/runtime.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <type_traits>

extern "C" int gyre_test_header_in_c(int64_t *bytes);

namespace {

// DLPack's struct, as its specification prints it (dlpack.h, version 1).
namespace dlpack {
enum DLDeviceType : int32_t { kDLCPU = 1, kDLCUDA = 2 };
struct DLDevice {
  DLDeviceType device_type;
  int32_t device_id;
};
enum DLDataTypeCode { kDLInt, kDLUInt, kDLFloat, kDLBfloat = 4, kDLBool = 6 };
struct DLDataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};
struct DLTensor {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
};
} // namespace dlpack

#define SAME_FIELD(ours, theirs)                                               \
  static_assert(offsetof(gyre_tensor, ours) ==                                 \
                    offsetof(dlpack::DLTensor, theirs) &&                      \
                sizeof(gyre_tensor::ours) == sizeof(dlpack::DLTensor::theirs))
SAME_FIELD(data, data);
SAME_FIELD(device, device);
SAME_FIELD(ndim, ndim);
SAME_FIELD(dtype, dtype);
SAME_FIELD(shape, shape);
SAME_FIELD(strides, strides);
SAME_FIELD(byte_offset, byte_offset);
static_assert(sizeof(gyre_tensor) == sizeof(dlpack::DLTensor));
static_assert(alignof(gyre_tensor) == alignof(dlpack::DLTensor));
static_assert(offsetof(gyre_device, id) ==
              offsetof(dlpack::DLDevice, device_id));
static_assert(offsetof(gyre_data_type, bits) ==
              offsetof(dlpack::DLDataType, bits));
static_assert(offsetof(gyre_data_type, lanes) ==
              offsetof(dlpack::DLDataType, lanes));
static_assert(GYRE_DEVICE_CPU == int(dlpack::kDLCPU) &&
              GYRE_DEVICE_CUDA == int(dlpack::kDLCUDA));
static_assert(std::is_standard_layout_v<gyre_tensor> &&
              std::is_trivial_v<gyre_tensor>);

void expectType(gyre_dtype dtype, int code, int bits) {
  const gyre_data_type type = gyre_data_type_of(dtype);
  EXPECT_EQ(type.code, code);
  EXPECT_EQ(type.bits, bits);
  EXPECT_EQ(type.lanes, 1);
}

TEST(Header, DtypesAreThoseOfDLPack) {
  expectType(GYRE_DTYPE_I8, dlpack::kDLInt, 8);
  expectType(GYRE_DTYPE_I16, dlpack::kDLInt, 16);
  expectType(GYRE_DTYPE_I32, dlpack::kDLInt, 32);
  expectType(GYRE_DTYPE_I64, dlpack::kDLInt, 64);
  expectType(GYRE_DTYPE_F16, dlpack::kDLFloat, 16);
  expectType(GYRE_DTYPE_F32, dlpack::kDLFloat, 32);
  expectType(GYRE_DTYPE_F64, dlpack::kDLFloat, 64);
  expectType(GYRE_DTYPE_BF16, dlpack::kDLBfloat, 16);
  expectType(GYRE_DTYPE_I1, dlpack::kDLBool, 8);
}

TEST(Header, VersionIsThatOfTheHeader) {
  EXPECT_EQ(gyre_version(), std::to_string(GYRE_VERSION_MAJOR) + "." +
                                std::to_string(GYRE_VERSION_MINOR) + "." +
                                std::to_string(GYRE_VERSION_PATCH));
}

TEST(Header, WorksFromC) {
  int64_t bytes = 0;
  EXPECT_EQ(gyre_test_header_in_c(&bytes), GYRE_OK);
  EXPECT_GT(bytes, 0);
}

} // namespace
