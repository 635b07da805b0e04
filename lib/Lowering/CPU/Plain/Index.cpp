//===- Index.cpp - gather, segment_sum and valid as loops -----------------===//

#include "Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gyre::plain {

/// The concatenation of ranges of indices.
static SmallVector<Value> join(ValueRange a, ValueRange b, ValueRange c) {
  SmallVector<Value> all(a);
  llvm::append_range(all, b);
  llvm::append_range(all, c);
  return all;
}

/// Whether a reference of a padded map is to a node: pads are stored as the
/// target size.
static Value refersToNode(Emitter &e, Value node, MapType map) {
  return arith::CmpIOp::create(e.b, arith::CmpIPredicate::ult, node,
                               e.size(map.getTarget()));
}

void emitGather(Emitter &e, GatherOp op) {
  auto map = cast<MapType>(op.getMap().getType());
  Value x = e.buffer(op.getX()), result = e.buffer(op.getResult());
  int64_t axis = op.getAxis(), width = map.getAxes().size();
  SmallVector<Value> bounds = e.sizes(op.getResult());
  ArrayRef<Value> mapBounds = ArrayRef(bounds).slice(axis, width);
  ArrayRef<Value> trailing = ArrayRef(bounds).drop_front(axis + width);
  e.loops(ArrayRef(bounds).take_front(axis + width), [&](ValueRange outer) {
    Value node = e.readIndex(e.map(op.getMap()).index,
                             e.linearise(outer.drop_front(axis), mapBounds));
    auto copy = [&] {
      e.loops(trailing, [&](ValueRange inner) {
        Value row = e.read(x, join(outer.take_front(axis), node, inner));
        e.write(row, result, join(outer, inner, {}));
      });
    };
    if (!map.getPadded())
      return copy();
    auto branch = scf::IfOp::create(e.b, refersToNode(e, node, map),
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(e.b);
    e.b.setInsertionPoint(branch.thenYield());
    copy();
    e.b.setInsertionPoint(branch.elseYield());
    e.loops(trailing, [&](ValueRange inner) {
      Value zero = e.zero(result);
      e.write(zero, result, join(outer, inner, {}));
    });
  });
}

void emitSegmentSum(Emitter &e, SegmentSumOp op) {
  auto map = cast<MapType>(op.getMap().getType());
  auto type = cast<TensorType>(op.getResult().getType());
  const MapBuffers &buffers = e.map(op.getMap());
  Type acc = Emitter::computeType(type.getElementType());
  int64_t axis = op.getAxis();
  SmallVector<Value> bounds = e.sizes(op.getResult());
  SmallVector<Value> mapBounds = e.sizes(map.getAxisSizes());
  e.loops(ArrayRef(bounds).take_front(axis + 1), [&](ValueRange outer) {
    Value node = outer.back();
    Value first = e.readIndex(buffers.ptr, node);
    Value last = e.readIndex(buffers.ptr, e.add(node, e.index(1)));
    e.loops(ArrayRef(bounds).drop_front(axis + 1), [&](ValueRange inner) {
      auto body = [&](ValueRange at, ValueRange sum) -> SmallVector<Value> {
        Value position = e.readIndex(buffers.order, at.front());
        Value row = e.load(
            op.getRows(),
            join(outer.drop_back(), e.delinearise(position, mapBounds), inner));
        return {e.add(sum.front(), row)};
      };
      Value sum = e.carry(first, last, e.number(acc, 0), body).front();
      e.store(sum, op.getResult(), join(outer, inner, {}));
    });
  });
}

void emitValid(Emitter &e, ValidOp op) {
  auto map = cast<MapType>(op.getMap().getType());
  Type type = Emitter::computeType(
      cast<TensorType>(op.getResult().getType()).getElementType());
  SmallVector<Value> bounds = e.sizes(op.getResult());
  e.loops(bounds, [&](ValueRange at) {
    Value node = e.readIndex(e.map(op.getMap()).index, e.linearise(at, bounds));
    Value inside = refersToNode(e, node, map);
    Value one = e.number(type, 1), zero = e.number(type, 0);
    Value valid = arith::SelectOp::create(e.b, inside, one, zero);
    e.store(valid, op.getResult(), at);
  });
}

} // namespace gyre::plain
