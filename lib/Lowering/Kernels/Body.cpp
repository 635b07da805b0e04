//===- Body.cpp - The straight-line code of one row -----------------------===//

#include "Body.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gyre::kernels {

using cells::Extent;
using cells::Node;
using cells::NodeId;

/// Products and sums may become one instruction, rounded once.
static arith::FastMathFlagsAttr contraction(Builder &b) {
  return arith::FastMathFlagsAttr::get(b.getContext(),
                                       arith::FastMathFlags::contract);
}

static Value multiply(Builder &b, Value x, Value y) {
  return arith::MulFOp::create(b, x, y, contraction(b));
}

Type Body::laneType(Type element) const {
  return vector == 1 ? element : VectorType::get({vector}, element);
}

Value Body::splat(Value value) const {
  Type type = laneType(value.getType());
  if (isa<VectorType>(value.getType()) || type == value.getType())
    return value;
  return vector::BroadcastOp::create(b, type, value);
}

/// The pointer to cell `i` of a vector along the lanes.
static Value atVectorCell(Builder &b, const RowPointer &row, Value pointer,
                          int64_t i) {
  auto [stride, timesRows] = row.view->laneStride();
  Value offset = constant(b, i * stride);
  if (timesRows)
    offset = arith::MulIOp::create(b, offset, row.rows);
  return LLVM::GEPOp::create(b, pointer.getType(), row.view->getElementType(),
                             pointer, offset);
}

static bool isContiguous(const View &view) {
  return view.laneStride() == std::make_pair(int64_t(1), false);
}

Value Body::loadLanes(const RowPointer &row, Value pointer,
                      bool isInvariant) const {
  Type element = row.view->getElementType();
  auto load = [&](Type type, Value from, int64_t alignment) -> Value {
    return LLVM::LoadOp::create(b, type, from, alignment, /*isVolatile=*/false,
                                /*isNonTemporal=*/false, isInvariant);
  };
  if (isContiguous(*row.view) || vector == 1)
    return load(laneType(element), pointer, alignment(*row.view));
  SmallVector<Value> cells;
  for (int64_t i = 0; i < vector; ++i)
    cells.push_back(load(element, atVectorCell(b, row, pointer, i), 0));
  return vector::FromElementsOp::create(b, cast<VectorType>(laneType(element)),
                                        cells);
}

void Body::storeLanes(Value value, const RowPointer &row, Value pointer) const {
  if (isContiguous(*row.view) || vector == 1) {
    LLVM::StoreOp::create(b, value, pointer, alignment(*row.view));
    return;
  }
  for (int64_t i = 0; i < vector; ++i) {
    Value cell = vector::ExtractOp::create(b, value, i);
    LLVM::StoreOp::create(b, cell, atVectorCell(b, row, pointer, i));
  }
}

/// Where vectors are to be aligned, arrays are, to 16 bytes, and all
/// strides are multiples of vectors.
unsigned Body::alignment(const View &view) const {
  int64_t bytes = view.getElementBytes();
  return aligned ? std::min<int64_t>(bytes * vector, 16) : bytes;
}

Value Body::zero(const Node &node) const {
  Value scalar =
      arith::ConstantOp::create(b, b.getFloatAttr(node.type, node.number));
  return node.extent == Extent::shared ? scalar : splat(scalar);
}

Value Body::loadCell(const Node &node, bool isInvariant) {
  const RowPointer &row = pointers.find(node.value)->second;
  Value pointer = row.view->atCell(b, row.pointer, row.rows, node.index);
  if (node.extent == Extent::lane)
    return loadLanes(row, pointer, isInvariant);
  return LLVM::LoadOp::create(
      b, node.type, pointer, row.view->getElementBytes(),
      /*isVolatile=*/false, /*isNonTemporal=*/false, isInvariant);
}

Value Body::loadRow(NodeId id) {
  Value ahead = lanes->loadAhead(id);
  return ahead ? ahead : loadCell(graph.node(id));
}

Value Body::get(NodeId id) {
  const Node &node = graph.node(id);
  Value &value = values[id];
  bool sharedRow = node.kind == Node::load && node.extent == Extent::shared &&
                   !graph.isInvariant(id);
  if (sharedRow) {
    // Loading it again is cheaper than a register for long.
    unsigned &last = loadedAt[id];
    if (!value || step - last > lanes->getReuse())
      value = lanes->loadShared(id);
    last = step;
    return value;
  }
  if (value)
    return value;
  if (Value known = invariants.lookup(id))
    return value = known;
  if (node.kind == Node::load)
    return value = loadRow(id);
  // A constant, or a sum without terms.
  return value = zero(node);
}

Value Body::getAs(NodeId id, bool asLanes) {
  Value value = get(id);
  return asLanes ? splat(value) : value;
}

/// The product of all factors but the last, which is returned apart: it may
/// join the sum in one instruction. Null for no other factor.
Value Body::product(const Node &node, const cells::Term &term, Value &last) {
  bool asLanes = node.extent != Extent::shared;
  // Numbers that lanes share are multiplied once.
  SmallVector<NodeId> ordered;
  for (bool shared : {true, false})
    for (NodeId factor : term.factors)
      if ((graph.node(factor).extent == Extent::shared) == shared)
        ordered.push_back(factor);
  Value product;
  if (term.coefficient != 1.0 && term.coefficient != -1.0)
    product = arith::ConstantOp::create(
        b, b.getFloatAttr(node.type, term.coefficient));
  for (NodeId factor : ArrayRef(ordered).drop_back()) {
    Value value = get(factor);
    if (!product) {
      product = value;
      continue;
    }
    if (isa<VectorType>(value.getType()) != isa<VectorType>(product.getType()))
      value = splat(value), product = splat(product);
    product = multiply(b, product, value);
  }
  last = getAs(ordered.back(), asLanes);
  return product && asLanes ? splat(product) : product;
}

void Body::takeTerm(const cells::Step &step) {
  const Node &node = graph.node(step.node);
  const cells::Term &term = node.terms[step.number];
  Value last;
  Value first = product(node, term, last);
  Value &sum = values[step.node];
  if (!sum && graph.isCarried(step.node))
    sum = lanes->openCarried(step.node);
  Value value = first ? multiply(b, first, last) : last;
  bool negative = term.coefficient == -1.0;
  if (!sum)
    sum = negative ? arith::NegFOp::create(b, value) : value;
  else if (negative)
    sum = arith::SubFOp::create(b, sum, value, contraction(b));
  else
    sum = arith::AddFOp::create(b, sum, value, contraction(b));
}

Value Body::compute(const Node &node) {
  if (node.kind == Node::reduce)
    return lanes->reduce(get(node.operands[0]));
  SmallVector<Value> operands;
  for (NodeId operand : node.operands)
    operands.push_back(getAs(operand, node.extent != Extent::shared));
  return emitElementwise(b, node.op, operands);
}

/// All of a node is there: it goes where it is delivered.
void Body::finish(NodeId id) {
  if (graph.isCarried(id))
    return lanes->closeCarried(id, values[id]);
  auto it = deliveries.find(id);
  if (it == deliveries.end())
    return;
  for (unsigned cell : it->second)
    lanes->deliver(graph.getDelivered()[cell], graph.node(id).extent, get(id));
}

void Body::loadInvariants() {
  for (NodeId id = 0; id < graph.getNodes().size(); ++id) {
    const Node &node = graph.node(id);
    if (node.kind == Node::load && graph.isInvariant(id))
      invariants[id] = loadCell(node);
  }
}

void Body::emit(Lanes &target) {
  lanes = &target;
  values.clear();
  deliveries.clear();
  for (auto [i, cell] : llvm::enumerate(graph.getDelivered()))
    deliveries[cell.node].push_back(i);
  for (const cells::Step &next : order.steps) {
    ++step;
    switch (next.kind) {
    case cells::Step::load:
      values[next.node] = loadRow(next.node);
      break;
    case cells::Step::term:
      takeTerm(next);
      break;
    case cells::Step::compute:
      values[next.node] = compute(graph.node(next.node));
      break;
    }
    if (next.last && next.kind != cells::Step::load)
      finish(next.node);
  }
  // What needs no step: cells of rows as they are, constants and zeros.
  llvm::DenseSet<NodeId> seen;
  for (const cells::DeliveredCell &cell : graph.getDelivered()) {
    const Node &node = graph.node(cell.node);
    bool stepped = (node.kind == Node::sum && !node.terms.empty()) ||
                   node.kind == Node::compute || node.kind == Node::reduce;
    if (!stepped && !graph.isCarried(cell.node) &&
        seen.insert(cell.node).second)
      finish(cell.node);
  }
}

} // namespace gyre::kernels
