//===- Availability.cpp - Which primal values a derivative may use --------===//

#include "Derivation.h"

#include "gyre/Dialect/ContractBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace gyre {

/// Axes of a result that its operand lacks, where the op only puts the
/// operand's cells to their places, in each row of these axes, of which there
/// is one or more; nullopt where it does otherwise.
static std::optional<SmallVector<AxisAttr>> findCopies(ContractOp op) {
  TensorType result = op.getResult().getType();
  if (op.getInputs().size() != 1 || op.getRelationAttr() ||
      op.getAccumulatorType() != getImpliedAccumulator(result.getElementType()))
    return std::nullopt;
  auto contains = [](ArrayAttr subscript, StringAttr axis) {
    return llvm::any_of(
        subscript.getAsRange<ArrayAttr>(),
        [&](ArrayAttr group) { return llvm::is_contained(group, axis); });
  };
  auto from = cast<ArrayAttr>(op.getSubscripts()[0]);
  ArrayAttr to = op.getResultSubscript();
  SmallVector<AxisAttr> copies;
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>()) {
    if (!contains(to, axis.getName()))
      return std::nullopt; // summed
    if (contains(from, axis.getName()))
      continue;
    if (axis.getSize().getConstant().value_or(0) < 1)
      return std::nullopt;
    copies.push_back(axis);
  }
  return copies;
}

/// Parts of what is at hand for direct uses, and views of it, are too.
void Availability::extendDirect() {
  for (Operation &op : llvm::make_range(body.begin(), end)) {
    auto contract = dyn_cast<ContractOp>(op);
    if (!isa<SliceOp>(op) && !(contract && findCopies(contract)))
      continue;
    Value result = op.getResult(0);
    if (direct.contains(op.getOperand(0)) && !built.contains(result))
      direct[result] = Value();
  }
}

/// Null where `value` is not at hand for direct uses.
Value Availability::getDirect(OpBuilder &builder, Value value) {
  auto it = direct.find(value);
  if (it == direct.end() || it->second)
    return it == direct.end() ? Value() : it->second;
  Operation *op = value.getDefiningOp();
  IRMapping mapping;
  mapping.map(op->getOperand(0), getDirect(builder, op->getOperand(0)));
  Value replacement = builder.clone(*op, mapping)->getResult(0);
  direct[value] = replacement;
  return replacement;
}

bool Availability::closeByRecomputing() {
  bool changed = false;
  // One sweep suffices: operands come before their uses.
  for (Operation &op : llvm::make_range(body.begin(), end)) {
    if (!llvm::all_of(op.getOperands(), [&](Value v) { return isThere(v); }))
      continue;
    for (Value result : op.getResults())
      if (!isThere(result) && !direct.contains(result)) {
        recipes[result] = {&op, /*undo=*/false};
        changed = true;
      }
  }
  return changed;
}

/// Looks for an op that tells an operand from its result: `y = a + b` or `y = a
/// - b` with exactly one term missing, a concatenation, a contract that only
/// moves cells. The last one in the body first: a chain of residual layers is
/// walked down.
bool Availability::recoverOne() {
  for (Operation &op : llvm::reverse(llvm::make_range(body.begin(), end))) {
    if (op.getNumResults() != 1 || !isThere(op.getResult(0)))
      continue;
    SmallVector<Value> missing;
    for (Value operand : op.getOperands())
      if (!isThere(operand))
        missing.push_back(operand);
    bool tells = false;
    if (isa<arith::AddFOp, arith::SubFOp>(op))
      tells = missing.size() == 1;
    else if (isa<ConcatOp>(op))
      tells = true;
    else if (auto contract = dyn_cast<ContractOp>(op))
      tells = findCopies(contract).has_value();
    if (!tells || missing.empty())
      continue;
    for (Value value : missing)
      recipes[value] = {&op, /*undo=*/true};
    return true;
  }
  return false;
}

void Availability::close() {
  extendDirect();
  do {
    closeByRecomputing();
  } while (recoverOne());
}

Value Availability::get(OpBuilder &builder, Value value) {
  if (Value replacement = getDirect(builder, value))
    return replacement;
  return isThere(value) ? build(builder, value) : Value();
}

SmallVector<Value> Availability::getNeeds(Value value) const {
  Recipe recipe = recipes.lookup(value);
  if (!recipe.undo)
    return llvm::to_vector(recipe.op->getOperands());
  if (!isa<arith::AddFOp, arith::SubFOp>(recipe.op))
    return {recipe.op->getResult(0)};
  unsigned other = recipe.op->getOperand(0) == value ? 1 : 0;
  return {recipe.op->getResult(0), recipe.op->getOperand(other)};
}

/// The cells of an operand of `op`, which copies them into its result.
static Value takeCopy(OpBuilder &builder, ContractOp op, Value result) {
  SmallVector<StringAttr> axes;
  auto copies = findCopies(op);
  for (AxisAttr axis : *copies)
    axes.push_back(axis.getName());
  Attribute first;
  if (!axes.empty())
    first = TuplesAttr::getCanonical(builder.getContext(), axes,
                                     SmallVector<int64_t>(axes.size(), 0),
                                     /*coefficients=*/1.0);
  return buildContract(builder, op.getLoc(), result, op.getResultSubscript(),
                       cast<ArrayAttr>(op.getSubscripts()[0]),
                       llvm::to_vector(op.getDomain().getAsRange<AxisAttr>()),
                       first);
}

/// The part of a concatenation's result that is its operand `value`.
static Value takePart(OpBuilder &builder, ConcatOp op, Value value,
                      Value result) {
  auto sizeOf = [&](Value input) {
    return cast<TensorType>(input.getType()).getDims()[op.getAxis()];
  };
  auto from = PolyAttr::constant(builder.getContext(), 0);
  for (Value input : op.getInputs()) {
    if (input == value)
      break;
    from = from.add(sizeOf(input));
  }
  return SliceOp::create(builder, op.getLoc(), result, op.getAxisAttr(), from,
                         sizeOf(value));
}

void Availability::buildFromNeeds(OpBuilder &builder, Value value) {
  Recipe recipe = recipes.lookup(value);
  Operation *op = recipe.op;
  if (!recipe.undo) {
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, built.lookup(operand));
    Operation *clone = builder.clone(*op, mapping);
    for (auto [from, to] :
         llvm::zip_equal(op->getResults(), clone->getResults()))
      built.try_emplace(from, to);
    return;
  }
  Value result = built.lookup(op->getResult(0));
  if (auto contract = dyn_cast<ContractOp>(op)) {
    built[value] = takeCopy(builder, contract, result);
    return;
  }
  if (auto concat = dyn_cast<ConcatOp>(op)) {
    built[value] = takePart(builder, concat, value, result);
    return;
  }
  bool isLhs = op->getOperand(0) == value;
  Value other = built.lookup(op->getOperand(isLhs ? 1 : 0));
  if (isa<arith::AddFOp>(op)) // y = a + b: a = y - b, b = y - a
    built[value] = arith::SubFOp::create(builder, op->getLoc(), result, other);
  else if (isLhs) // y = a - b: a = y + b
    built[value] = arith::AddFOp::create(builder, op->getLoc(), result, other);
  else // b = a - y
    built[value] = arith::SubFOp::create(builder, op->getLoc(), other, result);
}

/// With a stack of its own: a chain of unrolled layers may be very long.
Value Availability::build(OpBuilder &builder, Value value) {
  SmallVector<Value> stack = {value};
  while (!stack.empty()) {
    Value top = stack.back();
    size_t height = stack.size();
    if (!built.contains(top)) {
      for (Value need : getNeeds(top))
        if (!built.contains(need))
          stack.push_back(need);
      if (stack.size() > height)
        continue;
      buildFromNeeds(builder, top);
    }
    stack.pop_back();
  }
  return built.lookup(value);
}

} // namespace gyre
