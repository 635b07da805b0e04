//===- Machine.cpp - Kernels run cell by cell -----------------------------===//

#include "Machine.h"

#include "gyre/Cells/Phases.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;

namespace gyre::test {

using namespace cells;

SmallVector<unsigned> getLanes(KernelOp kernel, const BodyAxes &axes) {
  ArrayRef<Place> places = kernel.getScheduleAttr().getPlaces();
  SmallVector<unsigned> lanes;
  for (Operation &op : kernel.getBody().front())
    for (Value value : op.getResults())
      for (unsigned axis : axes.of(value))
        if (places[axis] == Place::lane && !llvm::is_contained(lanes, axis))
          lanes.push_back(axis);
  return lanes;
}

static double apply(Operation *op, ArrayRef<double> x) {
  auto is = [&](StringRef name) {
    return op->getName().getStringRef() == name;
  };
  if (isa<SelectOp>(op))
    return x[0] != 0 ? x[1] : x[2];
  if (isa<SigmoidOp>(op))
    return 1 / (1 + std::exp(-x[0]));
  if (isa<SiluOp>(op))
    return x[0] / (1 + std::exp(-x[0]));
  // All float types are fp64 here.
  if (isa<StopGradientOp, ConvertOp>(op))
    return x[0];
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return arith::applyCmpPredicate(compare.getPredicate(), APFloat(x[0]),
                                    APFloat(x[1]));
  if (is("arith.divf"))
    return x[0] / x[1];
  if (is("arith.maximumf"))
    return std::max(x[0], x[1]);
  if (is("arith.minimumf"))
    return std::min(x[0], x[1]);
  if (is("math.exp"))
    return std::exp(x[0]);
  if (is("math.log"))
    return std::log(x[0]);
  if (is("math.sqrt"))
    return std::sqrt(x[0]);
  if (is("math.rsqrt"))
    return 1 / std::sqrt(x[0]);
  if (is("math.tanh"))
    return std::tanh(x[0]);
  if (is("math.sin"))
    return std::sin(x[0]);
  if (is("math.cos"))
    return std::cos(x[0]);
  if (is("math.absf"))
    return std::abs(x[0]);
  if (is("math.powf"))
    return std::pow(x[0], x[1]);
  ADD_FAILURE() << "unknown op " << op->getName().getStringRef().str();
  return std::nan("");
}

namespace {
using Numbers = std::vector<double>;

class Machine {
public:
  Machine(KernelOp kernel, const BodyAxes &axes, ArrayRef<unsigned> lanes,
          const CellGraph &graph, const Order &order,
          llvm::DenseMap<Value, Array> &arrays,
          llvm::DenseMap<Value, IndexMap> &maps)
      : kernel(kernel), axes(axes), lanes(lanes), graph(graph), order(order),
        arrays(arrays), maps(maps) {
    for (unsigned lane : lanes)
      width *= axes.size(lane);
  }

  void runRow(int64_t row);

private:
  /// The index of each dimension of a value's cell, at a lane.
  SmallVector<int64_t> locate(Value value, const CellIndex &index,
                              int64_t lane) const;
  double &cell(Array &array, ArrayRef<int64_t> index) const;
  double load(const Node &node, int64_t lane) const;
  Numbers &get(NodeId id);
  void deliver(const DeliveredCell &cell);

  KernelOp kernel;
  const BodyAxes &axes;
  ArrayRef<unsigned> lanes;
  const CellGraph &graph;
  const Order &order;
  llvm::DenseMap<Value, Array> &arrays;
  llvm::DenseMap<Value, IndexMap> &maps;
  int64_t width = 1, row = 0;
  std::map<NodeId, Numbers> numbers;
};
} // namespace

SmallVector<int64_t> Machine::locate(Value value, const CellIndex &index,
                                     int64_t lane) const {
  llvm::DenseMap<unsigned, int64_t> atLane;
  for (unsigned axis : llvm::reverse(lanes)) {
    atLane[axis] = lane % axes.size(axis);
    lane /= axes.size(axis);
  }
  SmallVector<int64_t> result;
  size_t next = 0;
  for (int64_t dim = 0; dim < cast<TensorType>(value.getType()).rank(); ++dim) {
    int64_t at = 0;
    for (unsigned axis : axes.of(value, dim)) {
      int64_t unrolled = index[next++];
      auto found = atLane.find(axis);
      at = at * axes.size(axis) +
           (found == atLane.end() ? unrolled : found->second);
    }
    result.push_back(at);
  }
  return result;
}

double &Machine::cell(Array &array, ArrayRef<int64_t> index) const {
  int64_t at = 0;
  for (auto [i, size] : llvm::zip_equal(index, array.shape)) {
    EXPECT_LT(i, size);
    at = at * size + i;
  }
  return array.data[at];
}

double Machine::load(const Node &node, int64_t lane) const {
  SmallVector<int64_t> index = locate(node.value, node.index, lane);
  auto op = node.value.getDefiningOp<RowOp>();
  if (!op)
    return cell(arrays.find(node.value)->second, index);
  int64_t at = op.getMap() ? maps.find(op.getMap())->second.index[row] : row;
  index.insert(index.begin() + op.getAxis(), at);
  return cell(arrays.find(op.getX())->second, index);
}

Numbers &Machine::get(NodeId id) {
  auto [it, isNew] = numbers.try_emplace(id);
  if (!isNew)
    return it->second;
  const Node &node = graph.node(id);
  it->second.assign(node.extent == Extent::shared ? 1 : width, node.number);
  if (node.kind == Node::load)
    for (auto [lane, number] : llvm::enumerate(it->second))
      number = load(node, lane);
  return it->second;
}

void Machine::deliver(const DeliveredCell &delivered) {
  const Node &node = graph.node(delivered.node);
  Value value = kernel.getDeliver().getValues()[delivered.result];
  DeliveryAttr delivery = kernel.getDelivery(delivered.result);
  Numbers result = get(delivered.node);
  if (node.extent == Extent::partial)
    result = {std::accumulate(result.begin(), result.end(), 0.0)};
  bool inLanes = llvm::any_of(axes.of(value), [&](unsigned axis) {
    return llvm::is_contained(lanes, axis);
  });
  ASSERT_EQ(inLanes, node.extent == Extent::lane);
  for (auto [lane, number] : llvm::enumerate(result)) {
    SmallVector<int64_t> index = locate(value, delivered.index, lane);
    int64_t at = row;
    if (delivery.getKind() == DeliveryKind::segment)
      at = maps.find(kernel.getOwner())->second.index[row];
    if (delivery.getKind() != DeliveryKind::total)
      index.insert(index.begin() + delivery.getAxis(), at);
    double &out =
        cell(arrays.find(kernel.getResult(delivered.result))->second, index);
    out = graph.isCarried(delivered.node) ? out + number : number;
  }
}

void Machine::runRow(int64_t number) {
  row = number;
  numbers.clear();
  for (const Step &step : order.steps) {
    const Node &node = graph.node(step.node);
    Numbers &result = get(step.node);
    auto at = [&](NodeId id, size_t lane) {
      Numbers &operand = get(id);
      return operand[operand.size() == 1 ? 0 : lane];
    };
    if (step.kind == Step::term) {
      const Term &term = node.terms[step.number];
      for (size_t lane = 0; lane < result.size(); ++lane) {
        double product = term.coefficient;
        for (NodeId factor : term.factors)
          product *= at(factor, lane);
        result[lane] += product;
      }
    } else if (node.kind == Node::reduce) {
      Numbers &partial = get(node.operands[0]);
      result = {std::accumulate(partial.begin(), partial.end(), 0.0)};
    } else if (step.kind == Step::compute) {
      for (size_t lane = 0; lane < result.size(); ++lane) {
        SmallVector<double> operands;
        for (NodeId operand : node.operands)
          operands.push_back(at(operand, lane));
        result[lane] = apply(node.op, operands);
      }
    }
  }
  for (const DeliveredCell &each : graph.getDelivered())
    deliver(each);
}

std::vector<Array> runKernels(
    FuncOp func, ArrayRef<Argument> arguments,
    const llvm::StringMap<int64_t> &sizes,
    function_ref<void(KernelOp, const CellGraph &, const Order &)> visit) {
  llvm::DenseMap<Value, Array> arrays;
  llvm::DenseMap<Value, IndexMap> maps;
  for (auto [value, argument] :
       llvm::zip_equal(func.getBody().getArguments(), arguments)) {
    if (auto *map = std::get_if<IndexMap>(&argument))
      maps[value] = *map;
    else
      arrays[value] = std::get<Array>(argument);
  }
  auto evaluate = [&](PolyAttr size) {
    return *size.substitute([&](StringAttr name) {
                  return PolyAttr::constant(name.getContext(),
                                            sizes.lookup(name.getValue()));
                })
                .getConstant();
  };
  for (KernelOp kernel : func.getBody().front().getOps<KernelOp>()) {
    FailureOr<BodyAxes> axes = BodyAxes::get(kernel);
    EXPECT_TRUE(succeeded(axes));
    SmallVector<unsigned> lanes = getLanes(kernel, *axes);
    FailureOr<CellGraph> graph = CellGraph::get(kernel, *axes, lanes);
    EXPECT_TRUE(succeeded(graph));
    // Kernels of GPUs may be computed in phases: in as many as there can be.
    int64_t most = kernel.getScheduleAttr().getWarps() > 1 ? 1 : 0;
    Order order = orderInPhases(*graph, most);
    visit(kernel, *graph, order);
    for (auto [i, result] : llvm::enumerate(kernel.getResults())) {
      Array array;
      int64_t cells = 1;
      for (PolyAttr dim : cast<TensorType>(result.getType()).getDims()) {
        array.shape.push_back(evaluate(dim));
        cells *= array.shape.back();
      }
      bool sums = kernel.getDelivery(i).getKind() != DeliveryKind::row;
      array.data.assign(cells, sums ? 0.0 : std::nan(""));
      arrays[result] = array;
    }
    Machine machine(kernel, *axes, lanes, *graph, order, arrays, maps);
    for (int64_t row = 0; row < evaluate(kernel.getRows()); ++row)
      machine.runRow(row);
  }
  std::vector<Array> results;
  for (Value value : func.getReturn().getOperands())
    results.push_back(arrays.find(value)->second);
  return results;
}

} // namespace gyre::test
