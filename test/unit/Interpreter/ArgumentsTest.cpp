//===- ArgumentsTest.cpp - What a function is called with -----------------===//

#include "Support.h"

using namespace gyre;
using namespace gyre::test;

namespace {
class ArgumentsTest : public InterpreterTest {};

const char *const kGather = R"(
  gyre.func @f(%x: !gyre.tensor<N x 2 x f64>, %src: !gyre.map<[e: E] to N>) -> (y: !gyre.tensor<E x 2 x f64>) {
    %y = gyre.gather %x over %src axis 0 : !gyre.tensor<N x 2 x f64>, !gyre.map<[e: E] to N>
    gyre.return %y : !gyre.tensor<E x 2 x f64>
  })";

const char *const kSegmentSum = R"(
  gyre.func @f(%r: !gyre.tensor<E x f64>, %src: !gyre.map<[e: E] to N>) -> (y: !gyre.tensor<N x f64>) {
    %y = gyre.segment_sum %r over %src axis 0 : !gyre.tensor<E x f64>, !gyre.map<[e: E] to N>
    gyre.return %y : !gyre.tensor<N x f64>
  })";

const char *const kPadded = R"(
  gyre.func @f(%m: !gyre.map<[e: E] to N, padded>) -> (v: !gyre.tensor<E x f64>) {
    %v = gyre.valid %m : !gyre.map<[e: E] to N, padded> -> !gyre.tensor<E x f64>
    gyre.return %v : !gyre.tensor<E x f64>
  })";

const char *const kPolynomial = R"(
  gyre.func @f(%x: !gyre.tensor<N x f64>, %y: !gyre.tensor<2*N - 3 x f64>) -> (z: !gyre.tensor<2*N - 3 x f64>) {
    gyre.return %y : !gyre.tensor<2*N - 3 x f64>
  })";

const char *const kBroadcast = R"(
  gyre.func @f(%x: !gyre.tensor<f64>) -> (y: !gyre.tensor<N x M x f64>) {
    %y = gyre.contract %x[] -> [n, m] with (n = N, m = M) : !gyre.tensor<f64>
    gyre.return %y : !gyre.tensor<N x M x f64>
  })";

Array x() { return array({2, 2}, {1, 2, 3, 4}); }

TEST_F(ArgumentsTest, TargetIsInferredFromATensor) {
  expectResult(kGather, {x(), map({1}, IndexMap::kInferred, {1})},
               array({1, 2}, {3, 4}));
}

TEST_F(ArgumentsTest, TargetIsInferredFromTheSizes) {
  expectResult(kSegmentSum,
               {array({1}, {5}), map({1}, IndexMap::kInferred, {1})},
               array({3}, {0, 5, 0}), {{"N", 3}, {"unused", 7}});
}

TEST_F(ArgumentsTest, ArgumentsMayBeReturned) {
  expectResult(kPolynomial, {array({2}, {1, 2}), array({1}, {3})},
               array({1}, {3}));
}

TEST_F(ArgumentsTest, Count) {
  expectError(kGather, {x()},
              "[interpret-argument-count] expected 2 arguments, got 1");
}

TEST_F(ArgumentsTest, Kind) {
  expectError(kGather, {x(), x()},
              "[interpret-argument-kind] expected an index map for argument "
              "`src`, got a tensor");
  expectError(kGather, {map({1}, 2, {1}), map({1}, 2, {1})},
              "[interpret-argument-kind] expected a tensor for argument `x`, "
              "got an index map");
}

TEST_F(ArgumentsTest, Rank) {
  expectError(kGather, {array({2}, {1, 2}), map({1}, 2, {1})},
              "[interpret-rank] expected 2 dimensions for argument `x`, got 1");
  expectError(kGather, {x(), map({1, 1}, 2, {1})},
              "[interpret-rank] expected 1 dimensions for argument `src`, got "
              "2");
}

TEST_F(ArgumentsTest, Shape) {
  expectError(kGather, {array({2, 3}, {1, 2, 3, 4, 5, 6}), map({1}, 2, {1})},
              "[interpret-shape] expected 2 for dimension 1 (2) of argument "
              "`x`, got 3");
  expectError(kSegmentSum, {array({2}, {1, 2}), map({1}, 2, {1})},
              "[interpret-shape] expected 2 (E is 2 by `r`) for dimension 0 "
              "(E) of argument `src`, got 1");
  expectError(kPolynomial, {array({2}, {1, 2}), array({2}, {3, 4})},
              "[interpret-shape] expected 1 (N is 2 by `x`) for dimension 0 "
              "(2*N - 3) of argument `y`, got 2");
  expectError(kSegmentSum, {array({2}, {1, 2}), map({2}, 2, {1, 1})},
              "[interpret-shape] expected 3 (E is 3 by the given sizes) for "
              "dimension 0 (E) of argument `r`, got 2",
              {{"E", 3}});
}

TEST_F(ArgumentsTest, ElementCount) {
  expectError(kGather, {array({2, 2}, {1, 2, 3}), map({1}, 2, {1})},
              "[interpret-element-count] expected 4 elements for argument `x`, "
              "got 3");
  expectError(kGather, {x(), map({1}, 2, {})},
              "[interpret-element-count] expected 1 elements for argument "
              "`src`, got 0");
}

TEST_F(ArgumentsTest, Integer) {
  const char *text = R"(
    gyre.func @f(%s: !gyre.tensor<N x i8>) -> (y: !gyre.tensor<N x i8>) {
      gyre.return %s : !gyre.tensor<N x i8>
    })";
  expectResult(text, {array({2}, {0, 255})}, array({2}, {0, 255}));
  for (double value : {0.5, kNaN, kInf, 1e300}) {
    run(text, {array({2}, {0, value})});
    EXPECT_NE(messages.find("[interpret-integer] expected integers for "
                            "argument `s`, got "),
              std::string::npos)
        << messages;
  }
}

TEST_F(ArgumentsTest, MapPadding) {
  expectError(kPadded, {map({1}, 2, {1})},
              "[interpret-map-padded] expected a map with padding for argument "
              "`m`, got one without");
  expectError(kGather, {x(), paddedMap({1}, 2, {1})},
              "[interpret-map-padded] expected a map without padding for "
              "argument `src`, got one with");
}

TEST_F(ArgumentsTest, MapTarget) {
  expectError(kGather, {x(), map({1}, 3, {1})},
              "[interpret-map-target] expected 2 (N is 2 by `x`) for the "
              "target (N) of argument `src`, got 3");
}

TEST_F(ArgumentsTest, MapIndex) {
  expectError(kGather, {x(), map({2}, 2, {1, 2})},
              "[interpret-map-index] expected indices in [0, 2) for argument "
              "`src`, got 2 at position 1");
  expectError(kGather, {x(), map({2}, 2, {-1, 1})},
              "[interpret-map-index] expected indices in [0, 2) for argument "
              "`src`, got -1 at position 0");
  expectError(kPadded, {paddedMap({2}, 2, {5, -1})},
              "[interpret-map-index] expected indices of at least 0 for "
              "argument `m`, got -1 at position 1");
}

TEST_F(ArgumentsTest, SizeWithoutAValue) {
  expectError(kSegmentSum, {array({0}, {}), map({0}, IndexMap::kInferred, {})},
              "[interpret-size] expected a value for size `N` from an argument "
              "or from the given sizes, got none");
  expectError(kBroadcast, {array({}, {1})},
              "[interpret-size] expected a value for size `M` from an argument "
              "or from the given sizes, got none",
              {{"N", 3}});
}

TEST_F(ArgumentsTest, SizeOutOfRange) {
  expectError(kPolynomial, {array({1}, {1}), array({0}, {})},
              "[interpret-size] expected a size of at least 0, got -1 for "
              "2*N - 3 (N is 1 by `x`)");
  expectError(kBroadcast, {array({}, {1})},
              "[interpret-size] expected at most 4294967296 elements in a "
              "value, got sizes (1000000, 1000000)",
              {{"N", 1000000}, {"M", 1000000}});
  expectError(kBroadcast, {array({}, {1})},
              "[interpret-size] expected at most 4294967296 elements in a "
              "value, got sizes (9223372036854775807, 9223372036854775807)",
              {{"N", INT64_MAX}, {"M", INT64_MAX}});
  expectError(kPolynomial, {array({0}, {}), array({0}, {})},
              "[interpret-size] expected a size of at least 0, got -3 for "
              "2*N - 3 (N is 0 by `x`)");
}

TEST_F(ArgumentsTest, SizeOverflow) {
  expectError(R"(
    gyre.func @f(%x: !gyre.tensor<f64>) -> (y: !gyre.tensor<2*N x f64>) {
      %y = gyre.contract %x[] -> [n] with (n = 2*N) : !gyre.tensor<f64>
      gyre.return %y : !gyre.tensor<2*N x f64>
    })",
              {array({}, {1})},
              "[interpret-size] expected a size of 64 bits, got 2*N (N is "
              "9223372036854775807 by the given sizes)",
              {{"N", INT64_MAX}});
}

TEST_F(ArgumentsTest, Primitives) {
  expectError(R"(
    !x = !gyre.tensor<E x 4 x 1 x f64>
    !w = !gyre.tensor<E x 4 x 4 x f64>
    gyre.func @f(%x: !x, %w: !w) -> (y: !gyre.tensor<E x 4 x 1 x f64>) {
      %y = gyre.rotate %x by %w degree 1 : !x, !w
      gyre.return %y : !gyre.tensor<E x 4 x 1 x f64>
    })",
              {array({0, 4, 1}, {}), array({0, 4, 4}, {})},
              "[interpret-primitive] expected a primitive, got gyre.rotate: "
              "run gyre-decompose first");
  expectError(R"(
    !x = !gyre.tensor<2 x f64>
    gyre.func @f(%x: !x) -> (y: !x) {
      %y = gyre.repeat 3 carry (%u = %x : !x) -> (!x) {
        gyre.yield %u : !x
      }
      gyre.return %y : !x
    })",
              {array({2}, {1, 2})},
              "[interpret-primitive] expected a primitive, got gyre.repeat: "
              "run gyre-specialise first");
}
} // namespace
