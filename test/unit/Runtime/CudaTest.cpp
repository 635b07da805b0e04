//===- CudaTest.cpp - Launches and copies, against a fake driver ----------===//

#include "FakeCuda.h"
#include "Support.h"

#include <cstring>
#include <dlfcn.h>
#include <string>
#include <thread>

namespace {

using namespace gyre::test;

/// The fake of the process, which the runtime is going to load.
FakeCuda &fake() {
  static FakeCuda *fake = [] {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    void *address = library ? dlsym(library, "getFakeCuda") : nullptr;
    FakeCuda *(*get)() = nullptr;
    std::memcpy(&get, &address, sizeof(get));
    return get ? get() : nullptr;
  }();
  return *fake;
}

/// A code table with two kernels and three images.
class CudaTest : public ::testing::Test {
protected:
  CudaTest() { fake() = FakeCuda(); }

  int32_t launch(int64_t kernel = 0, int64_t gridX = 1, int64_t shared = 0,
                 void *stream = nullptr, int32_t status = GYRE_OK) {
    return gyre_rt_launch(status, &code, kernel, gridX, 2, 3, 4, 5, 6, shared,
                          stream, params);
  }
  void expectError(int32_t got, gyre_status status, const std::string &text) {
    EXPECT_EQ(got, status);
    EXPECT_EQ(gyre_last_error(), text);
  }

  std::vector<gyre_rt_image> images = {{"sm_80", "for sm_80\n"},
                                       {"sm_90a", "for sm_90a\n"},
                                       {"compute_80", "for compute_80\n"}};
  const char *names[2] = {"f_0", "twice_0"};
  int64_t state[2 * 4] = {};
  gyre_rt_device_code code{3, images.data(), 2, names, state};
  float x[3] = {1, 2, 3}, y[3] = {};
  void *xs = x, *ys = y;
  int64_t count = 3;
  void *params[3] = {&xs, &ys, &count};
};

TEST_F(CudaTest, LoadsOnceAndLaunches) {
  EXPECT_EQ(launch(), GYRE_OK) << gyre_last_error();
  EXPECT_EQ(launch(1, 7, 512, reinterpret_cast<void *>(0x1000)), GYRE_OK);
  EXPECT_EQ(fake().log, "load for sm_90a\nkernel f_0\nkernel twice_0\n"
                        "launch f_0 grid 1 2 3 block 4 5 6 shared 0 stream 0\n"
                        "attribute 8 of twice_0 = 231424\n"
                        "launch twice_0 grid 7 2 3 block 4 5 6 shared 512 "
                        "stream 4096\n");
  EXPECT_EQ(y[2], 6.0f);
}

TEST_F(CudaTest, PassesAStatusOn) {
  EXPECT_EQ(launch(0, 1, 0, nullptr, GYRE_ERROR_SHAPE), GYRE_ERROR_SHAPE);
  EXPECT_EQ(fake().log, "");
}

TEST_F(CudaTest, EmptyGridsLaunchNothing) {
  EXPECT_EQ(launch(0, 0), GYRE_OK);
  EXPECT_EQ(fake().log, "");
}

TEST_F(CudaTest, RefusesGrids) {
  expectError(launch(0, -1), GYRE_ERROR_LIMIT,
              "[cuda-grid] f_0: expected 0 to 2147483647 blocks along x, got "
              "-1");
  expectError(
      gyre_rt_launch(0, &code, 0, 1, 1, 65536, 1, 1, 1, 0, nullptr, params),
      GYRE_ERROR_LIMIT,
      "[cuda-grid] f_0: expected 0 to 65535 blocks along z, got 65536");
}

// Architectures are remembered for each device, and the tests share a process:
// each takes another device by the version of the images instead.
TEST_F(CudaTest, PicksTheImage) {
  const auto picked = [&](std::vector<const char *> archs) {
    images.clear();
    for (const char *arch : archs)
      images.push_back({arch, arch});
    code.images = static_cast<int64_t>(images.size());
    code.image = images.data();
    std::vector<int64_t> words(2 * (images.size() + 1));
    code.state = words.data();
    fake().log.clear();
    const int32_t status = launch();
    return status ? std::string(gyre_last_error())
                  : fake().log.substr(5, fake().log.find('\n') - 5);
  };
  // Device 0 is an sm_90.
  EXPECT_EQ(picked({"sm_80", "sm_90", "sm_90a", "compute_80"}), "sm_90a");
  EXPECT_EQ(picked({"sm_80", "sm_90", "compute_90"}), "sm_90");
  EXPECT_EQ(picked({"sm_80", "compute_70", "compute_80"}), "compute_80");
  EXPECT_EQ(picked({"sm_100a", "compute_90a", "compute_90"}), "compute_90a");
  EXPECT_EQ(picked({"sm_80", "sm_100", "compute_100"}),
            "[cuda-arch] f_0: expected code for the device's sm_90, got sm_80, "
            "sm_100, compute_100");
}

TEST_F(CudaTest, TakesTheDeviceOfTheStream) {
  EXPECT_EQ(launch(0, 1, 0, kStreamOfDevice1), GYRE_OK);
  EXPECT_EQ(fake().log.substr(0, 24), "push 1\npop\nload for sm_8");
  EXPECT_EQ(fake().current, 0);
}

TEST_F(CudaTest, RaisesTheSharedLimitOnce) {
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(launch(0, 1, 100000), GYRE_OK) << gyre_last_error();
  EXPECT_EQ(fake().log,
            "load for sm_90a\nkernel f_0\nkernel twice_0\n"
            "attribute 8 of f_0 = 231424\n"
            "launch f_0 grid 1 2 3 block 4 5 6 shared 100000 stream 0\n"
            "launch f_0 grid 1 2 3 block 4 5 6 shared 100000 stream 0\n");
}

TEST_F(CudaTest, RefusesTooMuchSharedMemory) {
  expectError(launch(0, 1, 231425), GYRE_ERROR_DRIVER,
              "[cuda-shared] f_0: expected at most 231424 bytes of dynamic "
              "shared memory on this device, got 231425");
  fake().failures["cuKernelSetAttribute"] = 1;
  expectError(launch(0, 1, 100000), GYRE_ERROR_DRIVER,
              "[cuda-shared] f_0: expected leave to use more shared memory, "
              "got CUDA_ERROR_INVALID_VALUE (invalid argument)");
}

TEST_F(CudaTest, ReportsWhatTheDriverSays) {
  fake().failures["cuLaunchKernel"] = 1;
  expectError(launch(), GYRE_ERROR_DRIVER,
              "[cuda-launch] f_0: expected a launch that the driver takes, got "
              "CUDA_ERROR_INVALID_VALUE (invalid argument)");
  std::fill(std::begin(state), std::end(state), 0);
  fake().failures = {{"cuLibraryLoadData", 200}};
  expectError(launch(), GYRE_ERROR_DRIVER,
              "[cuda-load] f_0: expected code that the driver loads, got an "
              "unknown error (no description)");
  fake().failures = {{"cuLibraryGetKernel", 1}};
  expectError(launch(1), GYRE_ERROR_DRIVER,
              "[cuda-load] f_0: expected a kernel in the code, got "
              "CUDA_ERROR_INVALID_VALUE (invalid argument)");
  fake().failures.clear();
  fake().current = -1;
  expectError(launch(), GYRE_ERROR_DRIVER,
              "[cuda-context] f_0: expected a current CUDA context of this "
              "thread, got none");
}

TEST_F(CudaTest, ThreadsLoadOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] { EXPECT_EQ(launch(), GYRE_OK); });
  for (std::thread &thread : threads)
    thread.join();
  size_t loads = 0;
  for (size_t at = 0; (at = fake().log.find("load ", at)) != std::string::npos;
       ++at)
    ++loads;
  EXPECT_EQ(loads, 1u);
}

class CudaMap : public CudaTest {
protected:
  std::vector<int32_t> data = {0, 3, 0, 3, 3};
  TensorView index{data.data(), GYRE_DTYPE_I32, {5}};
  BuiltMap map{index.get(), 4, false, 2};
  Memory place{map->bytes};
  gyre_map copy{};

  gyre_status move(void *memory, int64_t bytes) {
    return gyre_map_to_cuda(&map.map, 1, memory, bytes, nullptr, &copy);
  }
};

TEST_F(CudaMap, IsCopied) {
  ASSERT_EQ(move(place.data(), place.bytes), GYRE_OK) << gyre_last_error();
  EXPECT_EQ(fake().log, "upload " + std::to_string(map->bytes) + "\n");
  EXPECT_EQ(copy.device.type, GYRE_DEVICE_CUDA);
  EXPECT_EQ(copy.device.id, 1);
  EXPECT_EQ(copy.memory, place.data());
  EXPECT_EQ(copy.shape, map->shape);
  EXPECT_NE(copy.index, map->index);
  EXPECT_TRUE(std::equal(map->index, map->index + 5, copy.index));
  EXPECT_TRUE(std::equal(map->order, map->order + 5, copy.order));
  EXPECT_TRUE(std::equal(map->ptr, map->ptr + 5, copy.ptr));
  EXPECT_TRUE(std::equal(map->heavy, map->heavy + 3, copy.heavy));
  EXPECT_TRUE(std::equal(map->chunk, map->chunk + 6, copy.chunk));
}

TEST_F(CudaMap, RefusesBadCopies) {
  const std::string start = "[map-memory] gyre_map_to_cuda: argument `memory`: "
                            "expected ";
  const std::string bytes = std::to_string(map->bytes);
  expectError(move(nullptr, place.bytes), GYRE_ERROR_WORKSPACE,
              start + bytes + " bytes, got NULL");
  expectError(move(place.data(), 64), GYRE_ERROR_WORKSPACE,
              start + bytes + " bytes, got 64");
  EXPECT_EQ(move(place.as<char>() + 4, place.bytes), GYRE_ERROR_WORKSPACE);
  EXPECT_EQ(std::string(gyre_last_error()).find(start + "memory aligned to 64"),
            0u);
  expectError(gyre_map_to_cuda(&map.map, 0, place.data(), place.bytes, nullptr,
                               nullptr),
              GYRE_ERROR_INVALID_ARGUMENT,
              "[argument-null] gyre_map_to_cuda: argument `copy`: expected a "
              "place for the map, got NULL");
  gyre_map moved = map.map;
  moved.device.type = GYRE_DEVICE_CUDA;
  expectError(
      gyre_map_to_cuda(&moved, 0, place.data(), place.bytes, nullptr, &copy),
      GYRE_ERROR_DEVICE,
      "[device] gyre_map_to_cuda: argument `map`: expected device cpu, "
      "got cuda (device type 2)");
  fake().failures["cuMemcpyHtoDAsync_v2"] = 1;
  expectError(move(place.data(), place.bytes), GYRE_ERROR_DRIVER,
              "[cuda-copy] gyre_map_to_cuda: expected a copy that the driver "
              "takes, got CUDA_ERROR_INVALID_VALUE (invalid argument)");
  EXPECT_TRUE(place.untouched());
  EXPECT_EQ(copy.magic, 0u);
}

class CudaMapOfArrays : public CudaTest {
protected:
  CudaMapOfArrays() { describe(); }

  /// All are of device 1, as far as anybody says.
  void describe() {
    for (TensorView *view : {&index, &order, &ptr})
      view->get()->device = {GYRE_DEVICE_CUDA, 1};
  }
  gyre_status make(int32_t padded = 0, int64_t valid = 6, int64_t target = 3) {
    return gyre_map_of_cuda(index.get(), order.get(), ptr.get(), target, padded,
                            valid, &map);
  }

  alignas(GYRE_ALIGNMENT) int32_t nodes[6] = {2, 0, 2, 0, 0, 2};
  alignas(GYRE_ALIGNMENT) int32_t positions[6] = {1, 3, 4, 0, 2, 5};
  alignas(GYRE_ALIGNMENT) int32_t starts[4] = {0, 3, 3, 6};
  TensorView index{nodes, GYRE_DTYPE_I32, {2, 3}};
  TensorView order{positions, GYRE_DTYPE_I32, {6}};
  TensorView ptr{starts, GYRE_DTYPE_I32, {4}};
  gyre_map map{};
};

TEST_F(CudaMapOfArrays, IsMadeOfThem) {
  ASSERT_EQ(make(), GYRE_OK) << gyre_last_error();
  EXPECT_EQ(fake().log, "");
  EXPECT_EQ(map.magic, GYRE_MAP_MAGIC);
  EXPECT_EQ(map.version, GYRE_MAP_VERSION);
  EXPECT_EQ(map.device.type, GYRE_DEVICE_CUDA);
  EXPECT_EQ(map.device.id, 1);
  EXPECT_EQ(map.padded, 0);
  EXPECT_EQ(map.rank, 2);
  EXPECT_EQ(map.shape, index->shape);
  EXPECT_EQ(map.entries, 6);
  EXPECT_EQ(map.valid, 6);
  EXPECT_EQ(map.target, 3);
  EXPECT_EQ(map.index, nodes);
  EXPECT_EQ(map.order, positions);
  EXPECT_EQ(map.ptr, starts);
  EXPECT_EQ(map.heavy_nodes, 0);
  EXPECT_EQ(map.chunks, 0);
  // It says of itself what a map that is built on the host, and not cut, says.
  gyre_map onHost = map;
  onHost.device = {GYRE_DEVICE_CPU, 0};
  index->device = {GYRE_DEVICE_CPU, 0};
  BuiltMap built{index.get(), 3, false, map.chunk_length};
  EXPECT_EQ(built->chunk_length, onHost.chunk_length);
  EXPECT_EQ(built->chunks, onHost.chunks);
  EXPECT_TRUE(std::equal(nodes, nodes + 6, built->index));
  EXPECT_TRUE(std::equal(positions, positions + 6, built->order));
  EXPECT_TRUE(std::equal(starts, starts + 4, built->ptr));
}

TEST_F(CudaMapOfArrays, MayBeEmptyOrPadded) {
  EXPECT_EQ(make(/*padded=*/1, /*valid=*/4), GYRE_OK) << gyre_last_error();
  EXPECT_EQ(map.padded, 1);
  EXPECT_EQ(map.valid, 4);
  TensorView none{nullptr, GYRE_DTYPE_I32, {3, 0}};
  TensorView noOrder{nullptr, GYRE_DTYPE_I32, {0}};
  none->device = noOrder->device = {GYRE_DEVICE_CUDA, 1};
  EXPECT_EQ(
      gyre_map_of_cuda(none.get(), noOrder.get(), ptr.get(), 3, 0, 0, &map),
      GYRE_OK)
      << gyre_last_error();
  EXPECT_EQ(map.entries, 0);
}

TEST_F(CudaMapOfArrays, RefusesOtherArrays) {
  const std::string start = "gyre_map_of_cuda: argument `";
  expectError(
      gyre_map_of_cuda(index.get(), order.get(), ptr.get(), 3, 0, 6, nullptr),
      GYRE_ERROR_INVALID_ARGUMENT,
      "[argument-null] " + start +
          "map`: expected a place for the map, got NULL");
  expectError(gyre_map_of_cuda(nullptr, order.get(), ptr.get(), 3, 0, 6, &map),
              GYRE_ERROR_INVALID_ARGUMENT,
              "[argument-null] " + start +
                  "index`: expected a tensor, got NULL");
  expectError(make(0, 6, -1), GYRE_ERROR_INVALID_ARGUMENT,
              "[map-target] " + start +
                  "target`: expected 0 to 2147483647 nodes, got -1");
  expectError(make(0, 6, 4), GYRE_ERROR_SHAPE,
              "[map-array] " + start + "ptr`: expected 5 elements, got 4");
  expectError(make(0, 5), GYRE_ERROR_INVALID_ARGUMENT,
              "[map-valid] " + start +
                  "valid`: expected 6 entries that are no pads, got 5");
  expectError(make(1, 7), GYRE_ERROR_INVALID_ARGUMENT,
              "[map-valid] " + start +
                  "valid`: expected 0 to 6 entries that are no pads, got 7");

  order->device.id = 0;
  expectError(make(), GYRE_ERROR_DEVICE,
              "[map-device] " + start +
                  "order`: expected an array on GPU 1 as the index, got one on "
                  "GPU 0");
  order->device.type = GYRE_DEVICE_CPU;
  expectError(make(), GYRE_ERROR_DEVICE,
              "[device] " + start +
                  "order`: expected device cuda, got cpu (device type 1)");
  describe();

  TensorView columns{nodes, GYRE_DTYPE_I32, {2, 3}, {1, 2}};
  columns->device = {GYRE_DEVICE_CUDA, 1};
  expectError(
      gyre_map_of_cuda(columns.get(), order.get(), ptr.get(), 3, 0, 6, &map),
      GYRE_ERROR_SHAPE,
      "[map-stride] " + start +
          "index`: dimension 1: expected stride 1 of a compact array, "
          "got 2");
  ptr->dtype = gyre_data_type_of(GYRE_DTYPE_I64);
  expectError(make(), GYRE_ERROR_DTYPE,
              "[tensor-dtype] " + start + "ptr`: expected dtype i32, got i64");
  ptr->dtype = gyre_data_type_of(GYRE_DTYPE_I32);
  ptr->byte_offset = 4;
  EXPECT_EQ(make(), GYRE_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(gyre_last_error()).find("[tensor-alignment] "), 0u);
  EXPECT_EQ(map.magic, 0u);
}

} // namespace
