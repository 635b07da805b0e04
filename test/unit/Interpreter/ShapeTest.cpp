//===- ShapeTest.cpp - Slice, pad, concat ---------------------------------===//

#include "Support.h"

using namespace gyre;
using namespace gyre::test;

namespace {
class ShapeTest : public InterpreterTest {};

const char *const kSlice = R"(
  gyre.func @f(%x: !gyre.tensor<2 x 4 x f64>) -> (y: !gyre.tensor<2 x 2 x f64>) {
    %y = gyre.slice %x axis 1 from 1 size 2 : !gyre.tensor<2 x 4 x f64>
    gyre.return %y : !gyre.tensor<2 x 2 x f64>
  })";

const char *const kRuntimeSlice = R"(
  gyre.func @f(%x: !gyre.tensor<N x f64>) -> (y: !gyre.tensor<S x f64>) {
    %y = gyre.slice %x axis 0 from A size S : !gyre.tensor<N x f64>
    gyre.return %y : !gyre.tensor<S x f64>
  })";

const char *const kPad = R"(
  gyre.func @f(%x: !gyre.tensor<2 x E x f64>) -> (y: !gyre.tensor<2 x E + 3 x f64>) {
    %y = gyre.pad %x axis 1 low 1 high 2 : !gyre.tensor<2 x E x f64>
    gyre.return %y : !gyre.tensor<2 x E + 3 x f64>
  })";

const char *const kConcat = R"(
  gyre.func @f(%a: !gyre.tensor<2 x A x f64>, %b: !gyre.tensor<2 x B x f64>) -> (y: !gyre.tensor<2 x 2*A + B x f64>) {
    %y = gyre.concat %a, %b, %a axis 1 : !gyre.tensor<2 x A x f64>, !gyre.tensor<2 x B x f64>, !gyre.tensor<2 x A x f64>
    gyre.return %y : !gyre.tensor<2 x 2*A + B x f64>
  })";

TEST_F(ShapeTest, Slice) {
  expectResult(kSlice, {array({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})},
               array({2, 2}, {2, 3, 6, 7}));
}

TEST_F(ShapeTest, SliceOfRuntimeSizes) {
  expectResult(kRuntimeSlice, {array({3}, {1, 2, 3})}, array({1}, {3}),
               {{"A", 2}, {"S", 1}});
  expectResult(kRuntimeSlice, {array({3}, {1, 2, 3})}, array({0}, {}),
               {{"A", 3}, {"S", 0}});
}

TEST_F(ShapeTest, SliceRange) {
  expectError(kRuntimeSlice, {array({3}, {1, 2, 3})},
              "[interpret-slice-range] expected positions in [0, 3), got 2 "
              "from 2",
              {{"A", 2}, {"S", 2}});
  expectError(kRuntimeSlice, {array({3}, {1, 2, 3})},
              "[interpret-slice-range] expected positions in [0, 3), got 0 "
              "from 4",
              {{"A", 4}, {"S", 0}});
}

TEST_F(ShapeTest, Pad) {
  expectResult(kPad, {array({2, 1}, {7, 8})},
               array({2, 4}, {0, 7, 0, 0, 0, 8, 0, 0}));
  expectResult(kPad, {array({2, 0}, {})}, array({2, 3}, {0, 0, 0, 0, 0, 0}));
}

TEST_F(ShapeTest, Concat) {
  expectResult(kConcat, {array({2, 1}, {1, 2}), array({2, 2}, {3, 4, 5, 6})},
               array({2, 4}, {1, 3, 4, 1, 2, 5, 6, 2}));
  expectResult(kConcat, {array({2, 0}, {}), array({2, 1}, {3, 4})},
               array({2, 1}, {3, 4}));
}
} // namespace
