//===- CudaMap.cpp - Index maps on GPUs -------------------------*- C++ -*-===//

#include "Cuda.h"
#include "Map.h"
#include "Tensor.h"

#include <algorithm>
#include <cinttypes>

using namespace gyre;
using namespace gyre::runtime;

static constexpr const char *kFunction = "gyre_map_to_cuda";
static constexpr const char *kOfCuda = "gyre_map_of_cuda";

static gyre_status checkMemory(const gyre_map &map, const void *memory,
                               int64_t bytes) {
  const Subject subject{kFunction, "argument", "memory"};
  if (!memory)
    return Message("map-memory", subject)
        .add("expected %" PRId64 " bytes, got NULL", map.bytes)
        .as(GYRE_ERROR_WORKSPACE);
  if (bytes < map.bytes)
    return Message("map-memory", subject)
        .add("expected %" PRId64 " bytes, got %" PRId64, map.bytes, bytes)
        .as(GYRE_ERROR_WORKSPACE);
  if (reinterpret_cast<uintptr_t>(memory) % GYRE_ALIGNMENT != 0)
    return Message("map-memory", subject)
        .add("expected memory aligned to %d bytes, got %p", GYRE_ALIGNMENT,
             memory)
        .as(GYRE_ERROR_WORKSPACE);
  return GYRE_OK;
}

gyre_status gyre_map_to_cuda(const gyre_map *map, int32_t device_id,
                             void *memory, int64_t bytes, void *stream,
                             gyre_map *copy) {
  if (!copy)
    return Message("argument-null", {kFunction, "argument", "copy"})
        .add("expected a place for the map, got NULL")
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  const Subject subject{kFunction, "argument", "map"};
  if (gyre_status status = checkMapHandle(subject, map))
    return status;
  if (gyre_status status = checkDevice(subject, map->device, GYRE_DEVICE_CPU))
    return status;
  if (gyre_status status = checkMemory(*map, memory, bytes))
    return status;
  const cuda::Driver *driver = getDriver(kFunction);
  if (!driver)
    return GYRE_ERROR_DRIVER;
  if (cuda::Result result = driver->upload(
          reinterpret_cast<uintptr_t>(memory), map->memory,
          static_cast<size_t>(map->bytes), static_cast<cuda::Stream>(stream)))
    return failDriver("cuda-copy", kFunction, *driver,
                      "a copy that the driver takes", result);

  gyre_map moved = *map;
  const auto move = [&](const int32_t *array) {
    const auto offset = reinterpret_cast<uintptr_t>(array) -
                        reinterpret_cast<uintptr_t>(map->memory);
    return reinterpret_cast<const int32_t *>(
        reinterpret_cast<uintptr_t>(memory) + offset);
  };
  moved.device = {GYRE_DEVICE_CUDA, device_id};
  moved.index = move(map->index);
  moved.order = move(map->order);
  moved.ptr = move(map->ptr);
  moved.heavy = move(map->heavy);
  moved.chunk = move(map->chunk);
  moved.memory = memory;
  *copy = moved;
  return GYRE_OK;
}

/// Checks a compact i32 tensor of a GPU, which lies as kernels expect arrays of
/// a map to lie.
static gyre_status checkArray(const Subject &subject, const gyre_tensor *array,
                              gyre_device device, int64_t &entries) {
  if (gyre_status status = checkTensor(subject, array))
    return status;
  if (gyre_status status =
          checkDevice(subject, array->device, GYRE_DEVICE_CUDA))
    return status;
  if (array->device.id != device.id)
    return Message("map-device", subject)
        .add("expected an array on GPU %" PRId32 " as the index, got one on "
             "GPU %" PRId32,
             device.id, array->device.id)
        .as(GYRE_ERROR_DEVICE);
  if (!hasDtype(*array, GYRE_DTYPE_I32))
    return failDtype(subject, *array, "i32");
  ByteRange range;
  if (gyre_status status = checkLayout(subject, *array, sizeof(int32_t),
                                       GYRE_ALIGNMENT, entries, range))
    return status;
  gyre_status status = GYRE_OK;
  int64_t compact = 1;
  if (entries == 0)
    return status;
  forEachAxis(*array, entries, [&](int32_t axis, int64_t size, int64_t stride) {
    if (stride != compact && !status)
      status = Message("map-stride", subject)
                   .add("dimension %" PRId32 ": expected stride %" PRId64
                        " of a compact array, got %" PRId64,
                        axis, compact, stride)
                   .as(GYRE_ERROR_SHAPE);
    compact = stride * size;
  });
  return status;
}

static gyre_status checkCount(const char *name, int64_t expected, int64_t got) {
  if (got == expected)
    return GYRE_OK;
  return Message("map-array", {kOfCuda, "argument", name})
      .add("expected %" PRId64 " elements, got %" PRId64, expected, got)
      .as(GYRE_ERROR_SHAPE);
}

static const int32_t *getData(const gyre_tensor &array) {
  return reinterpret_cast<const int32_t *>(
      reinterpret_cast<uintptr_t>(array.data) + array.byte_offset);
}

gyre_status gyre_map_of_cuda(const gyre_tensor *index, const gyre_tensor *order,
                             const gyre_tensor *ptr, int64_t target,
                             int32_t padded, int64_t valid, gyre_map *map) {
  if (!map)
    return Message("argument-null", {kOfCuda, "argument", "map"})
        .add("expected a place for the map, got NULL")
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  const Subject subject{kOfCuda, "argument", "index"};
  if (gyre_status status = checkTensor(subject, index))
    return status;
  int64_t entries = 0, orders = 0, starts = 0;
  if (gyre_status status = checkArray(subject, index, index->device, entries))
    return status;
  if (gyre_status status = checkMapSize(subject, *index, entries, target))
    return status;
  if (gyre_status status = checkArray({kOfCuda, "argument", "order"}, order,
                                      index->device, orders))
    return status;
  if (gyre_status status = checkCount("order", entries, orders))
    return status;
  if (gyre_status status =
          checkArray({kOfCuda, "argument", "ptr"}, ptr, index->device, starts))
    return status;
  if (gyre_status status = checkCount("ptr", target + 1, starts))
    return status;
  if (valid < 0 || valid > entries || (!padded && valid != entries))
    return Message("map-valid", {kOfCuda, "argument", "valid"})
        .add("expected %s%" PRId64 " entries that are no pads, got %" PRId64,
             padded ? "0 to " : "", entries, valid)
        .as(GYRE_ERROR_INVALID_ARGUMENT);

  gyre_map made{};
  made.magic = GYRE_MAP_MAGIC;
  made.version = GYRE_MAP_VERSION;
  made.device = index->device;
  made.padded = padded != 0;
  made.rank = index->ndim;
  made.shape = index->shape;
  made.entries = entries;
  made.valid = valid;
  made.target = target;
  made.index = getData(*index);
  made.order = getData(*order);
  made.ptr = getData(*ptr);
  made.chunk_length = std::max<int64_t>(entries, 1);
  *map = made;
  return GYRE_OK;
}
