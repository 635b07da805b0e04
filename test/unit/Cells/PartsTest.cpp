//===- PartsTest.cpp - Parts of the cells of random programs --------------===//

#include "../Transforms/SameValues.h"
#include "Support.h"

#include "gyre/Cells/Parts.h"
#include "gyre/Cells/Phases.h"
#include "gyre/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"

#include <random>

using namespace mlir;
using namespace gyre;
using namespace gyre::cells;
using namespace gyre::test;

namespace {
class PartsTest : public CellsTest {};

/// Nodes of two graphs are the same if they compute the same of the same.
class Same {
public:
  Same(const CellGraph &a, const CellGraph &b) : a(a), b(b) {}

  bool operator()(NodeId x, NodeId y) {
    auto [it, isNew] = known.insert({{x, y}, true});
    if (isNew)
      known[{x, y}] = compare(x, y);
    return known[{x, y}];
  }

private:
  bool compare(NodeId x, NodeId y) {
    const Node &p = a.node(x), &q = b.node(y);
    if (p.kind != q.kind || p.extent != q.extent || p.value != q.value ||
        p.index != q.index || p.number != q.number || p.op != q.op ||
        a.isCarried(x) != b.isCarried(y) || p.terms.size() != q.terms.size() ||
        p.operands.size() != q.operands.size())
      return false;
    for (auto [s, t] : llvm::zip_equal(p.terms, q.terms)) {
      if (s.coefficient != t.coefficient ||
          s.factors.size() != t.factors.size())
        return false;
      for (auto [f, g] : llvm::zip_equal(s.factors, t.factors))
        if (!(*this)(f, g))
          return false;
    }
    for (auto [f, g] : llvm::zip_equal(p.operands, q.operands))
      if (!(*this)(f, g))
        return false;
    return true;
  }

  const CellGraph &a, &b;
  std::map<std::pair<NodeId, NodeId>, bool> known;
};

using Cell = std::pair<unsigned, std::vector<int64_t>>;
Cell keyOf(const DeliveredCell &cell) {
  return {cell.result, {cell.index.begin(), cell.index.end()}};
}

/// Each cell is in one part, as it was, and parts with several are as small as
/// they were asked to be.
void check(const CellGraph &graph, int64_t most, unsigned &cut) {
  std::map<Cell, NodeId> left;
  for (const DeliveredCell &cell : graph.getDelivered())
    ASSERT_TRUE(left.insert({keyOf(cell), cell.node}).second);
  std::vector<CellGraph> parts = cutCells(graph, most);
  cut += parts.size() > 1;
  for (const CellGraph &part : parts) {
    Same same(part, graph);
    for (const DeliveredCell &cell : part.getDelivered()) {
      auto found = left.find(keyOf(cell));
      ASSERT_TRUE(found != left.end()) << "a cell in two parts";
      ASSERT_TRUE(same(cell.node, found->second));
      left.erase(found);
    }
    if (parts.size() > 1 && part.getDelivered().size() > 1) {
      EXPECT_LE(orderInPhases(part, most).mostAlive, most);
    }
  }
  EXPECT_TRUE(left.empty());
}
} // namespace

TEST_F(PartsTest, HoldEachCellOnceAndFewAlive) {
  PassManager passes(&context);
  passes.addPass(createPlanContractions());
  passes.addPass(createFuse());
  ScheduleOptions options;
  options.target = "cuda";
  passes.addPass(createSchedule(options));
  unsigned kernels = 0, cut = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    RandomProgram program = makeRandomProgramWithDerivatives(context, random);
    for (FuncOp func : program.module->getOps<FuncOp>()) {
      OwningOpRef<ModuleOp> alone = ModuleOp::create(func.getLoc());
      alone->push_back(func->clone());
      if (failed(passes.run(*alone)))
        continue;
      alone->walk([&](KernelOp kernel) {
        FailureOr<BodyAxes> axes = BodyAxes::get(kernel);
        ASSERT_TRUE(succeeded(axes));
        SmallVector<unsigned> lanes;
        for (auto [axis, place] :
             llvm::enumerate(kernel.getScheduleAttr().getPlaces()))
          if (place == Place::lane)
            lanes.push_back(axis);
        FailureOr<CellGraph> graph = CellGraph::get(kernel, *axes, lanes);
        ASSERT_TRUE(succeeded(graph));
        ++kernels;
        for (int64_t most : {0, 1, 3, 8})
          check(*graph, most, cut);
      });
      if (HasFailure())
        return;
    }
  }
  EXPECT_GT(kernels, 50u);
  EXPECT_GT(cut, 50u);
}
