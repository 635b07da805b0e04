//===- Shape.cpp - slice, pad, concat and copies as loops -----------------===//

#include "Emitter.h"

using namespace mlir;

namespace gyre::plain {

/// Copies a block: positions of `bounds`, moved along `axis` by an offset on
/// either side.
static void copyBlock(Emitter &e, ValueRange bounds, int64_t axis, Value from,
                      Value fromOffset, Value to, Value toOffset) {
  e.loops(bounds, [&](ValueRange at) {
    auto moved = [&](Value offset) {
      SmallVector<Value> indices(at);
      if (offset)
        indices[axis] = e.add(indices[axis], offset);
      return indices;
    };
    Value value = e.read(from, moved(fromOffset));
    e.write(value, to, moved(toOffset));
  });
}

void emitCopy(Emitter &e, Value tensor, Value from, Value to) {
  copyBlock(e, e.sizes(tensor), 0, from, {}, to, {});
}

void emitSlice(Emitter &e, SliceOp op) {
  SmallVector<Value> bounds = e.sizes(op.getResult());
  Value from = e.size(op.getFrom());
  copyBlock(e, bounds, op.getAxis(), e.buffer(op.getX()), from,
            e.buffer(op.getResult()), {});
}

void emitPad(Emitter &e, PadOp op) {
  Value result = e.buffer(op.getResult());
  SmallVector<Value> bounds = e.sizes(op.getX());
  Value low = e.size(op.getLow()), width = bounds[op.getAxis()];
  auto zeros = [&](PolyAttr amount, Value offset) {
    if (amount.isConstant(0))
      return;
    bounds[op.getAxis()] = e.size(amount);
    e.loops(bounds, [&](ValueRange at) {
      SmallVector<Value> indices(at);
      if (offset)
        indices[op.getAxis()] = e.add(indices[op.getAxis()], offset);
      e.write(e.zero(result), result, indices);
    });
  };
  copyBlock(e, bounds, op.getAxis(), e.buffer(op.getX()), {}, result, low);
  zeros(op.getLow(), {});
  zeros(op.getHigh(), e.add(low, width));
}

void emitConcat(Emitter &e, ConcatOp op) {
  Value offset;
  for (Value input : op.getInputs()) {
    copyBlock(e, e.sizes(input), op.getAxis(), e.buffer(input), {},
              e.buffer(op.getResult()), offset);
    Value width = e.sizes(input)[op.getAxis()];
    offset = offset ? e.add(offset, width) : width;
  }
}

} // namespace gyre::plain
