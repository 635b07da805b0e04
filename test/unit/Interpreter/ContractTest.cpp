//===- ContractTest.cpp - Sums of products --------------------------------===//

#include "Support.h"

using namespace gyre;
using namespace gyre::test;

namespace {
class ContractTest : public InterpreterTest {};

TEST_F(ContractTest, MatrixProduct) {
  expectResult(
      R"(
    gyre.func @f(%a: !gyre.tensor<M x K x f64>, %b: !gyre.tensor<K x 2 x f64>) -> (c: !gyre.tensor<M x 2 x f64>) {
      %c = gyre.contract %a[m, k], %b[k, n] -> [m, n] : !gyre.tensor<M x K x f64>, !gyre.tensor<K x 2 x f64>
      gyre.return %c : !gyre.tensor<M x 2 x f64>
    })",
      {array({3, 2}, {1, 2, 3, 4, 5, 6}), array({2, 2}, {1, 10, 100, 1000})},
      array({3, 2}, {201, 2010, 403, 4030, 605, 6050}));
}

TEST_F(ContractTest, ThreeOperandsToAScalar) {
  expectResult(R"(
    gyre.func @f(%a: !gyre.tensor<N x f64>, %b: !gyre.tensor<N x f64>, %s: !gyre.tensor<f64>) -> (c: !gyre.tensor<f64>) {
      %c = gyre.contract %a[n], %b[n], %s[] -> [] : !gyre.tensor<N x f64>, !gyre.tensor<N x f64>, !gyre.tensor<f64>
      gyre.return %c : !gyre.tensor<f64>
    })",
               {array({3}, {1, 2, 3}), array({3}, {5, 7, 11}), array({}, {-2})},
               array({}, {-104}));
}

TEST_F(ContractTest, TransposeWithGroups) {
  // (f, c) is one dimension of 4 in the operand, and (r, c) one of 6 in the
  // result.
  expectResult(R"(
    gyre.func @f(%y: !gyre.tensor<E x 3 x 4 x f64>) -> (u: !gyre.tensor<2 x E x 6 x f64>) {
      %u = gyre.contract %y[e, r, (f, c)] -> [f, e, (r, c)] with (f = 2, c = 2) : !gyre.tensor<E x 3 x 4 x f64>
      gyre.return %u : !gyre.tensor<2 x E x 6 x f64>
    })",
               {array({1, 3, 4}, {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23})},
               array({2, 1, 6}, {0, 1, 10, 11, 20, 21, 2, 3, 12, 13, 22, 23}));
}

TEST_F(ContractTest, BroadcastOverARuntimeSize) {
  expectResult(R"(
    gyre.func @f(%x: !gyre.tensor<2 x f64>) -> (y: !gyre.tensor<E x 2 x f64>) {
      %y = gyre.contract %x[c] -> [e, c] with (e = E) : !gyre.tensor<2 x f64>
      gyre.return %y : !gyre.tensor<E x 2 x f64>
    })",
               {array({2}, {5, 6})}, array({3, 2}, {5, 6, 5, 6, 5, 6}),
               {{"E", 3}});
}

TEST_F(ContractTest, Relation) {
  // Cells of no tuple are exact zeros in the result and unread in the operand.
  expectResult(R"(
    gyre.func @f(%x: !gyre.tensor<4 x 2 x f64>) -> (y: !gyre.tensor<3 x 2 x f64>) {
      %y = gyre.contract %x[d, c] -> [r, c] with (r = 3) over [r, d] {(0, 1), (0, 3) * 0.5, (2, 1) * -1.0} : !gyre.tensor<4 x 2 x f64>
      gyre.return %y : !gyre.tensor<3 x 2 x f64>
    })",
               {array({4, 2}, {kNaN, kNaN, 1, 2, kInf, kNaN, 30, 40})},
               array({3, 2}, {16, 22, 0, 0, -1, -2}));
}

TEST_F(ContractTest, RelationOverAllAxes) {
  expectResult(R"(
    gyre.func @f(%a: !gyre.tensor<2 x f64>, %b: !gyre.tensor<2 x f64>) -> (y: !gyre.tensor<2 x f64>) {
      %y = gyre.contract %a[i], %b[j] -> [k] with (k = 2) over [i, j, k] {(0, 1, 1) * 2.0, (1, 0, 1)} : !gyre.tensor<2 x f64>, !gyre.tensor<2 x f64>
      gyre.return %y : !gyre.tensor<2 x f64>
    })",
               {array({2}, {3, 5}), array({2}, {7, 11})}, array({2}, {0, 101}));
}

TEST_F(ContractTest, EmptyRelation) {
  expectResult(R"(
    gyre.func @f(%x: !gyre.tensor<2 x f64>) -> (y: !gyre.tensor<2 x f64>) {
      %y = gyre.contract %x[i] -> [j] with (j = 2) over [i, j] {} : !gyre.tensor<2 x f64>
      gyre.return %y : !gyre.tensor<2 x f64>
    })",
               {array({2}, {kNaN, kNaN})}, array({2}, {0, 0}));
}

TEST_F(ContractTest, EmptyAxes) {
  const char *text = R"(
    gyre.func @f(%a: !gyre.tensor<M x K x f64>) -> (c: !gyre.tensor<M x f64>) {
      %c = gyre.contract %a[m, k] -> [m] : !gyre.tensor<M x K x f64>
      gyre.return %c : !gyre.tensor<M x f64>
    })";
  expectResult(text, {array({2, 0}, {})}, array({2}, {0, 0}));
  expectResult(text, {array({0, 2}, {})}, array({0}, {}));
}

TEST_F(ContractTest, TupleRange) {
  expectError(R"(
    gyre.func @f(%x: !gyre.tensor<N x f64>) -> (y: !gyre.tensor<2 x f64>) {
      %y = gyre.contract %x[i] -> [j] with (j = 2) over [i, j] {(0, 0), (2, 1)} : !gyre.tensor<N x f64>
      gyre.return %y : !gyre.tensor<2 x f64>
    })",
              {array({2}, {1, 2})},
              "[interpret-tuple-range] expected indices of axis \"i\" in [0, "
              "2), got 2");
}

TEST_F(ContractTest, SymbolicRelation) {
  expectError(R"(
    gyre.func @f(%x: !gyre.tensor<2 x f64>) -> (y: !gyre.tensor<2 x f64>) {
      %y = gyre.contract %x[i] -> [j] with (j = 2) over {(i = l, j = l) : l in [0, 1]} : !gyre.tensor<2 x f64>
      gyre.return %y : !gyre.tensor<2 x f64>
    })",
              {array({2}, {1, 2})},
              "[interpret-relation] expected an evaluated relation, got a "
              "symbolic one: run gyre-specialise first");
}
} // namespace
