//===- SameValues.cpp - Passes keep the values of programs ----------------===//

#include "SameValues.h"

#include "gyre/Differentiate/Differentiate.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;

namespace gyre::test {

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
                   /*exact=*/ArrayAttr(), /*without=*/ArrayAttr(),
                   /*precision=*/PrecisionAttr());
  ASSERT_TRUE(succeeded(carryOutDerivatives(module)));
}

RandomProgram makeRandomProgramWithDerivatives(MLIRContext &context,
                                               std::mt19937_64 &random) {
  RandomProgram program = makeRandomProgram(context, random);
  addDerivative(*program.module, "first", "g");
  addDerivative(*program.module, "second", "h");
  return program;
}

void compareValues(FuncOp expected, FuncOp got, ArrayRef<Argument> arguments) {
  std::string name = expected.getSymName().str();
  FailureOr<std::vector<Array>> wanted =
      interpret(expected, arguments, getSizes());
  FailureOr<std::vector<Array>> results = interpret(got, arguments, getSizes());
  ASSERT_TRUE(succeeded(wanted) && succeeded(results)) << name;
  for (size_t i = 0; i < wanted->size(); ++i) {
    const Array &a = (*wanted)[i], &b = (*results)[i];
    ASSERT_EQ(a.shape, b.shape);
    // Per cell: terms of size 1 or a few may be added up in another order.
    for (size_t j = 0; j < a.data.size(); ++j)
      ASSERT_LE(std::abs(a.data[j] - b.data[j]),
                1e-11 * (0.1 + std::abs(a.data[j])))
          << "function " << name << ", result " << i << ", cell " << j;
  }
}

std::pair<uint64_t, uint64_t>
expectSameValues(MLIRContext &context, PassManager &passes, uint64_t count) {
  uint64_t opsBefore = 0, opsAfter = 0;
  for (uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    RandomProgram program = makeRandomProgramWithDerivatives(context, random);
    OwningOpRef<ModuleOp> other = program.module->clone();
    EXPECT_TRUE(succeeded(passes.run(*other)));
    program.module->walk([&](Operation *) { ++opsBefore; });
    other->walk([&](Operation *) { ++opsAfter; });
    for (FuncOp func : program.module->getBody()->getOps<FuncOp>())
      compareValues(
          func,
          cast<FuncOp>(SymbolTable::lookupSymbolIn(*other, func.getSymName())),
          makeArguments(func, random));
    if (testing::Test::HasFailure())
      break;
  }
  return {opsBefore, opsAfter};
}

} // namespace gyre::test
