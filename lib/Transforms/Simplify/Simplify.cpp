//===- Simplify.cpp - Contract algebra, CSE, dead code --------------------===//

#include "gyre/Transforms/Passes.h"

#include "Patterns.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_SIMPLIFY
#include "gyre/Transforms/Passes.h.inc"

namespace {
struct SimplifyPass final : impl::SimplifyBase<SimplifyPass> {
  using SimplifyBase::SimplifyBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateCanonicalContractPatterns(patterns);
    populateInlineContractPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns)))) {
      getOperation()->emitError("[simplify-converge] expected the rewrites of "
                                "contracts to come to an end, got no end");
      return signalPassFailure();
    }
    IRRewriter rewriter(&getContext());
    auto &dominance = getAnalysis<DominanceInfo>();
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
  }
};
} // namespace

} // namespace gyre
