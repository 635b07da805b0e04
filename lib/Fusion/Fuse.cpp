//===- Fuse.cpp - gyre-fuse: functions to programs of kernels -------------===//
//
// Each value is computed at a stage: what a gather reads, what uses a sum over
// rows, and what comes before or after a kernel of cells, needs values of all
// rows, so it comes a stage after them. Values that are returned or cross a
// stage are delivered by a kernel: of their stage, of their rows, and of the
// map that they are summed over; or by a kernel of cells. What a kernel of rows
// needs of its own stage is computed in it, also where another kernel computes
// it, too: a row's values are cheaper to compute than to store and load. So is
// what an earlier stage could compute from no more cells than it has.
//
//===----------------------------------------------------------------------===//

#include "BuildCells.h"
#include "Fuser.h"
#include "JoinPads.h"
#include "JoinProducts.h"
#include "Rows.h"
#include "SinkSums.h"
#include "SplitBlocks.h"
#include "StoreByColumns.h"
#include "Units.h"

#include "gyre/Transforms/Passes.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_FUSE
#include "gyre/Transforms/Passes.h.inc"

using namespace fusion;

void Fuser::require(Value value) {
  if (value.getDefiningOp())
    required.insert(value);
}

bool Fuser::isCheap(Value value) const {
  // Each row would compute again what is the same for all.
  return getRowsDim(value) && fusion::isCheap(value, [&](Value source) {
           Operation *op = source.getDefiningOp();
           return !op || cells.contains(op) || sumsRows(op) ||
                  isa<GatherOp>(op) || stages.isShared(source) ||
                  required.contains(source);
         });
}

/// Whether a later stage can as well read rows where a gather reads them.
static bool gathersRows(Operation *op) {
  auto gather = dyn_cast<GatherOp>(op);
  return gather &&
         cast<MapType>(gather.getMap().getType()).getAxisSizes().size() == 1;
}

void Fuser::requireOf(Operation *user, Value operand, int64_t stage) {
  Operation *source = operand.getDefiningOp();
  if (!source || stages.isShared(operand))
    return;
  if (!sumsRows(source) && !isa<GatherOp>(user) &&
      (stageOf(operand) >= stage || gathersRows(source) || isCheap(operand)))
    return;
  if (!isCondition(operand))
    return require(operand);
  for (Value needed : source->getOperands())
    requireOf(source, needed, stage);
}

void Fuser::collectRequired() {
  for (Value value : func.getReturn().getOperands())
    if (!required.insert(value))
      repeated.push_back(value);
  for (Operation &op : func.getBody().front().without_terminator()) {
    if (cells.contains(&op))
      continue;
    for (Value operand : op.getOperands())
      requireOf(&op, operand, stageOf(op.getResult(0)));
  }
  // Kernels of cells, and those that they need.
  for (size_t i = 0; i < required.size(); ++i)
    if (cells.computes(required[i]))
      forEachLoad(cells, required[i].getDefiningOp(),
                  [&](Value value) { require(value); });
}

void Fuser::collect() {
  collectRequired();
  // Owners first: they can deliver rows and totals, too.
  SmallVector<Value> all;
  for (bool owned : {true, false})
    for (Value value :
         llvm::concat<const Value>(required.getArrayRef(), repeated))
      if (isa_and_present<SegmentSumOp>(value.getDefiningOp()) == owned)
        all.push_back(value);
  PolyAttr one = PolyAttr::constant(func.getContext(), 1);
  llvm::SmallDenseMap<int64_t, Operation *> firstOfUnits;
  for (Value value : all) {
    Operation *op = value.getDefiningOp();
    if (cells.computes(value) || (!op && !fitsRows(value.getType()))) {
      const void *one = op ? op : value.getAsOpaquePointer();
      if (std::optional<int64_t> unit = op ? cells.getUnit(op) : std::nullopt)
        one = firstOfUnits.try_emplace(*unit, op).first->second;
      groupFor(stageOf(value), {}, {}, one).delivered.push_back(value);
      continue;
    }
    Value owner;
    PolyAttr rows = getRows(value);
    if (auto sum = dyn_cast_if_present<SegmentSumOp>(op)) {
      owner = sum.getMap();
      rows = getRows(sum.getRows());
    } else if (op && isTotal(op)) {
      rows = getRows(op->getOperand(0));
    }
    groupFor(stageOf(value), rows ? rows : one, owner, nullptr)
        .delivered.push_back(value);
  }
  SmallVector<Group> sorted;
  for (int64_t at = 0; sorted.size() < groups.size(); ++at)
    for (Group &group : groups)
      if (group.stage == at)
        sorted.push_back(group);
  groups = std::move(sorted);
}

/// Without an owner, any kernel of the same rows will do.
Group &Fuser::groupFor(int64_t stage, PolyAttr rows, Value owner,
                       const void *cells) {
  for (Group &group : groups)
    if (group.stage == stage && group.rows == rows && group.cells == cells &&
        (!owner || group.owner == owner))
      return group;
  return groups.emplace_back(Group{stage, rows, owner, cells, {}});
}

/// The array of a value that is in memory as a whole.
Value Fuser::findWhole(Value value) const {
  auto it = delivered.find(value);
  return it == delivered.end() ? value : it->second.front();
}

void Fuser::build(Group &group) {
  b.setInsertionPoint(func.getReturn());
  stage = group.stage;
  if (!group.cells)
    return buildRows(group);
  CellsOp built = buildCells(b, group.delivered, [&](Value value) -> Value {
    bool isWhole = !value.getDefiningOp() || delivered.contains(value);
    return isWhole ? findWhole(value) : Value();
  });
  for (auto [value, result] :
       llvm::zip_equal(group.delivered, built.getResults()))
    delivered[value].push_back(result);
}

ArrayRef<Operation *> Fuser::run() {
  stages.compute(func, cells);
  if (tiles)
    stages.delay(func, cells);
  collect();
  SmallVector<Operation *> replaced;
  for (Operation &op : func.getBody().front().without_terminator())
    replaced.push_back(&op);
  for (Group &group : groups)
    build(group);
  if (!misfits.empty())
    return misfits;
  for (OpOperand &operand : llvm::reverse(func.getReturn()->getOpOperands())) {
    SmallVector<Value, 1> &results = delivered[operand.get()];
    operand.set(results.back());
    results.pop_back();
  }
  for (Operation *op : llvm::reverse(replaced))
    op->erase();
  return {};
}

/// Whether an op fits a body is known when the body is there: if some do not,
/// it is all done again without them.
static void fuse(FuncOp func, bool tiles) {
  // Marks are of this pass alone.
  for (Operation &op : func.getBody().front())
    for (StringRef mark : {kUnitAttr, kStoredAttr})
      op.removeDiscardableAttr(mark);
  joinPads(func);
  sinkSums(func);
  if (tiles) {
    joinProducts(func);
    splitBlocks(func);
    storeByColumns(func);
    formUnits(func);
  }
  llvm::SmallDenseSet<size_t> others;
  while (true) {
    OwningOpRef<FuncOp> trial = func.clone();
    llvm::DenseSet<Operation *> chosen;
    Block &block = trial->getBody().front();
    for (auto [number, op] : llvm::enumerate(block))
      if (others.contains(number))
        chosen.insert(&op);
    Fuser fuser(*trial, chosen, tiles);
    ArrayRef<Operation *> misfits = fuser.run();
    if (misfits.empty()) {
      func.getBody().takeBody(trial->getBody());
      return;
    }
    for (Operation *op : misfits)
      others.insert(std::distance(block.begin(), op->getIterator()));
  }
}

namespace {
struct Fuse : impl::FuseBase<Fuse> {
  using FuseBase::FuseBase;

  void runOnOperation() override {
    if (target != "cpu" && target != "cuda") {
      getOperation().emitError("[fuse-target] expected cpu or cuda, got ")
          << target;
      return signalPassFailure();
    }
    for (FuncOp func : getOperation().getOps<FuncOp>()) {
      if (failed(checkOps(func)))
        return signalPassFailure();
      fuse(func, /*tiles=*/target == "cuda");
    }
  }
};
} // namespace

} // namespace gyre
