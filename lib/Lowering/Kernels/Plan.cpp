//===- Plan.cpp - What the code of one kernel is made from ----------------===//

#include "Plan.h"

#include "gyre/Cells/Parts.h"
#include "gyre/Cells/Phases.h"
#include "gyre/Schedule/Lanes.h"

using namespace mlir;

namespace gyre::kernels {

void Params::add(Kind kind, uintptr_t what, Value value) {
  if (numbers.try_emplace({kind, what}, host.size()).second)
    host.push_back(value);
}

FailureOr<std::vector<Plan>> Plan::get(KernelOp kernel) {
  ScheduleAttr schedule = kernel.getScheduleAttr();
  if (!schedule)
    return kernel.emitError("[lower-kernel-schedule] expected a schedule "
                            "(gyre-schedule gives one), got none");
  FailureOr<cells::BodyAxes> axes = cells::BodyAxes::get(kernel);
  if (failed(axes))
    return failure();
  if (schedule.getPlaces().size() != axes->count())
    return kernel.emitError("[lower-kernel-schedule] expected a place for each "
                            "of ")
           << axes->count() << " axes, got " << schedule.getPlaces().size();
  LaneAxes lanes = LaneAxes::get(kernel, *axes);
  FailureOr<cells::CellGraph> graph =
      cells::CellGraph::get(kernel, *axes, lanes.axes);
  if (failed(graph))
    return failure();
  std::vector<Plan> plans;
  for (cells::CellGraph &part : cells::cutCells(*graph, schedule.getAlive())) {
    cells::Order order = cells::orderInPhases(part, schedule.getAlive());
    plans.push_back({kernel,
                     schedule,
                     *axes,
                     lanes,
                     std::move(part),
                     std::move(order),
                     /*isLast=*/false,
                     {},
                     {}});
    plans.back().lookAtValues();
  }
  plans.back().isLast = true;
  return plans;
}

void Plan::lookAtValues() {
  for (const cells::Node &node : graph.getNodes()) {
    if (node.kind != cells::Node::load || views.contains(node.value))
      continue;
    std::optional<unsigned> rowsDim;
    if (auto row = node.value.getDefiningOp<RowOp>())
      rowsDim = row.getAxis();
    views.insert({node.value, View(node.value, rowsDim, axes, lanes)});
  }
  for (auto [i, value] : llvm::enumerate(kernel.getDeliver().getValues())) {
    std::optional<unsigned> rowsDim;
    if (kind(i) != DeliveryKind::total)
      rowsDim = kernel.getDelivery(i).getAxis();
    results.push_back(View(value, rowsDim, axes, lanes));
  }
}

/// What goes on with a sum over the lanes needs the sum of all of them.
LogicalResult Plan::checkForCPU() const {
  // Rows of sums are cleared as a whole when a node's first row comes.
  if (schedule.getAlive() != 0)
    return KernelOp(kernel).emitError("[lower-kernel-schedule] expected no "
                                      "limit of vectors alive for the CPU, "
                                      "got ")
           << schedule;
  if (schedule.getHeavy() != 0)
    return KernelOp(kernel).emitError("[lower-kernel-schedule] expected ranges "
                                      "of rows for the CPU, got ")
           << schedule;
  bool oneVector =
      lanes.sizes.size() <= 1 && lanes.width() <= schedule.getVector();
  bool reduces = llvm::any_of(graph.getNodes(), [](const cells::Node &node) {
    return node.kind == cells::Node::reduce;
  });
  if (oneVector || !reduces)
    return success();
  return KernelOp(kernel).emitError(
             "[lower-kernel-schedule] expected one vector "
             "along one lane axis, for a body that goes "
             "on with a sum over lanes, got ")
         << schedule;
}

/// Threads load vectors of up to 16 aligned bytes; blocks have whole warps, and
/// those of a team with several wait for each other.
LogicalResult Plan::checkForCUDA() const {
  constexpr int64_t warp = 32, mostThreads = 1024, mostBytes = 16;
  int64_t bytes = 4, vector = schedule.getVector(),
          threads = schedule::getThreads(schedule), teams = schedule.getTeams(),
          shares = schedule::countShares(schedule);
  for (const cells::Node &node : graph.getNodes())
    if (node.type.isF64())
      bytes = 8;
  if (schedule.getHeavy() != 0 && !schedule::sumsNodesOnly(kernel))
    return KernelOp(kernel).emitError("[lower-kernel-schedule] expected sums "
                                      "of nodes only where each node has a "
                                      "worker, got ")
           << schedule;
  int64_t inner = lanes.sizes.empty() ? 1 : lanes.sizes.back();
  if (threads % warp == 0 && threads <= mostThreads &&
      teams <= mostThreads / threads && (threads == warp || teams == 1) &&
      llvm::isPowerOf2_64(vector) && vector <= mostBytes / bytes &&
      inner % vector == 0 && lanes.width() <= vector * threads * shares &&
      (shares == 1 || teams == 1)) {
    if (shares > 1 && !graph.hasLanesAlone())
      return KernelOp(kernel).emitError(
                 "[lower-kernel-schedule] expected at most ")
             << schedule::getMostThreads(schedule)
             << " lanes, those of one block, for a body that sums over them or "
                "writes what they share, got "
             << schedule;
    return success();
  }
  return KernelOp(kernel).emitError("[lower-kernel-schedule] expected lanes of "
                                    "whole warps, teams of one warp or one "
                                    "team, and vectors of up to 16 bytes that "
                                    "divide the innermost lane axis and hold "
                                    "all cells, got ")
         << schedule;
}

PolyAttr Plan::getResultRows(unsigned result) const {
  KernelOp op = kernel;
  if (kind(result) == DeliveryKind::segment)
    return cast<MapType>(op.getOwner().getType()).getTarget();
  return op.getRows();
}

int64_t Plan::getPartialRows(unsigned result) const {
  return schedule.getWorkers() *
         (kind(result) == DeliveryKind::segment ? 2 : 1);
}

bool Plan::hasPartial(unsigned result) const {
  return llvm::any_of(
      graph.getDelivered(), [&](const cells::DeliveredCell &cell) {
        return cell.result == result &&
               graph.node(cell.node).extent == cells::Extent::partial;
      });
}

bool Plan::isZero(cells::NodeId id) const {
  const cells::Node &node = graph.node(id);
  return node.kind == cells::Node::sum && node.terms.empty() &&
         !graph.isCarried(id);
}

bool Plan::isCleared(unsigned result) const {
  return kind(result) == DeliveryKind::row && results[result].isRowCompact() &&
         llvm::any_of(
             graph.getDelivered(), [&](const cells::DeliveredCell &cell) {
               return cell.result == result && isZero(cell.node) &&
                      graph.node(cell.node).extent == cells::Extent::shared;
             });
}

bool Plan::delivers(DeliveryKind wanted) const {
  for (unsigned i = 0; i < results.size(); ++i)
    if (kind(i) == wanted)
      return true;
  return false;
}

SmallVector<cells::NodeId> Plan::getCarried(DeliveryKind wanted) const {
  SmallVector<cells::NodeId> nodes;
  for (const cells::DeliveredCell &cell : graph.getDelivered())
    if (graph.isCarried(cell.node) && kind(cell.result) == wanted)
      nodes.push_back(cell.node);
  return nodes;
}

const cells::DeliveredCell &Plan::getDelivered(cells::NodeId node) const {
  return *llvm::find_if(
      graph.getDelivered(),
      [&](const cells::DeliveredCell &cell) { return cell.node == node; });
}

void Plan::pointShared(Builder &b, const Params &params, ValueRange coordinates,
                       Body &body) const {
  for (auto &[value, view] : views) {
    if (value.getDefiningOp<RowOp>())
      continue;
    Value pointer =
        view.atLane(b, {params.get(Params::tensor, value), {}}, coordinates);
    body.pointers[value] = {&view, pointer, {}};
  }
}

void Plan::pointRows(Builder &b, const Params &params, ValueRange coordinates,
                     Value row, function_ref<Value(Value)> nodeOf,
                     Body &body) const {
  pointShared(b, params, coordinates, body);
  for (auto &[value, view] : views) {
    auto op = value.getDefiningOp<RowOp>();
    if (!op)
      continue;
    auto type = cast<TensorType>(op.getX().getType());
    Array array{params.get(Params::tensor, op.getX()),
                params.getSize(type.getDims()[op.getAxis()])};
    Value at = op.getMap() ? nodeOf(op.getMap()) : row;
    Value pointer = view.atRow(b, view.atLane(b, array, coordinates), at);
    body.pointers[value] = {&view, pointer, array.rows};
  }
}

RowPointer Plan::pointResult(Builder &b, unsigned i, const Array &array,
                             ValueRange coordinates, Value row) const {
  const View &view = results[i];
  Value pointer = view.atLane(b, array, coordinates);
  return {&view, view.atRow(b, pointer, row), array.rows};
}

} // namespace gyre::kernels
