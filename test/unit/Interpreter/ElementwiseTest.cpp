//===- ElementwiseTest.cpp - Functions of numbers -------------------------===//

#include "Support.h"

#include <cmath>

using namespace gyre;
using namespace gyre::test;

namespace {
class ElementwiseTest : public InterpreterTest {
protected:
  void expectUnary(const std::string &op, std::vector<double> x,
                   std::vector<double> expected) {
    int64_t n = x.size();
    expectResult("gyre.func @f(%x: !gyre.tensor<N x f64>) -> (y: "
                 "!gyre.tensor<N x f64>) {\n%y = " +
                     op +
                     " %x : !gyre.tensor<N x f64>\n"
                     "gyre.return %y : !gyre.tensor<N x f64>\n}",
                 {array({n}, std::move(x))}, array({n}, std::move(expected)));
  }

  void expectBinary(const std::string &op, std::vector<double> a,
                    std::vector<double> b, std::vector<double> expected,
                    const std::string &element = "f64") {
    int64_t n = a.size();
    expectResult(
        "gyre.func @f(%a: !gyre.tensor<N x f64>, %b: !gyre.tensor<N x f64>) -> "
        "(y: !gyre.tensor<N x " +
            element + ">) {\n%y = " + op +
            " %a, %b : !gyre.tensor<N x f64>\n"
            "gyre.return %y : !gyre.tensor<N x " +
            element + ">\n}",
        {array({n}, std::move(a)), array({n}, std::move(b))},
        array({n}, std::move(expected)));
  }
};

TEST_F(ElementwiseTest, Arith) {
  expectBinary("arith.addf", {1, 2}, {3, 5}, {4, 7});
  expectBinary("arith.subf", {1, 2}, {3, 5}, {-2, -3});
  expectBinary("arith.mulf", {1, 2}, {3, 5}, {3, 10});
  expectBinary("arith.divf", {1, 2}, {4, 0}, {0.25, kInf});
  expectUnary("arith.negf", {1, -2}, {-1, 2});
}

TEST_F(ElementwiseTest, MaximumAndMinimum) {
  expectBinary("arith.maximumf", {1, 5, kNaN, 1, -kInf}, {2, 3, 1, kNaN, 0},
               {2, 5, kNaN, kNaN, 0});
  expectBinary("arith.minimumf", {1, 5, kNaN, 1, -kInf}, {2, 3, 1, kNaN, 0},
               {1, 3, kNaN, kNaN, -kInf});
  // Division shows the sign of a zero.
  const char *signs = R"(
    !t = !gyre.tensor<2 x f64>
    gyre.func @f(%a: !t, %b: !t) -> (max: !t, min: !t) {
      %one = gyre.constant 1.0 : !t
      %max = arith.maximumf %a, %b : !t
      %min = arith.minimumf %a, %b : !t
      %x = arith.divf %one, %max : !t
      %n = arith.divf %one, %min : !t
      gyre.return %x, %n : !t, !t
    })";
  std::vector<Array> results =
      run(signs, {array({2}, {0.0, -0.0}), array({2}, {-0.0, 0.0})});
  ASSERT_EQ(results.size(), 2u) << messages;
  expectEqual(results[0], array({2}, {kInf, kInf}));
  expectEqual(results[1], array({2}, {-kInf, -kInf}));
}

TEST_F(ElementwiseTest, Math) {
  expectUnary("math.exp", {0, 1}, {1, std::exp(1.0)});
  expectUnary("math.log", {1, 0}, {0, -kInf});
  expectUnary("math.sqrt", {4, -1}, {2, kNaN});
  expectUnary("math.rsqrt", {4, 0}, {0.5, kInf});
  expectUnary("math.tanh", {0, 50}, {0, 1});
  expectUnary("math.sin", {0, 1}, {0, std::sin(1.0)});
  expectUnary("math.cos", {0, 1}, {1, std::cos(1.0)});
  expectUnary("math.absf", {-3, 3}, {3, 3});
  expectBinary("math.powf", {2, 4}, {3, -0.5}, {8, 0.5});
}

TEST_F(ElementwiseTest, Sigmoid) {
  expectUnary("gyre.sigmoid", {0, 1e4, -1e4, kInf, -kInf, kNaN},
              {0.5, 1, 0, 1, 0, kNaN});
  std::vector<Array> results =
      run("!t = !gyre.tensor<2 x f64>\ngyre.func @f(%x: !t) -> (y: !t) {\n"
          "%y = gyre.sigmoid %x : !t\ngyre.return %y : !t\n}",
          {array({2}, {3, -3})});
  ASSERT_EQ(results.size(), 1u) << messages;
  EXPECT_DOUBLE_EQ(results[0].data[0], 1 / (1 + std::exp(-3.0)));
  EXPECT_DOUBLE_EQ(results[0].data[1], 1 / (1 + std::exp(3.0)));
}

TEST_F(ElementwiseTest, Silu) {
  expectUnary("gyre.silu", {0, 1e4, -1e4, kInf, kNaN}, {0, 1e4, 0, kInf, kNaN});
}

TEST_F(ElementwiseTest, StopGradientIsTheIdentity) {
  expectUnary("gyre.stop_gradient", {1, -2, kNaN}, {1, -2, kNaN});
}

TEST_F(ElementwiseTest, Constant) {
  expectResult(R"(
    gyre.func @f(%x: !gyre.tensor<N x f64>) -> (y: !gyre.tensor<N x 2 x f32>) {
      %y = gyre.constant -1.5 : !gyre.tensor<N x 2 x f32>
      gyre.return %y : !gyre.tensor<N x 2 x f32>
    })",
               {array({2}, {kNaN, kNaN})},
               array({2, 2}, {-1.5, -1.5, -1.5, -1.5}));
}

TEST_F(ElementwiseTest, Comparisons) {
  // less, equal, greater, unordered
  std::vector<double> a{1, 2, 3, kNaN}, b{2, 2, 2, 2};
  struct {
    const char *predicate;
    std::vector<double> expected;
  } cases[] = {
      {"false", {0, 0, 0, 0}}, {"oeq", {0, 1, 0, 0}}, {"ogt", {0, 0, 1, 0}},
      {"oge", {0, 1, 1, 0}},   {"olt", {1, 0, 0, 0}}, {"ole", {1, 1, 0, 0}},
      {"one", {1, 0, 1, 0}},   {"ord", {1, 1, 1, 0}}, {"ueq", {0, 1, 0, 1}},
      {"ugt", {0, 0, 1, 1}},   {"uge", {0, 1, 1, 1}}, {"ult", {1, 0, 0, 1}},
      {"ule", {1, 1, 0, 1}},   {"une", {1, 0, 1, 1}}, {"uno", {0, 0, 0, 1}},
      {"true", {1, 1, 1, 1}},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.predicate);
    expectBinary("arith.cmpf " + std::string(test.predicate) + ",", a, b,
                 test.expected, "i1");
  }
}

TEST_F(ElementwiseTest, Select) {
  // What is not taken has no influence.
  expectResult(
      R"(
    !t = !gyre.tensor<N x f64>
    !c = !gyre.tensor<N x i1>
    gyre.func @f(%c: !c, %a: !t, %b: !t) -> (y: !t) {
      %y = gyre.select %c, %a, %b : !c, !t
      gyre.return %y : !t
    })",
      {array({2}, {1, 0}), array({2}, {1, kNaN}), array({2}, {kNaN, 4})},
      array({2}, {1, 4}));
}

TEST_F(ElementwiseTest, NoElements) { expectUnary("math.exp", {}, {}); }
} // namespace
