//===- MapCheck.cpp - Checks of an index map --------------------*- C++ -*-===//

#include "Map.h"

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
  const char *missing = !map->ptr                     ? "ptr"
                        : !map->shape                 ? "shape"
                        : map->entries && !map->index ? "index"
                        : map->entries && !map->order ? "order"
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

gyre_status checkMapContents(const Subject &subject, const gyre_map &map) {
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
  return checkSegment(subject, map, map.target, map.ptr[map.target],
                      map.entries);
}

} // namespace gyre::runtime
