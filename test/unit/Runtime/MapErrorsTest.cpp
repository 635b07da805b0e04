//===- MapErrorsTest.cpp - What gyre_map_build refuses --------------------===//

#include "Support.h"

#include <cstring>
#include <limits>

namespace {

using namespace gyre::test;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

class MapErrors : public ::testing::Test {
protected:
  std::vector<int32_t> data = {0, 1, 2, 0, 1, 2};
  TensorView index{data.data(), GYRE_DTYPE_I32, {2, 3}};
  Memory memory{4096};
  Memory handle{sizeof(gyre_map)};

  gyre_map *map() { return handle.as<gyre_map>(); }

  /// Expects that the arguments which give the size are refused by both calls.
  void expectPlan(gyre_status status, const std::string &id,
                  const std::string &rest, int64_t target = 3,
                  int64_t chunkLength = 0) {
    int64_t bytes = 77;
    EXPECT_EQ(gyre_map_bytes(index.get(), target, chunkLength, &bytes), status);
    EXPECT_EQ(gyre_last_error(), "[" + id + "] gyre_map_bytes: " + rest);
    EXPECT_EQ(bytes, 77);
    expectBuild(status, id, rest, target, false, chunkLength);
  }

  void expectBuild(gyre_status status, const std::string &id,
                   const std::string &rest, int64_t target = 3,
                   bool padded = false, int64_t chunkLength = 0) {
    EXPECT_EQ(gyre_map_build(index.get(), target, padded, chunkLength,
                             memory.data(), memory.bytes, map()),
              status);
    expectUntouched("[" + id + "] gyre_map_build: " + rest);
  }

  void expectUntouched(const std::string &text) {
    EXPECT_EQ(gyre_last_error(), text);
    EXPECT_TRUE(memory.untouched());
    EXPECT_TRUE(handle.untouched());
  }
};

TEST_F(MapErrors, Null) {
  EXPECT_EQ(gyre_map_bytes(index.get(), 3, 0, nullptr),
            GYRE_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(gyre_last_error(),
               "[argument-null] gyre_map_bytes: argument `bytes`: expected a "
               "place for the result, got NULL");
  EXPECT_EQ(gyre_map_build(index.get(), 3, 0, 0, memory.data(), memory.bytes,
                           nullptr),
            GYRE_ERROR_INVALID_ARGUMENT);
  expectUntouched("[argument-null] gyre_map_build: argument `map`: expected a "
                  "place for the map, got NULL");
  int64_t bytes = 77;
  EXPECT_EQ(gyre_map_bytes(nullptr, 3, 0, &bytes), GYRE_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(
      gyre_map_build(nullptr, 3, 0, 0, memory.data(), memory.bytes, map()),
      GYRE_ERROR_INVALID_ARGUMENT);
  expectUntouched(
      "[argument-null] gyre_map_build: argument `index`: expected a "
      "tensor, got NULL");
}

TEST_F(MapErrors, Dtype) {
  index->dtype = gyre_data_type_of(GYRE_DTYPE_F32);
  expectPlan(GYRE_ERROR_DTYPE, "tensor-dtype",
             "argument `index`: expected dtype i32 or i64, got f32");
  index->dtype = {1, 32, 1};
  expectPlan(
      GYRE_ERROR_DTYPE, "tensor-dtype",
      "argument `index`: expected dtype i32 or i64, got DLPack type code "
      "1 of 32 bits");
  index->dtype = {0, 32, 4};
  expectPlan(GYRE_ERROR_DTYPE, "tensor-lanes",
             "argument `index`: expected 1 lane, got 4");
}

TEST_F(MapErrors, Device) {
  index->device.type = GYRE_DEVICE_CUDA;
  expectPlan(GYRE_ERROR_DEVICE, "device",
             "argument `index`: expected device cpu, got cuda (device type 2)");
}

TEST_F(MapErrors, Shape) {
  index->ndim = -1;
  expectPlan(GYRE_ERROR_SHAPE, "tensor-ndim",
             "argument `index`: expected ndim >= 0, got -1");
  index->ndim = 0;
  expectPlan(GYRE_ERROR_SHAPE, "map-rank",
             "argument `index`: expected at least 1 axis, got 0");
  index->ndim = 2;
  index->shape = nullptr;
  expectPlan(GYRE_ERROR_INVALID_ARGUMENT, "tensor-shape",
             "argument `index`: expected a shape, got NULL with ndim 2");
  index->shape = index.shape.data();
  index.shape[1] = -3;
  expectPlan(GYRE_ERROR_SHAPE, "tensor-size",
             "argument `index`: dimension 1: expected a size >= 0, got -3");
}

TEST_F(MapErrors, Limits) {
  const std::string tooMany = "argument `index`: expected at most 2147483647 "
                              "entries, got a shape with more";
  index.shape = {int64_t{1} << 31, 1};
  index->shape = index.shape.data();
  expectPlan(GYRE_ERROR_LIMIT, "map-entries", tooMany);
  index.shape[1] = kMost;
  expectPlan(GYRE_ERROR_LIMIT, "map-entries", tooMany);
  index.shape = {2, 3};
  index->shape = index.shape.data();
  expectPlan(
      GYRE_ERROR_LIMIT, "map-target",
      "argument `target`: expected 0 to 2147483647 nodes, got 2147483648",
      int64_t{1} << 31);
  expectPlan(GYRE_ERROR_INVALID_ARGUMENT, "map-target",
             "argument `target`: expected 0 to 2147483647 nodes, got -1", -1);
  expectPlan(GYRE_ERROR_INVALID_ARGUMENT, "map-chunk-length",
             "argument `chunk_length`: expected at least 1, or 0 for the "
             "default, got -2",
             3, -2);
}

TEST_F(MapErrors, LargestMapHasASize) {
  index.shape = {GYRE_MAP_LIMIT, 1};
  index->shape = index.shape.data();
  int64_t bytes = 0;
  ASSERT_EQ(gyre_map_bytes(index.get(), GYRE_MAP_LIMIT, 1, &bytes), GYRE_OK);
  EXPECT_GT(bytes, 3 * 4 * GYRE_MAP_LIMIT);
}

TEST_F(MapErrors, Data) {
  index->data = nullptr;
  expectBuild(GYRE_ERROR_INVALID_ARGUMENT, "tensor-data",
              "argument `index`: expected data for 6 elements, got NULL");
  index->data = data.data();
  index->byte_offset = 2;
  expectBuild(GYRE_ERROR_INVALID_ARGUMENT, "tensor-alignment",
              "argument `index`: expected data aligned to 4 bytes, got 2 more "
              "than a multiple of them");
  index->byte_offset = std::numeric_limits<uint64_t>::max();
  const std::string beyond = "argument `index`: expected elements within the "
                             "address space, got sizes, "
                             "strides or a byte offset beyond it";
  expectBuild(GYRE_ERROR_LIMIT, "tensor-extent", beyond);
  index->byte_offset = 0;
  index.strides = {kMost, 1};
  index->strides = index.strides.data();
  expectBuild(GYRE_ERROR_LIMIT, "tensor-extent", beyond);
  index.strides[0] = -1;
  expectBuild(GYRE_ERROR_INVALID_ARGUMENT, "tensor-stride",
              "argument `index`: dimension 0: expected a stride >= 0, got -1");
}

TEST_F(MapErrors, IndexOutOfRange) {
  data[4] = 3;
  expectBuild(GYRE_ERROR_INDEX, "map-index",
              "argument `index`: position 4 (1, 1): expected an index in [0, "
              "3), got 3");
  data[1] = -1;
  expectBuild(GYRE_ERROR_INDEX, "map-index",
              "argument `index`: position 1 (0, 1): expected an index in [0, "
              "3), got -1");
  expectBuild(GYRE_ERROR_INDEX, "map-index",
              "argument `index`: position 1 (0, 1): expected an index >= 0 (3 "
              "or more is padding), got -1",
              3, true);
  index->ndim = 1;
  expectBuild(
      GYRE_ERROR_INDEX, "map-index",
      "argument `index`: position 0: expected an index in [0, 0), got 0", 0);
}

TEST_F(MapErrors, IndexBeyond32Bits) {
  std::vector<int64_t> wide = {0, int64_t{1} << 32};
  TensorView big(wide.data(), GYRE_DTYPE_I64, {2});
  EXPECT_EQ(
      gyre_map_build(big.get(), 3, 0, 0, memory.data(), memory.bytes, map()),
      GYRE_ERROR_INDEX);
  expectUntouched("[map-index] gyre_map_build: argument `index`: position 1: "
                  "expected an index in [0, 3), got 4294967296");
}

TEST_F(MapErrors, MemoryOfTheMap) {
  int64_t bytes = 0;
  ASSERT_EQ(gyre_map_bytes(index.get(), 3, 0, &bytes), GYRE_OK);
  const std::string count = std::to_string(bytes);
  const std::string prefix = "gyre_map_build: argument `memory`: expected ";
  EXPECT_EQ(gyre_map_build(index.get(), 3, 0, 0, nullptr, bytes, map()),
            GYRE_ERROR_WORKSPACE);
  expectUntouched("[map-memory] " + prefix + count + " bytes, got NULL");
  EXPECT_EQ(
      gyre_map_build(index.get(), 3, 0, 0, memory.data(), bytes - 1, map()),
      GYRE_ERROR_WORKSPACE);
  expectUntouched("[map-memory] " + prefix + count + " bytes, got " +
                  std::to_string(bytes - 1));
  EXPECT_EQ(
      gyre_map_build(index.get(), 3, 0, 0, memory.as<char>() + 8, bytes, map()),
      GYRE_ERROR_WORKSPACE);
  expectUntouched("[map-memory-alignment] " + prefix +
                  "memory aligned to 64 bytes, got 8 more than a multiple of "
                  "them");
}

TEST_F(MapErrors, MemoryOverTheIndex) {
  Memory shared(4096);
  std::memcpy(shared.as<char>() + 128, data.data(), 24);
  index->data = shared.as<char>() + 128;
  EXPECT_EQ(
      gyre_map_build(index.get(), 3, 0, 0, shared.data(), shared.bytes, map()),
      GYRE_ERROR_INVALID_ARGUMENT);
  expectUntouched("[map-memory-overlap] gyre_map_build: argument `memory`: "
                  "expected memory apart from the index, got an overlap");
  EXPECT_EQ(std::memcmp(shared.as<char>() + 128, data.data(), 24), 0);
}

} // namespace
