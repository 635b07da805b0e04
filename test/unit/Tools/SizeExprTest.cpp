//===- SizeExprTest.cpp - Sizes as manifests write them -------------------===//

#include "SizeExpr.h"

#include "gtest/gtest.h"

#include <limits>

using namespace gyre;

namespace {

/// The value at N = 5, E = 7, or the text of the error.
std::string evaluate(llvm::StringRef text) {
  std::optional<SizeExpr> expr = SizeExpr::parse(text);
  if (!expr)
    return "no size";
  llvm::StringMap<int64_t> sizes;
  sizes["N"] = 5;
  sizes["E"] = 7;
  sizes["huge"] = std::numeric_limits<int64_t>::max();
  llvm::Expected<int64_t> value = expr->evaluate(sizes);
  return value ? std::to_string(*value) : llvm::toString(value.takeError());
}

TEST(SizeExpr, Values) {
  EXPECT_EQ(evaluate("16"), "16");
  EXPECT_EQ(evaluate("E"), "7");
  EXPECT_EQ(evaluate("3*E + N"), "26");
  EXPECT_EQ(evaluate("3*E+1"), "22");
  EXPECT_EQ(evaluate("N*N*E - 2"), "173");
  EXPECT_EQ(evaluate("-N + E"), "2");
  EXPECT_EQ(evaluate("0"), "0");
}

TEST(SizeExpr, Refuses) {
  for (const char *text : {"", "N +", "+", "3*", "N N", "N**E", "(N)", "N^2",
                           "99999999999999999999", "-"})
    EXPECT_EQ(evaluate(text), "no size") << text;
  EXPECT_EQ(evaluate("N - E"), "[run-size] expected a size of at least 0 for "
                               "N - E, got -2");
  EXPECT_EQ(evaluate("K"), "[run-size] expected a size of at least 0 for K, "
                           "got no value for `K`");
  EXPECT_EQ(evaluate("2*huge"), "[run-size] expected a size of at least 0 for "
                                "2*huge, got more than 64 bits");
  EXPECT_EQ(evaluate("huge + 1"), "[run-size] expected a size of at least 0 "
                                  "for huge + 1, got more than 64 bits");
}

TEST(SizeExpr, Names) {
  EXPECT_EQ(SizeExpr::parse("E")->getName(), llvm::StringRef("E"));
  for (const char *text : {"2*E", "E*E", "E + 1", "3", "-E"})
    EXPECT_EQ(SizeExpr::parse(text)->getName(), std::nullopt) << text;
}

} // namespace
