//===- Decompose.cpp - Named ops to primitives ----------------------------===//

#include "gyre/Transforms/EvaluateRelation.h"
#include "gyre/Transforms/Passes.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_DECOMPOSE
#include "gyre/Transforms/Passes.h.inc"

/// Lists the tuples where no parameter is left.
static LogicalResult listTuples(ContractOp op) {
  auto relation = dyn_cast_or_null<RelationAttr>(op.getRelationAttr());
  if (!relation || !isClosed(relation))
    return success();
  FailureOr<TuplesAttr> tuples = evaluateRelation(
      relation, [](StringAttr) { return std::nullopt; },
      [&] { return op.emitError(); });
  if (failed(tuples))
    return failure();
  op.setRelationAttr(*tuples);
  return success();
}

namespace {
struct DecomposePass final : impl::DecomposeBase<DecomposePass> {
  using DecomposeBase::DecomposeBase;

  void runOnOperation() override {
    getOperation()->walk([](DecomposableOpInterface op) {
      OpBuilder builder(op);
      Value value = op.decompose(builder);
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    });
    WalkResult listed = getOperation()->walk([](ContractOp op) {
      return failed(listTuples(op)) ? WalkResult::interrupt()
                                    : WalkResult::advance();
    });
    if (listed.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace

} // namespace gyre
