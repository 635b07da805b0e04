//===- EnterErrorsTest.cpp - Calls that gyre_rt_enter refuses -------------===//

#include "EnterSupport.h"

#include <limits>

namespace {

using namespace gyre::test;

constexpr gyre_status kInvalid = GYRE_ERROR_INVALID_ARGUMENT;

TEST_F(MixCall, RefusesAForeignTable) {
  const char *names = table.names.c_str();
  std::vector<int64_t> words = table.words;
  words[0] = 7;
  const std::string versions =
      "expected a table of layout 0x32544e4545525947, got 0x7: the kernel was "
      "compiled for another version of the runtime";
  expectOutcome(
      gyre_rt_enter(words.data(), names, args.data(), &ctx, frame.data()),
      GYRE_ERROR_VERSION, "[table-version] gyre_rt_enter: " + versions);
  const int64_t sizes[] = {1, 1};
  int64_t bytes = 77;
  expectOutcome(gyre_rt_workspace(words.data(), names, sizes, &bytes),
                GYRE_ERROR_VERSION,
                "[table-version] gyre_rt_workspace: " + versions);
  expectOutcome(
      gyre_rt_enter(nullptr, names, args.data(), &ctx, frame.data()), kInvalid,
      "[table-null] gyre_rt_enter: expected a table and its names, got NULL");
  expectOutcome(gyre_rt_workspace(table.words.data(), nullptr, sizes, &bytes),
                kInvalid,
                "[table-null] gyre_rt_workspace: expected a table and its "
                "names, got NULL");
  EXPECT_EQ(bytes, 77);
}

TEST_F(MixCall, RefusesNull) {
  expectOutcome(
      enterWith(nullptr, &ctx, frame.data()), kInvalid,
      "[args-null] mix: expected pointers to 7 arguments and results, "
      "got NULL");
  expectOutcome(enterWith(args.data(), &ctx, nullptr), kInvalid,
                "[frame-null] mix: expected a frame, got NULL");
  args[kGx] = nullptr;
  expectError(kInvalid, "[argument-null] mix: result `gx`: expected a tensor, "
                        "got NULL");
  args[kSrc] = nullptr;
  expectError(kInvalid, "[argument-null] mix: argument `src`: expected a map, "
                        "got NULL");
}

TEST_F(MixCall, RefusesDtype) {
  x->dtype = gyre_data_type_of(GYRE_DTYPE_F64);
  expectError(GYRE_ERROR_DTYPE, "[tensor-dtype] mix: argument `x`: expected "
                                "dtype f32, got f64");
  x->dtype = {4, 32, 1};
  expectError(
      GYRE_ERROR_DTYPE,
      "[tensor-dtype] mix: argument `x`: expected dtype f32, got DLPack "
      "type code 4 of 32 bits");
  x->dtype = {2, 32, 2};
  expectError(GYRE_ERROR_DTYPE,
              "[tensor-lanes] mix: argument `x`: expected 1 lane, got 2");
}

TEST(EnterDtypes, EachIsAcceptedAndNamed) {
  const std::pair<gyre_dtype, const char *> all[] = {
      {GYRE_DTYPE_I1, "i1"},    {GYRE_DTYPE_I8, "i8"},
      {GYRE_DTYPE_I16, "i16"},  {GYRE_DTYPE_I32, "i32"},
      {GYRE_DTYPE_I64, "i64"},  {GYRE_DTYPE_F16, "f16"},
      {GYRE_DTYPE_F32, "f32"},  {GYRE_DTYPE_F64, "f64"},
      {GYRE_DTYPE_BF16, "bf16"}};
  double data = 0;
  for (const auto &[wanted, wantedName] : all)
    for (const auto &[given, givenName] : all) {
      gyre::entry::Builder builder("f");
      builder.addArgument("a", wanted, {});
      const gyre::entry::Table table = builder.encode();
      TensorView a(&data, given, {});
      void *const args[] = {a.get()};
      std::vector<int64_t> frame(static_cast<size_t>(table.frameWords));
      const int32_t status = gyre_rt_enter(
          table.words.data(), table.names.c_str(), args, nullptr, frame.data());
      if (wanted == given) {
        EXPECT_EQ(status, GYRE_OK) << gyre_last_error();
        continue;
      }
      EXPECT_EQ(status, GYRE_ERROR_DTYPE);
      EXPECT_EQ(gyre_last_error(),
                "[tensor-dtype] f: argument `a`: expected dtype " +
                    std::string(wantedName) + ", got " + givenName);
    }
}

TEST_F(MixCall, RefusesDevice) {
  u->device.type = GYRE_DEVICE_CUDA;
  expectError(GYRE_ERROR_DEVICE, "[device] mix: result `u`: expected device "
                                 "cpu, got cuda (device type 2)");
  src->device.type = 12;
  expectError(GYRE_ERROR_DEVICE,
              "[device] mix: argument `src`: expected device "
              "cpu, got another kind (device type 12)");
}

TEST_F(MixCall, RefusesRank) {
  s->ndim = 1;
  s->shape = x.shape.data();
  expectError(GYRE_ERROR_SHAPE, "[tensor-rank] mix: argument `s`: expected 0 "
                                "dimensions, got 1");
  x->ndim = -2;
  expectError(GYRE_ERROR_SHAPE,
              "[tensor-ndim] mix: argument `x`: expected ndim >= 0, got -2");
  x->ndim = 2;
  x->shape = nullptr;
  expectError(kInvalid, "[tensor-shape] mix: argument `x`: expected a shape, "
                        "got NULL with ndim 2");
}

TEST_F(MixCall, RefusesConstantSize) {
  x.shape[1] = 3;
  expectError(GYRE_ERROR_SHAPE,
              "[dimension] mix: argument `x`: dimension 1: expected 2, got 3");
}

TEST_F(MixCall, RefusesNegativeSize) {
  x.shape[0] = -4;
  expectError(GYRE_ERROR_SHAPE, "[tensor-size] mix: argument `x`: dimension 0: "
                                "expected a size >= 0, got -4");
}

TEST_F(MixCall, RefusesSizesThatDisagree) {
  wigner.shape[0] = 4;
  expectError(GYRE_ERROR_SHAPE,
              "[dimension] mix: argument `wigner`: dimension 0 (E): expected 3 "
              "(E is 3 by `src`), got 4");
  wigner.shape = {3, 24};
  expectError(GYRE_ERROR_SHAPE,
              "[dimension] mix: argument `wigner`: dimension 1 (2*E*N+1): "
              "expected 25 (N is 4 by `x`, E is 3 by `src`), got 24");
  wigner.shape = {3, 25};
  u.shape[0] = 2;
  expectError(GYRE_ERROR_SHAPE, "[dimension] mix: result `u`: dimension 0 (E): "
                                "expected 3 (E is 3 by `src`), got 2");
}

TEST_F(MixCall, RefusesMapsThatDisagree) {
  BuiltMap wide(srcIndex.get(), 5);
  args[kSrc] = &wide.map;
  expectError(GYRE_ERROR_SHAPE, "[dimension] mix: argument `src`: target (N): "
                                "expected 4 (N is 4 by `x`), got 5");
  args[kSrc] = &src.map;
  TensorView flat(nbrData.data(), GYRE_DTYPE_I32, {12});
  BuiltMap rank1(flat.get(), 3, true);
  args[kNbr] = &rank1.map;
  expectError(GYRE_ERROR_SHAPE,
              "[map-rank] mix: argument `nbr`: expected 2 axes, got 1");
  TensorView tall(nbrData.data(), GYRE_DTYPE_I32, {4, 2});
  BuiltMap narrow(tall.get(), 3, true);
  args[kNbr] = &narrow.map;
  expectError(GYRE_ERROR_SHAPE,
              "[dimension] mix: argument `nbr`: axis 1: expected 3, got 2");
  TensorView few(nbrData.data(), GYRE_DTYPE_I32, {3, 3});
  BuiltMap shorter(few.get(), 3, true);
  args[kNbr] = &shorter.map;
  expectError(GYRE_ERROR_SHAPE, "[dimension] mix: argument `nbr`: axis 0 (N): "
                                "expected 4 (N is 4 by `x`), got 3");
}

TEST_F(MixCall, RefusesForeignMapHandles) {
  BuiltMap padded(srcIndex.get(), 4, true);
  args[kSrc] = &padded.map;
  expectError(kInvalid,
              "[map-padded] mix: argument `src`: expected a map built "
              "without padding, got a padded one");
  gyre_map zero{};
  args[kSrc] = &zero;
  expectError(kInvalid,
              "[map-handle] mix: argument `src`: expected a map made by "
              "gyre_map_build, got mark 0x00000000 in place of 0x50414d47");
  args[kSrc] = &src.map;
  src->version = 9;
  expectError(GYRE_ERROR_VERSION, "[map-version] mix: argument `src`: expected "
                                  "a map of version 1, got 9");
}

TEST_F(MixCall, RefusesStrides) {
  x.strides = {-2, 1};
  x->strides = x.strides.data();
  expectError(kInvalid, "[tensor-stride] mix: argument `x`: dimension 0: "
                        "expected a stride >= 0, got -2");
  x->strides = nullptr;
  gx.strides = {0, 1};
  gx->strides = gx.strides.data();
  expectError(kInvalid, "[result-broadcast] mix: result `gx`: dimension 0: "
                        "expected a stride of at least 1 for a result, got 0");
  gx.strides = {1, 3};
  expectError(kInvalid,
              "[result-self-overlap] mix: result `gx`: dimension 1: expected a "
              "stride beyond the 4 elements that smaller strides reach, got 3");
  gx.strides = {1, 1};
  expectError(kInvalid,
              "[result-self-overlap] mix: result `gx`: dimension 0: expected a "
              "stride beyond the 2 elements that smaller strides reach, got 1");
}

TEST_F(MixCall, RefusesData) {
  x->data = nullptr;
  expectError(kInvalid, "[tensor-data] mix: argument `x`: expected data for 8 "
                        "elements, got NULL");
  x->data = xData.data();
  wigner->byte_offset = 4;
  expectError(
      kInvalid,
      "[tensor-alignment] mix: argument `wigner`: expected data aligned "
      "to 8 bytes, got 4 more than a multiple of them");
  wigner->byte_offset = std::numeric_limits<uint64_t>::max() - 7;
  const std::string beyond = "expected elements within the address space, got "
                             "sizes, strides or a byte offset beyond it";
  expectError(GYRE_ERROR_LIMIT,
              "[tensor-extent] mix: argument `wigner`: " + beyond);
  wigner->byte_offset = 0;
  wigner.strides = {std::numeric_limits<int64_t>::max() / 2, 1};
  wigner->strides = wigner.strides.data();
  expectError(GYRE_ERROR_LIMIT,
              "[tensor-extent] mix: argument `wigner`: " + beyond);
}

TEST_F(MixCall, RefusesOverlap) {
  gx->data = xData.data();
  expectError(kInvalid, "[result-overlap] mix: result `gx`: expected memory of "
                        "its own, got memory that argument `x` uses");
  gx->data = gxData.data();
  u->data = gxData.as<char>() + 8;
  expectError(kInvalid, "[result-overlap] mix: result `u`: expected memory of "
                        "its own, got memory that result `gx` uses");
  u->data = src.memory.as<char>() + src.memory.bytes - 64;
  expectError(kInvalid, "[result-overlap] mix: result `u`: expected memory of "
                        "its own, got memory that argument `src` uses");
  u->data = uData.data();
  s->data = gxData.as<char>() + 28;
  expectError(kInvalid, "[result-overlap] mix: result `gx`: expected memory of "
                        "its own, got memory that argument `s` uses");
}

TEST_F(MixCall, RefusesOverlapByTheLastElementOfAStridedResult) {
  Memory shared(4 * 64);
  gx->data = shared.data();
  gx.strides = {10, 1}; // elements 0 to 31
  gx->strides = gx.strides.data();
  s->data = shared.as<float>() + 31;
  expectError(kInvalid, "[result-overlap] mix: result `gx`: expected memory of "
                        "its own, got memory that argument `s` uses");
  s->data = shared.as<float>() + 32;
  expectOk();
}

TEST_F(MixCall, RefusesWorkspace) {
  const std::string null =
      "[workspace] mix: expected a workspace of 128 bytes, got NULL";
  expectOutcome(enterWith(args.data(), nullptr, frame.data()),
                GYRE_ERROR_WORKSPACE, null);
  ctx.workspace = nullptr;
  expectError(GYRE_ERROR_WORKSPACE, null);
  ctx.workspace = workspaceData.data();
  ctx.workspace_bytes = 127;
  expectError(GYRE_ERROR_WORKSPACE,
              "[workspace] mix: expected a workspace of 128 bytes, got 127");
  ctx.workspace_bytes = 128;
  ctx.workspace = workspaceData.as<char>() + 16;
  expectError(GYRE_ERROR_WORKSPACE,
              "[workspace-alignment] mix: expected a workspace aligned to 64 "
              "bytes, got 16 more than a multiple of them");
  ctx.workspace = workspaceData.data();
  u->data = workspaceData.as<char>() + 120;
  expectError(kInvalid, "[workspace-overlap] mix: expected a workspace of its "
                        "own, got memory that result `u` uses");
  u->data = uData.data();
  x->data = workspaceData.data();
  expectError(kInvalid, "[workspace-overlap] mix: expected a workspace of its "
                        "own, got memory that argument `x` uses");
}

TEST_F(MixCall, RefusesUnknownFlags) {
  ctx.flags = 6;
  expectError(kInvalid,
              "[context-flags] mix: expected flags of this version of "
              "the runtime, got 0x6");
}

/// Spoils one word of an array of a built map.
void poke(const int32_t *array, int64_t at, int32_t value) {
  const_cast<int32_t *>(array)[at] = value;
}

TEST_F(MixCall, RefusesMapContentsOnRequest) {
  // src has index {0, 3, 0}, order {0, 2, 1} and ptr {0, 2, 2, 2, 3}.
  const std::string about = "[map-contents] mix: argument `src`: ";
  const auto spoil = [&](const int32_t *array, int64_t at, int32_t value,
                         const std::string &text) {
    const int32_t good = array[at];
    poke(array, at, value);
    ctx.flags = 0;
    expectOk();
    ctx.flags = GYRE_CHECK_MAPS;
    expectError(GYRE_ERROR_INDEX, about + text);
    poke(array, at, good);
  };
  spoil(src->index, 1, 5,
        "index[1]: expected a node, or the target size for a pad, got 5");
  spoil(src->index, 1, -1,
        "index[1]: expected a node, or the target size for a pad, got -1");
  spoil(src->index, 1, 4,
        "index[1]: expected a node, since the map has no padding, got 4");
  spoil(src->ptr, 0, 1, "ptr[0]: expected 0, got 1");
  spoil(src->ptr, 2, 1,
        "ptr[2]: expected ascending places within the map, got 1");
  spoil(src->ptr, 4, 4,
        "ptr[4]: expected ascending places within the map, got 4");
  spoil(src->order, 1, 0,
        "order[1]: expected ascending positions of the map, got 0");
  spoil(src->order, 1, 3,
        "order[1]: expected ascending positions of the map, got 3");
  spoil(src->order, 2, 2,
        "order[2]: expected a position that refers to the node of the segment, "
        "got 2");
  spoil(src->ptr, 4, 2,
        "order[2]: expected a position that refers to the node of the segment, "
        "got 1");
}

TEST(EnterSizes, RefusesASizeThatNothingHas) {
  gyre::entry::Builder builder("f");
  const int64_t n = builder.addSize("N");
  builder.addArgument("a", GYRE_DTYPE_F32, {{"2*N", {{2, {n}}}}});
  const gyre::entry::Table table = builder.encode();
  TensorView a(nullptr, GYRE_DTYPE_F32, {0});
  void *const args[] = {a.get()};
  std::vector<int64_t> frame(static_cast<size_t>(table.frameWords));
  EXPECT_EQ(gyre_rt_enter(table.words.data(), table.names.c_str(), args,
                          nullptr, frame.data()),
            GYRE_ERROR_SHAPE);
  EXPECT_STREQ(gyre_last_error(), "[size-unbound] f: expected an argument or "
                                  "result with dimension N, got none");
}

TEST(EnterSizes, RefusesOverflow) {
  gyre::entry::Builder builder("f");
  const int64_t n = builder.addSize("N");
  builder.addArgument("a", GYRE_DTYPE_I8, {{"N", {{1, {n}}}}, constant(0)});
  builder.addArgument("b", GYRE_DTYPE_I8, {{"N*N*N", {{1, {n, n, n}}}}});
  const gyre::entry::Table table = builder.encode();
  TensorView a(nullptr, GYRE_DTYPE_I8, {int64_t{1} << 30, 0});
  TensorView b(nullptr, GYRE_DTYPE_I8, {0});
  void *const args[] = {a.get(), b.get()};
  std::vector<int64_t> frame(static_cast<size_t>(table.frameWords));
  EXPECT_EQ(gyre_rt_enter(table.words.data(), table.names.c_str(), args,
                          nullptr, frame.data()),
            GYRE_ERROR_LIMIT);
  EXPECT_STREQ(gyre_last_error(),
               "[dimension-overflow] f: argument `b`: dimension 0 (N*N*N): "
               "expected a size of at most 64 bits (N is 1073741824 by `a`), "
               "got 0");
}

TEST(WorkspaceQuery, Refuses) {
  gyre::entry::Builder builder("f");
  const int64_t n = builder.addSize("N");
  builder.addWorkspaceBuffer(8, {"N*N-1", {{1, {n, n}}, {-1, {}}}});
  builder.addWorkspaceBuffer(8, {"2*N", {{2, {n}}}});
  const gyre::entry::Table table = builder.encode();
  int64_t bytes = 77;
  const auto expect = [&](int64_t size, gyre_status status, const char *text) {
    EXPECT_EQ(gyre_rt_workspace(table.words.data(), table.names.c_str(), &size,
                                &bytes),
              status);
    EXPECT_STREQ(gyre_last_error(), text);
    EXPECT_EQ(bytes, 77);
  };
  expect(0, GYRE_ERROR_SHAPE,
         "[workspace-negative] f: expected buffers of at least 0 elements, got "
         "-1 for N*N-1");
  expect(-1, GYRE_ERROR_SHAPE,
         "[size-negative] f: size `N`: expected at least 0, got -1");
  const char *overflow = "[workspace-overflow] f: expected a workspace of at "
                         "most 64-bit size, got sizes beyond it in N*N-1";
  expect(int64_t{1} << 40, GYRE_ERROR_LIMIT, overflow); // the product
  expect(int64_t{1} << 31, GYRE_ERROR_LIMIT, overflow); // times 8 bytes
  EXPECT_EQ(gyre_rt_workspace(table.words.data(), table.names.c_str(), nullptr,
                              &bytes),
            kInvalid);
  EXPECT_STREQ(gyre_last_error(),
               "[workspace-null] f: expected 1 sizes and a "
               "place for the bytes, got NULL for the sizes");
  const int64_t size = 1;
  EXPECT_EQ(gyre_rt_workspace(table.words.data(), table.names.c_str(), &size,
                              nullptr),
            kInvalid);
  EXPECT_STREQ(gyre_last_error(),
               "[workspace-null] f: expected 1 sizes and a "
               "place for the bytes, got NULL for the place");
}

} // namespace
