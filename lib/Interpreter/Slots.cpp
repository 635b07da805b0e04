//===- Slots.cpp - Maxima that remember where they were -------------------===//

#include "Semantics.h"

#include <limits>

using namespace mlir;

namespace gyre {

LogicalResult maxSlot(MaxSlotOp op, const Array &x, const IndexMap *map,
                      Array &max, Array &slot) {
  Split split(x.shape, op.getReducedDim());
  Type type = cast<TensorType>(op.getSlot().getType()).getElementType();
  unsigned width = type.getIntOrFloatBitWidth();
  if (width < 63 && split.size > int64_t(1) << width)
    return op.emitError("[interpret-slot-width] expected an integer type that "
                        "holds ")
           << split.size << " slots, got " << type;
  // A map's axes are the dimensions of `x` from `axis` on.
  Split mapped(x.shape, op.getAxis(), map ? map->axes.size() : 0);
  auto isPadding = [&](int64_t offset) {
    return map &&
           map->index[offset / mapped.inner % mapped.size] >= map->target;
  };
  for (int64_t o = 0; o < split.outer; ++o)
    for (int64_t i = 0; i < split.inner; ++i) {
      double best = -std::numeric_limits<double>::infinity();
      int64_t at = 0;
      for (int64_t k = 0; k < split.size; ++k) {
        int64_t offset = split.offset(o, k, i);
        if (!isPadding(offset) && x.data[offset] > best) {
          best = x.data[offset];
          at = k;
        }
      }
      max.data[o * split.inner + i] = best;
      slot.data[o * split.inner + i] = at;
    }
  return success();
}

/// Calls `visit` with the position without the slots and that with them.
static LogicalResult
forEachSlot(Operation *op, const Array &slot, const Split &split,
            llvm::function_ref<void(int64_t, int64_t)> visit) {
  for (int64_t o = 0; o < split.outer; ++o)
    for (int64_t i = 0; i < split.inner; ++i) {
      int64_t position = o * split.inner + i;
      double k = slot.data[position];
      if (split.size == 0 && k == 0)
        continue;
      if (k < 0 || k >= split.size)
        return op->emitError("[interpret-slot-range] expected slots in [0, ")
               << split.size << "), got " << static_cast<int64_t>(k)
               << " at position " << position;
      visit(position, split.offset(o, k, i));
    }
  return success();
}

LogicalResult selectSlot(Operation *op, const Array &x, const Array &slot,
                         int64_t axis, Array &out) {
  return forEachSlot(op, slot, Split(x.shape, axis),
                     [&](int64_t position, int64_t cell) {
                       out.data[position] = x.data[cell];
                     });
}

LogicalResult spreadSlot(Operation *op, const Array &g, const Array &slot,
                         int64_t axis, Array &out) {
  return forEachSlot(op, slot, Split(out.shape, axis),
                     [&](int64_t position, int64_t cell) {
                       out.data[cell] = g.data[position];
                     });
}

} // namespace gyre
