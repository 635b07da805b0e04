//===- Slots.cpp - max_slot, select_slot and spread_slot as loops ---------===//

#include "Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;

namespace gyre::plain {

static Type elementOf(Value tensor) {
  return cast<TensorType>(tensor.getType()).getElementType();
}

static SmallVector<Value> insertAt(ValueRange indices, int64_t axis,
                                   Value index) {
  SmallVector<Value> all(indices);
  all.insert(all.begin() + axis, index);
  return all;
}

/// A slot is an unsigned number.
static Value loadSlot(Emitter &e, Value tensor, ValueRange at) {
  return arith::IndexCastUIOp::create(e.b, e.b.getIndexType(),
                                      e.load(tensor, at));
}

void emitMaxSlot(Emitter &e, MaxSlotOp op) {
  Type type = Emitter::computeType(elementOf(op.getX()));
  int64_t axis = op.getReducedDim();
  SmallVector<Value> bounds = e.sizes(op.getX());
  auto isCandidate = [&](ValueRange at, Value value, Value max) -> Value {
    Value greater =
        arith::CmpFOp::create(e.b, arith::CmpFPredicate::OGT, value, max);
    auto map = op.getMap() ? cast<MapType>(op.getMap().getType()) : MapType();
    if (!map || !map.getPadded())
      return greater;
    size_t width = map.getAxes().size();
    Value position = e.linearise(at.slice(op.getAxis(), width),
                                 ArrayRef(bounds).slice(op.getAxis(), width));
    Value node = e.readIndex(e.map(op.getMap()).index, position);
    Value valid = arith::CmpIOp::create(e.b, arith::CmpIPredicate::ult, node,
                                        e.size(map.getTarget()));
    return arith::AndIOp::create(e.b, greater, valid);
  };
  e.loops(e.sizes(op.getMax()), [&](ValueRange outer) {
    auto body = [&](ValueRange at, ValueRange best) -> SmallVector<Value> {
      Value slot = at.front();
      SmallVector<Value> indices = insertAt(outer, axis, slot);
      Value value = e.load(op.getX(), indices);
      Value better = isCandidate(indices, value, best[0]);
      return {arith::SelectOp::create(e.b, better, value, best[0]),
              arith::SelectOp::create(e.b, better, slot, best[1])};
    };
    Value none = e.number(type, -std::numeric_limits<double>::infinity());
    Value first = e.index(0);
    SmallVector<Value> best = e.carry(first, bounds[axis], {none, first}, body);
    e.store(best[0], op.getMax(), outer);
    Value slot =
        arith::IndexCastOp::create(e.b, elementOf(op.getSlot()), best[1]);
    e.store(slot, op.getSlot(), outer);
  });
}

void emitSelectSlot(Emitter &e, SelectSlotOp op) {
  Value x = e.buffer(op.getX()), result = e.buffer(op.getResult());
  Value slots = e.sizes(op.getX())[op.getAxis()];
  e.loops(e.sizes(op.getResult()), [&](ValueRange at) {
    // A slot from outside may be anything; as in spread_slot, one that does not
    // exist has no value.
    Value slot = loadSlot(e, op.getSlot(), at);
    Value exists =
        arith::CmpIOp::create(e.b, arith::CmpIPredicate::ult, slot, slots);
    auto read = [&](OpBuilder &, Location) {
      scf::YieldOp::create(e.b, e.read(x, insertAt(at, op.getAxis(), slot)));
    };
    auto zero = [&](OpBuilder &, Location) {
      scf::YieldOp::create(e.b, e.zero(x));
    };
    auto branch = scf::IfOp::create(e.b, exists, read, zero);
    e.write(branch.getResult(0), result, at);
  });
}

void emitSpreadSlot(Emitter &e, SpreadSlotOp op) {
  Value g = e.buffer(op.getG()), result = e.buffer(op.getResult());
  e.loops(e.sizes(op.getResult()), [&](ValueRange at) {
    SmallVector<Value> rest(at);
    rest.erase(rest.begin() + op.getAxis());
    Value slot = loadSlot(e, op.getSlot(), rest);
    Value here = arith::CmpIOp::create(e.b, arith::CmpIPredicate::eq, slot,
                                       at[op.getAxis()]);
    Value row = e.read(g, rest), zero = e.zero(g);
    e.write(arith::SelectOp::create(e.b, here, row, zero), result, at);
  });
}

} // namespace gyre::plain
