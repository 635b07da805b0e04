//===- EntryTableTest.cpp - Tables say what was put in --------------------===//

#include "EnterSupport.h"

#include <cstring>

namespace {

using namespace gyre::test;
using namespace gyre::entry;

TEST(EntryTable, Magic) { EXPECT_EQ(std::memcmp(&kMagic, "GYREENT2", 8), 0); }

TEST(EntryTable, WordsAreAsDocumented) {
  Builder builder("f");
  const int64_t n = builder.addSize("N");
  builder.addArgument("a", GYRE_DTYPE_F32,
                      {{"3*N*N+1", {{3, {n, n}}, {1, {}}}}}, {true, 16});
  builder.addMap("m", {constant(5)}, {"N", {{1, {n}}}}, true);
  builder.addResult("r", GYRE_DTYPE_F64, {});
  builder.addWorkspaceBuffer(8, {"0", {}});
  const Table table = builder.encode();
  const std::string names("f\0N\0a\0003*N*N+1\0m\0005\0r\0000\0", 22);
  EXPECT_EQ(table.names, names);
  // clang-format off
  EXPECT_EQ(table.words, (Words{
      kMagic, 0, GYRE_DEVICE_CPU, 1, 3, 1, 1, 30, // header
      2,                                          // N
      kTensor, 4, GYRE_DTYPE_F32, 1, 16, 1,       // a
          6, 2, 3, 2, 0, 0, 1, 0,
      kMap, 14, 1, 0, 0, 1,                       // m
          16, 1, 5, 0,
          2, 1, 1, 1, 0,
      kTensor, 18, GYRE_DTYPE_F64, 0, 0, 0,       // r
      8, 20, 0}));                                // buffer
  // clang-format on
  EXPECT_EQ(table.operandOffsets, (Words{1, 6, 21}));
  EXPECT_EQ(table.workspaceOffset, 24);
  EXPECT_EQ(table.streamOffset, 29);
  EXPECT_EQ(table.frameWords, 30);
}

TEST(EntryTable, ReadsBack) {
  const Table table = mixTable();
  const Reader reader(table.words.data(), table.names.c_str());
  ASSERT_TRUE(reader.hasMagic());
  EXPECT_STREQ(reader.function(), "mix");
  EXPECT_EQ(reader.device(), GYRE_DEVICE_CPU);
  EXPECT_EQ(reader.sizes(), 2);
  EXPECT_STREQ(reader.sizeName(1), "E");
  EXPECT_EQ(reader.operands(), 7);
  EXPECT_EQ(reader.arguments(), 5);
  EXPECT_EQ(reader.results(), 2);
  EXPECT_EQ(reader.workspaceOffset(), table.workspaceOffset);
  EXPECT_EQ(reader.streamOffset(), table.streamOffset);

  const int64_t sizes[] = {10, 100};
  std::string text;
  reader.forEachOperand([&](int64_t i, const OperandView &operand,
                            int64_t offset) {
    EXPECT_EQ(offset, table.operandOffsets[static_cast<size_t>(i)]);
    text += reader.text(operand.name());
    text += operand.isMap() ? (operand.padded() ? " padded map" : " map") : "";
    operand.forEachDimension([&](int64_t, const DimensionView &dimension) {
      int64_t value = -1;
      EXPECT_TRUE(dimension.evaluate(sizes, value));
      text += ' ' + std::string(reader.text(dimension.text())) + '=' +
              std::to_string(value) + '/' +
              std::to_string(dimension.exactSize());
      return true;
    });
    text += "; ";
    return true;
  });
  EXPECT_EQ(text, "x N=10/0 2=2/-1; src map E=100/1 N=10/0; "
                  "nbr padded map N=10/0 3=3/-1 E=100/1; "
                  "wigner E=100/1 2*E*N+1=2001/-1; s; gx N=10/0 2=2/-1; "
                  "u E=100/1; ");

  int64_t buffers = 0, bytes = 0;
  reader.forEachWorkspaceBuffer(
      [&](int64_t elementBytes, const DimensionView &dimension) {
        int64_t elements = 0;
        EXPECT_TRUE(dimension.evaluate(sizes, elements));
        ++buffers;
        bytes += elementBytes * elements;
        return true;
      });
  EXPECT_EQ(buffers, 2);
  EXPECT_EQ(bytes, 4 * 200 + 10);
}

TEST(EntryTable, OneNameIsStoredOnce) {
  Builder builder("E");
  builder.addSize("E");
  builder.addArgument("gE", GYRE_DTYPE_F32, {});
  builder.addArgument("E", GYRE_DTYPE_F32, {});
  EXPECT_EQ(builder.encode().names, std::string("E\0gE\0", 5));
}

TEST(EntryTable, ExactSizeIsOneSizeAlone) {
  const auto exact = [](Dimension dimension) {
    Builder builder("f");
    builder.addSize("N");
    builder.addArgument("a", GYRE_DTYPE_F32, {std::move(dimension)});
    const Table table = builder.encode();
    int64_t size = -2;
    Reader(table.words.data(), table.names.c_str())
        .forEachOperand([&](int64_t, const OperandView &operand, int64_t) {
          size = operand.firstDimension().exactSize();
          return true;
        });
    return size;
  };
  EXPECT_EQ(exact({"N", {{1, {0}}}}), 0);
  EXPECT_EQ(exact({"2*N", {{2, {0}}}}), -1);
  EXPECT_EQ(exact({"N*N", {{1, {0, 0}}}}), -1);
  EXPECT_EQ(exact({"N+1", {{1, {0}}, {1, {}}}}), -1);
  EXPECT_EQ(exact({"1", {{1, {}}}}), -1);
  EXPECT_EQ(exact({"0", {}}), -1);
}

} // namespace
