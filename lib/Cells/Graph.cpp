//===- Graph.cpp - The cells of a kernel's body ---------------------------===//

#include "GraphBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace gyre::cells {

bool CellGraph::isInvariant(NodeId id) const {
  const Node &node = nodes[id];
  return node.kind == Node::constant ||
         (node.kind == Node::load && !node.value.getDefiningOp<RowOp>());
}

bool CellGraph::hasLanesAlone() const {
  auto isLane = [&](const DeliveredCell &cell) {
    return nodes[cell.node].extent == Extent::lane;
  };
  return llvm::all_of(delivered, isLane) &&
         llvm::none_of(nodes, [](const Node &node) {
           return node.extent == Extent::partial;
         });
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
  Node node{Node::sum, Extent::shared,
            op.getResult().getType().getElementType()};
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
  // Cells that nothing goes into stay that in another format.
  if (isa<ConvertOp>(op)) {
    const Node &operand = graph.nodes[cell(op->getOperand(0), index)];
    if (operand.kind == Node::sum && operand.terms.empty())
      return add({Node::sum, operand.extent, node.type});
  }
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
    Node node{Node::constant, hasLanes(value) ? Extent::lane : Extent::shared,
              type};
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
  if (value.getDefiningOp<ConstantOp>())
    key.second.clear();
  auto it = known.find(key);
  if (it != known.end())
    return it->second;
  return known[key] = create(value, index);
}

void GraphBuilder::deliver() {
  for (auto [i, value] : llvm::enumerate(kernel.getDeliver().getValues())) {
    bool carried = kernel.getDelivery(i).getKind() != DeliveryKind::row;
    forEachIndex(
        axes.of(value), [&, i = i, value = value](const CellIndex &index) {
          NodeId id = cell(value, index);
          if (carried) {
            Node sum{Node::sum, graph.nodes[id].extent, graph.nodes[id].type};
            // A number without lanes of its own is the same in all of them.
            if (hasLanes(value))
              sum.extent = Extent::lane;
            sum.terms = {{1.0, {id}}};
            id = add(sum);
            graph.carried.insert(id);
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
    if (isa<RowOp>(op))
      continue;
    for (Value operand : op.getOperands())
      if (failed(checkLanes(operand)))
        return failure();
    if (auto contract = dyn_cast<ContractOp>(op))
      if (failed(checkLanes(contract)) || failed(expand(contract)))
        return failure();
  }
  for (Value value : kernel.getDeliver().getValues())
    if (failed(countTerms(kernel, 1, axes.of(value))))
      return failure();
  deliver();
  flatten();
  return std::move(graph);
}

FailureOr<CellGraph> CellGraph::get(KernelOp kernel, const BodyAxes &axes,
                                    ArrayRef<unsigned> lanes) {
  return GraphBuilder(kernel, axes, lanes).run();
}

} // namespace gyre::cells
