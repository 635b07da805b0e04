//===- Lanes.cpp - Which axes lie along lanes -----------------------------===//

#include "Lanes.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gyre::schedule {

/// All values with dimensions that the body names.
static SmallVector<Value> collectValues(KernelOp kernel) {
  llvm::SetVector<Value> values;
  for (Operation &op : kernel.getBody().front()) {
    if (!isa<RowOp>(op))
      values.insert_range(op.getOperands());
    values.insert_range(op.getResults());
  }
  return values.takeVector();
}

static int64_t countCells(Value value) {
  int64_t cells = 1;
  for (int64_t size : cast<TensorType>(value.getType()).getShape())
    cells *= size;
  return cells;
}

SmallVector<unsigned> chooseLanes(KernelOp kernel,
                                  const cells::BodyAxes &axes) {
  SmallVector<Value> values = collectValues(kernel);
  auto isOnce = [&](unsigned axis) {
    return llvm::all_of(values,
                        [&](Value value) {
                          return llvm::count(axes.of(value), axis) <= 1;
                        }) &&
           llvm::all_of(
               kernel.getBody().getOps<ContractOp>(),
               [&](ContractOp op) { return axes.count(op, axis) <= 1; });
  };
  // How many cells of rows have the axis innermost.
  SmallVector<int64_t> weight(axes.count());
  auto weigh = [&](Value value) {
    const cells::AxisList &list = axes.of(value);
    if (!list.empty() && !axes.isTied(list.back()) && isOnce(list.back()))
      weight[list.back()] += countCells(value);
  };
  for (RowOp row : kernel.getBody().getOps<RowOp>())
    weigh(row.getResult());
  for (Value value : kernel.getDeliver().getValues())
    weigh(value);
  auto best = llvm::max_element(weight);
  if (best == weight.end() || *best == 0)
    return {};
  unsigned innermost = best - weight.begin();

  // Outer axes that come with it everywhere, in the order of the first value.
  SmallVector<unsigned> lanes;
  for (Value value : values) {
    const cells::AxisList &list = axes.of(value);
    if (!llvm::is_contained(list, innermost))
      continue;
    for (unsigned axis : list)
      if (axis == innermost || (!axes.isTied(axis) && isOnce(axis)))
        lanes.push_back(axis);
    break;
  }
  while (lanes.back() != innermost)
    lanes.pop_back();
  auto comesAlong = [&](unsigned axis) {
    return llvm::all_of(values, [&](Value value) {
      const cells::AxisList &list = axes.of(value);
      auto outer = llvm::find(list, axis), inner = llvm::find(list, innermost);
      return (outer == list.end()) == (inner == list.end()) &&
             (outer == list.end() || outer <= inner);
    });
  };
  llvm::erase_if(lanes, [&](unsigned axis) { return !comesAlong(axis); });
  // They stand in one order everywhere, or only the innermost one is taken.
  for (Value value : values) {
    SmallVector<unsigned> found;
    for (unsigned axis : axes.of(value))
      if (llvm::is_contained(lanes, axis))
        found.push_back(axis);
    if (!found.empty() && found != lanes)
      return {innermost};
  }
  return lanes;
}

} // namespace gyre::schedule
