//===- Facts.cpp - What a schedule is chosen by ---------------------------===//

#include "Facts.h"

#include "Lanes.h"

#include "gyre/Cells/Phases.h"

using namespace mlir;

namespace gyre::schedule {

FailureOr<Facts> Facts::get(KernelOp kernel, bool oneVector) {
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
  // A vector lies along one axis.
  if (oneVector && lanes.size() > 1 && reduces()) {
    lanes = {lanes.back()};
    graph = cells::CellGraph::get(kernel, *axes, lanes);
    if (failed(graph))
      return failure();
  }
  Facts facts;
  facts.places.assign(axes->count(), Place::unrolled);
  for (unsigned axis : lanes) {
    facts.places[axis] = Place::lane;
    facts.width *= axes->size(axis);
  }
  if (!lanes.empty())
    facts.contiguous = axes->size(lanes.back());
  facts.mostAlive = facts.leastAlive = cells::orderCells(*graph).mostAlive;
  // Fewer than that are not asked for.
  constexpr int64_t few = 20;
  if (!oneVector)
    facts.leastAlive = cells::orderInPhases(*graph, few).mostAlive;
  facts.reducesInside = reduces();
  for (const cells::Node &node : graph->getNodes())
    if (auto type = dyn_cast<FloatType>(node.type))
      facts.bytes = std::max<int64_t>(facts.bytes, type.getWidth() / 8);
  for (const cells::Node &node : graph->getNodes())
    if (node.kind == cells::Node::load && node.extent == cells::Extent::lane)
      if (auto row = node.value.getDefiningOp<RowOp>();
          row && row.getMap() && row.getMap() == kernel.getOwner())
        facts.ownerBytes += facts.width * facts.bytes;
  return facts;
}

} // namespace gyre::schedule
