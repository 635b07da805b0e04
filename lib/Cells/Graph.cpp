//===- Graph.cpp - The cells of a kernel's body ---------------------------===//

#include "gyre/Cells/Graph.h"

#include "gyre/Dialect/PolySyntax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include <map>

using namespace mlir;

namespace gyre::cells {

/// Bodies with more products than that are no row kernels.
static constexpr int64_t kMostTerms = 100000;

/// The products of each cell of a contract's result.
struct ContractCells {
  struct Product {
    double coefficient;
    SmallVector<CellIndex, 2> inputs;
  };
  std::map<CellIndex, std::vector<Product>> products;
};

class GraphBuilder {
public:
  GraphBuilder(KernelOp kernel, const BodyAxes &axes, ArrayRef<unsigned> lanes)
      : kernel(kernel), axes(axes), lanes(lanes) {}
  FailureOr<CellGraph> run();

private:
  bool isLane(unsigned axis) const { return llvm::is_contained(lanes, axis); }
  LogicalResult checkLanes(Value value);
  bool hasLanes(Value value) const {
    return llvm::any_of(axes.of(value),
                        [&](unsigned axis) { return isLane(axis); });
  }
  /// Calls visit for each index of the unrolled ones among `list`.
  void forEachIndex(ArrayRef<unsigned> list,
                    function_ref<void(const CellIndex &)> visit) const;
  /// The index of `value` on the axes of `list`.
  CellIndex split(int64_t value, ArrayRef<unsigned> list) const;

  LogicalResult expand(ContractOp op);
  NodeId cell(Value value, const CellIndex &index);
  NodeId create(Value value, const CellIndex &index);
  NodeId contractCell(ContractOp op, const CellIndex &index);
  NodeId sumCell(Operation *op, const CellIndex &index);
  NodeId computeCell(Operation *op, const CellIndex &index);
  NodeId add(Node node) {
    graph.nodes.push_back(std::move(node));
    return graph.nodes.size() - 1;
  }
  /// The node itself, or the sum over the lanes of a partial one.
  NodeId whole(NodeId id);
  void deliver();
  void flatten();

  KernelOp kernel;
  const BodyAxes &axes;
  SmallVector<unsigned> lanes;
  CellGraph graph;
  llvm::DenseMap<Operation *, ContractCells> contracts;
  std::map<std::pair<void *, CellIndex>, NodeId> known;
  llvm::DenseMap<NodeId, NodeId> reduced;
  int64_t terms = 0;
};

bool CellGraph::isInvariant(NodeId id) const {
  const Node &node = nodes[id];
  return node.kind == Node::constant ||
         (node.kind == Node::load && !node.value.getDefiningOp<RowOp>());
}

LogicalResult GraphBuilder::checkLanes(Value value) {
  SmallVector<unsigned> found;
  for (unsigned axis : axes.of(value))
    if (isLane(axis))
      found.push_back(axis);
  if (found.empty() || found == lanes)
    return success();
  return emitError(value.getLoc())
         << "[schedule-lanes] expected values with all lane axes, in their "
            "order, or none of them, got "
         << found.size() << " of " << lanes.size() << " in " << value.getType();
}

void GraphBuilder::forEachIndex(
    ArrayRef<unsigned> list,
    function_ref<void(const CellIndex &)> visit) const {
  CellIndex index(list.size(), 0);
  for (unsigned axis : list)
    if (axes.size(axis) == 0)
      return;
  while (true) {
    visit(index);
    size_t i = list.size();
    while (i > 0) {
      --i;
      if (!isLane(list[i]) && ++index[i] < axes.size(list[i]))
        break;
      index[i] = 0;
      if (i == 0)
        return;
    }
    if (list.empty())
      return;
  }
}

CellIndex GraphBuilder::split(int64_t value, ArrayRef<unsigned> list) const {
  CellIndex index(list.size(), 0);
  for (size_t i = list.size(); i > 0; --i) {
    index[i - 1] = value % axes.size(list[i - 1]);
    value /= axes.size(list[i - 1]);
  }
  return index;
}

/// Lists the products of all cells of a contract's result.
LogicalResult GraphBuilder::expand(ContractOp op) {
  ContractCells &cells = contracts[op];
  llvm::DenseMap<StringAttr, CellIndex> at;
  SmallVector<StringAttr> freeNames;
  AxisList freeAxes;
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>())
    if (!llvm::is_contained(op.getRelationAxes(), axis.getName())) {
      freeNames.push_back(axis.getName());
      llvm::append_range(freeAxes, axes.of(op, axis.getName()));
    }
  auto indexOf = [&](ArrayAttr subscript) {
    CellIndex index;
    walkAxes(subscript, [&](StringAttr name) {
      llvm::append_range(index, at.find(name)->second);
    });
    return index;
  };
  auto visit = [&](double coefficient) {
    forEachIndex(freeAxes, [&](const CellIndex &index) {
      ArrayRef<int64_t> left = index;
      for (StringAttr name : freeNames) {
        size_t count = axes.of(op, name).size();
        at[name] = CellIndex(left.take_front(count));
        left = left.drop_front(count);
      }
      if (++terms > kMostTerms)
        return;
      ContractCells::Product product{coefficient, {}};
      for (ArrayAttr subscript : op.getSubscripts().getAsRange<ArrayAttr>())
        product.inputs.push_back(indexOf(subscript));
      cells.products[indexOf(op.getResultSubscript())].push_back(product);
    });
  };
  if (TuplesAttr tuples = op.getTuples()) {
    for (int64_t i = 0; i < tuples.size(); ++i) {
      for (auto [name, value] :
           llvm::zip_equal(tuples.getAxes(), tuples.tuple(i)))
        at[name] = split(value, axes.of(op, name));
      visit(tuples.coefficient(i));
    }
  } else {
    visit(1.0);
  }
  if (terms > kMostTerms)
    return op.emitError("[schedule-size] expected a body of at most ")
           << kMostTerms << " products, got more";
  return success();
}

NodeId GraphBuilder::whole(NodeId id) {
  if (graph.nodes[id].extent != Extent::partial)
    return id;
  auto [it, isNew] = reduced.insert({id, 0});
  if (isNew) {
    Node node{Node::reduce, Extent::shared, graph.nodes[id].type};
    node.operands = {id};
    it->second = add(node);
  }
  return it->second;
}

NodeId GraphBuilder::contractCell(ContractOp op, const CellIndex &index) {
  Node node{Node::sum, Extent::shared, op.getResult().getType().getElementType()};
  bool inLanes = hasLanes(op.getResult()), anyLane = false;
  auto &products = contracts[op].products;
  auto found = products.find(index);
  if (found != products.end())
    for (const ContractCells::Product &product : found->second) {
      Term term{product.coefficient, {}};
      for (auto [input, at] : llvm::zip_equal(op.getInputs(), product.inputs)) {
        NodeId factor = whole(cell(input, at));
        anyLane |= graph.nodes[factor].extent == Extent::lane;
        term.factors.push_back(factor);
      }
      node.terms.push_back(term);
    }
  if (inLanes)
    node.extent = Extent::lane;
  else if (anyLane)
    node.extent = Extent::partial;
  return add(node);
}

/// Sums, differences, negations and products are sums of products.
NodeId GraphBuilder::sumCell(Operation *op, const CellIndex &index) {
  SmallVector<NodeId, 2> operands;
  for (Value operand : op->getOperands())
    operands.push_back(cell(operand, index));
  Node node{Node::sum, Extent::shared,
            cast<TensorType>(op->getResult(0).getType()).getElementType()};
  bool product = isa<arith::MulFOp>(op);
  bool partial = !product && llvm::all_of(operands, [&](NodeId id) {
    return graph.nodes[id].extent == Extent::partial;
  });
  if (!partial)
    for (NodeId &operand : operands)
      operand = whole(operand);
  for (NodeId operand : operands)
    if (graph.nodes[operand].extent != Extent::shared)
      node.extent = graph.nodes[operand].extent;
  if (product)
    node.terms.push_back({1.0, {operands[0], operands[1]}});
  else if (isa<arith::NegFOp>(op))
    node.terms.push_back({-1.0, {operands[0]}});
  else
    node.terms = {{1.0, {operands[0]}},
                  {isa<arith::SubFOp>(op) ? -1.0 : 1.0, {operands[1]}}};
  return add(node);
}

NodeId GraphBuilder::computeCell(Operation *op, const CellIndex &index) {
  Node node{Node::compute, Extent::shared,
            cast<TensorType>(op->getResult(0).getType()).getElementType()};
  node.op = op;
  for (Value operand : op->getOperands()) {
    node.operands.push_back(whole(cell(operand, index)));
    if (graph.nodes[node.operands.back()].extent == Extent::lane)
      node.extent = Extent::lane;
  }
  return add(node);
}

NodeId GraphBuilder::create(Value value, const CellIndex &index) {
  Type type = cast<TensorType>(value.getType()).getElementType();
  Operation *op = value.getDefiningOp();
  if (!op || op->getParentOp() != kernel || isa<RowOp>(op)) {
    Node node{Node::load, hasLanes(value) ? Extent::lane : Extent::shared, type,
              value, index};
    return add(node);
  }
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    Node node{Node::constant, Extent::shared, type};
    node.number = constant.getValue().convertToDouble();
    return add(node);
  }
  if (auto contract = dyn_cast<ContractOp>(op))
    return contractCell(contract, index);
  if (isa<arith::AddFOp, arith::SubFOp, arith::NegFOp, arith::MulFOp>(op))
    return sumCell(op, index);
  return computeCell(op, index);
}

NodeId GraphBuilder::cell(Value value, const CellIndex &index) {
  auto key = std::make_pair(value.getAsOpaquePointer(), index);
  auto it = known.find(key);
  if (it != known.end())
    return it->second;
  return known[key] = create(value, index);
}

void GraphBuilder::deliver() {
  for (auto [i, value] : llvm::enumerate(kernel.getDeliver().getValues())) {
    bool carried = kernel.getDelivery(i).getKind() != DeliveryKind::row;
    forEachIndex(axes.of(value), [&, i = i, value = value](
                                     const CellIndex &index) {
      NodeId id = cell(value, index);
      if (carried) {
        Node sum{Node::sum, graph.nodes[id].extent, graph.nodes[id].type};
        // A number without lanes of its own is the same in all of them.
        if (hasLanes(value))
          sum.extent = Extent::lane;
        sum.terms = {{1.0, {id}}};
        id = add(sum);
        graph.carried.insert(id);
      } else if (hasLanes(value) &&
                 graph.nodes[id].extent == Extent::shared) {
        // Each lane writes the number.
        Node copy{Node::sum, Extent::lane, graph.nodes[id].type};
        copy.terms = {{1.0, {id}}};
        id = add(copy);
      }
      graph.delivered.push_back({static_cast<unsigned>(i), index, id});
    });
  }
}

/// Puts the terms of a sum that is used once into the sum that uses it, which
/// leaves it without terms.
void GraphBuilder::flatten() {
  std::vector<unsigned> uses(graph.nodes.size());
  for (const Node &node : graph.nodes) {
    for (const Term &term : node.terms)
      for (NodeId factor : term.factors)
        ++uses[factor];
    for (NodeId operand : node.operands)
      ++uses[operand];
  }
  for (const DeliveredCell &cell : graph.delivered)
    ++uses[cell.node];
  // Operands have smaller numbers: theirs is done before.
  for (Node &node : graph.nodes) {
    SmallVector<Term, 2> terms;
    for (const Term &term : node.terms) {
      Node &inner = graph.nodes[term.factors.front()];
      if (term.factors.size() != 1 || inner.kind != Node::sum ||
          uses[term.factors.front()] != 1 || inner.extent != node.extent) {
        terms.push_back(term);
        continue;
      }
      for (Term part : inner.terms) {
        part.coefficient *= term.coefficient;
        terms.push_back(part);
      }
      inner.terms.clear();
    }
    node.terms = terms;
  }
}

FailureOr<CellGraph> GraphBuilder::run() {
  for (Operation &op : kernel.getBody().front()) {
    for (Value result : op.getResults())
      if (failed(checkLanes(result)))
        return failure();
    if (auto contract = dyn_cast<ContractOp>(op))
      if (failed(expand(contract)))
        return failure();
  }
  deliver();
  flatten();
  return std::move(graph);
}

FailureOr<CellGraph> CellGraph::get(KernelOp kernel, const BodyAxes &axes,
                                    ArrayRef<unsigned> lanes) {
  return GraphBuilder(kernel, axes, lanes).run();
}

} // namespace gyre::cells
