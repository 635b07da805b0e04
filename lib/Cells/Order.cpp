//===- Order.cpp - In which order cells are computed ----------------------===//

#include "gyre/Cells/Order.h"

#include "llvm/ADT/SetVector.h"
#include <deque>

using namespace mlir;

namespace gyre::cells {
namespace {

/// A term of a sum, or a whole node of another kind.
struct Unit {
  NodeId node;
  unsigned term;
  llvm::SetVector<NodeId, SmallVector<NodeId, 3>> inputs;
  /// Inputs that are not computed yet.
  unsigned pending = 0;
  bool done = false;
};

class Orderer {
public:
  explicit Orderer(const CellGraph &graph)
      : graph(graph), left(graph.getNodes().size()),
        uses(graph.getNodes().size()), units(graph.getNodes().size()),
        opened(graph.getNodes().size()) {}
  Order run();

private:
  bool isSource(NodeId id) const {
    const Node &node = graph.node(id);
    return node.kind == Node::load && node.extent == Extent::lane &&
           !graph.isInvariant(id);
  }
  bool isFree(NodeId id) const {
    const Node &node = graph.node(id);
    return node.kind == Node::constant ||
           (node.kind == Node::load && !isSource(id)) ||
           (node.kind == Node::sum && node.terms.empty());
  }
  bool takesRegister(NodeId id) const {
    return !isFree(id) && !graph.isCarried(id);
  }
  void addUnits(NodeId id);
  void ready(unsigned unit);
  void take(unsigned unit);
  void drain();
  void load(NodeId source);
  NodeId choose() const;
  void flush(NodeId source);

  const CellGraph &graph;
  Order order;
  std::vector<Unit> all;
  /// Of each node: its units left to take, the units left that use it, those
  /// units, whether a sum has a term.
  std::vector<unsigned> left, uses;
  std::vector<SmallVector<unsigned>> units;
  std::vector<bool> opened;
  std::deque<unsigned> now;
  llvm::MapVector<NodeId, SmallVector<unsigned>> waiting;
  llvm::SmallSetVector<NodeId, 4> loaded;
  int64_t alive = 0;
};

} // namespace

void Orderer::addUnits(NodeId id) {
  const Node &node = graph.node(id);
  auto add = [&](unsigned term, ArrayRef<NodeId> inputs) {
    Unit unit;
    unit.node = id;
    unit.term = term;
    unit.inputs.insert(inputs.begin(), inputs.end());
    for (NodeId input : unit.inputs) {
      units[input].push_back(all.size());
      ++uses[input];
      unit.pending += !isFree(input) && !isSource(input);
    }
    all.push_back(std::move(unit));
    ++left[id];
  };
  if (node.kind == Node::sum)
    for (auto [i, term] : llvm::enumerate(node.terms))
      add(i, term.factors);
  else if (node.kind == Node::compute || node.kind == Node::reduce)
    add(0, node.operands);
}

/// All that the unit needs is computed, apart from what has to be loaded.
void Orderer::ready(unsigned unit) {
  bool waits = false;
  for (NodeId input : all[unit].inputs)
    if (isSource(input)) {
      waiting[input].push_back(unit);
      waits |= !loaded.contains(input);
    }
  if (!waits)
    now.push_back(unit);
}

void Orderer::take(unsigned number) {
  Unit &unit = all[number];
  unit.done = true;
  NodeId id = unit.node;
  if (!opened[id]) {
    opened[id] = true;
    alive += takesRegister(id);
    order.mostAlive = std::max(order.mostAlive, alive);
  }
  bool last = --left[id] == 0;
  bool isTerm = graph.node(id).kind == Node::sum;
  order.steps.push_back(
      {isTerm ? Step::term : Step::compute, id, unit.term, last});
  for (NodeId input : unit.inputs)
    if (--uses[input] == 0 && !isSource(input))
      alive -= takesRegister(input);
  if (!last)
    return;
  if (units[id].empty())
    alive -= takesRegister(id);
  for (unsigned user : units[id])
    if (--all[user].pending == 0)
      ready(user);
}

void Orderer::drain() {
  while (!now.empty()) {
    unsigned unit = now.front();
    now.pop_front();
    take(unit);
  }
}

void Orderer::load(NodeId source) {
  if (!loaded.insert(source))
    return;
  order.steps.push_back({Step::load, source, 0, true});
  order.mostAlive = std::max(order.mostAlive, ++alive);
}

/// The source to load next.
NodeId Orderer::choose() const {
  std::optional<NodeId> best;
  std::tuple<bool, int64_t> bestScore;
  for (auto &[source, list] : waiting) {
    unsigned count = 0;
    int64_t opens = 0;
    llvm::SmallDenseMap<NodeId, unsigned> taken;
    for (unsigned unit : list) {
      if (all[unit].done)
        continue;
      ++count;
      NodeId target = all[unit].node;
      if (++taken[target] == left[target])
        opens -= takesRegister(target) && opened[target];
      else if (taken[target] == 1)
        opens += takesRegister(target) && !opened[target];
    }
    if (count == 0)
      continue;
    std::tuple<bool, int64_t> score{count != uses[source], opens};
    if (!best || score < bestScore) {
      best = source;
      bestScore = score;
    }
  }
  return *best;
}

void Orderer::flush(NodeId source) {
  load(source);
  // Units that become ready meanwhile are appended.
  for (size_t i = 0; i < waiting[source].size(); ++i) {
    unsigned unit = waiting[source][i];
    if (all[unit].done)
      continue;
    for (NodeId input : all[unit].inputs)
      if (isSource(input))
        load(input);
    take(unit);
    drain();
  }
  alive -= loaded.size();
  loaded.clear();
}

Order Orderer::run() {
  NodeId count = graph.getNodes().size();
  for (NodeId id = 0; id < count; ++id)
    addUnits(id);
  int64_t always = 0;
  for (NodeId id = 0; id < count; ++id) {
    const Node &node = graph.node(id);
    if (graph.isCarried(id))
      ++always;
    if (graph.isInvariant(id) && node.extent == Extent::lane && uses[id] > 0)
      ++always;
  }
  for (unsigned unit = 0; unit < all.size(); ++unit)
    if (all[unit].pending == 0)
      ready(unit);
  drain();
  auto isLeft = [&] {
    return llvm::any_of(waiting, [&](auto &entry) {
      return llvm::any_of(entry.second,
                          [&](unsigned unit) { return !all[unit].done; });
    });
  };
  while (isLeft())
    flush(choose());
  order.mostAlive += always;
  return std::move(order);
}

Order orderCells(const CellGraph &graph) { return Orderer(graph).run(); }

} // namespace gyre::cells
