//===- CellMoves.cpp - Cells that are elsewhere ---------------------------===//
//
// Maps, slots, and parts of axes: ops that find out which cell it is.
//
//===----------------------------------------------------------------------===//

#include "CellCode.h"

#include "Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <limits>

using namespace mlir;

namespace gyre::kernels {

Values replaceAt(ValueRange index, int64_t axis, int64_t count, ValueRange by) {
  Values result(index.take_front(axis));
  llvm::append_range(result, by);
  llvm::append_range(result, index.drop_front(axis + count));
  return result;
}

Value CellCode::gather(GatherOp op, ValueRange index) {
  auto map = cast<MapType>(op.getMap().getType());
  int64_t axis = op.getAxis(), width = map.getAxes().size();
  Value at = node(op.getMap(), index.slice(axis, width));
  auto row = [&] { return get(op.getX(), replaceAt(index, axis, width, at)); };
  if (!map.getPadded())
    return row();
  return onlyIf(isNode(at, map), elementOf(op.getX()), row);
}

Value CellCode::segmentSum(SegmentSumOp op, ValueRange index) {
  auto map = cast<MapType>(op.getMap().getType());
  int64_t axis = op.getAxis();
  Value ptr = params.get(Params::ptr, op.getMap());
  Value first = loadIndex(b, ptr, index[axis]);
  Value last = loadIndex(b, ptr, add(index[axis], constant(b, 1)));
  auto body = [&](Value at, ValueRange sum) -> Values {
    Value position = loadIndex(b, params.get(Params::order, op.getMap()), at);
    Values from = delinearise(position, map.getAxisSizes());
    return {add(sum[0], get(op.getRows(), replaceAt(index, axis, 1, from)))};
  };
  return loop(first, last, number(elementOf(op.getRows()), 0), body)[0];
}

Value CellCode::pad(PadOp op, ValueRange index) {
  int64_t axis = op.getAxis();
  Value at = arith::SubIOp::create(b, index[axis], size(op.getLow()));
  // Unsigned: what lies before is beyond, too.
  Value inside = less(at, size(dimsOf(op.getX())[axis]));
  return onlyIf(inside, elementOf(op.getX()),
                [&] { return get(op.getX(), replaceAt(index, axis, 1, at)); });
}

Value CellCode::concat(ConcatOp op, ValueRange index) {
  int64_t axis = op.getAxis();
  Type type = elementOf(op.getResult());
  Value at = index[axis], result = number(type, 0);
  for (Value input : op.getInputs()) {
    Value width = size(dimsOf(input)[axis]);
    Value value = onlyIf(less(at, width), type, [&] {
      return get(input, replaceAt(index, axis, 1, at));
    });
    // Elsewhere it is the zero that is added to.
    result = arith::SelectOp::create(b, less(at, width), value, result);
    at = arith::SubIOp::create(b, at, width);
  }
  return result;
}

Values CellCode::maxSlot(MaxSlotOp op, ValueRange index) {
  int64_t axis = op.getReducedDim();
  Type type = elementOf(op.getX());
  auto map = op.getMap() ? cast<MapType>(op.getMap().getType()) : MapType();
  auto body = [&](Value slot, ValueRange best) -> Values {
    Values at = replaceAt(index, axis, 0, slot);
    Value value = get(op.getX(), at);
    Value better =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, value, best[0]);
    if (map && map.getPadded()) {
      size_t width = map.getAxes().size();
      Value to = node(op.getMap(), ValueRange(at).slice(op.getAxis(), width));
      better = arith::AndIOp::create(b, better, isNode(to, map));
    }
    return {arith::SelectOp::create(b, better, value, best[0]),
            arith::SelectOp::create(b, better, slot, best[1])};
  };
  Value first = constant(b, 0), end = size(dimsOf(op.getX())[axis]);
  Value none = number(type, -std::numeric_limits<double>::infinity());
  Values best = loop(first, end, {none, first}, body);
  Type slot = elementOf(op.getSlot());
  if (slot.getIntOrFloatBitWidth() < 64)
    best[1] = arith::TruncIOp::create(b, slot, best[1]);
  return best;
}

/// A slot is an unsigned number.
static Value extendSlot(Builder &b, Value slot) {
  if (slot.getType().getIntOrFloatBitWidth() == 64)
    return slot;
  return arith::ExtUIOp::create(b, b.getI64Type(), slot);
}

Value CellCode::selectSlot(SelectSlotOp op, ValueRange index) {
  Value slot = extendSlot(b, get(op.getSlot(), index));
  // A slot from outside may be anything; one that does not exist has no value.
  Value exists = less(slot, size(dimsOf(op.getX())[op.getAxis()]));
  return onlyIf(exists, elementOf(op.getX()), [&] {
    return get(op.getX(), replaceAt(index, op.getAxis(), 0, slot));
  });
}

Value CellCode::spreadSlot(SpreadSlotOp op, ValueRange index) {
  Values rest = replaceAt(index, op.getAxis(), 1, {});
  Value slot = extendSlot(b, get(op.getSlot(), rest));
  Value here = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, slot,
                                     index[op.getAxis()]);
  return onlyIf(here, elementOf(op.getG()),
                [&] { return get(op.getG(), rest); });
}

} // namespace gyre::kernels
