//===- Axes.cpp - The axes of a kernel's body -----------------------------===//

#include "gyre/Cells/Axes.h"

#include "gyre/Dialect/PolySyntax.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace gyre::cells {

/// A forest: a node is an axis, another node, or several nodes.
class AxisUnifier {
public:
  explicit AxisUnifier(KernelOp kernel) : kernel(kernel) {}
  FailureOr<BodyAxes> run();
  /// The first op whose dimensions do not fit those before; null if all do.
  Operation *visitBody();

private:
  using Nodes = SmallVector<unsigned, 2>;

  unsigned add(int64_t size) {
    sizes.push_back(size);
    parts.push_back({});
    return sizes.size() - 1;
  }
  /// The axes that nodes have become; none of size 1.
  void appendAxes(unsigned node, Nodes &axes) const;
  Nodes axesOf(ArrayRef<unsigned> nodes) const;
  /// Makes two lists of nodes, of equal sizes, the same axes.
  LogicalResult unify(ArrayRef<unsigned> a, ArrayRef<unsigned> b);
  unsigned dimension(Value value, unsigned dim);
  void addDimensions(Value value);
  unsigned axis(ContractOp op, StringAttr name);
  LogicalResult visit(Operation *op);
  LogicalResult visitContract(ContractOp op);
  LogicalResult visitSubscript(ContractOp op, ArrayAttr subscript, Value value);
  unsigned number(unsigned node, BodyAxes &axes);
  /// The axes of a contract's domain.
  static AxisList domain(ContractOp op, const BodyAxes &axes);
  void joinAxes(BodyAxes &axes);

  KernelOp kernel;
  SmallVector<int64_t> sizes;
  /// What a node was replaced by; empty for an axis.
  SmallVector<Nodes> parts;
  llvm::MapVector<std::pair<Value, unsigned>, unsigned> dimensions;
  llvm::MapVector<std::pair<Operation *, StringAttr>, unsigned> contractAxes;
  llvm::DenseMap<unsigned, unsigned> numbers;
};

void AxisUnifier::appendAxes(unsigned node, Nodes &axes) const {
  if (!parts[node].empty()) {
    for (unsigned part : parts[node])
      appendAxes(part, axes);
  } else if (sizes[node] != 1) {
    axes.push_back(node);
  }
}

AxisUnifier::Nodes AxisUnifier::axesOf(ArrayRef<unsigned> nodes) const {
  Nodes axes;
  for (unsigned node : nodes)
    appendAxes(node, axes);
  return axes;
}

LogicalResult AxisUnifier::unify(ArrayRef<unsigned> a, ArrayRef<unsigned> b) {
  // From the innermost axis outwards.
  while (true) {
    Nodes left = axesOf(a), right = axesOf(b);
    while (!left.empty() && !right.empty() && left.back() == right.back()) {
      left.pop_back();
      right.pop_back();
    }
    if (left.empty() || right.empty())
      return success(left.empty() && right.empty());
    unsigned large = left.back(), small = right.back();
    if (sizes[large] < sizes[small])
      std::swap(large, small);
    if (sizes[large] == sizes[small]) {
      parts[large] = {small};
      continue;
    }
    if (sizes[small] == 0 || sizes[large] % sizes[small] != 0)
      return failure();
    unsigned outer = add(sizes[large] / sizes[small]);
    parts[large] = {outer, small};
  }
}

unsigned AxisUnifier::dimension(Value value, unsigned dim) {
  auto [it, isNew] = dimensions.insert({{value, dim}, 0});
  if (isNew)
    it->second = add(cast<TensorType>(value.getType()).getShape()[dim]);
  return it->second;
}

unsigned AxisUnifier::axis(ContractOp op, StringAttr name) {
  auto [it, isNew] = contractAxes.insert({{op, name}, 0});
  if (isNew)
    it->second = add(*op.getAxisSize(name).getConstant());
  return it->second;
}

LogicalResult AxisUnifier::visitSubscript(ContractOp op, ArrayAttr subscript,
                                          Value value) {
  for (auto [dim, entry] : llvm::enumerate(subscript)) {
    Nodes group;
    for (StringAttr name : cast<ArrayAttr>(entry).getAsRange<StringAttr>())
      group.push_back(axis(op, name));
    if (failed(unify({dimension(value, dim)}, group)))
      return failure();
  }
  return success();
}

LogicalResult AxisUnifier::visitContract(ContractOp op) {
  for (auto [subscript, input] :
       llvm::zip_equal(op.getSubscripts(), op.getInputs()))
    if (failed(visitSubscript(op, cast<ArrayAttr>(subscript), input)))
      return failure();
  return visitSubscript(op, op.getResultSubscript(), op.getResult());
}

void AxisUnifier::addDimensions(Value value) {
  for (int64_t i = 0; i < cast<TensorType>(value.getType()).rank(); ++i)
    dimension(value, i);
}

LogicalResult AxisUnifier::visit(Operation *op) {
  if (auto contract = dyn_cast<ContractOp>(op))
    return visitContract(contract);
  if (isa<RowOp, ConstantOp>(op)) {
    addDimensions(op->getResult(0));
    return success();
  }
  if (isa<DeliverOp>(op)) {
    for (Value value : op->getOperands())
      addDimensions(value);
    return success();
  }
  // Elementwise.
  for (int64_t i = 0; i < cast<TensorType>(op->getResult(0).getType()).rank();
       ++i)
    for (Value value : op->getOperands())
      if (failed(
              unify({dimension(op->getResult(0), i)}, {dimension(value, i)})))
        return failure();
  addDimensions(op->getResult(0));
  return success();
}

unsigned AxisUnifier::number(unsigned node, BodyAxes &axes) {
  auto [it, isNew] = numbers.insert({node, axes.sizes.size()});
  if (isNew) {
    axes.sizes.push_back(sizes[node]);
    axes.tied.push_back(false);
  }
  return it->second;
}

AxisList AxisUnifier::domain(ContractOp op, const BodyAxes &axes) {
  AxisList list;
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>())
    if (auto it = axes.contracts.find({op, axis.getName()});
        it != axes.contracts.end())
      llvm::append_range(list, it->second);
  return list;
}

/// Axes of one size are one axis where no value and no contract has both: along
/// lanes they are all there or none is. Those that relations tie, or that stand
/// twice somewhere, are never lanes.
void AxisUnifier::joinAxes(BodyAxes &axes) {
  unsigned count = axes.count();
  std::vector<llvm::BitVector> beside(count, llvm::BitVector(count));
  llvm::BitVector isFixed(count);
  auto visit = [&](ArrayRef<unsigned> list) {
    for (auto [i, axis] : llvm::enumerate(list))
      for (unsigned other : list.drop_front(i + 1)) {
        beside[axis].set(other);
        beside[other].set(axis);
        if (axis == other)
          isFixed.set(axis);
      }
  };
  for (auto &[value, list] : axes.values)
    visit(list);
  for (auto op : kernel.getBody().getOps<ContractOp>())
    visit(domain(op, axes));
  for (unsigned axis = 0; axis < count; ++axis)
    if (axes.tied[axis])
      isFixed.set(axis);

  SmallVector<unsigned> joined(count), kept;
  for (unsigned axis = 0; axis < count; ++axis) {
    auto same = llvm::find_if(kept, [&](unsigned other) {
      return axes.sizes[other] == axes.sizes[axis] && !isFixed[axis] &&
             !isFixed[other] && !beside[other].test(axis);
    });
    if (same == kept.end()) {
      joined[axis] = kept.size();
      kept.push_back(axis);
      continue;
    }
    joined[axis] = same - kept.begin();
    beside[*same] |= beside[axis];
    for (unsigned other : beside[axis].set_bits())
      beside[other].set(*same);
  }
  auto rename = [&](AxisList &list) {
    for (unsigned &axis : list)
      axis = joined[axis];
  };
  for (auto &[value, list] : axes.values)
    rename(list);
  for (auto &[key, list] : axes.dims)
    rename(list);
  for (auto &[key, list] : axes.contracts)
    rename(list);
  auto keep = [&](auto &list) {
    for (auto [i, axis] : llvm::enumerate(kept))
      list[i] = list[axis];
    list.resize(kept.size());
  };
  keep(axes.sizes);
  keep(axes.tied);
}

Operation *AxisUnifier::visitBody() {
  for (Operation &op : kernel.getBody().front())
    if (failed(visit(&op)))
      return &op;
  return nullptr;
}

FailureOr<BodyAxes> AxisUnifier::run() {
  if (Operation *op = visitBody())
    return op->emitError("[schedule-axes] expected dimensions that split into "
                         "the same axes wherever they are used, got others");
  BodyAxes axes;
  for (auto [key, node] : dimensions) {
    AxisList &list = axes.dims[key];
    for (unsigned leaf : axesOf({node}))
      list.push_back(number(leaf, axes));
  }
  // Dimensions of a value were added in any order.
  for (auto [key, node] : dimensions) {
    Value value = key.first;
    if (axes.values.contains(value))
      continue;
    AxisList all;
    for (int64_t i = 0; i < cast<TensorType>(value.getType()).rank(); ++i)
      llvm::append_range(all, axes.dims[{value, i}]);
    axes.values[value] = all;
  }
  for (Operation &op : kernel.getBody().front())
    for (Value value : llvm::concat<Value>(llvm::to_vector(op.getOperands()),
                                           llvm::to_vector(op.getResults())))
      if (isa<TensorType>(value.getType()) && !isa<RowOp>(op))
        axes.values.try_emplace(value);
  for (auto [key, node] : contractAxes) {
    AxisList &list = axes.contracts[key];
    for (unsigned leaf : axesOf({node}))
      list.push_back(number(leaf, axes));
    auto op = cast<ContractOp>(key.first);
    if (llvm::is_contained(op.getRelationAxes(), key.second))
      for (unsigned axis : list)
        axes.tied[axis] = true;
  }
  joinAxes(axes);
  return axes;
}

unsigned BodyAxes::count(ContractOp op, unsigned axis) const {
  unsigned count = 0;
  for (AxisAttr each : op.getDomain().getAsRange<AxisAttr>())
    count += llvm::count(of(op, each.getName()), axis);
  return count;
}

/// Rows apart, all sizes are constants.
static LogicalResult checkSizes(KernelOp kernel) {
  for (Operation &op : kernel.getBody().front()) {
    if (isa<RowOp>(op))
      continue;
    for (Type type : op.getOperandTypes())
      for (PolyAttr dim : cast<TensorType>(type).getDims())
        if (!dim.getConstant())
          return op.emitError("[schedule-axes] expected values of constant "
                              "sizes in a kernel's body, got ")
                 << type;
  }
  return success();
}

Operation *BodyAxes::findMisfit(KernelOp kernel) {
  return AxisUnifier(kernel).visitBody();
}

FailureOr<BodyAxes> BodyAxes::get(KernelOp kernel) {
  if (failed(checkSizes(kernel)))
    return failure();
  return AxisUnifier(kernel).run();
}

} // namespace gyre::cells
