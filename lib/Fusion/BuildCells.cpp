//===- BuildCells.cpp - Kernels of cells ----------------------------------===//

#include "BuildCells.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace gyre::fusion {

using Visited = llvm::SmallDenseSet<std::pair<Operation *, unsigned>>;

static void visitLoads(const CellOps &cells, Operation *op, bool repeated,
                       Visited &visited, function_ref<void(Value)> visit) {
  if (!visited.insert({op, unsigned(repeated)}).second)
    return;
  for (Value operand : op->getOperands()) {
    Operation *source = operand.getDefiningOp();
    if (!source)
      continue;
    if (cells.takesIn(op, operand, repeated))
      visitLoads(cells, source, repeated || cells.computesAgain(op, operand),
                 visited, visit);
    else
      visit(operand);
  }
}

void forEachLoad(const CellOps &cells, Operation *op,
                 function_ref<void(Value)> visit) {
  Visited visited;
  visitLoads(cells, op, /*repeated=*/false, visited, visit);
}

CellsOp buildCells(OpBuilder &b, ArrayRef<Value> delivered,
                   function_ref<Value(Value)> findWhole) {
  Location loc = delivered.front().getLoc();
  SmallVector<Type> types(ValueRange(delivered).getTypes());
  auto kernel = CellsOp::create(b, loc, types, IntegerAttr(), TileAttr());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&kernel.getBody());
  IRMapping mapping;
  std::function<void(Operation *)> clone = [&](Operation *op) {
    for (Value operand : op->getOperands()) {
      if (mapping.contains(operand))
        continue;
      if (Value whole = findWhole(operand))
        mapping.map(operand, whole);
      else
        clone(operand.getDefiningOp());
    }
    b.clone(*op, mapping);
  };
  SmallVector<Value> values;
  for (Value value : delivered) {
    Operation *op = value.getDefiningOp();
    if (op && !mapping.contains(value))
      clone(op);
    values.push_back(op ? mapping.lookup(value) : findWhole(value));
  }
  DeliverOp::create(b, loc, values);
  return kernel;
}

} // namespace gyre::fusion
