//===- Shape.cpp - Slice and pad are each other's adjoint, concat slices --===//

#include "RuleUtils.h"

using namespace mlir;

namespace gyre::rules {

static PolyAttr getDim(Value value, int64_t axis) {
  return cast<TensorType>(value.getType()).getDims()[axis];
}

namespace {
struct Slice {
  static void vjp(SliceOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool>, MutableArrayRef<Value> gradients) {
    PolyAttr high =
        getDim(op.getX(), op.getAxis()).sub(op.getFrom()).sub(op.getSize());
    gradients[0] = PadOp::create(b, op.getLoc(), cotangents[0],
                                 op.getAxisAttr(), op.getFrom(), high);
  }
};

struct Pad {
  static void vjp(PadOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool>, MutableArrayRef<Value> gradients) {
    gradients[0] =
        SliceOp::create(b, op.getLoc(), cotangents[0], op.getAxisAttr(),
                        op.getLow(), getDim(op.getX(), op.getAxis()));
  }
};

struct Concat {
  static void vjp(ConcatOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool> wanted, MutableArrayRef<Value> gradients) {
    PolyAttr from = PolyAttr::constant(b.getContext(), 0);
    for (auto [i, input] : llvm::enumerate(op.getInputs())) {
      PolyAttr size = getDim(input, op.getAxis());
      if (wanted[i])
        gradients[i] = SliceOp::create(b, op.getLoc(), cotangents[0],
                                       op.getAxisAttr(), from, size);
      from = from.add(size);
    }
  }
};
} // namespace

void registerShapeRules(MLIRContext *context) {
  attach<Slice, SliceOp>(context);
  attach<Pad, PadOp>(context);
  attach<Concat, ConcatOp>(context);
}

} // namespace gyre::rules
