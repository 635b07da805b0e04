//===- Schedule.cpp - gyre-schedule: defaults from static facts -----------===//

#include "Lanes.h"

#include "gyre/Cells/Order.h"
#include "gyre/Transforms/Passes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_SCHEDULE
#include "gyre/Transforms/Passes.h.inc"

namespace {

/// What a schedule is chosen for.
struct Facts {
  /// Cells along the lane axes, and of them along the innermost one.
  int64_t width = 1, contiguous = 1;
  /// Bytes of a cell.
  int64_t bytes = 4;
  int64_t mostAlive = 0;
  bool reducesInside = false;
};

/// Vector, lanes, workers, span and teams.
struct Numbers {
  int64_t vector, lanes, workers, span, teams;
};

/// One vector of the widest registers at a time; sums over lanes that the body
/// goes on with need all lanes in one vector.
Numbers scheduleForCPU(const Facts &facts) {
  constexpr int64_t vectorBytes = 64, workers = 256, span = 32;
  int64_t vector = std::min(facts.width, vectorBytes / facts.bytes);
  if (facts.reducesInside)
    vector = facts.width;
  return {vector, 1, workers, span, 1};
}

/// The widest lanes whose cells fit the registers and that leave no thread of a
/// warp without cells.
Numbers scheduleForCUDA(const Facts &facts) {
  constexpr int64_t warp = 32, registers = 190, warpsOnDevice = 132 * 16,
                    span = 16, mostWarps = 4;
  int64_t bestVector = 1;
  double bestUse = 0;
  for (int64_t vector : {4, 2, 1}) {
    if (facts.contiguous % vector != 0 || vector * facts.bytes > 16)
      continue;
    int64_t lanes = llvm::alignTo(llvm::divideCeil(facts.width, vector), warp);
    double use = double(facts.width) / double(lanes * vector);
    if (facts.mostAlive * vector * (facts.bytes / 4) > registers)
      use -= 1;
    if (use > bestUse || (vector == 1 && bestUse <= 0)) {
      bestUse = use;
      bestVector = vector;
    }
  }
  int64_t lanes =
      llvm::alignTo(llvm::divideCeil(facts.width, bestVector), warp);
  int64_t warps = lanes / warp;
  int64_t teams = warps == 1 ? mostWarps : 1;
  return {bestVector, lanes, std::max<int64_t>(warpsOnDevice / warps, 132),
          span, teams};
}

} // namespace

static bool reducesInside(const cells::CellGraph &graph) {
  return llvm::any_of(graph.getNodes(), [](const cells::Node &node) {
    return node.kind == cells::Node::reduce;
  });
}

static FailureOr<ScheduleAttr> makeSchedule(KernelOp kernel, bool cuda) {
  FailureOr<cells::BodyAxes> axes = cells::BodyAxes::get(kernel);
  if (failed(axes))
    return failure();
  SmallVector<unsigned> lanes = schedule::chooseLanes(kernel, *axes);
  FailureOr<cells::CellGraph> graph =
      cells::CellGraph::get(kernel, *axes, lanes);
  // One vector of the CPU lies along one axis.
  if (succeeded(graph) && !cuda && lanes.size() > 1 && reducesInside(*graph)) {
    lanes = {lanes.back()};
    graph = cells::CellGraph::get(kernel, *axes, lanes);
  }
  if (failed(graph))
    return failure();
  Facts facts;
  for (unsigned axis : lanes)
    facts.width *= axes->size(axis);
  if (!lanes.empty())
    facts.contiguous = axes->size(lanes.back());
  facts.mostAlive = cells::orderCells(*graph).mostAlive;
  for (const cells::Node &node : graph->getNodes()) {
    if (auto type = dyn_cast<FloatType>(node.type))
      facts.bytes = std::max<int64_t>(facts.bytes, type.getWidth() / 8);
  }
  facts.reducesInside = reducesInside(*graph);
  Numbers numbers = cuda ? scheduleForCUDA(facts) : scheduleForCPU(facts);
  SmallVector<Place> places(axes->count(), Place::unrolled);
  for (unsigned axis : lanes)
    places[axis] = Place::lane;
  return ScheduleAttr::get(kernel.getContext(), places, numbers.vector,
                           numbers.lanes, numbers.workers, numbers.span,
                           numbers.teams);
}

namespace {
struct Schedule : impl::ScheduleBase<Schedule> {
  using ScheduleBase::ScheduleBase;

  void runOnOperation() override {
    if (target != "cpu" && target != "cuda") {
      getOperation().emitError("[schedule-target] expected cpu or cuda, got ")
          << target;
      return signalPassFailure();
    }
    WalkResult walk = getOperation().walk([&](KernelOp kernel) {
      if (kernel.getSchedule())
        return WalkResult::advance();
      FailureOr<ScheduleAttr> schedule = makeSchedule(kernel, target == "cuda");
      if (failed(schedule))
        return WalkResult::interrupt();
      kernel.setScheduleAttr(*schedule);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace

} // namespace gyre
