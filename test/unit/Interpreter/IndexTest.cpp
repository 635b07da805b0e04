//===- IndexTest.cpp - Gather, segment sum, validity ----------------------===//

#include "Support.h"

using namespace gyre;
using namespace gyre::test;

namespace {
class IndexTest : public InterpreterTest {};

const char *const kGather = R"(
  !x = !gyre.tensor<2 x N x 2 x f64>
  !m = !gyre.map<[e: E] to N>
  gyre.func @f(%x: !x, %m: !m) -> (y: !gyre.tensor<2 x E x 2 x f64>) {
    %y = gyre.gather %x over %m axis 1 : !x, !m
    gyre.return %y : !gyre.tensor<2 x E x 2 x f64>
  })";

const char *const kSegmentSum = R"(
  !r = !gyre.tensor<2 x E x f64>
  !m = !gyre.map<[e: E] to N>
  gyre.func @f(%r: !r, %m: !m) -> (y: !gyre.tensor<2 x N x f64>) {
    %y = gyre.segment_sum %r over %m axis 1 : !r, !m
    gyre.return %y : !gyre.tensor<2 x N x f64>
  })";

const char *const kPaddedGather = R"(
  !x = !gyre.tensor<B x Nin x f64>
  !m = !gyre.map<[k: K, n: Nout] to Nin, padded>
  gyre.func @f(%x: !x, %m: !m) -> (y: !gyre.tensor<B x K x Nout x f64>) {
    %y = gyre.gather %x over %m axis 1 : !x, !m
    gyre.return %y : !gyre.tensor<B x K x Nout x f64>
  })";

const char *const kPaddedSegmentSum = R"(
  !r = !gyre.tensor<K x Nout x 2 x f64>
  !m = !gyre.map<[k: K, n: Nout] to Nin, padded>
  gyre.func @f(%r: !r, %m: !m) -> (y: !gyre.tensor<Nin x 2 x f64>) {
    %y = gyre.segment_sum %r over %m axis 0 : !r, !m
    gyre.return %y : !gyre.tensor<Nin x 2 x f64>
  })";

TEST_F(IndexTest, Gather) {
  expectResult(
      kGather,
      {array({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), map({3}, 2, {1, 0, 1})},
      array({2, 3, 2}, {3, 4, 1, 2, 3, 4, 7, 8, 5, 6, 7, 8}));
}

TEST_F(IndexTest, GatherOfNoEdges) {
  expectResult(kGather,
               {array({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}), map({0}, 2, {})},
               array({2, 0, 2}, {}));
}

TEST_F(IndexTest, GatherOfNoNodes) {
  expectResult(kGather, {array({2, 0, 2}, {}), map({0}, 0, {})},
               array({2, 0, 2}, {}));
}

TEST_F(IndexTest, PaddedReferencesReadZero) {
  expectResult(kPaddedGather,
               {array({1, 2}, {5, kNaN}), paddedMap({2, 2}, 2, {0, 2, 7, 0})},
               array({1, 2, 2}, {5, 0, 0, 5}));
}

TEST_F(IndexTest, GatherOfIntegers) {
  expectResult(R"(
    !x = !gyre.tensor<N x i8>
    !m = !gyre.map<[e: E] to N>
    gyre.func @f(%x: !x, %m: !m) -> (y: !gyre.tensor<E x i8>) {
      %y = gyre.gather %x over %m axis 0 : !x, !m
      gyre.return %y : !gyre.tensor<E x i8>
    })",
               {array({2}, {3, 255}), map({3}, 2, {1, 1, 0})},
               array({3}, {255, 255, 3}));
}

TEST_F(IndexTest, SegmentSum) {
  // Node 1 is referred to by nothing.
  expectResult(
      kSegmentSum,
      {array({2, 4}, {1, 2, 3, 4, 10, 20, 30, 40}), map({4}, 3, {2, 0, 2, 0})},
      array({2, 3}, {6, 0, 4, 60, 0, 40}));
}

TEST_F(IndexTest, SegmentSumAscends) {
  // 2^53 + 1 + 1 rounds to 2^53 from the left, and 1 + 1 + 2^53 does not.
  expectResult(
      kSegmentSum,
      {array({2, 3}, {0x1p53, 1, 1, 1, 1, 0x1p53}), map({3}, 1, {0, 0, 0})},
      array({2, 1}, {0x1p53, 0x1p53 + 2}));
}

TEST_F(IndexTest, SegmentSumOfNothing) {
  expectResult(kSegmentSum, {array({2, 0}, {}), map({0}, 2, {})},
               array({2, 2}, {0, 0, 0, 0}));
}

TEST_F(IndexTest, PaddedReferencesAreDropped) {
  expectResult(kPaddedSegmentSum,
               {array({2, 2, 2}, {1, 2, kNaN, kNaN, 5, 6, 7, 8}),
                paddedMap({2, 2}, 3, {1, 3, 1, 0})},
               array({3, 2}, {7, 8, 6, 8, 0, 0}));
}

TEST_F(IndexTest, Valid) {
  expectResult(R"(
    !m = !gyre.map<[k: K, n: Nout] to Nin, padded>
    gyre.func @f(%m: !m) -> (v: !gyre.tensor<K x Nout x f64>) {
      %v = gyre.valid %m : !m -> !gyre.tensor<K x Nout x f64>
      gyre.return %v : !gyre.tensor<K x Nout x f64>
    })",
               {paddedMap({2, 2}, 3, {0, 3, 2, 9})},
               array({2, 2}, {1, 0, 1, 0}));
}
} // namespace
