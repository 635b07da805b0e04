//===- Enter.cpp - The way into compiled kernels ----------------*- C++ -*-===//

#include "Call.h"
#include "Map.h"

#include <cinttypes>

namespace gyre::runtime {
namespace {

gyre_status checkTable(const char *function, const int64_t *table,
                       const char *names) {
  if (!table || !names)
    return Message("table-null", function)
        .add("expected a table and its names, got NULL")
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  if (!entry::Reader(table, names).hasMagic())
    return Message("table-version", function)
        .add("expected a table of layout 0x%" PRIx64 ", got 0x%" PRIx64
             ": the kernel was compiled for another version of the runtime",
             entry::kMagic, table[entry::kHeaderMagic])
        .as(GYRE_ERROR_VERSION);
  return GYRE_OK;
}

gyre_status checkTensorOperand(const Subject &subject,
                               const entry::OperandView &view,
                               const gyre_tensor *tensor, int64_t device) {
  if (gyre_status status = checkTensor(subject, tensor))
    return status;
  if (gyre_status status = checkDevice(subject, tensor->device, device))
    return status;
  if (!hasDtype(*tensor, view.dtype()))
    return failDtype(subject, *tensor, dtypeName(view.dtype()));
  if (tensor->ndim != view.rank())
    return Message("tensor-rank", subject)
        .add("expected %" PRId64 " dimension%s, got %" PRId32, view.rank(),
             view.rank() == 1 ? "" : "s", tensor->ndim)
        .as(GYRE_ERROR_SHAPE);
  return GYRE_OK;
}

gyre_status checkMapOperand(const Subject &subject,
                            const entry::OperandView &view, const gyre_map *map,
                            int64_t device) {
  if (gyre_status status = checkMapHandle(subject, map))
    return status;
  if (gyre_status status = checkDevice(subject, map->device, device))
    return status;
  if (map->rank != view.rank())
    return Message("map-rank", subject)
        .add("expected %" PRId64 " ax%s, got %" PRId32, view.rank(),
             view.rank() == 1 ? "is" : "es", map->rank)
        .as(GYRE_ERROR_SHAPE);
  if (map->padded && !view.padded())
    return Message("map-padded", subject)
        .add("expected a map built without padding, got a padded one")
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  return GYRE_OK;
}

} // namespace

gyre_status Call::checkOperands() const {
  gyre_status status = GYRE_OK;
  table.forEachOperand([&](int64_t i, const entry::OperandView &view, int64_t) {
    const Subject about = subject(i, view);
    status = view.isMap()
                 ? checkMapOperand(about, view,
                                   static_cast<const gyre_map *>(args[i]),
                                   table.device())
                 : checkTensorOperand(about, view,
                                      static_cast<const gyre_tensor *>(args[i]),
                                      table.device());
    return status == GYRE_OK;
  });
  return status;
}

gyre_status Call::checkOneDevice() const {
  gyre_status status = GYRE_OK;
  if (table.device() == GYRE_DEVICE_CPU)
    return status;
  int32_t first = 0;
  table.forEachOperand([&](int64_t i, const entry::OperandView &view, int64_t) {
    const int32_t id = view.isMap() ? map(i).device.id : tensor(i).device.id;
    if (i == 0)
      first = id;
    if (id != first)
      status = Message("device-id", subject(i, view))
                   .add("expected device %" PRId32
                        " as for the first operand, got device %" PRId32,
                        first, id)
                   .as(GYRE_ERROR_DEVICE);
    return status == GYRE_OK;
  });
  return status;
}

gyre_status Call::checkMaps() const {
  gyre_status status = GYRE_OK;
  if (!ctx || !(ctx->flags & GYRE_CHECK_MAPS))
    return status;
  table.forEachOperand([&](int64_t i, const entry::OperandView &view, int64_t) {
    if (view.isMap())
      status = checkMapContents(subject(i, view), map(i));
    return status == GYRE_OK;
  });
  return status;
}

} // namespace gyre::runtime

using namespace gyre::runtime;

int32_t gyre_rt_enter(const int64_t *table, const char *names,
                      void *const *args, const gyre_context *ctx,
                      int64_t *frame) {
  if (gyre_status status = checkTable("gyre_rt_enter", table, names))
    return status;
  const Call call{gyre::entry::Reader(table, names), args, ctx, frame};
  if (!frame)
    return Message("frame-null", call.table.function())
        .add("expected a frame, got NULL")
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  if (!args && call.table.operands() > 0)
    return Message("args-null", call.table.function())
        .add("expected pointers to %" PRId64 " arguments and results, got NULL",
             call.table.operands())
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  for (auto step :
       {&Call::checkOperands, &Call::checkOneDevice, &Call::bindSizes,
        &Call::checkDimensions, &Call::describeOperands,
        &Call::describeWorkspace, &Call::checkOverlaps, &Call::checkMaps})
    if (gyre_status status = (call.*step)())
      return status;
  return GYRE_OK;
}

int32_t gyre_rt_workspace(const int64_t *table, const char *names,
                          const int64_t *sizes, int64_t *bytes) {
  if (gyre_status status = checkTable("gyre_rt_workspace", table, names))
    return status;
  const gyre::entry::Reader reader(table, names);
  if (!bytes || (!sizes && reader.sizes() > 0))
    return Message("workspace-null", reader.function())
        .add("expected %" PRId64
             " sizes and a place for the bytes, got NULL for %s",
             reader.sizes(), bytes ? "the sizes" : "the place")
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  for (int64_t i = 0; i < reader.sizes(); ++i)
    if (sizes[i] < 0)
      return Message("size-negative", reader.function())
          .add("size `%s`: expected at least 0, got %" PRId64,
               reader.sizeName(i), sizes[i])
          .as(GYRE_ERROR_SHAPE);
  int64_t result;
  if (gyre_status status = workspaceBytes(reader, sizes, result))
    return status;
  *bytes = result;
  return GYRE_OK;
}
