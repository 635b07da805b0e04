//===- AttrsTest.cpp - Relations and conditions ---------------------------===//

#include "gyre/Dialect/Gyre.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"

#include <map>
#include <random>

using namespace mlir;

namespace gyre {
namespace {

class AttrsTest : public ::testing::Test {
protected:
  AttrsTest() { context.loadDialect<GyreDialect>(); }

  ConditionAttr getCondition(int64_t lhs, StringRef comparison, int64_t rhs) {
    return ConditionAttr::get(&context, PolyAttr::constant(&context, lhs),
                              StringAttr::get(&context, comparison),
                              PolyAttr::constant(&context, rhs));
  }

  MLIRContext context;
};

TEST_F(AttrsTest, TuplesAreCanonical) {
  // Random multisets of few different tuples, against a map.
  std::mt19937_64 random(7);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  StringAttr axes[] = {StringAttr::get(&context, "r"),
                       StringAttr::get(&context, "k")};
  for (int round = 0; round < 200; ++round) {
    SmallVector<int64_t> indices;
    SmallVector<double> coefficients;
    std::map<std::pair<int64_t, int64_t>, double> expected;
    for (int64_t i = pick(0, 30); i > 0; --i) {
      int64_t r = pick(-1, 2), k = pick(9, 11), c = pick(-2, 2);
      indices.append({r, k});
      coefficients.push_back(c);
      expected[{r, k}] += c;
    }
    auto tuples =
        TuplesAttr::getCanonical(&context, axes, indices, coefficients);
    int64_t at = 0;
    for (const auto &[tuple, coefficient] : expected) {
      if (coefficient == 0)
        continue;
      ASSERT_LT(at, tuples.size());
      EXPECT_EQ(tuples.tuple(at)[0], tuple.first);
      EXPECT_EQ(tuples.tuple(at)[1], tuple.second);
      EXPECT_EQ(tuples.coefficient(at), coefficient);
      ++at;
    }
    EXPECT_EQ(at, tuples.size());
    std::string text;
    llvm::raw_string_ostream(text) << tuples;
    EXPECT_EQ(parseAttribute(text, &context), tuples) << text;
  }
}

TEST_F(AttrsTest, CoefficientsOfATupleAddUpInOrder) {
  // 1e16 + 1 - 1e16 is 0 in f64, and 1 in the other order.
  StringAttr axis = StringAttr::get(&context, "r");
  auto first =
      TuplesAttr::getCanonical(&context, axis, {0, 0, 0}, {1e16, 1, -1e16});
  auto second =
      TuplesAttr::getCanonical(&context, axis, {0, 0, 0}, {1e16, -1e16, 1});
  EXPECT_EQ(first.size(), 0);
  ASSERT_EQ(second.size(), 1);
  EXPECT_EQ(second.coefficient(0), 1.0);
}

TEST_F(AttrsTest, TuplesOfOtherSizesAreRefused) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  StringAttr axis = StringAttr::get(&context, "r");
  auto tuples = TuplesAttr::getChecked(
      [&] { return emitError(UnknownLoc::get(&context)); }, &context,
      ArrayRef(axis), DenseI64ArrayAttr::get(&context, {0, 1}),
      DenseF64ArrayAttr::get(&context, {1.0}));
  EXPECT_FALSE(tuples);
  EXPECT_EQ(message, "[tuples-size] expected 1 indices, got 2");
}

TEST_F(AttrsTest, ConditionsCompare) {
  for (auto [lhs, rhs] : {std::pair(1, 2), std::pair(2, 2), std::pair(3, 2)}) {
    EXPECT_EQ(getCondition(lhs, "==", rhs).evaluate(), lhs == rhs);
    EXPECT_EQ(getCondition(lhs, ">=", rhs).evaluate(), lhs >= rhs);
    EXPECT_EQ(getCondition(lhs, "<=", rhs).evaluate(), lhs <= rhs);
    EXPECT_EQ(getCondition(lhs, ">", rhs).evaluate(), lhs > rhs);
    EXPECT_EQ(getCondition(lhs, "<", rhs).evaluate(), lhs < rhs);
  }
}

TEST_F(AttrsTest, ConditionsWaitForTheirVariables) {
  PolyAttr l = PolyAttr::variable(StringAttr::get(&context, "L"));
  auto condition =
      ConditionAttr::get(&context, l.add(PolyAttr::constant(&context, 1)),
                         StringAttr::get(&context, ">="), l);
  EXPECT_EQ(condition.evaluate(), std::nullopt);
  EXPECT_EQ(condition.str(), "L + 1 >= L");
}

} // namespace
} // namespace gyre
