//===- Units.cpp - What the steps of a body take --------------------------===//

#include "Units.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gyre::cells {

static bool isLoadedByStep(const CellGraph &graph, NodeId id) {
  const Node &node = graph.node(id);
  return node.kind == Node::load && node.extent == Extent::lane &&
         !graph.isInvariant(id);
}

Units::Units(const CellGraph &graph)
    : graph(graph), of(graph.getNodes().size()),
      users(graph.getNodes().size()) {
  auto add = [&](NodeId id, unsigned term, ArrayRef<NodeId> inputs) {
    Unit unit{id, term, {}};
    for (NodeId input : inputs)
      if (!llvm::is_contained(unit.inputs, input)) {
        unit.inputs.push_back(input);
        users[input].push_back(all.size());
      }
    of[id].push_back(all.size());
    all.push_back(std::move(unit));
  };
  for (auto [id, node] : llvm::enumerate(graph.getNodes())) {
    sources.push_back(isLoadedByStep(graph, id));
    free.push_back(node.kind == Node::constant ||
                   (node.kind == Node::load && !sources[id]) ||
                   (node.kind == Node::sum && node.terms.empty()));
    if (node.kind == Node::sum)
      for (auto [i, term] : llvm::enumerate(node.terms))
        add(id, i, term.factors);
    else if (node.kind == Node::compute || node.kind == Node::reduce)
      add(id, 0, node.operands);
  }
}

namespace {
/// Sorts what a graph delivers.
class Sorter {
public:
  explicit Sorter(const Units &units)
      : units(units), isDone(units.all.size()),
        isNeeded(units.graph.getNodes().size()), needs(isNeeded.size()),
        goalsOf(isNeeded.size()) {}
  std::vector<std::vector<unsigned>> run();

private:
  void addGoal(ArrayRef<unsigned> goal);
  void findIslands();
  unsigned islandOf(unsigned goal) const;
  void collect(unsigned unit, std::vector<unsigned> &into);

  const Units &units;
  std::vector<bool> isDone, isNeeded;
  /// Of each node: the nodes that are computed for it, and the goals that need
  /// it.
  std::vector<llvm::SetVector<NodeId>> needs;
  std::vector<SmallVector<unsigned>> goalsOf;
  /// The units of each goal, and how many nodes would be computed for it.
  std::vector<SmallVector<unsigned>> goals;
  std::vector<unsigned> opens;
  /// Nodes that depend on each other, or that something delivered needs both
  /// of, belong together.
  llvm::IntEqClasses islands;
};
} // namespace

void Sorter::addGoal(ArrayRef<unsigned> goal) {
  llvm::SetVector<NodeId> all;
  for (unsigned unit : goal)
    for (NodeId input : units.all[unit].inputs)
      all.insert_range(needs[input]);
  for (NodeId node : all)
    goalsOf[node].push_back(goals.size());
  opens.push_back(all.size());
  goals.emplace_back(goal);
}

/// What has no computed nodes in common has none alive together, if one is done
/// before the other.
void Sorter::findIslands() {
  islands.grow(needs.size());
  for (const Unit &unit : units.all) {
    // A sum over rows keeps nothing together but the factors of each term.
    std::optional<NodeId> first;
    if (!units.graph.isCarried(unit.node))
      first = unit.node;
    for (NodeId input : unit.inputs)
      if (units.isComputed(input)) {
        islands.join(first.value_or(input), input);
        first = input;
      }
  }
  islands.compress();
}

unsigned Sorter::islandOf(unsigned goal) const {
  for (NodeId input : units.all[goals[goal].front()].inputs)
    if (units.isComputed(input))
      return islands[input];
  return islands[units.all[goals[goal].front()].node];
}

/// Lists the unit after those that it needs.
void Sorter::collect(unsigned unit, std::vector<unsigned> &into) {
  if (isDone[unit])
    return;
  isDone[unit] = true;
  for (NodeId input : units.all[unit].inputs) {
    for (unsigned each : units.of[input])
      collect(each, into);
    if (!isNeeded[input] && units.isComputed(input)) {
      isNeeded[input] = true;
      for (unsigned goal : goalsOf[input])
        --opens[goal];
    }
  }
  into.push_back(unit);
}

std::vector<std::vector<unsigned>> Sorter::run() {
  const CellGraph &graph = units.graph;
  // Operands have smaller numbers.
  for (NodeId id = 0; id < needs.size(); ++id) {
    if (!units.isComputed(id))
      continue;
    needs[id].insert(id);
    for (unsigned unit : units.of[id])
      for (NodeId input : units.all[unit].inputs)
        needs[id].insert_range(needs[input]);
  }
  llvm::DenseSet<NodeId> seen;
  for (const DeliveredCell &cell : graph.getDelivered()) {
    if (!seen.insert(cell.node).second)
      continue;
    ArrayRef<unsigned> all = units.of[cell.node];
    if (!graph.isCarried(cell.node)) {
      if (!all.empty())
        addGoal(all);
      continue;
    }
    for (unsigned unit : all)
      addGoal(unit);
  }
  findIslands();
  std::vector<unsigned> island(goals.size());
  for (unsigned goal = 0; goal < goals.size(); ++goal)
    island[goal] = islandOf(goal);
  std::vector<std::vector<unsigned>> sorted;
  std::vector<bool> isTaken(goals.size());
  std::optional<unsigned> here;
  for (size_t count = 0; count < goals.size(); ++count) {
    std::optional<unsigned> best;
    auto score = [&](unsigned goal) {
      return std::pair(here && island[goal] != *here, opens[goal]);
    };
    for (unsigned goal = 0; goal < goals.size(); ++goal)
      if (!isTaken[goal] && (!best || score(goal) < score(*best)))
        best = goal;
    here = island[*best];
    isTaken[*best] = true;
    std::vector<unsigned> list;
    for (unsigned unit : goals[*best])
      collect(unit, list);
    if (!list.empty())
      sorted.push_back(std::move(list));
  }
  return sorted;
}

std::vector<std::vector<unsigned>> sortByNeeds(const Units &units) {
  return Sorter(units).run();
}

} // namespace gyre::cells
