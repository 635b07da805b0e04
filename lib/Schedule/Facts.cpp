//===- Facts.cpp - What a schedule is chosen by ---------------------------===//

#include "Facts.h"

#include "Lanes.h"

#include "gyre/Cells/Phases.h"

using namespace mlir;

namespace gyre::schedule {

/// What threads read and write, one step after the other.
static void countAccesses(const cells::CellGraph &graph,
                          const cells::Order &order, Facts &facts) {
  using cells::Extent;
  using cells::Node;
  auto isWord = [&](cells::NodeId id) {
    const Node &node = graph.node(id);
    return node.kind == Node::load && node.extent == Extent::shared &&
           !graph.isInvariant(id);
  };
  llvm::DenseMap<cells::NodeId, size_t> usedAt;
  for (auto [time, step] : llvm::enumerate(order.steps)) {
    const Node &node = graph.node(step.node);
    facts.vectors += step.kind == cells::Step::load;
    ArrayRef<cells::NodeId> used = node.operands;
    if (step.kind == cells::Step::term)
      used = node.terms[step.number].factors;
    for (cells::NodeId id : used) {
      if (!isWord(id))
        continue;
      auto [last, isNew] = usedAt.try_emplace(id, time);
      facts.words += isNew || time - last->second > kReuse;
      last->second = time;
    }
  }
  for (const Node &node : graph.getNodes()) {
    auto row = node.value ? node.value.getDefiningOp<RowOp>() : RowOp();
    facts.vectors += node.kind == Node::load && node.extent == Extent::lane &&
                     row && !row.getMap();
  }
  for (const cells::DeliveredCell &cell : graph.getDelivered()) {
    if (graph.isCarried(cell.node))
      continue;
    Extent extent = graph.node(cell.node).extent;
    facts.vectors += extent == Extent::lane;
    facts.sums += extent == Extent::partial;
  }
}

static int64_t countBytes(const cells::CellGraph &graph) {
  int64_t bytes = 4;
  for (const cells::Node &node : graph.getNodes())
    if (auto type = dyn_cast<FloatType>(node.type))
      bytes = std::max<int64_t>(bytes, type.getWidth() / 8);
  return bytes;
}

/// Whether the threads of a block hold the cells along the axes, each of them
/// one vector.
static bool fitsBlock(const cells::BodyAxes &axes, ArrayRef<unsigned> lanes,
                      int64_t bytes) {
  constexpr int64_t vectorBytes = 16;
  int64_t width = 1;
  for (unsigned axis : lanes)
    width *= axes.size(axis);
  return llvm::any_of(ArrayRef<int64_t>{4, 2, 1}, [&](int64_t vector) {
    return axes.size(lanes.back()) % vector == 0 &&
           vector * bytes <= vectorBytes && width / vector <= kMostThreads;
  });
}

FailureOr<Facts> Facts::get(KernelOp kernel, bool oneVector, bool inPhases) {
  FailureOr<cells::BodyAxes> axes = cells::BodyAxes::get(kernel);
  if (failed(axes))
    return failure();
  SmallVector<unsigned> lanes = chooseLanes(kernel, *axes);
  FailureOr<cells::CellGraph> graph =
      cells::CellGraph::get(kernel, *axes, lanes);
  if (failed(graph))
    return failure();
  auto reduces = [&] {
    return llvm::any_of(graph->getNodes(), [](const cells::Node &node) {
      return node.kind == cells::Node::reduce;
    });
  };
  // On CPUs a vector lies along one axis, on GPUs a block has so many threads.
  SmallVector<unsigned> all = lanes;
  int64_t bytes = countBytes(*graph);
  if (oneVector && lanes.size() > 1 && reduces())
    lanes = {lanes.back()};
  while (!oneVector && !graph->hasLanesAlone() && lanes.size() > 1 &&
         !fitsBlock(*axes, lanes, bytes))
    lanes.erase(lanes.begin());
  if (lanes != all) {
    graph = cells::CellGraph::get(kernel, *axes, lanes);
    if (failed(graph))
      return failure();
  }
  Facts facts;
  facts.bytes = bytes;
  facts.places.assign(axes->count(), Place::unrolled);
  for (unsigned axis : lanes) {
    facts.places[axis] = Place::lane;
    facts.width *= axes->size(axis);
  }
  if (!lanes.empty())
    facts.contiguous = axes->size(lanes.back());
  cells::Order order = cells::orderCells(*graph);
  facts.steps = std::max<int64_t>(order.steps.size(), 1);
  facts.mostAlive = facts.leastAlive = order.mostAlive;
  // Fewer than that are not asked for.
  constexpr int64_t few = 20;
  if (!oneVector && inPhases)
    facts.leastAlive = cells::orderInPhases(*graph, few).mostAlive;
  facts.reducesInside = reduces();
  facts.spreads = !lanes.empty() && graph->hasLanesAlone();
  for (const cells::Node &node : graph->getNodes()) {
    if (node.kind != cells::Node::load || node.extent != cells::Extent::lane)
      continue;
    auto row = node.value.getDefiningOp<RowOp>();
    if (!row)
      continue;
    if (!row.getMap())
      facts.rowBytes += facts.width * facts.bytes;
    else if (row.getMap() == kernel.getOwner())
      facts.ownerBytes += facts.width * facts.bytes;
  }
  countAccesses(*graph, order, facts);
  facts.sumsNodes = sumsNodesOnly(kernel);
  return facts;
}

} // namespace gyre::schedule
