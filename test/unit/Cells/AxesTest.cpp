//===- AxesTest.cpp - The axes of bodies ----------------------------------===//

#include "Support.h"

using namespace mlir;
using namespace gyre;
using namespace gyre::cells;
using namespace gyre::test;

namespace {
using Sizes = std::vector<int64_t>;

Sizes sizesOf(const BodyAxes &axes, const AxisList &list) {
  Sizes sizes;
  for (unsigned axis : list)
    sizes.push_back(axes.size(axis));
  return sizes;
}

TEST_F(CellsTest, DimensionsThatAnOpIndexesAlikeAreOneAxis) {
  KernelOp kernel = parse(R"(
    gyre.func @f(%x: !gyre.tensor<E x 3 x 5 x f32>, %w: !gyre.tensor<E x 3 x f32>) -> (y: !gyre.tensor<E x 5 x 3 x f32>) {
      %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !gyre.tensor<E x 5 x 3 x f32> {
        %0 = gyre.row %x axis 0 : !gyre.tensor<E x 3 x 5 x f32>
        %1 = gyre.row %w axis 0 : !gyre.tensor<E x 3 x f32>
        %2 = math.exp %0 : !gyre.tensor<3 x 5 x f32>
        %3 = gyre.contract %2[i, j], %1[i] -> [j, i] : !gyre.tensor<3 x 5 x f32>, !gyre.tensor<3 x f32>
        gyre.deliver %3 : !gyre.tensor<5 x 3 x f32>
      }
      gyre.return %y : !gyre.tensor<E x 5 x 3 x f32>
    })");
  FailureOr<BodyAxes> axes = BodyAxes::get(kernel);
  ASSERT_TRUE(succeeded(axes)) << messages;
  ASSERT_EQ(axes->count(), 2u);
  unsigned i = axes->of(valueAt(kernel, 0), 0)[0],
           j = axes->of(valueAt(kernel, 0), 1)[0];
  EXPECT_EQ(axes->size(i), 3);
  EXPECT_EQ(axes->size(j), 5);
  EXPECT_EQ(axes->of(valueAt(kernel, 1)), AxisList({i}));
  EXPECT_EQ(axes->of(valueAt(kernel, 2)), AxisList({i, j}));
  EXPECT_EQ(axes->of(valueAt(kernel, 3)), AxisList({j, i}));
  auto contract = cast<ContractOp>(at(kernel, 3));
  EXPECT_EQ(axes->of(contract, StringAttr::get(&context, "i")), AxisList({i}));
  EXPECT_EQ(axes->count(contract, i), 1u);
  EXPECT_FALSE(axes->isTied(i) || axes->isTied(j));
}

TEST_F(CellsTest, GroupsSplitADimensionWhereverItIs) {
  KernelOp kernel = parse(R"(
    !x = !gyre.tensor<E x 3 x 24 x f32>
    !r = !gyre.tensor<3 x 24 x f32>
    gyre.func @f(%x: !x) -> (y: !gyre.tensor<E x 4 x 18 x f32>, z: !gyre.tensor<E x 3 x 2 x 12 x f32>) {
      %y, %z = gyre.kernel over E deliver [#gyre.delivery<row 0>, #gyre.delivery<row 0>] : !gyre.tensor<E x 4 x 18 x f32>, !gyre.tensor<E x 3 x 2 x 12 x f32> {
        %0 = gyre.row %x axis 0 : !x
        %1 = math.exp %0 : !r
        %2 = gyre.contract %1[r, (f, c)] -> [f, (r, c)] with (f = 4, c = 6) : !r
        %3 = gyre.contract %0[r, (a, b)] -> [r, a, b] with (a = 2, b = 12) : !r
        gyre.deliver %2, %3 : !gyre.tensor<4 x 18 x f32>, !gyre.tensor<3 x 2 x 12 x f32>
      }
      gyre.return %y, %z : !gyre.tensor<E x 4 x 18 x f32>, !gyre.tensor<E x 3 x 2 x 12 x f32>
    })");
  FailureOr<BodyAxes> axes = BodyAxes::get(kernel);
  ASSERT_TRUE(succeeded(axes)) << messages;
  // 24 = 4 x 6 and = 2 x 12, so 2 x 2 x 6.
  EXPECT_EQ(sizesOf(*axes, axes->of(valueAt(kernel, 0))), Sizes({3, 2, 2, 6}));
  EXPECT_EQ(axes->of(valueAt(kernel, 0)), axes->of(valueAt(kernel, 1)));
  EXPECT_EQ(sizesOf(*axes, axes->of(valueAt(kernel, 2))), Sizes({2, 2, 3, 6}));
  EXPECT_EQ(sizesOf(*axes, axes->of(valueAt(kernel, 2), 0)), Sizes({2, 2}));
  EXPECT_EQ(axes->of(valueAt(kernel, 3)), axes->of(valueAt(kernel, 0)));
  EXPECT_EQ(axes->count(), 4u);
}

TEST_F(CellsTest, AxesOfSizeOneAreNone) {
  KernelOp kernel = parse(R"(
    gyre.func @f(%x: !gyre.tensor<E x 1 x 5 x f32>) -> (y: !gyre.tensor<E x 5 x 1 x f32>) {
      %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !gyre.tensor<E x 5 x 1 x f32> {
        %0 = gyre.row %x axis 0 : !gyre.tensor<E x 1 x 5 x f32>
        %1 = gyre.contract %0[i, (j, k)] -> [j, i] with (j = 5, k = 1) over [i] {(0)} : !gyre.tensor<1 x 5 x f32>
        gyre.deliver %1 : !gyre.tensor<5 x 1 x f32>
      }
      gyre.return %y : !gyre.tensor<E x 5 x 1 x f32>
    })");
  FailureOr<BodyAxes> axes = BodyAxes::get(kernel);
  ASSERT_TRUE(succeeded(axes)) << messages;
  EXPECT_EQ(axes->count(), 1u);
  EXPECT_EQ(axes->of(valueAt(kernel, 0), 0), AxisList());
  EXPECT_EQ(axes->of(valueAt(kernel, 1)), axes->of(valueAt(kernel, 0)));
}

TEST_F(CellsTest, RelationsTieAxes) {
  KernelOp kernel = parse(R"(
    !x = !gyre.tensor<E x 12 x f32>
    !r = !gyre.tensor<12 x f32>
    gyre.func @f(%x: !x) -> (y: !gyre.tensor<E x 2 x 4 x f32>, z: !x) {
      %y, %z = gyre.kernel over E deliver [#gyre.delivery<row 0>, #gyre.delivery<row 0>] : !gyre.tensor<E x 2 x 4 x f32>, !x {
        %0 = gyre.row %x axis 0 : !x
        %1 = gyre.contract %0[(k, c)] -> [r, c] with (k = 3, c = 4, r = 2) over [k, r] {(2, 0), (1, 1)} : !r
        %2 = gyre.contract %0[i], %0[i] -> [i] : !r, !r
        gyre.deliver %1, %2 : !gyre.tensor<2 x 4 x f32>, !r
      }
      gyre.return %y, %z : !gyre.tensor<E x 2 x 4 x f32>, !x
    })");
  FailureOr<BodyAxes> axes = BodyAxes::get(kernel);
  ASSERT_TRUE(succeeded(axes)) << messages;
  const AxisList &x = axes->of(valueAt(kernel, 0));
  ASSERT_EQ(sizesOf(*axes, x), Sizes({3, 4}));
  EXPECT_TRUE(axes->isTied(x[0]));
  EXPECT_FALSE(axes->isTied(x[1]));
  EXPECT_TRUE(axes->isTied(axes->of(valueAt(kernel, 1))[0]));
  EXPECT_EQ(axes->of(valueAt(kernel, 2)), x);
}

/// One axis may stand several times in a value, or in a product.
TEST_F(CellsTest, AnAxisMayStandTwice) {
  KernelOp kernel = parse(R"(
    !x = !gyre.tensor<E x 4 x f32>
    !r = !gyre.tensor<4 x f32>
    gyre.func @f(%x: !x) -> (y: !gyre.tensor<E x 4 x 4 x f32>) {
      %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !gyre.tensor<E x 4 x 4 x f32> {
        %0 = gyre.row %x axis 0 : !x
        %1 = gyre.contract %0[i], %0[j] -> [i, j] : !r, !r
        gyre.deliver %1 : !gyre.tensor<4 x 4 x f32>
      }
      gyre.return %y : !gyre.tensor<E x 4 x 4 x f32>
    })");
  FailureOr<BodyAxes> axes = BodyAxes::get(kernel);
  ASSERT_TRUE(succeeded(axes)) << messages;
  EXPECT_EQ(axes->of(valueAt(kernel, 1)), AxisList({0, 0}));
  EXPECT_EQ(axes->count(cast<ContractOp>(at(kernel, 1)), 0), 2u);
}

/// Axes of the same size are one, but where a value or a product has both.
TEST_F(CellsTest, AxesOfOneSizeAreOneWhereNothingHasBoth) {
  KernelOp kernel = parse(R"(
    !x = !gyre.tensor<E x 5 x f32>
    !p = !gyre.tensor<E x 5 x 5 x f32>
    !r = !gyre.tensor<5 x f32>
    gyre.func @f(%x: !x, %p: !p, %y: !x) -> (a: !x, b: !x) {
      %a, %b = gyre.kernel over E deliver [#gyre.delivery<row 0>, #gyre.delivery<row 0>] : !x, !x {
        %0 = gyre.row %x axis 0 : !x
        %1 = gyre.row %p axis 0 : !p
        %2 = gyre.row %y axis 0 : !x
        %3 = gyre.contract %0[i], %1[i, j] -> [j] : !r, !gyre.tensor<5 x 5 x f32>
        %4 = math.exp %2 : !r
        gyre.deliver %3, %4 : !r, !r
      }
      gyre.return %a, %b : !x, !x
    })");
  FailureOr<BodyAxes> axes = BodyAxes::get(kernel);
  ASSERT_TRUE(succeeded(axes)) << messages;
  ASSERT_EQ(axes->count(), 2u);
  unsigned i = axes->of(valueAt(kernel, 0))[0],
           j = axes->of(valueAt(kernel, 3))[0];
  EXPECT_NE(i, j);
  EXPECT_EQ(axes->of(valueAt(kernel, 1)), AxisList({i, j}));
  EXPECT_EQ(axes->of(valueAt(kernel, 2)), AxisList({i}));
  EXPECT_EQ(axes->of(valueAt(kernel, 4)), AxisList({i}));
  auto contract = cast<ContractOp>(at(kernel, 3));
  EXPECT_EQ(axes->count(contract, i), 1u);
  EXPECT_EQ(axes->count(contract, j), 1u);
}

/// Values from outside of the kernel have axes, also where no op names them.
TEST_F(CellsTest, WhatIsOnlyDeliveredHasAxes) {
  KernelOp kernel = parse(R"(
    !x = !gyre.tensor<3 x 5 x f32>
    gyre.func @f(%x: !x) -> (y: !x) {
      %y = gyre.kernel over 1 deliver [#gyre.delivery<total 0>] : !x {
        gyre.deliver %x : !x
      }
      gyre.return %y : !x
    })");
  FailureOr<BodyAxes> axes = BodyAxes::get(kernel);
  ASSERT_TRUE(succeeded(axes)) << messages;
  Value x = kernel.getDeliver().getValues()[0];
  EXPECT_EQ(sizesOf(*axes, axes->of(x)), Sizes({3, 5}));
  EXPECT_EQ(sizesOf(*axes, axes->of(x, 1)), Sizes({5}));
}

TEST_F(CellsTest, SplitsThatDoNotFitAreRefused) {
  KernelOp kernel = parse(R"(
    !x = !gyre.tensor<E x 12 x f32>
    !r = !gyre.tensor<12 x f32>
    gyre.func @f(%x: !x) -> (y: !gyre.tensor<E x 3 x 4 x f32>, z: !gyre.tensor<E x 2 x 6 x f32>) {
      %y, %z = gyre.kernel over E deliver [#gyre.delivery<row 0>, #gyre.delivery<row 0>] : !gyre.tensor<E x 3 x 4 x f32>, !gyre.tensor<E x 2 x 6 x f32> {
        %0 = gyre.row %x axis 0 : !x
        %1 = gyre.contract %0[(i, j)] -> [i, j] with (i = 3, j = 4) : !r
        %2 = gyre.contract %0[(i, j)] -> [i, j] with (i = 2, j = 6) : !r
        gyre.deliver %1, %2 : !gyre.tensor<3 x 4 x f32>, !gyre.tensor<2 x 6 x f32>
      }
      gyre.return %y, %z : !gyre.tensor<E x 3 x 4 x f32>, !gyre.tensor<E x 2 x 6 x f32>
    })");
  EXPECT_TRUE(failed(BodyAxes::get(kernel)));
  EXPECT_EQ(messages, "[schedule-axes] expected dimensions that split into the "
                      "same axes wherever they are used, got others\n");
}
} // namespace
