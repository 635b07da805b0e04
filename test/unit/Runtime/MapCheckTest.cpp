//===- MapCheckTest.cpp - Maps that are not as they were built ------------===//
//
// GYRE_CHECK_MAPS looks at all of a map; MixCall's tests spoil its index, order
// and ptr.
//
//===----------------------------------------------------------------------===//

#include "EnterSupport.h"

namespace {

using namespace gyre::test;

class MapCheck : public ::testing::Test {
protected:
  MapCheck() {
    gyre::entry::Builder builder("f");
    const int64_t k = builder.addSize("K"), e = builder.addSize("E"),
                  n = builder.addSize("N");
    builder.addMap("m", {{"K", {{1, {k}}}}, {"E", {{1, {e}}}}},
                   {"N", {{1, {n}}}}, true);
    table = builder.encode();
    frame.resize(static_cast<size_t>(table.frameWords));
  }

  int32_t enter(uint64_t flags) {
    gyre_context ctx{nullptr, 0, nullptr, flags};
    void *const args[] = {&map.map};
    return gyre_rt_enter(table.words.data(), table.names.c_str(), args, &ctx,
                         frame.data());
  }

  void expectError(const std::string &text) {
    EXPECT_EQ(enter(GYRE_CHECK_MAPS), GYRE_ERROR_INDEX);
    EXPECT_EQ(gyre_last_error(), "[map-contents] f: argument `m`: " + text);
  }

  /// Expects that a number of the map is looked at on request, and then only.
  template <typename T>
  void spoil(const T &number, T value, const std::string &text) {
    ASSERT_EQ(enter(GYRE_CHECK_MAPS), GYRE_OK) << gyre_last_error();
    T &place = const_cast<T &>(number);
    const T good = place;
    place = value;
    EXPECT_EQ(enter(0), GYRE_OK) << gyre_last_error();
    expectError(text);
    place = good;
  }

  // Node 0 has the positions 0, 1, 2 and 5, node 2 the positions 3, 4 and 7;
  // 6 is a pad, and nodes of more than two references are cut.
  std::vector<int32_t> index = {0, 0, 0, 2, 2, 0, 9, 2};
  TensorView view{index.data(), GYRE_DTYPE_I32, {2, 4}};
  BuiltMap map{view.get(), 3, true, 2};
  gyre::entry::Table table;
  std::vector<int64_t> frame;
};

TEST_F(MapCheck, Counts) {
  ASSERT_EQ(map->heavy_nodes, 2);
  ASSERT_EQ(map->chunks, 4);
  spoil(map->valid, int64_t{8}, "valid: expected 7, got 8");
  spoil(map->valid, int64_t{-1}, "valid: expected 7, got -1");
  spoil(map->entries, int64_t{7}, "entries: expected 8, got 7");
  spoil(map->chunk_length, int64_t{0},
        "chunk_length: expected at least 1, got 0");
  spoil(map->chunk_length, int64_t{3}, "heavy_nodes: expected 1, got 2");
  spoil(map->chunk_length, int64_t{1}, "chunks: expected 7, got 4");
  spoil(map->heavy_nodes, int64_t{1}, "heavy_nodes: expected 2, got 1");
  spoil(map->chunks, int64_t{5}, "chunks: expected 4, got 5");
}

TEST_F(MapCheck, Shape) {
  spoil(map->shape[0], int64_t{3}, "entries: expected 12, got 8");
  spoil(map->shape[1], int64_t{0}, "entries: expected 0, got 8");
}

/// Sizes of the map itself are bound before its contents are looked at.
TEST_F(MapCheck, SizesThatNoMapHas) {
  const auto expect = [&](int64_t &number, int64_t value,
                          const std::string &text) {
    const int64_t good = number;
    number = value;
    EXPECT_NE(enter(GYRE_CHECK_MAPS), GYRE_OK);
    EXPECT_NE(std::string(gyre_last_error()).find(text), std::string::npos)
        << gyre_last_error();
    number = good;
  };
  expect(const_cast<int64_t &>(map->shape[0]), int64_t{1} << 40,
         "shape[0]: expected the size of an axis, got 1099511627776");
  expect(map->target, int64_t{1} << 40,
         "target: expected 0 to 2147483647, got 1099511627776");
}

TEST_F(MapCheck, Tables) {
  spoil(map->heavy[0], 1, "heavy[0][0]: expected 0, got 1");
  spoil(map->heavy[4], 1, "heavy[1][1]: expected 2, got 1");
  spoil(map->heavy[5], 3, "heavy[1][2]: expected 4, got 3");
  spoil(map->chunk[3], 2, "chunk[1][0]: expected 0, got 2");
  spoil(map->chunk[4], 1, "chunk[1][1]: expected 2, got 1");
  // The last one of a node is shorter.
  spoil(map->chunk[11], 8, "chunk[3][2]: expected 7, got 8");
}

TEST_F(MapCheck, MissingTables) {
  map->heavy = nullptr;
  EXPECT_EQ(enter(0), GYRE_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(gyre_last_error(),
               "[map-handle] f: argument `m`: expected a map made by "
               "gyre_map_build, got no array `heavy`");
  map->heavy = map->index;
  map->chunk = nullptr;
  EXPECT_EQ(enter(0), GYRE_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(gyre_last_error(),
               "[map-handle] f: argument `m`: expected a map made by "
               "gyre_map_build, got no array `chunk`");
}

/// Arrays that a map always has are missed without a request.
TEST_F(MapCheck, MissingArrays) {
  const auto expect = [&](auto &array, const std::string &name) {
    const auto good = array;
    array = nullptr;
    EXPECT_EQ(enter(0), GYRE_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(gyre_last_error(),
              "[map-handle] f: argument `m`: expected a map made by "
              "gyre_map_build, got no array `" +
                  name + "`");
    array = good;
  };
  expect(map->ptr, "ptr");
  expect(map->shape, "shape");
  expect(map->index, "index");
  expect(map->order, "order");
}

} // namespace
