//===- EnterTest.cpp - Frames of good calls -------------------------------===//

#include "EnterSupport.h"

namespace {

using namespace gyre::test;

TEST_F(MixCall, FrameHoldsSizesAndDescriptors) {
  expectOk();
  EXPECT_EQ(frameAt(0, 2), (Words{4, 3}));
  EXPECT_EQ(frameAt(offsetOf(kX), 7),
            (Words{word(xData.data()), word(xData.data()), 0, 4, 2, 2, 1}));
  EXPECT_EQ(frameAt(offsetOf(kSrc), 15),
            (Words{word(src->index), word(src->index), 0, 3, 1,
                   word(src->order), word(src->order), 0, 3, 1, word(src->ptr),
                   word(src->ptr), 0, 5, 1}));
  EXPECT_EQ(frameAt(offsetOf(kNbr), 15),
            (Words{word(nbr->index), word(nbr->index), 0, 12, 1,
                   word(nbr->order), word(nbr->order), 0, 12, 1, word(nbr->ptr),
                   word(nbr->ptr), 0, 4, 1}));
  EXPECT_EQ(frameAt(offsetOf(kWigner), 7),
            (Words{word(wignerData.data()), word(wignerData.data()), 0, 3, 25,
                   25, 1}));
  EXPECT_EQ(frameAt(offsetOf(kS), 3),
            (Words{word(sData.data()), word(sData.data()), 0}));
  EXPECT_EQ(frameAt(offsetOf(kU), 5),
            (Words{word(uData.data()), word(uData.data()), 0, 3, 1}));
  EXPECT_EQ(frameAt(table.workspaceOffset, 5),
            (Words{word(workspaceData.data()), word(workspaceData.data()), 0,
                   128, 1}));
}

TEST_F(MixCall, StridesAndByteOffsetsReachTheFrame) {
  x.strides = {1, 4};
  x->strides = x.strides.data();
  wigner.strides = {0, 1}; // broadcast over edges
  wigner->strides = wigner.strides.data();
  wigner->byte_offset = 16;
  gx.strides = {1, 4}; // transposed
  gx->strides = gx.strides.data();
  expectOk();
  EXPECT_EQ(frameAt(offsetOf(kX) + 3, 4), (Words{4, 2, 1, 4}));
  EXPECT_EQ(frameAt(offsetOf(kWigner), 7),
            (Words{word(wignerData.as<char>() + 16),
                   word(wignerData.as<char>() + 16), 0, 3, 25, 0, 1}));
  EXPECT_EQ(frameAt(offsetOf(kGx) + 3, 4), (Words{4, 2, 1, 4}));
}

TEST_F(MixCall, ResultsWithGapsAreFine) {
  Memory wide(4 * 40);
  gx->data = wide.data();
  gx.strides = {10, 4};
  gx->strides = gx.strides.data();
  expectOk();
}

TEST_F(MixCall, NeighboursInOneBufferDoNotOverlap) {
  Memory both(64);
  x->data = both.data();
  gx->data = both.as<char>() + 32;
  expectOk();
}

TEST_F(MixCall, ArgumentsMayShareMemory) {
  s->data = xData.data();
  expectOk();
}

TEST_F(MixCall, ReservedPartsOfTheWorkspaceStayOut) {
  // More workspace than is needed may overlap whatever it likes behind it.
  Memory both(128 + 64);
  ctx.workspace = both.data();
  ctx.workspace_bytes = both.bytes;
  gx->data = both.as<char>() + 128;
  expectOk();
}

TEST_F(MixCall, UnpaddedMapServesAsPadded) {
  for (int32_t &value : nbrData)
    value %= 3;
  BuiltMap unpadded(nbrIndex.get(), 3, false);
  args[kNbr] = &unpadded.map;
  expectOk();
}

TEST_F(MixCall, CheckedMapsAreFine) {
  ctx.flags = GYRE_CHECK_MAPS;
  expectOk();
}

TEST_F(MixCall, NoNodesAndNoEdges) {
  TensorView noX(nullptr, GYRE_DTYPE_F32, {0, 2}),
      noWigner(nullptr, GYRE_DTYPE_F64, {0, 1}),
      noGx(nullptr, GYRE_DTYPE_F32, {0, 2}), noU(nullptr, GYRE_DTYPE_F64, {0});
  TensorView noSrc(nullptr, GYRE_DTYPE_I32, {0}),
      noNbr(nullptr, GYRE_DTYPE_I32, {0, 3});
  BuiltMap emptySrc(noSrc.get(), 0), emptyNbr(noNbr.get(), 0, true);
  void *const operands[] = {noX.get(),      &emptySrc.map, &emptyNbr.map,
                            noWigner.get(), s.get(),       noGx.get(),
                            noU.get()};
  // No workspace is needed then, so there need be no context either.
  ASSERT_EQ(enterWith(operands, nullptr, frame.data()), GYRE_OK)
      << gyre_last_error();
  EXPECT_EQ(frameAt(0, 2), (Words{0, 0}));
  EXPECT_EQ(frameAt(offsetOf(kX), 7), (Words{0, 0, 0, 0, 2, 1, 1}));
  EXPECT_EQ(frameAt(table.workspaceOffset, 5), (Words{0, 0, 0, 0, 1}));
}

TEST_F(MixCall, StridesWithoutMeaningAreReplaced) {
  TensorView one(xData.data(), GYRE_DTYPE_F32, {1, 2}, {-7, 1});
  TensorView none(nullptr, GYRE_DTYPE_F32, {0, 2, 3}, {-7, -5, 1});
  gyre::entry::Builder builder("f");
  const int64_t n = builder.addSize("N"), m = builder.addSize("M");
  builder.addArgument("a", GYRE_DTYPE_F32, {{"N", {{1, {n}}}}, constant(2)});
  builder.addResult("r", GYRE_DTYPE_F32,
                    {{"M", {{1, {m}}}}, constant(2), constant(3)});
  const gyre::entry::Table small = builder.encode();
  void *const operands[] = {one.get(), none.get()};
  ASSERT_EQ(gyre_rt_enter(small.words.data(), small.names.c_str(), operands,
                          nullptr, frame.data()),
            GYRE_OK)
      << gyre_last_error();
  EXPECT_EQ(frameAt(small.operandOffsets[0] + 3, 4), (Words{1, 2, 2, 1}));
  EXPECT_EQ(frameAt(small.operandOffsets[1] + 3, 6), (Words{0, 2, 3, 1, 1, 1}));
}

TEST_F(MixCall, WorkspaceQuery) {
  const auto query = [&](int64_t n, int64_t e) {
    const int64_t sizes[] = {n, e};
    int64_t bytes = -1;
    EXPECT_EQ(gyre_rt_workspace(table.words.data(), table.names.c_str(), sizes,
                                &bytes),
              GYRE_OK);
    return bytes;
  };
  EXPECT_EQ(query(4, 3), 128);
  EXPECT_EQ(query(0, 0), 0);
  EXPECT_EQ(query(65, 9), 128 + 128);
  EXPECT_EQ(query(1, int64_t{1} << 40), 64 + (int64_t{1} << 43));
}

} // namespace
