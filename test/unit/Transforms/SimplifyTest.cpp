//===- SimplifyTest.cpp - Simplified programs have the same values --------===//

#include "SameValues.h"

#include "gyre/InitAll.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace gyre;
using namespace gyre::test;

namespace {
TEST(Simplify, KeepsTheValuesOfRandomProgramsAndTheirDerivatives) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  PassManager passes(&context);
  passes.addPass(createSimplify());
  auto [before, after] = expectSameValues(context, passes, 1000);
  // The pass earns its name: it finds something to do in most programs.
  EXPECT_LT(after, before * 9 / 10);
}
} // namespace
