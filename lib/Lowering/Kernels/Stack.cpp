//===- Stack.cpp - Values that lie where they would be copied -------------===//

#include "Stack.h"

#include "../Entry.h"

#include "gyre/Dialect/PolySyntax.h"

using namespace mlir;

namespace gyre::kernels {

/// Arrays begin at multiples of that many bytes.
static constexpr int64_t kAlignment = 16;

/// Whether the result has the operand's cells in the operand's order.
static bool keepsOrder(ContractOp op) {
  if (op.getInputs().size() != 1 || op.getRelationAttr() ||
      op.getAccumulatorType() != op.getResult().getType().getElementType())
    return false;
  SmallVector<StringAttr> from, to;
  auto list = [&](ArrayAttr subscript, SmallVectorImpl<StringAttr> &axes) {
    walkAxes(subscript, [&](StringAttr axis) {
      if (!op.getAxisSize(axis).isConstant(1))
        axes.push_back(axis);
    });
  };
  list(cast<ArrayAttr>(op.getSubscripts()[0]), from);
  list(op.getResultSubscript(), to);
  return from == to;
}

/// The value from outside of a kernel whose cells a value of its body has, in
/// their order; null if it is computed.
static Value findSource(CellsOp kernel, Value value) {
  while (value.getParentRegion() == &kernel.getBody()) {
    auto contract = value.getDefiningOp<ContractOp>();
    if (!contract || !keepsOrder(contract))
      return {};
    value = contract.getInputs().front();
  }
  return value;
}

void Stacks::add(CellsOp kernel, const llvm::SmallDenseSet<Value> &returned) {
  if (kernel.getNumResults() != 1)
    return;
  Value delivered = kernel.getDeliver().getValues().front();
  SmallVector<Value> pieces = {delivered};
  auto concat = delivered.getDefiningOp<ConcatOp>();
  if (concat && concat->getParentOp() == kernel) {
    pieces.assign(concat.getInputs().begin(), concat.getInputs().end());
    auto dims = cast<TensorType>(delivered.getType()).getDims();
    // Each lies in one piece.
    if (!llvm::all_of(dims.take_front(concat.getAxis()),
                      [](PolyAttr size) { return size.isConstant(1); }))
      return;
  }
  llvm::MapVector<Value, Place> found;
  PolyAttr offset = PolyAttr::constant(kernel.getContext(), 0);
  for (Value piece : pieces) {
    Value source = findSource(kernel, piece);
    Operation *writer = source ? source.getDefiningOp() : nullptr;
    if (!writer || returned.contains(source) || places.contains(source) ||
        found.contains(source))
      return;
    auto type = cast<TensorType>(source.getType());
    int64_t bytes =
        std::max(1u, type.getElementType().getIntOrFloatBitWidth() / 8);
    if (!llvm::all_of(offset.getCoefs(), [&](int64_t coef) {
          return coef * bytes % kAlignment == 0;
        }))
      return;
    found[source] = {kernel.getResult(0), offset};
    offset = offset.add(countElements(type));
  }
  for (auto &[value, place] : found)
    places[value] = place;
  done.insert(kernel);
}

Stacks Stacks::get(FuncOp func) {
  Stacks stacks;
  llvm::SmallDenseSet<Value> returned;
  returned.insert_range(func.getReturn().getOperands());
  for (auto kernel : func.getBody().front().getOps<CellsOp>())
    stacks.add(kernel, returned);
  return stacks;
}

void Stacks::visit(function_ref<void(Value, Place)> visit) const {
  // What is put somewhere last has been put there whole.
  for (auto &[value, place] : llvm::reverse(places))
    visit(value, place);
}

} // namespace gyre::kernels
