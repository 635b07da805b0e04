//===- MapTest.cpp - Index maps against a naive transpose -----------------===//

#include "Support.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace {

using namespace gyre::test;

/// What a map should be, the slow and obvious way.
struct NaiveMap {
  std::vector<int32_t> index, order, ptr, heavy, chunk;
  int64_t valid = 0;

  NaiveMap(const std::vector<int64_t> &entries, int64_t target,
           int64_t chunkLength) {
    for (int64_t value : entries)
      index.push_back(static_cast<int32_t>(std::min(value, target)));
    for (int64_t node = 0; node <= target; ++node) {
      ptr.push_back(static_cast<int32_t>(order.size()));
      for (size_t position = 0; position < index.size(); ++position)
        if (index[position] == node)
          order.push_back(static_cast<int32_t>(position));
    }
    valid = ptr.back();
    for (int64_t node = 0; node < target; ++node) {
      const int64_t begin = ptr[static_cast<size_t>(node)];
      const int64_t end = ptr[static_cast<size_t>(node) + 1];
      if (end - begin <= chunkLength)
        continue;
      push(heavy, {node, static_cast<int64_t>(chunk.size() / 3)});
      for (int64_t at = begin; at < end; at += chunkLength)
        push(chunk, {node, at, std::min(at + chunkLength, end)});
      push(heavy, {static_cast<int64_t>(chunk.size() / 3)});
    }
  }

private:
  static void push(std::vector<int32_t> &to,
                   std::initializer_list<int64_t> values) {
    for (int64_t value : values)
      to.push_back(static_cast<int32_t>(value));
  }
};

std::vector<int32_t> copyOf(const int32_t *begin, int64_t count) {
  return std::vector<int32_t>(begin, begin + count);
}

bool isInside(const Memory &memory, const void *array, int64_t bytes) {
  const auto *begin = static_cast<const unsigned char *>(array);
  const auto *base = static_cast<const unsigned char *>(memory.data());
  return reinterpret_cast<uintptr_t>(array) % GYRE_ALIGNMENT == 0 &&
         begin >= base && begin + bytes <= base + memory.bytes;
}

/// Builds the map of `index`, whose values row-major are `entries`, and
/// compares.
void expectMap(const gyre_tensor *index, const std::vector<int64_t> &entries,
               int64_t target, bool padded, int64_t chunkLength) {
  BuiltMap built(index, target, padded, chunkLength);
  const gyre_map &map = built.map;
  const int64_t length = chunkLength ? chunkLength : GYRE_MAP_CHUNK_LENGTH;
  const NaiveMap naive(entries, target, length);
  const auto count = static_cast<int64_t>(entries.size());

  EXPECT_EQ(map.magic, GYRE_MAP_MAGIC);
  EXPECT_EQ(map.version, GYRE_MAP_VERSION);
  EXPECT_EQ(map.device.type, GYRE_DEVICE_CPU);
  EXPECT_EQ(map.padded, padded);
  ASSERT_EQ(map.rank, index->ndim);
  EXPECT_TRUE(std::equal(map.shape, map.shape + map.rank, index->shape));
  ASSERT_EQ(map.entries, count);
  ASSERT_EQ(map.target, target);
  EXPECT_EQ(map.valid, naive.valid);
  EXPECT_EQ(map.chunk_length, length);
  EXPECT_EQ(copyOf(map.index, count), naive.index);
  EXPECT_EQ(copyOf(map.order, count), naive.order);
  EXPECT_EQ(copyOf(map.ptr, target + 1), naive.ptr);
  EXPECT_EQ(copyOf(map.heavy, 3 * map.heavy_nodes), naive.heavy);
  EXPECT_EQ(copyOf(map.chunk, 3 * map.chunks), naive.chunk);
  EXPECT_LE(map.chunks, 2 * count / (std::min(length, count) + 1));

  EXPECT_EQ(map.memory, built.memory.data());
  EXPECT_EQ(map.bytes, built.memory.bytes);
  EXPECT_TRUE(isInside(built.memory, map.shape, 8 * map.rank));
  EXPECT_TRUE(isInside(built.memory, map.index, 4 * count));
  EXPECT_TRUE(isInside(built.memory, map.order, 4 * count));
  EXPECT_TRUE(isInside(built.memory, map.ptr, 4 * (target + 1)));
  EXPECT_TRUE(isInside(built.memory, map.heavy, 12 * map.heavy_nodes));
  EXPECT_TRUE(isInside(built.memory, map.chunk, 12 * map.chunks));
}

/// The same entries as a compact array of T.
template <typename T>
void expectCompact(gyre_dtype dtype, const std::vector<int64_t> &entries,
                   const std::vector<int64_t> &shape, int64_t target,
                   bool padded, int64_t chunkLength) {
  std::vector<T> data(entries.begin(), entries.end());
  TensorView index(data.data(), dtype, shape);
  expectMap(index.get(), entries, target, padded, chunkLength);
}

void expectBoth(const std::vector<int64_t> &entries,
                const std::vector<int64_t> &shape, int64_t target, bool padded,
                int64_t chunkLength) {
  expectCompact<int32_t>(GYRE_DTYPE_I32, entries, shape, target, padded,
                         chunkLength);
  expectCompact<int64_t>(GYRE_DTYPE_I64, entries, shape, target, padded,
                         chunkLength);
}

TEST(Map, SmallExample) {
  expectBoth({2, 0, 2, 2, 0}, {5}, 4, false, 2);
  std::vector<int32_t> data = {2, 0, 2, 2, 0};
  TensorView index(data.data(), GYRE_DTYPE_I32, {5});
  BuiltMap built(index.get(), 4, false, 2);
  EXPECT_EQ(copyOf(built->order, 5), (std::vector<int32_t>{1, 4, 0, 2, 3}));
  EXPECT_EQ(copyOf(built->ptr, 5), (std::vector<int32_t>{0, 2, 2, 5, 5}));
  EXPECT_EQ(copyOf(built->heavy, 3), (std::vector<int32_t>{2, 0, 2}));
  EXPECT_EQ(copyOf(built->chunk, 6), (std::vector<int32_t>{2, 2, 4, 2, 4, 5}));
}

TEST(Map, NoEntriesAndNoNodes) {
  expectBoth({}, {0}, 0, false, 0);
  expectBoth({}, {0}, 7, false, 0);
  expectBoth({}, {3, 0}, 2, true, 1);
  expectBoth({0, 5, 9}, {3}, 0, true, 0); // all pads
}

TEST(Map, NoEntriesWithHugeOtherSizes) {
  const int64_t huge = int64_t{1} << 40;
  TensorView index(nullptr, GYRE_DTYPE_I64, {huge, huge, 0});
  BuiltMap built(index.get(), 2);
  EXPECT_EQ(built->entries, 0);
  EXPECT_EQ(built->shape[1], huge);
}

TEST(Map, PadsComeLastInOrder) {
  std::vector<int32_t> data = {9, 1, 3, 1, 0};
  TensorView index(data.data(), GYRE_DTYPE_I32, {5});
  BuiltMap padded(index.get(), 3, true);
  EXPECT_EQ(padded->valid, 3);
  EXPECT_EQ(copyOf(padded->index, 5), (std::vector<int32_t>{3, 1, 3, 1, 0}));
  EXPECT_EQ(copyOf(padded->order, 5), (std::vector<int32_t>{4, 1, 3, 0, 2}));
  EXPECT_EQ(copyOf(padded->ptr, 4), (std::vector<int32_t>{0, 1, 3, 3}));
}

TEST(Map, PadsBeyond32Bits) {
  expectCompact<int64_t>(GYRE_DTYPE_I64, {1, int64_t{1} << 32, 0}, {3}, 2, true,
                         0);
}

TEST(Map, ChunkBoundaries) {
  for (int64_t degree : {3, 4, 5, 7, 8, 9, 12, 13})
    for (int64_t chunkLength : {1, 4, 100})
      expectBoth(std::vector<int64_t>(static_cast<size_t>(degree), 1), {degree},
                 3, false, chunkLength);
}

TEST(Map, ChunkLengthBeyondAnyDegree) {
  expectBoth({0, 0, 0}, {3}, 1, false, std::numeric_limits<int64_t>::max());
}

TEST(Map, DefaultChunkLength) {
  expectBoth(std::vector<int64_t>(600, 1), {600}, 2, false, 0);
}

TEST(Map, HighRank) {
  std::vector<int64_t> shape(70, 1);
  shape[3] = 2;
  shape[69] = 3;
  expectBoth({0, 1, 2, 2, 1, 0}, shape, 3, false, 1);
}

TEST(Map, TwoBuildsAreTheSameBytes) {
  std::vector<int32_t> data(1000);
  std::mt19937 random(7);
  for (int32_t &value : data)
    value = static_cast<int32_t>(random() % 50);
  TensorView index(data.data(), GYRE_DTYPE_I32, {1000});
  BuiltMap first(index.get(), 40, true, 8), second(index.get(), 40, true, 8);
  EXPECT_TRUE(std::equal(first.memory.as<char>(),
                         first.memory.as<char>() + first.memory.bytes,
                         second.memory.as<char>()));
}

TEST(Map, ReadsStridesAndByteOffset) {
  // The entries of each shape, row-major, are data[1 + i * s0 + j * s1 + k *
  // s2].
  std::vector<int64_t> data(200);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<int64_t>(i * 7 % 11);
  const std::vector<std::vector<int64_t>> shapes = {
      {2, 3, 4}, {5, 1, 2}, {1, 1, 6}, {4, 5, 1}};
  const std::vector<std::vector<int64_t>> strides = {
      {12, 4, 1}, {1, 2, 6}, {0, 0, 1}, {30, 7, 3}, {0, 0, 0}, {1, 0, 20}};
  for (const auto &shape : shapes)
    for (const auto &stride : strides) {
      TensorView index(data.data(), GYRE_DTYPE_I64, shape, stride);
      index->byte_offset = 8;
      std::vector<int64_t> entries;
      for (int64_t i = 0; i < shape[0]; ++i)
        for (int64_t j = 0; j < shape[1]; ++j)
          for (int64_t k = 0; k < shape[2]; ++k)
            entries.push_back(data[static_cast<size_t>(
                1 + i * stride[0] + j * stride[1] + k * stride[2])]);
      expectMap(index.get(), entries, 8, true, 2);
    }
}

TEST(Map, IgnoresStridesThatDoNotMatter) {
  std::vector<int32_t> data = {1, 0};
  TensorView index(data.data(), GYRE_DTYPE_I32, {1, 2}, {-9, 1});
  expectMap(index.get(), {1, 0}, 2, false, 0);
}

TEST(MapProperty, MatchesTheNaiveTranspose) {
  std::mt19937 random(20240229);
  const auto below = [&](int64_t bound) {
    return bound > 0
               ? static_cast<int64_t>(random() % static_cast<uint64_t>(bound))
               : 0;
  };
  for (int round = 0; round < 400; ++round) {
    const bool padded = below(2) != 0;
    const int64_t target = below(4) ? 1 + below(40) : (padded ? 0 : 1);
    std::vector<int64_t> shape = {below(8) ? below(60) : 0};
    if (below(2))
      shape.push_back(below(6));
    if (below(4) == 0)
      shape.insert(shape.begin(), below(3));
    const int64_t count =
        std::accumulate(shape.begin(), shape.end(), int64_t{1},
                        [](int64_t a, int64_t b) { return a * b; });
    // A hub takes most references in some rounds; few nodes leave segments
    // empty.
    const int64_t hub = below(target), used = 1 + below(target);
    const bool hasHub = below(3) == 0;
    std::vector<int64_t> entries;
    for (int64_t i = 0; i < count; ++i) {
      if (padded && below(4) == 0)
        entries.push_back(target + below(5));
      else
        entries.push_back(hasHub && below(5) ? hub : below(used));
    }
    expectBoth(entries, shape, target, padded, below(12));
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

} // namespace
