//===- EntryLayout.cpp - Where operands are in memory -----------*- C++ -*-===//

#include "Call.h"

#include <cinttypes>

namespace gyre::runtime {
namespace {

int64_t wordOf(const void *pointer) {
  return static_cast<int64_t>(reinterpret_cast<uintptr_t>(pointer));
}

/// Writes a rank-1 descriptor of a compact array.
void describeArray(int64_t *descriptor, const void *data, int64_t elements) {
  descriptor[0] = descriptor[1] = wordOf(data);
  descriptor[2] = 0;
  descriptor[3] = elements;
  descriptor[4] = 1;
}

/// The sizes and strides of a descriptor.
struct DescriptorView {
  const int64_t *sizes;
  const int64_t *strides;
  int64_t rank;
};

/// Whether an axis can put two elements at one place.
bool moves(const DescriptorView &view, int64_t axis) {
  return view.sizes[axis] > 1;
}

/// Checks that no two elements of a result share a place. Sound, and exact for
/// permuted, sliced and padded arrays: each stride must step over all that the
/// smaller strides reach. (Odd interleavings that happen to be free of overlap
/// are refused.) Relies on checkLayout: the sum cannot overflow.
gyre_status checkDistinct(const Subject &subject, const DescriptorView &view) {
  for (int64_t axis = 0; axis < view.rank; ++axis)
    if (moves(view, axis) && view.strides[axis] == 0)
      return Message("result-broadcast", subject)
          .add("dimension %" PRId64
               ": expected a stride of at least 1 for a result, got 0",
               axis)
          .as(GYRE_ERROR_INVALID_ARGUMENT);
  for (int64_t axis = 0; axis < view.rank; ++axis) {
    if (!moves(view, axis))
      continue;
    int64_t reach = 0;
    for (int64_t other = 0; other < view.rank; ++other)
      if (other != axis && moves(view, other) &&
          view.strides[other] <= view.strides[axis])
        reach += (view.sizes[other] - 1) * view.strides[other];
    if (reach >= view.strides[axis])
      return Message("result-self-overlap", subject)
          .add("dimension %" PRId64 ": expected a stride beyond the %" PRId64
               " elements that smaller strides reach, got %" PRId64,
               axis, reach + 1, view.strides[axis])
          .as(GYRE_ERROR_INVALID_ARGUMENT);
  }
  return GYRE_OK;
}

/// Checks that a tensor with elements is row-major without gaps. Strides that
/// do not matter are those of a compact array already.
gyre_status checkCompact(const Subject &subject, const DescriptorView &view) {
  int64_t expected = 1;
  for (int64_t axis = view.rank - 1; axis >= 0; --axis) {
    if (view.strides[axis] != expected)
      return Message("tensor-compact", subject)
          .add("expected a compact row-major array, got stride %" PRId64
               " for axis %" PRId64,
               view.strides[axis], axis)
          .as(GYRE_ERROR_INVALID_ARGUMENT);
    expected *= view.sizes[axis];
  }
  return GYRE_OK;
}

gyre_status describeTensor(const Subject &subject,
                           const entry::OperandView &view,
                           const gyre_tensor &tensor, bool isResult,
                           int64_t *descriptor) {
  int64_t elements;
  ByteRange range;
  const entry::Layout layout = view.layout();
  if (gyre_status status =
          checkLayout(subject, tensor, elementBytes(view.dtype()),
                      layout.alignment, elements, range))
    return status;
  descriptor[0] = descriptor[1] = static_cast<int64_t>(range.begin);
  descriptor[2] = 0;
  int64_t *sizes = descriptor + entry::kDescriptorSizes;
  int64_t *strides = sizes + view.rank();
  forEachAxis(tensor, elements,
              [&](int32_t axis, int64_t size, int64_t stride) {
                sizes[axis] = size;
                strides[axis] = stride;
              });
  if (elements == 0)
    return GYRE_OK;
  if (layout.compact)
    return checkCompact(subject, {sizes, strides, view.rank()});
  if (isResult)
    return checkDistinct(subject, {sizes, strides, view.rank()});
  return GYRE_OK;
}

void describeMap(const gyre_map &map, int64_t *descriptors) {
  constexpr int64_t step = entry::kMapDescriptorWords;
  describeArray(descriptors, map.index, map.entries);
  describeArray(descriptors + step, map.order, map.entries);
  describeArray(descriptors + 2 * step, map.ptr, map.target + 1);
}

/// The memory of an operand that describeOperands accepted.
ByteRange memoryOf(const Call &call, int64_t operand,
                   const entry::OperandView &view) {
  if (view.isMap()) {
    const gyre_map &map = call.map(operand);
    const auto begin = reinterpret_cast<uintptr_t>(map.memory);
    return {begin, begin + static_cast<uintptr_t>(map.bytes)};
  }
  int64_t elements;
  ByteRange range;
  checkLayout(call.subject(operand, view), call.tensor(operand),
              elementBytes(view.dtype()), /*alignment=*/0, elements, range);
  return range;
}

/// Checks that nothing among the operands before `end`, but for `self`, uses
/// `range`.
template <typename Fail>
gyre_status checkApart(const Call &call, const ByteRange &range, int64_t end,
                       Fail fail) {
  gyre_status status = GYRE_OK;
  call.table.forEachOperand(
      [&](int64_t i, const entry::OperandView &view, int64_t) {
        if (i < end && memoryOf(call, i, view).overlaps(range))
          status = fail(call.subject(i, view));
        return i < end && status == GYRE_OK;
      });
  return status;
}

} // namespace

gyre_status Call::describeOperands() const {
  gyre_status status = GYRE_OK;
  table.forEachOperand(
      [&](int64_t i, const entry::OperandView &view, int64_t offset) {
        if (view.isMap())
          describeMap(map(i), frame + offset);
        else
          status = describeTensor(subject(i, view), view, tensor(i),
                                  i >= table.arguments(), frame + offset);
        return status == GYRE_OK;
      });
  return status;
}

gyre_status Call::describeWorkspace() const {
  if (ctx && (ctx->flags & ~uint64_t{GYRE_CHECK_MAPS}))
    return Message("context-flags", table.function())
        .add("expected flags of this version of the runtime, got 0x%" PRIx64,
             ctx->flags)
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  if (ctx && ctx->flags && table.device() == GYRE_DEVICE_CUDA)
    return Message("context-flags", table.function())
        .add("expected no GYRE_CHECK_MAPS for a kernel of a GPU, whose maps "
             "are copies of checked ones, got 0x%" PRIx64,
             ctx->flags)
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  frame[table.streamOffset()] = wordOf(ctx ? ctx->stream : nullptr);
  int64_t bytes;
  if (gyre_status status = workspaceBytes(table, frame, bytes))
    return status;
  int64_t *descriptor = frame + table.workspaceOffset();
  if (bytes == 0) {
    describeArray(descriptor, nullptr, 0);
    return GYRE_OK;
  }
  if (!ctx || !ctx->workspace)
    return Message("workspace", table.function())
        .add("expected a workspace of %" PRId64 " bytes, got NULL", bytes)
        .as(GYRE_ERROR_WORKSPACE);
  if (ctx->workspace_bytes < bytes)
    return Message("workspace", table.function())
        .add("expected a workspace of %" PRId64 " bytes, got %" PRId64, bytes,
             ctx->workspace_bytes)
        .as(GYRE_ERROR_WORKSPACE);
  const auto begin = reinterpret_cast<uintptr_t>(ctx->workspace);
  if (begin % GYRE_ALIGNMENT != 0)
    return Message("workspace-alignment", table.function())
        .add("expected a workspace aligned to %d bytes, got %d more than a "
             "multiple of them",
             GYRE_ALIGNMENT, static_cast<int>(begin % GYRE_ALIGNMENT))
        .as(GYRE_ERROR_WORKSPACE);
  describeArray(descriptor, ctx->workspace, bytes);
  return GYRE_OK;
}

gyre_status Call::checkOverlaps() const {
  gyre_status status = GYRE_OK;
  table.forEachOperand([&](int64_t i, const entry::OperandView &view, int64_t) {
    if (i < table.arguments())
      return true;
    status = checkApart(
        *this, memoryOf(*this, i, view), i, [&](const Subject &other) {
          return Message("result-overlap", subject(i, view))
              .add("expected memory of its own, got memory that %s `%s` uses",
                   other.role, other.name)
              .as(GYRE_ERROR_INVALID_ARGUMENT);
        });
    return status == GYRE_OK;
  });
  if (status != GYRE_OK)
    return status;
  const int64_t *descriptor = frame + table.workspaceOffset();
  const auto begin = static_cast<uintptr_t>(descriptor[1]);
  const ByteRange range{begin, begin + static_cast<uintptr_t>(descriptor[3])};
  return checkApart(*this, range, table.operands(), [&](const Subject &other) {
    return Message("workspace-overlap", table.function())
        .add("expected a workspace of its own, got memory that %s `%s` uses",
             other.role, other.name)
        .as(GYRE_ERROR_INVALID_ARGUMENT);
  });
}

} // namespace gyre::runtime
