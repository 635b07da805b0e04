//===- MapCheck.cpp - Checks of an index map --------------------*- C++ -*-===//

#include "Map.h"

#include <algorithm>
#include <cinttypes>

namespace gyre::runtime {

gyre_status checkMapHandle(const Subject &subject, const gyre_map *map) {
  if (!map)
    return Message("argument-null", subject)
        .add("expected a map, got NULL")
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  if (map->magic != GYRE_MAP_MAGIC)
    return Message("map-handle", subject)
        .add("expected a map made by gyre_map_build, got mark 0x%08" PRIx32
             " in place of 0x%08" PRIx32,
             map->magic, GYRE_MAP_MAGIC)
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  if (map->version != GYRE_MAP_VERSION)
    return Message("map-version", subject)
        .add("expected a map of version %" PRIu32 ", got %" PRIu32,
             GYRE_MAP_VERSION, map->version)
        .as(GYRE_ERROR_VERSION);
  // ptr has an entry even without nodes; the others are empty without entries.
  const char *missing = !map->ptr                         ? "ptr"
                        : !map->shape                     ? "shape"
                        : map->entries && !map->index     ? "index"
                        : map->entries && !map->order     ? "order"
                        : map->heavy_nodes && !map->heavy ? "heavy"
                        : map->chunks && !map->chunk      ? "chunk"
                                                          : nullptr;
  if (missing)
    return Message("map-handle", subject)
        .add("expected a map made by gyre_map_build, got no array `%s`",
             missing)
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  return GYRE_OK;
}

static gyre_status failContents(const Subject &subject, const char *array,
                                int64_t at, const char *expected,
                                int64_t value) {
  return Message("map-contents", subject)
      .add("%s[%" PRId64 "]: expected %s, got %" PRId64, array, at, expected,
           value)
      .as(GYRE_ERROR_INDEX);
}

/// Checks that order[begin..end) are ascending positions that refer to `node`.
/// All of order together is then a permutation: no position can be listed
/// twice, and there are as many places as positions.
static gyre_status checkSegment(const Subject &subject, const gyre_map &map,
                                int64_t node, int64_t begin, int64_t end) {
  int64_t previous = -1;
  for (int64_t at = begin; at < end; ++at) {
    const int64_t position = map.order[at];
    if (position <= previous || position >= map.entries)
      return failContents(subject, "order", at,
                          "ascending positions of the map", position);
    if (map.index[position] != node)
      return failContents(subject, "order", at,
                          "a position that refers to the node of the segment",
                          position);
    previous = position;
  }
  return GYRE_OK;
}

static gyre_status failNumber(const Subject &subject, const char *what,
                              int64_t expected, int64_t got) {
  return Message("map-contents", subject)
      .add("%s: expected %" PRId64 ", got %" PRId64, what, expected, got)
      .as(GYRE_ERROR_INDEX);
}

static gyre_status checkShape(const Subject &subject, const gyre_map &map) {
  int64_t product = 1;
  for (int32_t axis = 0; axis < map.rank; ++axis) {
    const int64_t size = map.shape[axis];
    if (size < 0 || size > GYRE_MAP_LIMIT)
      return failContents(subject, "shape", axis, "the size of an axis", size);
    // Both factors are below 2^31 wherever the product still counts.
    product = size && product > GYRE_MAP_LIMIT ? product : product * size;
  }
  if (product != map.entries)
    return failNumber(subject, "entries", product, map.entries);
  if (map.target < 0 || map.target > GYRE_MAP_LIMIT)
    return Message("map-contents", subject)
        .add("target: expected 0 to %" PRId64 ", got %" PRId64, GYRE_MAP_LIMIT,
             map.target)
        .as(GYRE_ERROR_INDEX);
  return GYRE_OK;
}

/// Three numbers of a table, as gyre_map_build wrote them.
static gyre_status checkRow(const Subject &subject, const char *array,
                            const int32_t *rows, int64_t row,
                            const int64_t (&expected)[3]) {
  for (int64_t i = 0; i < 3; ++i)
    if (rows[3 * row + i] != expected[i])
      return Message("map-contents", subject)
          .add("%s[%" PRId64 "][%" PRId64 "]: expected %" PRId64
               ", got %" PRId32,
               array, row, i, expected[i], rows[3 * row + i])
          .as(GYRE_ERROR_INDEX);
  return GYRE_OK;
}

/// Checks the cut of nodes of high degree. `ptr` has been checked.
static gyre_status checkChunks(const Subject &subject, const gyre_map &map) {
  if (map.chunk_length < 1)
    return Message("map-contents", subject)
        .add("chunk_length: expected at least 1, got %" PRId64,
             map.chunk_length)
        .as(GYRE_ERROR_INDEX);
  int64_t heavy = 0, chunks = 0;
  const auto forEachHeavy = [&](auto visit) {
    for (int64_t node = 0; node < map.target; ++node)
      if (map.ptr[node + 1] - map.ptr[node] > map.chunk_length)
        visit(node, map.ptr[node], map.ptr[node + 1]);
  };
  forEachHeavy([&](int64_t, int64_t begin, int64_t end) {
    ++heavy;
    chunks += (end - begin - 1) / map.chunk_length + 1;
  });
  if (heavy != map.heavy_nodes)
    return failNumber(subject, "heavy_nodes", heavy, map.heavy_nodes);
  if (chunks != map.chunks)
    return failNumber(subject, "chunks", chunks, map.chunks);
  heavy = chunks = 0;
  gyre_status status = GYRE_OK;
  forEachHeavy([&](int64_t node, int64_t begin, int64_t end) {
    const int64_t first = chunks;
    for (int64_t at = begin; at < end && !status; at += map.chunk_length)
      status = checkRow(subject, "chunk", map.chunk, chunks++,
                        {node, at, std::min(at + map.chunk_length, end)});
    if (!status)
      status =
          checkRow(subject, "heavy", map.heavy, heavy++, {node, first, chunks});
  });
  return status;
}

gyre_status checkMapContents(const Subject &subject, const gyre_map &map) {
  if (gyre_status status = checkShape(subject, map))
    return status;
  for (int64_t position = 0; position < map.entries; ++position) {
    const int64_t node = map.index[position];
    if (node < 0 || node > map.target)
      return failContents(subject, "index", position,
                          "a node, or the target size for a pad", node);
    if (node == map.target && !map.padded)
      return failContents(subject, "index", position,
                          "a node, since the map has no padding", node);
  }
  if (map.ptr[0] != 0)
    return failContents(subject, "ptr", 0, "0", map.ptr[0]);
  for (int64_t node = 0; node < map.target; ++node)
    if (map.ptr[node + 1] < map.ptr[node] || map.ptr[node + 1] > map.entries)
      return failContents(subject, "ptr", node + 1,
                          "ascending places within the map", map.ptr[node + 1]);
  for (int64_t node = 0; node < map.target; ++node)
    if (gyre_status status =
            checkSegment(subject, map, node, map.ptr[node], map.ptr[node + 1]))
      return status;
  if (gyre_status status = checkSegment(subject, map, map.target,
                                        map.ptr[map.target], map.entries))
    return status;
  if (map.valid != map.ptr[map.target])
    return failNumber(subject, "valid", map.ptr[map.target], map.valid);
  return checkChunks(subject, map);
}

} // namespace gyre::runtime
