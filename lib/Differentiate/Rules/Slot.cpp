//===- Slot.cpp - Spread and select are each other's adjoint --------------===//

#include "RuleUtils.h"

using namespace mlir;

namespace gyre::rules {

static Value spread(OpBuilder &b, Location loc, Value cotangent, Value slot,
                    Value like, int64_t axis) {
  return SpreadSlotOp::create(
      b, loc, cotangent, slot, b.getI64IntegerAttr(axis),
      cast<TensorType>(like.getType()).getDims()[axis]);
}

namespace {
struct MaxSlot {
  static void vjp(MaxSlotOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool> wanted, MutableArrayRef<Value> gradients) {
    if (cotangents[0])
      gradients[0] = spread(b, op.getLoc(), cotangents[0], op.getSlot(),
                            op.getX(), op.getReducedDim());
  }
};

struct SelectSlot {
  static void vjp(SelectSlotOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool> wanted, MutableArrayRef<Value> gradients) {
    gradients[0] = spread(b, op.getLoc(), cotangents[0], op.getSlot(),
                          op.getX(), op.getAxis());
  }
};

struct SpreadSlot {
  static void vjp(SpreadSlotOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool> wanted, MutableArrayRef<Value> gradients) {
    gradients[0] = SelectSlotOp::create(b, op.getLoc(), cotangents[0],
                                        op.getSlot(), op.getAxisAttr());
  }
};
} // namespace

void registerSlotRules(MLIRContext *context) {
  attach<MaxSlot, MaxSlotOp>(context);
  attach<SelectSlot, SelectSlotOp>(context);
  attach<SpreadSlot, SpreadSlotOp>(context);
}

} // namespace gyre::rules
