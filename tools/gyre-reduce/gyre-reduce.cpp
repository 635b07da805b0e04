//===- gyre-reduce.cpp - Makes failing inputs small -----------------------===//
//
// Given a module on which something goes wrong, and a script that tells whether
// it goes wrong (exit status 1) or not (0), finds a small module on which it
// still does:
//
//   gyre-reduce failing.mlir --reduction-tree='traversal-mode=0 test=fails.sh'
//
//===----------------------------------------------------------------------===//

#include "gyre/Pipelines.h"
#include "gyre/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Reducer/ReductionPatternInterface.h"
#include "mlir/Reducer/Tester.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace {

/// Replaces a value by zeros where that leaves the module interesting, so that
/// nothing needs the op, nor what it was computed from, any more.
struct ReplaceByZero : RewritePattern {
  ReplaceByZero(MLIRContext *context, Tester &tester)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context),
        tester(tester) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    auto isFloat = [](Type type) {
      auto tensor = dyn_cast<gyre::TensorType>(type);
      return tensor && isa<FloatType>(tensor.getElementType());
    };
    if (isa<gyre::ConstantOp>(op) || op->getNumResults() == 0 ||
        !llvm::all_of(op->getResultTypes(), isFloat) || !staysInteresting(op))
      return failure();
    rewriter.replaceOp(op, createZeros(rewriter, op));
    return success();
  }

private:
  static SmallVector<Value> createZeros(OpBuilder &builder, Operation *op) {
    SmallVector<Value> zeros;
    for (Type type : op->getResultTypes())
      zeros.push_back(gyre::ConstantOp::create(builder, op->getLoc(), type,
                                               builder.getF64FloatAttr(0)));
    return zeros;
  }

  /// Tries it on a copy of the module.
  bool staysInteresting(Operation *op) const {
    IRMapping mapping;
    auto module = op->getParentOfType<ModuleOp>();
    OwningOpRef<ModuleOp> copy = cast<ModuleOp>(module->clone(mapping));
    Operation *copied = mapping.lookup(op);
    OpBuilder builder(copied);
    copied->replaceAllUsesWith(createZeros(builder, copied));
    copied->erase();
    return tester.isInteresting(*copy).first == Tester::Interestingness::True;
  }

  Tester &tester;
};

struct GyreReductions : DialectReductionPatternInterface {
  GyreReductions(Dialect *dialect, bool &reducing)
      : DialectReductionPatternInterface(dialect), reducing(reducing) {}

  void populateReductionPatterns(RewritePatternSet &) const override {}
  void populateReductionPatternsWithTester(RewritePatternSet &patterns,
                                           Tester &tester) const override {
    patterns.add<ReplaceByZero>(patterns.getContext(), tester);
    reducing = true;
  }

  bool &reducing;
};

} // namespace

int main(int argc, char **argv) {
  DialectRegistry registry;
  gyre::registerAllDialects(registry);
  gyre::registerGyrePasses();
  gyre::registerPipelines();
  registerTransformsPasses();
  MLIRContext context(registry);

  // Once it reduces, errors are about modules that it tries in vain.
  bool reducing = false;
  context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
    bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
    if (!isError || !reducing)
      llvm::errs() << diagnostic.getLocation() << (isError ? ": error: " : ": ")
                   << diagnostic << "\n";
  });
  auto *dialect = context.getOrLoadDialect<gyre::GyreDialect>();
  dialect->addInterface(std::make_unique<GyreReductions>(dialect, reducing));
  return failed(mlirReduceMain(argc, argv, context));
}
