//===- Stages.cpp - When values are there ---------------------------------===//

#include "Stages.h"

#include "Rows.h"

using namespace mlir;

namespace gyre::fusion {

bool sumsRows(Operation *op) { return isa<SegmentSumOp>(op) || isTotal(op); }

bool Stages::isShared(Value value) const {
  return !getRowsDim(value) && of(value) == 0 && !summed.contains(value);
}

void Stages::compute(FuncOp func, const CellOps &cells) {
  for (Operation &op : func.getBody().front().without_terminator()) {
    int64_t at = 0;
    bool afterSum = false;
    for (Value operand : op.getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!source)
        continue;
      // All of a value must be there before a gather reads any of it, and sums
      // before anything does.
      bool whole = sumsRows(source) || isa<GatherOp>(op) ||
                   cells.contains(source) || cells.contains(&op) ||
                   (summed.contains(operand) && getRowsDim(op.getResult(0)));
      at = std::max(at, of(operand) + whole);
      afterSum |= sumsRows(source) || summed.contains(operand);
    }
    for (Value result : op.getResults()) {
      stages[result] = at;
      if (!getRowsDim(result) &&
          (afterSum || isTotal(&op) || cells.contains(&op)))
        summed.insert(result);
    }
  }
}

} // namespace gyre::fusion
