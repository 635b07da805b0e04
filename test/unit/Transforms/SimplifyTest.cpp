//===- SimplifyTest.cpp - Simplified programs have the same values --------===//

#include "../Differentiate/RandomProgram.h"

#include "gyre/Differentiate/Differentiate.h"
#include "gyre/InitAll.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace gyre;
using namespace gyre::test;

namespace {
/// Adds the derivative of the last function in all its float arguments.
void addDerivative(ModuleOp module, StringRef name, StringRef prefix) {
  auto primal = cast<FuncOp>(module.getBody()->back());
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Attribute> wrt, wrtNames, given, givenNames;
  for (unsigned i = 0; i < primal.getArgumentTypes().size(); ++i) {
    if (!isa<gyre::TensorType>(primal.getArgumentTypes()[i]))
      continue;
    wrt.push_back(builder.getStringAttr(primal.getArgName(i)));
    wrtNames.push_back(builder.getStringAttr(prefix + primal.getArgName(i)));
  }
  for (unsigned i = 0; i < primal.getResultTypes().size(); ++i) {
    given.push_back(builder.getStringAttr(primal.getResName(i)));
    givenNames.push_back(builder.getStringAttr(prefix + primal.getResName(i)));
  }
  DeriveOp::create(builder, primal.getLoc(), name, primal.getSymName(),
                   builder.getArrayAttr(wrt), builder.getArrayAttr(wrtNames),
                   builder.getArrayAttr(given),
                   builder.getArrayAttr(givenNames), /*saves=*/ArrayAttr(),
                   /*exact=*/ArrayAttr(), /*without=*/ArrayAttr());
  ASSERT_TRUE(succeeded(carryOutDerivatives(module)));
}

TEST(Simplify, KeepsTheValuesOfRandomProgramsAndTheirDerivatives) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  PassManager passes(&context);
  passes.addPass(createSimplify());

  uint64_t opsBefore = 0, opsAfter = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    std::mt19937_64 random(seed);
    RandomProgram program = makeRandomProgram(context, random);
    addDerivative(*program.module, "first", "g");
    addDerivative(*program.module, "second", "h");
    OwningOpRef<ModuleOp> simplified = program.module->clone();
    ASSERT_TRUE(succeeded(passes.run(*simplified))) << "seed " << seed;
    program.module->walk([&](Operation *) { ++opsBefore; });
    simplified->walk([&](Operation *) { ++opsAfter; });

    for (FuncOp func : program.module->getBody()->getOps<FuncOp>()) {
      auto other = cast<FuncOp>(
          SymbolTable::lookupSymbolIn(*simplified, func.getSymName()));
      std::vector<Argument> arguments = makeArguments(func, random);
      FailureOr<std::vector<Array>> expected =
          interpret(func, arguments, getSizes());
      FailureOr<std::vector<Array>> got =
          interpret(other, arguments, getSizes());
      ASSERT_TRUE(succeeded(expected) && succeeded(got)) << "seed " << seed;
      for (size_t i = 0; i < expected->size(); ++i) {
        const Array &a = (*expected)[i], &b = (*got)[i];
        ASSERT_EQ(a.shape, b.shape);
        double scale = 1e-3;
        for (double value : a.data)
          scale = std::max(scale, std::abs(value));
        for (size_t j = 0; j < a.data.size(); ++j)
          ASSERT_LE(std::abs(a.data[j] - b.data[j]), 1e-11 * scale)
              << "seed " << seed << ", function "
              << func.getSymName().str() << ", result " << i;
      }
    }
  }
  // The pass earns its name: it finds something to do in most programs.
  EXPECT_LT(opsAfter, opsBefore * 9 / 10);
}
} // namespace
