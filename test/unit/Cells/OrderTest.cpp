//===- OrderTest.cpp - Orders of the cells of random programs -------------===//

#include "../Transforms/SameValues.h"
#include "Machine.h"
#include "Support.h"

#include "gyre/Transforms/Passes.h"

#include <cmath>

using namespace mlir;
using namespace gyre;
using namespace gyre::cells;
using namespace gyre::test;

namespace {
/// What the steps of an order do, counted without cleverness.
class Recount {
public:
  Recount(const CellGraph &graph, const Order &order)
      : graph(graph), order(order) {}
  void check();

private:
  bool takesStep(NodeId id) const {
    const Node &node = graph.node(id);
    return node.kind == Node::compute || node.kind == Node::reduce ||
           (node.kind == Node::sum && !node.terms.empty());
  }
  /// Whether the cell has to be loaded by a step.
  bool isSource(NodeId id) const {
    const Node &node = graph.node(id);
    return node.kind == Node::load && node.extent == Extent::lane &&
           !graph.isInvariant(id);
  }
  SmallVector<NodeId> inputsOf(const Step &step) const {
    const Node &node = graph.node(step.node);
    if (step.kind == Step::load)
      return {};
    if (step.kind == Step::term)
      return llvm::to_vector_of<NodeId>(node.terms[step.number].factors);
    return llvm::to_vector_of<NodeId>(node.operands);
  }
  void checkSteps();
  int64_t countAlive() const;

  const CellGraph &graph;
  const Order &order;
};

void Recount::checkSteps() {
  std::map<std::pair<NodeId, unsigned>, unsigned> taken;
  std::set<NodeId> complete, loaded;
  for (const Step &step : order.steps) {
    const Node &node = graph.node(step.node);
    if (step.kind == Step::load) {
      ASSERT_TRUE(isSource(step.node));
      loaded.insert(step.node);
      continue;
    }
    ASSERT_TRUE(takesStep(step.node));
    ASSERT_EQ(step.kind == Step::term, node.kind == Node::sum);
    ASSERT_EQ(complete.count(step.node), 0u) << "a step after the last one";
    ASSERT_EQ(++taken[std::make_pair(step.node, step.number)], 1u);
    for (NodeId input : inputsOf(step)) {
      ASSERT_TRUE(!takesStep(input) || complete.count(input));
      ASSERT_TRUE(!isSource(input) || loaded.count(input));
    }
    if (step.last)
      complete.insert(step.node);
  }
  size_t expected = 0;
  for (NodeId id = 0; id < graph.getNodes().size(); ++id) {
    if (!takesStep(id))
      continue;
    const Node &node = graph.node(id);
    expected += node.kind == Node::sum ? node.terms.size() : 1;
    ASSERT_EQ(complete.count(id), 1u) << "a node without a last step";
  }
  ASSERT_EQ(taken.size(), expected);
}

/// A cell is alive from the step that writes it first to the last that uses it;
/// a loaded one from its latest load.
int64_t Recount::countAlive() const {
  auto last = static_cast<int64_t>(order.steps.size());
  std::vector<int64_t> change(last + 1);
  std::map<NodeId, int64_t> from, until;
  std::set<NodeId> always;
  auto close = [&](NodeId id) {
    if (!from.count(id))
      return;
    ++change[from[id]];
    --change[until[id] + 1];
    from.erase(id);
  };
  for (auto [at, step] : llvm::enumerate(order.steps)) {
    if (step.kind == Step::load)
      close(step.node);
    SmallVector<NodeId> touched = inputsOf(step);
    touched.push_back(step.node);
    for (NodeId id : touched) {
      if (graph.node(id).extent == Extent::shared &&
          graph.node(id).kind == Node::load)
        continue;
      bool isInvariantLoad =
          graph.isInvariant(id) && graph.node(id).kind == Node::load;
      if (graph.isCarried(id) || isInvariantLoad) {
        always.insert(id);
      } else if (takesStep(id) || isSource(id)) {
        from.try_emplace(id, at);
        until[id] = at;
      }
    }
  }
  for (NodeId id = 0; id < graph.getNodes().size(); ++id)
    close(id);
  int64_t alive = 0, most = 0;
  for (int64_t at = 0; at < last; ++at)
    most = std::max(most, alive += change[at]);
  return most + static_cast<int64_t>(always.size());
}

void Recount::check() {
  checkSteps();
  EXPECT_GE(order.mostAlive, countAlive());
}

/// What random programs had.
struct Seen {
  uint64_t functions = 0, kernels = 0, segments = 0, totals = 0, lanes = 0,
           partials = 0, reductions = 0;
};
} // namespace

/// Fused, scheduled and run in the order of their steps, functions have the
/// values that the interpreter gives them.
TEST_F(CellsTest, OrdersOfRandomProgramsTakeEachStepOnceAndComputeTheirValues) {
  Seen seen;
  PassManager fuse(&context), scheduleCpu(&context), scheduleCuda(&context);
  fuse.addPass(createPlanContractions());
  fuse.addPass(createFuse());
  scheduleCpu.addPass(createSchedule());
  ScheduleOptions options;
  options.target = "cuda";
  scheduleCuda.addPass(createSchedule(options));
  auto visit = [&](KernelOp kernel, const CellGraph &graph,
                   const Order &order) {
    Recount(graph, order).check();
    ++seen.kernels;
    for (auto delivery : kernel.getDeliveries().getAsRange<DeliveryAttr>()) {
      seen.segments += delivery.getKind() == DeliveryKind::segment;
      seen.totals += delivery.getKind() == DeliveryKind::total;
    }
    seen.lanes +=
        llvm::is_contained(kernel.getScheduleAttr().getPlaces(), Place::lane);
    for (const Node &node : graph.getNodes()) {
      seen.partials += node.extent == Extent::partial;
      seen.reductions += node.kind == Node::reduce;
    }
  };
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    RandomProgram program = makeRandomProgramWithDerivatives(context, random);
    for (FuncOp func : program.module->getOps<FuncOp>()) {
      OwningOpRef<ModuleOp> alone = ModuleOp::create(func.getLoc());
      alone->push_back(func->clone());
      if (failed(fuse.run(*alone)))
        continue;
      std::vector<Argument> arguments = makeArguments(func, random);
      FailureOr<std::vector<Array>> expected =
          interpret(func, arguments, getSizes());
      ASSERT_TRUE(succeeded(expected));
      for (PassManager *schedule : {&scheduleCpu, &scheduleCuda}) {
        OwningOpRef<ModuleOp> scheduled = alone->clone();
        if (failed(schedule->run(*scheduled)))
          continue;
        auto fused = cast<FuncOp>(scheduled->getBody()->front());
        // Kernels of cells have no order of steps.
        if (!fused.getBody().front().getOps<CellsOp>().empty())
          continue;
        ++seen.functions;
        std::vector<Array> got =
            runKernels(fused, arguments, getSizes(), visit);
        ASSERT_EQ(got.size(), expected->size());
        for (auto [i, want] : llvm::enumerate(*expected)) {
          ASSERT_EQ(got[i].shape, want.shape);
          for (size_t j = 0; j < want.data.size(); ++j)
            ASSERT_LE(std::abs(got[i].data[j] - want.data[j]),
                      1e-11 * (0.1 + std::abs(want.data[j])))
                << func.getSymName().str() << ", result " << i << ", cell "
                << j;
        }
        if (HasFailure())
          return;
      }
    }
  }
  llvm::outs() << seen.functions << " functions, " << seen.kernels
               << " kernels, " << seen.segments << " segments, " << seen.totals
               << " totals, " << seen.lanes << " with lanes, " << seen.partials
               << " partial cells, " << seen.reductions << " reductions\n";
  EXPECT_GT(seen.functions, 300u);
  EXPECT_GT(seen.segments, 30u);
  EXPECT_GT(seen.totals, 100u);
  EXPECT_GT(seen.lanes, 300u);
  EXPECT_GT(seen.partials, 100u);
  EXPECT_GT(seen.reductions, 30u);
}
