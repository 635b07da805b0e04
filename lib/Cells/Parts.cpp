//===- Parts.cpp - Bodies that are computed part by part ------------------===//

#include "gyre/Cells/Parts.h"

#include "gyre/Cells/Phases.h"

#include <numeric>

using namespace mlir;

namespace gyre::cells {

CellGraph CellGraph::keep(ArrayRef<DeliveredCell> cells) const {
  std::vector<bool> needed(nodes.size());
  for (const DeliveredCell &cell : cells)
    needed[cell.node] = true;
  auto forEachOperand = [](auto &node, auto visit) {
    for (auto &term : node.terms)
      for (auto &factor : term.factors)
        visit(factor);
    for (auto &operand : node.operands)
      visit(operand);
  };
  // Operands have smaller numbers.
  for (NodeId id = nodes.size(); id-- > 0;)
    if (needed[id])
      forEachOperand(nodes[id], [&](NodeId used) { needed[used] = true; });
  CellGraph kept;
  std::vector<NodeId> numbers(nodes.size());
  for (NodeId id = 0; id < nodes.size(); ++id) {
    if (!needed[id])
      continue;
    numbers[id] = kept.nodes.size();
    kept.nodes.push_back(nodes[id]);
    forEachOperand(kept.nodes.back(),
                   [&](NodeId &used) { used = numbers[used]; });
    if (isCarried(id))
      kept.carried.insert(numbers[id]);
  }
  for (DeliveredCell cell : cells) {
    cell.node = numbers[cell.node];
    kept.delivered.push_back(cell);
  }
  return kept;
}

/// What the graph delivers, in the order in which it is done. What needs no
/// step comes first.
static std::vector<DeliveredCell> sortByTime(const CellGraph &graph) {
  std::vector<size_t> done(graph.getNodes().size());
  for (auto [time, step] : llvm::enumerate(orderCells(graph).steps))
    done[step.node] = time + 1;
  std::vector<DeliveredCell> cells(graph.getDelivered());
  std::vector<size_t> order(cells.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(done[cells[a].node], a) <
           std::pair(done[cells[b].node], b);
  });
  std::vector<DeliveredCell> sorted;
  for (size_t i : order)
    sorted.push_back(cells[i]);
  return sorted;
}

std::vector<CellGraph> cutCells(const CellGraph &graph, int64_t mostAlive) {
  if (mostAlive == 0 || orderInPhases(graph, mostAlive).mostAlive <= mostAlive)
    return {graph};
  std::vector<DeliveredCell> sorted = sortByTime(graph);
  std::vector<CellGraph> parts;
  ArrayRef<DeliveredCell> left = sorted;
  while (!left.empty()) {
    auto fits = [&](size_t count) {
      return orderInPhases(graph.keep(left.take_front(count)), mostAlive)
                 .mostAlive <= mostAlive;
    };
    // The longest beginning that fits, between two bounds.
    size_t good = 1, bad = left.size() + 1;
    for (size_t next = 2; next < bad; next *= 2) {
      if (!fits(next)) {
        bad = next;
        break;
      }
      good = next;
    }
    while (bad - good > 1) {
      size_t middle = good + (bad - good) / 2;
      (fits(middle) ? good : bad) = middle;
    }
    parts.push_back(graph.keep(left.take_front(good)));
    left = left.drop_front(good);
  }
  return parts;
}

} // namespace gyre::cells
