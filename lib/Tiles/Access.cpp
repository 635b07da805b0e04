//===- Access.cpp - Arrays that a product reads in strides ----------------===//

#include "gyre/Tiles/Access.h"

#include "gyre/Dialect/PolySyntax.h"

using namespace mlir;

namespace gyre::tiles {

bool isMultipleOf(PolyAttr size, int64_t count) {
  return llvm::all_of(size.getCoefs(),
                      [&](int64_t coef) { return coef % count == 0; });
}

PolyAttr Strides::get(StringAttr axis) const {
  auto it = of.find(axis);
  return it == of.end() ? PolyAttr::constant(offset.getContext(), 0)
                        : it->second;
}

bool Strides::areMultiplesOf(int64_t count, StringAttr except) const {
  return isMultipleOf(offset, count) &&
         llvm::all_of(of, [&](const auto &stride) {
           return stride.first == except || isMultipleOf(stride.second, count);
         });
}

namespace {
/// Follows an operand's indices to an array.
class Tracer {
public:
  explicit Tracer(ContractOp op)
      : block(op->getBlock()), zero(PolyAttr::constant(op.getContext(), 0)) {}

  using Axes = llvm::DenseMap<StringAttr, Strides>;
  /// The indices of the dimensions that a subscript names.
  SmallVector<Strides> combine(ContractOp op, ArrayAttr subscript,
                               const Axes &axes);
  std::optional<Access> trace(Value value, SmallVector<Strides> index);
  Strides number(int64_t value) {
    return {PolyAttr::constant(zero.getContext(), value), {}};
  }

private:
  void addTo(Strides &sum, const Strides &term, PolyAttr factor);
  /// What the axes of a moving contract are, for a cell of its result.
  std::optional<Axes> bind(ContractOp op, ArrayRef<Strides> index);

  Block *block;
  PolyAttr zero;
};
} // namespace

void Tracer::addTo(Strides &sum, const Strides &term, PolyAttr factor) {
  sum.offset = sum.offset.add(term.offset.mul(factor));
  for (auto &[axis, stride] : term.of)
    sum.of[axis] = sum.get(axis).add(stride.mul(factor));
}

SmallVector<Strides> Tracer::combine(ContractOp op, ArrayAttr subscript,
                                     const Axes &axes) {
  SmallVector<Strides> index;
  for (ArrayAttr entry : subscript.getAsRange<ArrayAttr>()) {
    Strides sum = number(0);
    PolyAttr width = PolyAttr::constant(op.getContext(), 1);
    SmallVector<StringAttr> names(entry.getAsRange<StringAttr>());
    for (StringAttr name : llvm::reverse(names)) {
      addTo(sum, axes.at(name), width);
      width = width.mul(op.getAxisSize(name));
    }
    index.push_back(sum);
  }
  return index;
}

std::optional<Tracer::Axes> Tracer::bind(ContractOp op,
                                         ArrayRef<Strides> index) {
  TuplesAttr tuples = op.getTuples();
  if (op.getInputs().size() != 1 || (op.getRelationAttr() && !tuples) ||
      (tuples && (tuples.size() != 1 || tuples.coefficient(0) != 1.0)) ||
      op.getAccumulatorType() != op.getResult().getType().getElementType())
    return std::nullopt;
  Axes axes;
  if (tuples)
    for (auto [axis, at] : llvm::zip_equal(tuples.getAxes(), tuples.tuple(0)))
      axes[axis] = number(at);
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>())
    if (axis.getSize().isConstant(1))
      axes.try_emplace(axis.getName(), number(0));
  for (auto [entry, at] : llvm::zip_equal(
           op.getResultSubscript().getAsRange<ArrayAttr>(), index)) {
    StringAttr only;
    for (auto name : entry.getAsRange<StringAttr>()) {
      if (op.getAxisSize(name).isConstant(1))
        continue;
      // Other indices of a tied axis have zeros.
      if (only || axes.contains(name))
        return std::nullopt;
      only = name;
    }
    if (only)
      axes[only] = at;
  }
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>())
    if (!axes.contains(axis.getName()))
      return std::nullopt;
  return axes;
}

std::optional<Access> Tracer::trace(Value value, SmallVector<Strides> index) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != block) {
    Strides sum = number(0);
    PolyAttr width = PolyAttr::constant(zero.getContext(), 1);
    auto dims = cast<TensorType>(value.getType()).getDims();
    for (auto [at, size] : llvm::reverse(llvm::zip_equal(index, dims))) {
      addTo(sum, at, width);
      width = width.mul(size);
    }
    return Access{value, sum};
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    Strides &at = index[slice.getAxis()];
    at.offset = at.offset.add(slice.getFrom());
    return trace(slice.getX(), index);
  }
  if (auto stop = dyn_cast<StopGradientOp>(op))
    return trace(stop->getOperand(0), index);
  if (auto convert = dyn_cast<ConvertOp>(op)) {
    std::optional<Access> access = trace(convert->getOperand(0), index);
    if (access)
      access->isConverted = true;
    return access;
  }
  auto contract = dyn_cast<ContractOp>(op);
  std::optional<Axes> axes;
  if (contract)
    axes = bind(contract, index);
  if (!axes)
    return std::nullopt;
  return trace(
      contract.getInputs()[0],
      combine(contract, cast<ArrayAttr>(contract.getSubscripts()[0]), *axes));
}

std::optional<Access> Access::get(const Product &product, unsigned input) {
  ContractOp op = product.op;
  Tracer tracer(op);
  Tracer::Axes axes;
  PolyAttr one = PolyAttr::constant(op.getContext(), 1);
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>()) {
    auto fixed = product.fixed.find(axis.getName());
    Strides &strides = axes[axis.getName()];
    strides = tracer.number(fixed == product.fixed.end() ? 0 : fixed->second);
    if (fixed == product.fixed.end())
      strides.of[axis.getName()] = one;
  }
  return tracer.trace(
      op.getInputs()[input],
      tracer.combine(op, cast<ArrayAttr>(op.getSubscripts()[input]), axes));
}

} // namespace gyre::tiles
