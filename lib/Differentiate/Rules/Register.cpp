//===- Register.cpp - All rules -------------------------------------------===//

#include "RuleUtils.h"
#include "gyre/Differentiate/Rules.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace gyre;

void gyre::registerDifferentiationRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, GyreDialect *) {
    rules::registerIndexRules(context);
    rules::registerContractRules(context);
    rules::registerElementwiseRules(context);
    rules::registerShapeRules(context);
    rules::registerSlotRules(context);
  });
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    rules::registerArithRules(context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    rules::registerMathRules(context);
  });
}
