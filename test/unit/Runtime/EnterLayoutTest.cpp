//===- EnterLayoutTest.cpp - Layouts that a kernel asks for, GPUs ---------===//

#include "EnterSupport.h"

#include <array>
#include <dlfcn.h>

namespace {

using namespace gyre::test;
using gyre::entry::Builder;
using gyre::entry::Dimension;
using gyre::entry::Layout;
using gyre::entry::Table;

/// @f(x: N x 2 x 3 x f32, m: [n: N] to N) -> (y: N x 2 x f32)
Table makeTable(int64_t device, Layout layout) {
  Builder builder("f", device);
  const Dimension nodes{"N", {{1, {builder.addSize("N")}}}};
  builder.addArgument("x", GYRE_DTYPE_F32, {nodes, constant(2), constant(3)},
                      layout);
  builder.addMap("m", {nodes}, nodes, false);
  builder.addResult("y", GYRE_DTYPE_F32, {nodes, constant(2)}, layout);
  return builder.encode();
}

class EnterLayout : public ::testing::Test {
protected:
  Table table = makeTable(GYRE_DEVICE_CPU, {/*compact=*/true, 16});
  Memory xData{256}, yData{128};
  std::vector<int32_t> references = {0, 1, 0, 3};
  TensorView index{references.data(), GYRE_DTYPE_I32, {4}};
  BuiltMap m{index.get(), 4};
  TensorView x{xData.data(), GYRE_DTYPE_F32, {4, 2, 3}};
  TensorView y{yData.data(), GYRE_DTYPE_F32, {4, 2}};
  gyre_context ctx{};

  int32_t enter() {
    void *const args[] = {x.get(), &m.map, y.get()};
    frame.assign(static_cast<size_t>(table.frameWords), 0);
    return gyre_rt_enter(table.words.data(), table.names.c_str(), args, &ctx,
                         frame.data());
  }
  void expectOk() { EXPECT_EQ(enter(), GYRE_OK) << gyre_last_error(); }
  void expectError(gyre_status status, const std::string &text) {
    EXPECT_EQ(enter(), status);
    EXPECT_EQ(gyre_last_error(), text);
    EXPECT_TRUE(xData.untouched() && yData.untouched());
  }
  void setStrides(TensorView &tensor, std::vector<int64_t> strides) {
    tensor.strides = std::move(strides);
    tensor->strides = tensor.strides.data();
  }
  /// Everything on a GPU of this number.
  void moveTo(int32_t id) {
    table = makeTable(GYRE_DEVICE_CUDA, {});
    x->device = m->device = y->device = {GYRE_DEVICE_CUDA, id};
  }

  std::vector<int64_t> frame;
};

TEST_F(EnterLayout, TakesCompactArrays) {
  expectOk();
  setStrides(x, {6, 3, 1});
  setStrides(y, {2, 1});
  expectOk();
}

TEST_F(EnterLayout, StridesThatDoNotMatterAreIgnored) {
  x.shape[0] = y.shape[0] = 1;
  TensorView one{references.data(), GYRE_DTYPE_I32, {1}};
  BuiltMap single{one.get(), 1};
  m.map = single.map;
  setStrides(x, {99, 3, 1});
  expectOk();
  // No elements: neither strides nor data matter.
  x.shape[0] = y.shape[0] = 0;
  TensorView none{nullptr, GYRE_DTYPE_I32, {0}};
  BuiltMap empty{none.get(), 0};
  m.map = empty.map;
  setStrides(x, {7, 7, 7});
  x->data = xData.as<char>() + 4;
  expectOk();
}

TEST_F(EnterLayout, RefusesStrides) {
  setStrides(x, {14, 7, 1});
  expectError(GYRE_ERROR_INVALID_ARGUMENT,
              "[tensor-compact] f: argument `x`: expected a compact row-major "
              "array, got stride 7 for axis 1");
  setStrides(x, {0, 3, 1});
  expectError(GYRE_ERROR_INVALID_ARGUMENT,
              "[tensor-compact] f: argument `x`: expected a compact row-major "
              "array, got stride 0 for axis 0");
  x->strides = nullptr;
  setStrides(y, {1, 4});
  expectError(GYRE_ERROR_INVALID_ARGUMENT,
              "[tensor-compact] f: result `y`: expected a compact row-major "
              "array, got stride 4 for axis 1");
}

TEST_F(EnterLayout, RefusesAlignment) {
  x->byte_offset = 8;
  expectError(GYRE_ERROR_INVALID_ARGUMENT,
              "[tensor-alignment] f: argument `x`: expected data aligned to 16 "
              "bytes, got 8 more than a multiple of them");
  x->byte_offset = 32;
  y->data = yData.as<char>() + 4;
  expectError(GYRE_ERROR_INVALID_ARGUMENT,
              "[tensor-alignment] f: result `y`: expected data aligned to 16 "
              "bytes, got 4 more than a multiple of them");
  table = makeTable(GYRE_DEVICE_CPU, {/*compact=*/true, 0});
  expectOk();
}

TEST_F(EnterLayout, WithoutARequestAnyLayoutWillDo) {
  table = makeTable(GYRE_DEVICE_CPU, {});
  setStrides(x, {14, 7, 1});
  setStrides(y, {1, 4});
  y->data = yData.as<char>() + 4;
  expectOk();
}

TEST_F(EnterLayout, TheStreamIsInTheFrame) {
  int there = 0;
  ctx.stream = &there;
  expectOk();
  EXPECT_EQ(frame[static_cast<size_t>(table.streamOffset)],
            static_cast<int64_t>(reinterpret_cast<uintptr_t>(&there)));
}

TEST_F(EnterLayout, OperandsAreOnOneGpu) {
  moveTo(3);
  expectOk();
  y->device.id = 0;
  expectError(GYRE_ERROR_DEVICE,
              "[device-id] f: result `y`: expected device 3 as for the first "
              "operand, got device 0");
  y->device.id = 3;
  m->device.id = 1;
  expectError(GYRE_ERROR_DEVICE,
              "[device-id] f: argument `m`: expected device 3 as for the first "
              "operand, got device 1");
  m->device = {GYRE_DEVICE_CPU, 0};
  expectError(GYRE_ERROR_DEVICE, "[device] f: argument `m`: expected device "
                                 "cuda, got cpu (device type 1)");
}

TEST_F(EnterLayout, MapsOfGpusAreNotChecked) {
  moveTo(0);
  ctx.flags = GYRE_CHECK_MAPS;
  expectError(GYRE_ERROR_INVALID_ARGUMENT,
              "[context-flags] f: expected no GYRE_CHECK_MAPS for a kernel of "
              "a GPU, whose maps are copies of checked ones, got 0x1");
}

TEST(CudaDriver, IsAskedForOnlyWhenNeeded) {
  if (dlopen("libcuda.so.1", RTLD_NOW))
    GTEST_SKIP() << "this machine has a CUDA driver";
  const char *names[] = {"f_0"};
  const gyre_rt_image image = {"sm_90a", ""};
  int64_t state[2] = {};
  const gyre_rt_device_code code = {1, &image, 1, names, state};
  EXPECT_EQ(gyre_rt_launch(0, &code, 0, 0, 1, 1, 1, 1, 1, 0, nullptr, nullptr),
            GYRE_OK);
  EXPECT_EQ(gyre_rt_launch(0, &code, 0, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr),
            GYRE_ERROR_DRIVER);
  EXPECT_EQ(std::string(gyre_last_error())
                .find("[cuda-driver] f_0: expected the CUDA driver, got: "
                      "libcuda.so.1: cannot open"),
            0u);
}

} // namespace
