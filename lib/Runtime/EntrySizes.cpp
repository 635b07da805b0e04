//===- EntrySizes.cpp - Runtime sizes and what depends on them --*- C++ -*-===//

#include "Call.h"

#include <cinttypes>

namespace gyre::runtime {

gyre_status Call::bindSizes() const {
  constexpr int64_t unbound = -1;
  for (int64_t size = 0; size < table.sizes(); ++size)
    frame[size] = unbound;
  table.forEachOperand([&](int64_t i, const entry::OperandView &view, int64_t) {
    return view.forEachDimension(
        [&](int64_t number, const entry::DimensionView &dimension) {
          const int64_t size = dimension.exactSize();
          if (size >= 0 && frame[size] == unbound)
            frame[size] = actual(i, view, number);
          return true;
        });
  });
  for (int64_t size = 0; size < table.sizes(); ++size)
    if (frame[size] == unbound)
      return Message("size-unbound", table.function())
          .add("expected an argument or result with dimension %s, got none",
               table.sizeName(size))
          .as(GYRE_ERROR_SHAPE);
  return GYRE_OK;
}

/// The name of the operand that bindSizes took `size` from.
static const char *binderOf(const entry::Reader &table, int64_t size) {
  const char *name = "";
  table.forEachOperand([&](int64_t, const entry::OperandView &view, int64_t) {
    return view.forEachDimension(
        [&](int64_t, const entry::DimensionView &dimension) {
          if (dimension.exactSize() != size)
            return true;
          name = table.text(view.name());
          return false;
        });
  });
  return name;
}

static bool uses(const entry::DimensionView &dimension, int64_t size) {
  bool found = false;
  dimension.forEachSize([&](int64_t used) { found = found || used == size; });
  return found;
}

/// Appends "dimension 1 (3*E+1)", or how a map calls it.
static void nameDimension(Message &message, const Call &call,
                          const entry::OperandView &view, int64_t number,
                          const entry::DimensionView &dimension) {
  if (view.isMap() && number == view.rank())
    message.add("target");
  else
    message.add("%s %" PRId64, view.isMap() ? "axis" : "dimension", number);
  bool constant = true;
  dimension.forEachSize([&](int64_t) { constant = false; });
  if (!constant)
    message.add(" (%s)", call.table.text(dimension.text()));
}

/// Appends " (E is 119 by `src`)" for the sizes that a dimension uses.
static void explainSizes(Message &message, const Call &call,
                         const entry::DimensionView &dimension) {
  const char *separator = " (";
  for (int64_t size = 0; size < call.table.sizes(); ++size) {
    if (!uses(dimension, size))
      continue;
    message.add("%s%s is %" PRId64 " by `%s`", separator,
                call.table.sizeName(size), call.frame[size],
                binderOf(call.table, size));
    separator = ", ";
  }
  if (separator[0] == ',')
    message.add(")");
}

gyre_status Call::checkDimensions() const {
  gyre_status status = GYRE_OK;
  const auto check = [&](int64_t i, const entry::OperandView &view,
                         int64_t number,
                         const entry::DimensionView &dimension) {
    int64_t expected;
    const bool fits = dimension.evaluate(frame, expected);
    const int64_t got = actual(i, view, number);
    if (fits && expected == got)
      return GYRE_OK;
    Message message(fits ? "dimension" : "dimension-overflow",
                    subject(i, view));
    nameDimension(message, *this, view, number, dimension);
    if (fits)
      message.add(": expected %" PRId64, expected);
    else
      message.add(": expected a size of at most 64 bits");
    explainSizes(message, *this, dimension);
    return message.add(", got %" PRId64, got)
        .as(fits ? GYRE_ERROR_SHAPE : GYRE_ERROR_LIMIT);
  };
  table.forEachOperand([&](int64_t i, const entry::OperandView &view, int64_t) {
    return view.forEachDimension(
        [&](int64_t number, const entry::DimensionView &dimension) {
          status = check(i, view, number, dimension);
          return status == GYRE_OK;
        });
  });
  return status;
}

gyre_status workspaceBytes(const entry::Reader &table, const int64_t *sizes,
                           int64_t &bytes) {
  bytes = 0;
  gyre_status status = GYRE_OK;
  table.forEachWorkspaceBuffer([&](int64_t elementSize,
                                   const entry::DimensionView &dimension) {
    int64_t elements, size;
    const bool fits =
        dimension.evaluate(sizes, elements) &&
        !__builtin_mul_overflow(elements, elementSize, &size) &&
        !__builtin_add_overflow(size, int64_t{GYRE_ALIGNMENT} - 1, &size) &&
        !__builtin_add_overflow(bytes, size & -int64_t{GYRE_ALIGNMENT}, &bytes);
    const char *text = table.text(dimension.text());
    if (!fits)
      status = Message("workspace-overflow", table.function())
                   .add("expected a workspace of at most 64-bit size, got "
                        "sizes beyond it in %s",
                        text)
                   .as(GYRE_ERROR_LIMIT);
    else if (elements < 0)
      status = Message("workspace-negative", table.function())
                   .add("expected buffers of at least 0 elements, got %" PRId64
                        " for %s",
                        elements, text)
                   .as(GYRE_ERROR_SHAPE);
    return status == GYRE_OK;
  });
  return status;
}

} // namespace gyre::runtime
