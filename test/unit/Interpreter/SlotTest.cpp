//===- SlotTest.cpp - Maxima, and what goes by their slots ----------------===//

#include "Support.h"

using namespace gyre;
using namespace gyre::test;

namespace {
class SlotTest : public InterpreterTest {
protected:
  void expectMax(const std::string &text, std::vector<Argument> arguments,
                 const Array &max, const Array &slot) {
    std::vector<Array> results = run(text, std::move(arguments));
    ASSERT_EQ(results.size(), 2u) << messages;
    expectEqual(results[0], max);
    expectEqual(results[1], slot);
  }
};

const char *const kMax = R"(
  gyre.func @f(%x: !gyre.tensor<A x K x B x f64>) -> (max: !gyre.tensor<A x B x f64>, slot: !gyre.tensor<A x B x i8>) {
    %max, %slot = gyre.max_slot %x axis 1 : !gyre.tensor<A x K x B x f64> -> !gyre.tensor<A x B x f64>, !gyre.tensor<A x B x i8>
    gyre.return %max, %slot : !gyre.tensor<A x B x f64>, !gyre.tensor<A x B x i8>
  })";

/// Reduces axis `k`, the first of the map's, of (B, K, Nout, 2).
const char *const kMappedMax = R"(
  !m = !gyre.map<[k: K, n: Nout] to Nin, padded>
  !x = !gyre.tensor<B x K x Nout x 2 x f64>
  !y = !gyre.tensor<B x Nout x 2 x f64>
  !s = !gyre.tensor<B x Nout x 2 x i8>
  gyre.func @f(%x: !x, %m: !m) -> (max: !y, slot: !s) {
    %max, %slot = gyre.max_slot %x axis 1 over %m[k] : !x, !m -> !y, !s
    gyre.return %max, %slot : !y, !s
  })";

/// Reduces axis `k`, the last of the map's.
const char *const kMappedMaxOfLast = R"(
  !m = !gyre.map<[n: Nout, k: K] to Nin, padded>
  !x = !gyre.tensor<Nout x K x f64>
  !y = !gyre.tensor<Nout x f64>
  !s = !gyre.tensor<Nout x i8>
  gyre.func @f(%x: !x, %m: !m) -> (max: !y, slot: !s) {
    %max, %slot = gyre.max_slot %x axis 0 over %m[k] : !x, !m -> !y, !s
    gyre.return %max, %slot : !y, !s
  })";

const char *const kSelect = R"(
  gyre.func @f(%x: !gyre.tensor<2 x K x f64>, %s: !gyre.tensor<2 x i8>) -> (y: !gyre.tensor<2 x f64>) {
    %y = gyre.select_slot %x at %s axis 1 : !gyre.tensor<2 x K x f64>, !gyre.tensor<2 x i8>
    gyre.return %y : !gyre.tensor<2 x f64>
  })";

const char *const kSpread = R"(
  gyre.func @f(%g: !gyre.tensor<2 x f64>, %s: !gyre.tensor<2 x i8>) -> (y: !gyre.tensor<K x 2 x f64>) {
    %y = gyre.spread_slot %g at %s axis 0 size K : !gyre.tensor<2 x f64>, !gyre.tensor<2 x i8>
    gyre.return %y : !gyre.tensor<K x 2 x f64>
  })";

TEST_F(SlotTest, MaximumOfAnInnerAxis) {
  expectMax(kMax, {array({1, 3, 2}, {1, 6, 3, 5, 2, 4})}, array({1, 2}, {3, 6}),
            array({1, 2}, {1, 0}));
}

TEST_F(SlotTest, TiesGoToTheLowestSlot) {
  expectMax(kMax, {array({1, 3, 1}, {1, 2, 2})}, array({1, 1}, {2}),
            array({1, 1}, {1}));
}

TEST_F(SlotTest, NaNNeverWins) {
  expectMax(kMax, {array({2, 2, 1}, {kNaN, 2, kNaN, kNaN})},
            array({2, 1}, {2, -kInf}), array({2, 1}, {1, 0}));
}

TEST_F(SlotTest, MinusInfinityKeepsSlotZero) {
  expectMax(kMax, {array({1, 2, 1}, {-kInf, -kInf})}, array({1, 1}, {-kInf}),
            array({1, 1}, {0}));
}

TEST_F(SlotTest, SlotWidth) {
  std::vector<double> values(257);
  values[255] = 1;
  expectMax(kMax, {array({1, 256, 1}, {values.begin(), values.begin() + 256})},
            array({1, 1}, {1}), array({1, 1}, {255}));
  expectError(kMax, {array({1, 257, 1}, values)},
              "[interpret-slot-width] expected an integer type that holds 257 "
              "slots, got 'i8'");
}

TEST_F(SlotTest, NoSlots) {
  expectMax(kMax, {array({2, 0, 1}, {})}, array({2, 1}, {-kInf, -kInf}),
            array({2, 1}, {0, 0}));
}

TEST_F(SlotTest, PaddedReferencesAreSkipped) {
  // Output 0 has one neighbour, in slot 1; output 1 has none.
  expectMax(kMappedMax,
            {array({1, 2, 2, 2}, {9, 9, 9, 9, -1, -2, 9, 9}),
             paddedMap({2, 2}, 5, {5, 6, 4, 5})},
            array({1, 2, 2}, {-1, -2, -kInf, -kInf}),
            array({1, 2, 2}, {1, 1, 0, 0}));
}

TEST_F(SlotTest, MapIsReadAtEachOuterPosition) {
  expectMax(kMappedMax,
            {array({2, 1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}),
             paddedMap({1, 2}, 5, {5, 4})},
            array({2, 2, 2}, {-kInf, -kInf, 3, 4, -kInf, -kInf, 7, 8}),
            array({2, 2, 2}, {0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST_F(SlotTest, MaximumOfTheMapsLastAxis) {
  expectMax(kMappedMaxOfLast,
            {array({2, 3}, {9, 1, 2, 3, 9, 9}),
             paddedMap({2, 3}, 4, {4, 0, 1, 3, 7, 8})},
            array({2}, {2, 3}), array({2}, {2, 0}));
}

TEST_F(SlotTest, Select) {
  expectResult(kSelect, {array({2, 3}, {1, 2, 3, 4, 5, 6}), array({2}, {2, 0})},
               array({2}, {3, 4}));
}

TEST_F(SlotTest, Spread) {
  expectResult(kSpread, {array({2}, {5, 7}), array({2}, {2, 0})},
               array({3, 2}, {0, 7, 0, 0, 5, 0}), {{"K", 3}});
}

TEST_F(SlotTest, SlotZeroOfNoSlots) {
  expectResult(kSelect, {array({2, 0}, {}), array({2}, {0, 0})},
               array({2}, {0, 0}));
  expectResult(kSpread, {array({2}, {5, 7}), array({2}, {0, 0})},
               array({0, 2}, {}), {{"K", 0}});
}

TEST_F(SlotTest, SlotRange) {
  expectError(kSelect, {array({2, 3}, {1, 2, 3, 4, 5, 6}), array({2}, {2, 3})},
              "[interpret-slot-range] expected slots in [0, 3), got 3 at "
              "position 1");
  expectError(kSelect, {array({2, 0}, {}), array({2}, {0, 1})},
              "[interpret-slot-range] expected slots in [0, 0), got 1 at "
              "position 1");
  expectError(kSpread, {array({2}, {5, 7}), array({2}, {-1, 0})},
              "[interpret-slot-range] expected slots in [0, 3), got -1 at "
              "position 0",
              {{"K", 3}});
}
} // namespace
