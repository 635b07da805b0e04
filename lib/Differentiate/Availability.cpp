//===- Availability.cpp - Which primal values a derivative may use --------===//

#include "Derivation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace gyre {

bool Availability::closeByRecomputing() {
  bool changed = false;
  // One sweep suffices: operands come before their uses.
  for (Operation &op : llvm::make_range(body.begin(), end)) {
    if (!llvm::all_of(op.getOperands(), [&](Value v) { return isThere(v); }))
      continue;
    for (Value result : op.getResults())
      if (!isThere(result)) {
        recipes[result] = {&op, /*undo=*/false};
        changed = true;
      }
  }
  return changed;
}

/// Looks for `y = a + b` or `y = a - b` with exactly one term missing. The last
/// one in the body first: a chain of residual layers is walked down.
bool Availability::recoverOne() {
  for (Operation &op : llvm::reverse(llvm::make_range(body.begin(), end))) {
    if (!isa<arith::AddFOp, arith::SubFOp>(op) || !isThere(op.getResult(0)))
      continue;
    Value lhs = op.getOperand(0), rhs = op.getOperand(1);
    if (isThere(lhs) == isThere(rhs))
      continue;
    recipes[isThere(lhs) ? rhs : lhs] = {&op, /*undo=*/true};
    return true;
  }
  return false;
}

void Availability::close() {
  do {
    closeByRecomputing();
  } while (recoverOne());
}

Value Availability::get(OpBuilder &builder, Value value) {
  if (direct.contains(value))
    return value;
  return isThere(value) ? build(builder, value) : Value();
}

SmallVector<Value> Availability::getNeeds(Value value) const {
  Recipe recipe = recipes.lookup(value);
  if (!recipe.undo)
    return llvm::to_vector(recipe.op->getOperands());
  unsigned other = recipe.op->getOperand(0) == value ? 1 : 0;
  return {recipe.op->getResult(0), recipe.op->getOperand(other)};
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
  bool isLhs = op->getOperand(0) == value;
  Value result = built.lookup(op->getResult(0));
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
