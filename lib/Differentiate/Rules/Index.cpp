//===- Index.cpp - Gather and segment sum are each other's adjoint --------===//

#include "RuleUtils.h"

using namespace mlir;

namespace gyre::rules {

namespace {
struct Gather {
  static void vjp(GatherOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool>, MutableArrayRef<Value> gradients) {
    gradients[0] = SegmentSumOp::create(b, op.getLoc(), cotangents[0],
                                        op.getMap(), op.getAxisAttr());
  }
};

struct SegmentSum {
  static void vjp(SegmentSumOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool>, MutableArrayRef<Value> gradients) {
    gradients[0] = GatherOp::create(b, op.getLoc(), cotangents[0], op.getMap(),
                                    op.getAxisAttr());
  }
};
} // namespace

void registerIndexRules(MLIRContext *context) {
  attach<Gather, GatherOp>(context);
  attach<SegmentSum, SegmentSumOp>(context);
}

} // namespace gyre::rules
