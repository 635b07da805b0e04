//===- GraphTest.cpp - The cells of bodies --------------------------------===//

#include "Support.h"

#include <random>

using namespace mlir;
using namespace gyre;
using namespace gyre::cells;
using namespace gyre::test;

namespace {
using Key = std::vector<int64_t>;

/// A cell of w, a cell of x, and the coefficient of their product.
using Product = std::tuple<Key, Key, double>;

Key keyOf(const CellIndex &index) { return Key(index.begin(), index.end()); }

/// y[r, j, c] = sum of w[k, j] x[k, c] over tuples (r, k), c along lanes or
/// not. Tuples list some cells only.
class ContractCellsTest : public CellsTest,
                          public ::testing::WithParamInterface<uint64_t> {};
} // namespace

TEST_P(ContractCellsTest, AreThoseThatTuplesList) {
  std::mt19937_64 random(GetParam());
  bool alongLanes = random() % 2;
  std::map<std::pair<int64_t, int64_t>, double> tuples;
  std::string text;
  for (uint64_t left = 1 + random() % 6; left > 0; --left) {
    int64_t r = random() % 4, k = random() % 3;
    double coefficient = random() % 2 ? 1.0 : -0.5;
    tuples[{r, k}] += coefficient;
    text += (text.empty() ? "(" : ", (") + std::to_string(r) + ", " +
            std::to_string(k) + ") * " + std::to_string(coefficient);
  }
  for (auto it = tuples.begin(); it != tuples.end();)
    it = it->second == 0 ? tuples.erase(it) : std::next(it);
  KernelOp kernel =
      parse(R"(
    !w = !gyre.tensor<E x 3 x 2 x f32>
    !x = !gyre.tensor<E x 3 x 5 x f32>
    !y = !gyre.tensor<E x 4 x 2 x 5 x f32>
    gyre.func @f(%w: !w, %x: !x) -> (y: !y) {
      %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !y {
        %0 = gyre.row %w axis 0 : !w
        %1 = gyre.row %x axis 0 : !x
        %2 = gyre.contract %0[k, j], %1[k, c] -> [r, j, c] with (r = 4) over [r, k] {)" +
            text + R"(} : !gyre.tensor<3 x 2 x f32>, !gyre.tensor<3 x 5 x f32>
        gyre.deliver %2 : !gyre.tensor<4 x 2 x 5 x f32>
      }
      gyre.return %y : !y
    })");
  ASSERT_TRUE(kernel) << messages;
  FailureOr<BodyAxes> axes = BodyAxes::get(kernel);
  ASSERT_TRUE(succeeded(axes)) << messages;
  Value w = valueAt(kernel, 0), x = valueAt(kernel, 1);
  SmallVector<unsigned> lanes;
  if (alongLanes)
    lanes.push_back(axes->of(x, 1)[0]);
  FailureOr<CellGraph> graph = CellGraph::get(kernel, *axes, lanes);
  ASSERT_TRUE(succeeded(graph)) << messages;

  int64_t channels = alongLanes ? 1 : 5;
  std::map<Key, std::multiset<Product>> expected;
  std::set<std::pair<void *, Key>> listed, loaded;
  for (int64_t r = 0; r < 4; ++r)
    for (int64_t j = 0; j < 2; ++j)
      for (int64_t c = 0; c < channels; ++c) {
        std::multiset<Product> &products = expected[{r, j, c}];
        for (int64_t k = 0; k < 3; ++k) {
          auto tuple = tuples.find({r, k});
          if (tuple == tuples.end())
            continue;
          products.insert({{k, j}, {k, c}, tuple->second});
          listed.insert({w.getAsOpaquePointer(), {k, j}});
          listed.insert({x.getAsOpaquePointer(), {k, c}});
        }
      }
  // A NaN in a cell that no tuple lists goes nowhere: the cell is no node.
  for (const Node &node : graph->getNodes())
    if (node.kind == Node::load)
      loaded.insert({node.value.getAsOpaquePointer(), keyOf(node.index)});
  EXPECT_EQ(loaded, listed);

  ASSERT_EQ(graph->getDelivered().size(), expected.size());
  for (const DeliveredCell &cell : graph->getDelivered()) {
    const Node &node = graph->node(cell.node);
    ASSERT_EQ(node.kind, Node::sum);
    EXPECT_EQ(node.extent, alongLanes ? Extent::lane : Extent::shared);
    std::multiset<Product> products;
    for (const Term &term : node.terms) {
      ASSERT_EQ(term.factors.size(), 2u);
      products.insert({keyOf(graph->node(term.factors[0]).index),
                       keyOf(graph->node(term.factors[1]).index),
                       term.coefficient});
    }
    ASSERT_TRUE(expected.count(keyOf(cell.index)));
    EXPECT_EQ(products, expected[keyOf(cell.index)]);
    expected.erase(keyOf(cell.index));
  }
  EXPECT_TRUE(expected.empty());
}

INSTANTIATE_TEST_SUITE_P(Random, ContractCellsTest,
                         ::testing::Range<uint64_t>(0, 50));

/// Sums that are used once are no cells of their own; a difference turns signs.
TEST_F(CellsTest, SumsOfSumsAreOneSum) {
  KernelOp kernel = parse(R"(
    !x = !gyre.tensor<E x f32>
    !r = !gyre.tensor<f32>
    gyre.func @f(%a: !x, %b: !x, %c: !x) -> (y: !x) {
      %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !x {
        %0 = gyre.row %a axis 0 : !x
        %1 = gyre.row %b axis 0 : !x
        %2 = gyre.row %c axis 0 : !x
        %3 = arith.mulf %0, %1 : !r
        %4 = arith.addf %3, %2 : !r
        %5 = arith.subf %2, %4 : !r
        gyre.deliver %5 : !r
      }
      gyre.return %y : !x
    })");
  FailureOr<BodyAxes> axes = BodyAxes::get(kernel);
  ASSERT_TRUE(succeeded(axes)) << messages;
  FailureOr<CellGraph> graph = CellGraph::get(kernel, *axes, {});
  ASSERT_TRUE(succeeded(graph)) << messages;
  const Node &sum = graph->node(graph->getDelivered()[0].node);
  ASSERT_EQ(sum.terms.size(), 3u);
  EXPECT_EQ(sum.terms[0].coefficient, 1);
  EXPECT_EQ(sum.terms[1].coefficient, -1);
  EXPECT_EQ(sum.terms[1].factors.size(), 2u);
  EXPECT_EQ(sum.terms[2].coefficient, -1);
  // What was put into it takes no steps any more.
  EXPECT_EQ(orderCells(*graph).steps.size(), 3u);
}

/// A number that all cells have is one in each lane: sums over lanes count it
/// as often.
TEST_F(CellsTest, ConstantsAreInAllLanes) {
  KernelOp kernel = parse(R"(
    !x = !gyre.tensor<E x 8 x f32>
    !s = !gyre.tensor<E x f32>
    gyre.func @f(%x: !x) -> (y: !x, s: !s) {
      %y, %s = gyre.kernel over E deliver [#gyre.delivery<row 0>, #gyre.delivery<row 0>] : !x, !s {
        %0 = gyre.constant 2.0 : !gyre.tensor<8 x f32>
        %1 = gyre.contract %0[c] -> [] : !gyre.tensor<8 x f32>
        gyre.deliver %0, %1 : !gyre.tensor<8 x f32>, !gyre.tensor<f32>
      }
      gyre.return %y, %s : !x, !s
    })");
  FailureOr<BodyAxes> axes = BodyAxes::get(kernel);
  ASSERT_TRUE(succeeded(axes)) << messages;
  FailureOr<CellGraph> graph = CellGraph::get(kernel, *axes, {0u});
  ASSERT_TRUE(succeeded(graph)) << messages;
  ASSERT_EQ(graph->getDelivered().size(), 2u);
  EXPECT_EQ(graph->node(graph->getDelivered()[0].node).extent, Extent::lane);
  EXPECT_EQ(graph->node(graph->getDelivered()[1].node).extent, Extent::partial);
}
