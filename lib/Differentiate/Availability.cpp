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

Value Availability::build(OpBuilder &builder, Value value) {
  auto it = built.find(value);
  if (it != built.end())
    return it->second;
  Recipe recipe = recipes.lookup(value);
  Operation *op = recipe.op;
  if (!recipe.undo) {
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, build(builder, operand));
    Operation *clone = builder.clone(*op, mapping);
    for (auto [from, to] : llvm::zip_equal(op->getResults(),
                                           clone->getResults()))
      built.try_emplace(from, to);
    return built.lookup(value);
  }
  Value result = build(builder, op->getResult(0));
  bool isLhs = op->getOperand(0) == value;
  Value other = build(builder, op->getOperand(isLhs ? 1 : 0));
  Value recovered;
  if (isa<arith::AddFOp>(op)) // y = a + b: a = y - b, b = y - a
    recovered = arith::SubFOp::create(builder, op->getLoc(), result, other);
  else if (isLhs) // y = a - b: a = y + b
    recovered = arith::AddFOp::create(builder, op->getLoc(), result, other);
  else // b = a - y
    recovered = arith::SubFOp::create(builder, op->getLoc(), other, result);
  return built[value] = recovered;
}

} // namespace gyre
