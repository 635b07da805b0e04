//===- Stages.cpp - When values are there ---------------------------------===//

#include "Stages.h"

#include "Rows.h"

#include <limits>

using namespace mlir;

namespace gyre::fusion {

bool sumsRows(Operation *op) { return isa<SegmentSumOp>(op) || isTotal(op); }

bool Stages::isShared(Value value) const {
  return !getRowsDim(value) && of(value) == 0 && !summed.contains(value);
}

void Stages::compute(FuncOp func, const CellOps &cells) {
  // All that the kernel of a unit computes is there when the last of it is.
  llvm::DenseMap<int64_t, int64_t> ofUnits;
  while (computeOnce(func, cells, ofUnits))
    ;
}

bool Stages::computeOnce(FuncOp func, const CellOps &cells,
                         llvm::DenseMap<int64_t, int64_t> &ofUnits) {
  bool changed = false;
  for (Operation &op : func.getBody().front().without_terminator()) {
    int64_t at = 0;
    bool afterSum = false;
    std::optional<int64_t> unit = cells.getUnit(&op);
    for (Value operand : op.getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!source)
        continue;
      if (unit && unit == cells.getUnit(source))
        continue;
      // All of a value must be there before a gather reads any of it, and sums
      // before anything does.
      bool whole = sumsRows(source) || isa<GatherOp>(op) ||
                   cells.contains(source) || cells.contains(&op) ||
                   (summed.contains(operand) && getRowsDim(op.getResult(0)));
      at = std::max(at, of(operand) + whole);
      afterSum |= sumsRows(source) || summed.contains(operand);
    }
    if (unit) {
      int64_t &ofUnit = ofUnits[*unit];
      changed |= at > ofUnit;
      ofUnit = at = std::max(at, ofUnit);
    }
    for (Value result : op.getResults()) {
      stages[result] = at;
      if (!getRowsDim(result) &&
          (afterSum || isTotal(&op) || cells.contains(&op)))
        summed.insert(result);
    }
  }
  return changed;
}

/// Whether the cells of a value are those of another one that is in memory.
static bool movesFromMemory(Value value, const CellOps &cells) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<ConstantOp>(op) || cells.contains(op) || sumsRows(op))
    return true;
  return !isa<GatherOp>(op) && movesCells(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isa<MapType>(operand.getType()) ||
                  movesFromMemory(operand, cells);
         });
}

void Stages::delay(FuncOp func, const CellOps &cells) {
  // The latest stage that all users allow.
  llvm::DenseMap<Operation *, int64_t> latest;
  Block &block = func.getBody().front();
  auto isRows = [&](Operation *op) {
    return !isa<ReturnOp, ConstantOp, GatherOp>(op) && !cells.contains(op) &&
           !sumsRows(op) && op->getNumResults() == 1 &&
           getRowsDim(op->getResult(0));
  };
  auto getStage = [&](Operation *op) {
    auto it = latest.find(op);
    return it == latest.end() ? of(op->getResult(0)) : it->second;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Operation &op : llvm::reverse(block)) {
      if (!isRows(&op) || op.use_empty())
        continue;
      int64_t first = of(op.getResult(0)), stage = first;
      if (llvm::all_of(op.getUsers(), isRows)) {
        stage = std::numeric_limits<int64_t>::max();
        for (Operation *user : op.getUsers())
          stage = std::min(stage, getStage(user));
      }
      // What it reads would have to be stored in its place.
      auto known = latest.find(&op);
      if (known != latest.end())
        stage = std::min(stage, known->second);
      for (Value operand : op.getOperands())
        if (Operation *source = operand.getDefiningOp();
            known != latest.end() && source && isRows(source) &&
            !movesFromMemory(operand, cells))
          stage = std::min(stage, std::max(first, getStage(source)));
      if (known == latest.end() || known->second != stage) {
        latest[&op] = stage;
        changed = true;
      }
    }
  }
  for (auto [op, stage] : latest)
    stages[op->getResult(0)] = stage;
}

} // namespace gyre::fusion
