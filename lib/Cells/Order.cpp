//===- Order.cpp - In which order cells are computed ----------------------===//

#include "gyre/Cells/Phases.h"

#include "Units.h"

#include "llvm/ADT/SetVector.h"
#include <deque>
#include <numeric>

using namespace mlir;

namespace gyre::cells {
namespace {

/// Takes units phase by phase.
class Orderer {
public:
  explicit Orderer(const Units &units);
  /// Takes some units, and no others; all that they need is taken or among
  /// them.
  void run(ArrayRef<unsigned> phase);

  Order order;

private:
  void ready(unsigned unit);
  void take(unsigned unit);
  void drain();
  void load(NodeId source);
  std::optional<NodeId> choose() const;
  void flush(NodeId source);

  const Units *units;
  /// Of each node: its units left to take, the units left that use it, whether
  /// a sum has a term.
  std::vector<unsigned> left, uses;
  std::vector<bool> opened;
  int64_t alive = 0;
  // Of the phase: of each unit, how many inputs are not computed yet, or that
  // it is not to be taken; of each source, the units left that use it.
  static constexpr int kNotNow = -1;
  std::vector<int> pending;
  llvm::DenseMap<NodeId, unsigned> usesNow;
  std::deque<unsigned> now;
  llvm::MapVector<NodeId, SmallVector<unsigned>> waiting;
  llvm::SmallSetVector<NodeId, 4> loaded;
};

} // namespace

Orderer::Orderer(const Units &units)
    : units(&units), opened(units.of.size()),
      pending(units.all.size(), kNotNow) {
  const CellGraph &graph = units.graph;
  for (NodeId id = 0; id < units.of.size(); ++id) {
    left.push_back(units.of[id].size());
    uses.push_back(units.users[id].size());
    bool isInvariantLane =
        graph.isInvariant(id) && graph.node(id).extent == Extent::lane;
    alive += graph.isCarried(id) || (isInvariantLane && uses[id] > 0);
  }
  order.mostAlive = alive;
}

/// All that the unit needs is computed, apart from what has to be loaded.
void Orderer::ready(unsigned unit) {
  bool waits = false;
  for (NodeId input : units->all[unit].inputs)
    if (units->isSource(input)) {
      waiting[input].push_back(unit);
      waits |= !loaded.contains(input);
    }
  if (!waits)
    now.push_back(unit);
}

void Orderer::take(unsigned number) {
  const Unit &unit = units->all[number];
  pending[number] = kNotNow;
  NodeId id = unit.node;
  if (!opened[id]) {
    opened[id] = true;
    alive += units->takesRegister(id);
    order.mostAlive = std::max(order.mostAlive, alive);
  }
  bool last = --left[id] == 0;
  bool isTerm = units->graph.node(id).kind == Node::sum;
  order.steps.push_back(
      {isTerm ? Step::term : Step::compute, id, unit.term, last});
  for (NodeId input : unit.inputs) {
    bool isLast = --uses[input] == 0;
    if (units->isSource(input))
      --usesNow[input];
    else if (isLast)
      alive -= units->takesRegister(input);
  }
  if (!last)
    return;
  if (units->users[id].empty())
    alive -= units->takesRegister(id);
  for (unsigned user : units->users[id])
    if (pending[user] != kNotNow && --pending[user] == 0)
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

/// The source to load next; none if nothing waits for one.
std::optional<NodeId> Orderer::choose() const {
  std::optional<NodeId> best;
  std::tuple<bool, int64_t> bestScore;
  for (auto &[source, list] : waiting) {
    unsigned count = 0;
    int64_t opens = 0;
    llvm::SmallDenseMap<NodeId, unsigned> taken;
    for (unsigned unit : list) {
      if (pending[unit] == kNotNow)
        continue;
      ++count;
      NodeId target = units->all[unit].node;
      if (++taken[target] == left[target])
        opens -= units->takesRegister(target) && opened[target];
      else if (taken[target] == 1)
        opens += units->takesRegister(target) && !opened[target];
    }
    if (count == 0)
      continue;
    std::tuple<bool, int64_t> score{count != usesNow.lookup(source), opens};
    if (!best || score < bestScore) {
      best = source;
      bestScore = score;
    }
  }
  return best;
}

void Orderer::flush(NodeId source) {
  load(source);
  // Units that become ready meanwhile are appended.
  for (size_t i = 0; i < waiting[source].size(); ++i) {
    unsigned unit = waiting[source][i];
    if (pending[unit] == kNotNow)
      continue;
    for (NodeId input : units->all[unit].inputs)
      if (units->isSource(input))
        load(input);
    take(unit);
    drain();
  }
  alive -= loaded.size();
  loaded.clear();
}

void Orderer::run(ArrayRef<unsigned> phase) {
  waiting.clear();
  usesNow.clear();
  for (unsigned unit : phase) {
    pending[unit] = 0;
    for (NodeId input : units->all[unit].inputs) {
      pending[unit] += units->isComputed(input) && left[input] > 0;
      if (units->isSource(input))
        ++usesNow[input];
    }
  }
  for (unsigned unit : phase)
    if (pending[unit] == 0)
      ready(unit);
  drain();
  while (std::optional<NodeId> source = choose())
    flush(*source);
}

/// As long as no more than `most` nodes are alive, phases are as long as they
/// can be: what is loaded once may serve many sums.
static Order takeInPhases(const Units &units,
                          ArrayRef<std::vector<unsigned>> goals, int64_t most) {
  Orderer done(units);
  while (!goals.empty()) {
    auto tryPhase = [&](size_t count) {
      std::vector<unsigned> phase;
      for (const std::vector<unsigned> &goal : goals.take_front(count))
        llvm::append_range(phase, goal);
      Orderer next = done;
      next.run(phase);
      return next;
    };
    size_t good = 1, bad = goals.size() + 1;
    Orderer best = tryPhase(good);
    for (size_t step = 1; good + 1 < bad;) {
      size_t next = std::min(good + step, bad - 1);
      Orderer tried = tryPhase(next);
      if (tried.order.mostAlive <= most) {
        best = std::move(tried);
        good = next;
        step *= 2;
      } else {
        bad = next;
        step = std::max<size_t>((bad - good) / 2, 1);
      }
    }
    done = std::move(best);
    goals = goals.drop_front(good);
  }
  return std::move(done.order);
}

static Order takeAtOnce(const Units &units) {
  std::vector<unsigned> all(units.all.size());
  std::iota(all.begin(), all.end(), 0);
  Orderer orderer(units);
  orderer.run(all);
  return std::move(orderer.order);
}

Order orderCells(const CellGraph &graph) { return takeAtOnce(Units(graph)); }

Order orderInPhases(const CellGraph &graph, int64_t most) {
  constexpr size_t mostUnits = 10000;
  Units units(graph);
  Order order = takeAtOnce(units);
  if (most == 0 || order.mostAlive <= most || units.all.size() > mostUnits)
    return order;
  std::vector<std::vector<unsigned>> goals = sortByNeeds(units);
  for (bool isLast : {false, true}) {
    Order inPhases = takeInPhases(units, goals, most);
    if (inPhases.mostAlive >= order.mostAlive)
      break;
    order = std::move(inPhases);
    if (isLast || order.mostAlive <= most)
      break;
    most = order.mostAlive;
  }
  return order;
}

} // namespace gyre::cells
