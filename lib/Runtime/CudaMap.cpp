//===- CudaMap.cpp - Index maps on GPUs -------------------------*- C++ -*-===//

#include "Cuda.h"
#include "Map.h"
#include "Tensor.h"

#include <cinttypes>

using namespace gyre;
using namespace gyre::runtime;

static constexpr const char *kFunction = "gyre_map_to_cuda";

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
