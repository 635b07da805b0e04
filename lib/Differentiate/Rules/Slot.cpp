//===- Slot.cpp - Spread and select are each other's adjoint --------------===//

#include "RuleUtils.h"
#include "gyre/Dialect/ContractBuilder.h"

using namespace mlir;

namespace gyre::rules {

static Value spread(OpBuilder &b, Location loc, Value cotangent, Value slot,
                    Value like, int64_t axis) {
  return SpreadSlotOp::create(b, loc, cotangent, slot,
                              b.getI64IntegerAttr(axis),
                              cast<TensorType>(like.getType()).getDims()[axis]);
}

/// Where the references of a max_slot's map are real, 0 elsewhere, of the type
/// of `x`.
static Value validCells(OpBuilder &b, MaxSlotOp op) {
  auto x = cast<TensorType>(op.getX().getType());
  SmallVector<PolyAttr> sizes =
      cast<MapType>(op.getMap().getType()).getAxisSizes();
  Value valid =
      ValidOp::create(b, op.getLoc(), x.cloneWithDims(sizes), op.getMap());
  if (valid.getType() == x)
    return valid;
  SmallVector<AxisAttr> axes;
  SmallVector<Attribute> subscript;
  for (auto [i, size] : llvm::enumerate(x.getDims())) {
    axes.push_back(
        AxisAttr::get(b.getContext(), b.getStringAttr("a" + Twine(i)), size));
    subscript.push_back(b.getArrayAttr(axes.back().getName()));
  }
  auto mapped = ArrayRef(subscript).slice(op.getAxis(), sizes.size());
  return buildContract(b, op.getLoc(), valid, {b.getArrayAttr(mapped)},
                       b.getArrayAttr(subscript), axes);
}

namespace {
struct MaxSlot {
  static void vjp(MaxSlotOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool> wanted, MutableArrayRef<Value> gradients) {
    if (!cotangents[0])
      return;
    Value gradient = spread(b, op.getLoc(), cotangents[0], op.getSlot(),
                            op.getX(), op.getReducedDim());
    if (op.getMap() && cast<MapType>(op.getMap().getType()).getPadded()) {
      // Slot 0 of a row without a winner may be a pad, which was not read. A
      // selection: the cotangent of such a row may be anything, even NaN.
      Arithmetic a(b, op.getLoc());
      Value zero = a.constant(0, gradient);
      Value real =
          a.compare(arith::CmpFPredicate::UNE, validCells(b, op), zero);
      gradient = a.select(real, gradient, zero);
    }
    gradients[0] = gradient;
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
