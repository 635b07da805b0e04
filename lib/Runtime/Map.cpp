//===- Map.cpp - Building index maps ----------------------------*- C++ -*-===//
//
// A build is two passes over the index: the first checks every entry, the
// second writes. So nothing has been written when an entry is refused.
//
//===----------------------------------------------------------------------===//

#include "Map.h"
#include "Tensor.h"

#include <algorithm>
#include <cinttypes>

namespace gyre::runtime {

gyre_status checkMapSize(const Subject &subject, const gyre_tensor &index,
                         int64_t &entries, int64_t target) {
  if (index.ndim == 0)
    return Message("map-rank", subject)
        .add("expected at least 1 axis, got 0")
        .as(GYRE_ERROR_SHAPE);
  if (!countElements(index, entries) || entries > GYRE_MAP_LIMIT)
    return Message("map-entries", subject)
        .add("expected at most %" PRId64 " entries, got a shape with more",
             GYRE_MAP_LIMIT)
        .as(GYRE_ERROR_LIMIT);
  if (target < 0 || target > GYRE_MAP_LIMIT)
    return Message("map-target", {subject.function, "argument", "target"})
        .add("expected 0 to %" PRId64 " nodes, got %" PRId64, GYRE_MAP_LIMIT,
             target)
        .as(target < 0 ? GYRE_ERROR_INVALID_ARGUMENT : GYRE_ERROR_LIMIT);
  return GYRE_OK;
}

namespace {

constexpr const char *kBytes = "gyre_map_bytes";
constexpr const char *kBuild = "gyre_map_build";

/// What decides the size of a map's memory, and where its arrays are in it.
struct MapLayout {
  int64_t entries = 0;
  int64_t chunkLength = 0;
  // Offsets in bytes.
  int64_t shape = 0, index = 0, order = 0, ptr = 0, heavy = 0, chunk = 0;
  int64_t bytes = 0;
};

/// Lays out the arrays. With entries and target <= GYRE_MAP_LIMIT nothing
/// overflows.
void placeArrays(MapLayout &layout, int64_t rank, int64_t target) {
  // A node counts as heavy from chunkLength + 1 references on, and
  // ceil(degree / chunkLength) <= 2 * degree / (chunkLength + 1) for those.
  int64_t maxHeavy = 0, maxChunks = 0;
  if (layout.chunkLength < layout.entries) {
    maxHeavy = layout.entries / (layout.chunkLength + 1);
    maxChunks = 2 * layout.entries / (layout.chunkLength + 1);
  }
  const auto place = [&](int64_t &offset, int64_t count, size_t elementBytes) {
    offset = layout.bytes;
    const int64_t end = offset + count * static_cast<int64_t>(elementBytes);
    layout.bytes = (end + GYRE_ALIGNMENT - 1) / GYRE_ALIGNMENT * GYRE_ALIGNMENT;
  };
  place(layout.shape, rank, sizeof(int64_t));
  place(layout.index, layout.entries, sizeof(int32_t));
  place(layout.order, layout.entries, sizeof(int32_t));
  place(layout.ptr, target + 1, sizeof(int32_t));
  place(layout.heavy, maxHeavy, 3 * sizeof(int32_t));
  place(layout.chunk, maxChunks, 3 * sizeof(int32_t));
}

/// Checks everything but the data of the index and the memory.
gyre_status planMap(const char *function, const gyre_tensor *index,
                    int64_t target, int64_t chunkLength, MapLayout &layout) {
  const Subject subject{function, "argument", "index"};
  if (gyre_status status = checkTensor(subject, index))
    return status;
  if (gyre_status status = checkDevice(subject, index->device, GYRE_DEVICE_CPU))
    return status;
  if (!hasDtype(*index, GYRE_DTYPE_I32) && !hasDtype(*index, GYRE_DTYPE_I64))
    return failDtype(subject, *index, "i32 or i64");
  if (gyre_status status =
          checkMapSize(subject, *index, layout.entries, target))
    return status;
  if (chunkLength < 0)
    return Message("map-chunk-length", {function, "argument", "chunk_length"})
        .add("expected at least 1, or 0 for the default, got %" PRId64,
             chunkLength)
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  layout.chunkLength = chunkLength ? chunkLength : GYRE_MAP_CHUNK_LENGTH;
  placeArrays(layout, index->ndim, target);
  return GYRE_OK;
}

/// Calls visit(position, value) for each entry, row-major, until one returns
/// false. Rank and strides are whatever they are, so the start of each
/// innermost row is computed from its number.
template <typename T, typename Visit>
void forEachEntryOf(const gyre_tensor &index, int64_t entries, Visit visit) {
  if (entries == 0)
    return;
  const int32_t inner = index.ndim - 1;
  const int64_t rowLength = index.shape[inner];
  const auto *base = reinterpret_cast<const T *>(
      static_cast<const char *>(index.data) + index.byte_offset);
  for (int64_t position = 0; position < entries;) {
    int64_t rest = position / rowLength, offset = 0, step = 1;
    forEachAxis(index, entries,
                [&](int32_t axis, int64_t size, int64_t stride) {
                  if (axis == inner) {
                    step = stride;
                    return;
                  }
                  offset += rest % size * stride;
                  rest /= size;
                });
    const T *entry = base + offset;
    for (int64_t i = 0; i < rowLength; ++i)
      if (!visit(position++, static_cast<int64_t>(entry[i * step])))
        return;
  }
}

template <typename Visit>
void forEachEntry(const gyre_tensor &index, int64_t entries, Visit visit) {
  if (hasDtype(index, GYRE_DTYPE_I32))
    forEachEntryOf<int32_t>(index, entries, visit);
  else
    forEachEntryOf<int64_t>(index, entries, visit);
}

gyre_status failEntry(const Subject &subject, const gyre_tensor &index,
                      int64_t entries, int64_t position, int64_t value,
                      int64_t target, bool padded) {
  Message message("map-index", subject);
  message.add("position %" PRId64, position);
  if (index.ndim > 1) {
    int64_t rest = position, block = entries;
    for (int32_t axis = 0; axis < index.ndim; ++axis) {
      block /= index.shape[axis];
      message.add("%s%" PRId64, axis ? ", " : " (", rest / block);
      rest %= block;
    }
    message.add(")");
  }
  if (padded)
    message.add(": expected an index >= 0 (%" PRId64
                " or more is padding), got %" PRId64,
                target, value);
  else
    message.add(": expected an index in [0, %" PRId64 "), got %" PRId64, target,
                value);
  return message.as(GYRE_ERROR_INDEX);
}

gyre_status checkEntries(const Subject &subject, const gyre_tensor &index,
                         int64_t entries, int64_t target, bool padded) {
  gyre_status status = GYRE_OK;
  forEachEntry(index, entries, [&](int64_t position, int64_t value) {
    if (value >= 0 && (padded || value < target))
      return true;
    status =
        failEntry(subject, index, entries, position, value, target, padded);
    return false;
  });
  return status;
}

gyre_status checkMemory(const ByteRange &index, const void *memory,
                        int64_t bytes, const MapLayout &layout) {
  const Subject subject{kBuild, "argument", "memory"};
  if (!memory)
    return Message("map-memory", subject)
        .add("expected %" PRId64 " bytes, got NULL", layout.bytes)
        .as(GYRE_ERROR_WORKSPACE);
  if (bytes < layout.bytes)
    return Message("map-memory", subject)
        .add("expected %" PRId64 " bytes, got %" PRId64, layout.bytes, bytes)
        .as(GYRE_ERROR_WORKSPACE);
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  if (begin % GYRE_ALIGNMENT != 0)
    return Message("map-memory-alignment", subject)
        .add("expected memory aligned to %d bytes, got %d more than a multiple "
             "of them",
             GYRE_ALIGNMENT, static_cast<int>(begin % GYRE_ALIGNMENT))
        .as(GYRE_ERROR_WORKSPACE);
  if (index.overlaps({begin, begin + static_cast<uintptr_t>(layout.bytes)}))
    return Message("map-memory-overlap", subject)
        .add("expected memory apart from the index, got an overlap")
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  return GYRE_OK;
}

/// Writes index, order and ptr, and returns the number of entries that are no
/// pads. A stable counting sort: ptr holds the counts, then the next free place
/// of each node, then the starts.
int64_t writeTranspose(const gyre_tensor &source, int64_t entries,
                       int64_t target, int32_t *index, int32_t *order,
                       int32_t *ptr) {
  std::fill(ptr, ptr + target + 1, 0);
  forEachEntry(source, entries, [&](int64_t position, int64_t value) {
    index[position] = static_cast<int32_t>(std::min(value, target));
    if (value < target)
      ++ptr[value + 1];
    return true;
  });
  for (int64_t node = 0; node < target; ++node)
    ptr[node + 1] += ptr[node];
  const int64_t valid = ptr[target];
  int64_t nextPad = valid;
  for (int64_t position = 0; position < entries; ++position) {
    const int32_t node = index[position];
    const int64_t place = node < target ? ptr[node]++ : nextPad++;
    order[place] = static_cast<int32_t>(position);
  }
  std::copy_backward(ptr, ptr + target, ptr + target + 1);
  ptr[0] = 0;
  return valid;
}

/// Writes the chunk table and its counts.
void writeChunks(gyre_map &map, int32_t *heavy, int32_t *chunk) {
  for (int64_t node = 0; node < map.target; ++node) {
    const int64_t begin = map.ptr[node], end = map.ptr[node + 1];
    if (end - begin <= map.chunk_length)
      continue;
    int32_t *node3 = heavy + 3 * map.heavy_nodes++;
    node3[0] = static_cast<int32_t>(node);
    node3[1] = static_cast<int32_t>(map.chunks);
    for (int64_t at = begin; at < end; at += map.chunk_length) {
      int32_t *chunk3 = chunk + 3 * map.chunks++;
      chunk3[0] = static_cast<int32_t>(node);
      chunk3[1] = static_cast<int32_t>(at);
      chunk3[2] = static_cast<int32_t>(std::min(at + map.chunk_length, end));
    }
    node3[2] = static_cast<int32_t>(map.chunks);
  }
}

} // namespace
} // namespace gyre::runtime

using namespace gyre::runtime;

gyre_status gyre_map_bytes(const gyre_tensor *index, int64_t target,
                           int64_t chunk_length, int64_t *bytes) {
  if (!bytes)
    return Message("argument-null", {kBytes, "argument", "bytes"})
        .add("expected a place for the result, got NULL")
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  MapLayout layout;
  if (gyre_status status = planMap(kBytes, index, target, chunk_length, layout))
    return status;
  *bytes = layout.bytes;
  return GYRE_OK;
}

gyre_status gyre_map_build(const gyre_tensor *index, int64_t target,
                           int32_t padded, int64_t chunk_length, void *memory,
                           int64_t bytes, gyre_map *map) {
  if (!map)
    return Message("argument-null", {kBuild, "argument", "map"})
        .add("expected a place for the map, got NULL")
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  MapLayout layout;
  if (gyre_status status = planMap(kBuild, index, target, chunk_length, layout))
    return status;
  const Subject subject{kBuild, "argument", "index"};
  int64_t entries;
  ByteRange range;
  if (gyre_status status = checkLayout(subject, *index, index->dtype.bits / 8,
                                       /*alignment=*/0, entries, range))
    return status;
  if (gyre_status status = checkMemory(range, memory, bytes, layout))
    return status;
  if (gyre_status status =
          checkEntries(subject, *index, entries, target, padded != 0))
    return status;

  char *base = static_cast<char *>(memory);
  const auto array = [&](int64_t offset) {
    return reinterpret_cast<int32_t *>(base + offset);
  };
  auto *shape = reinterpret_cast<int64_t *>(base + layout.shape);
  std::copy(index->shape, index->shape + index->ndim, shape);

  gyre_map built{};
  built.magic = GYRE_MAP_MAGIC;
  built.version = GYRE_MAP_VERSION;
  built.device = {GYRE_DEVICE_CPU, 0};
  built.padded = padded != 0;
  built.rank = index->ndim;
  built.shape = shape;
  built.entries = entries;
  built.target = target;
  built.valid = writeTranspose(*index, entries, target, array(layout.index),
                               array(layout.order), array(layout.ptr));
  built.index = array(layout.index);
  built.order = array(layout.order);
  built.ptr = array(layout.ptr);
  built.chunk_length = layout.chunkLength;
  built.heavy = array(layout.heavy);
  built.chunk = array(layout.chunk);
  writeChunks(built, array(layout.heavy), array(layout.chunk));
  built.memory = memory;
  built.bytes = layout.bytes;
  *map = built;
  return GYRE_OK;
}
