//===- Unrelated.cpp - Results that have nothing along the lanes ----------===//

#include "Facts.h"

#include "Lanes.h"

#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;

namespace gyre::schedule {

/// So many cells do without lanes of their own.
static constexpr int64_t kFew = 32;

/// Whether the value, or one that it is computed from, has the axis.
static bool dependsOn(Value value, unsigned axis, const cells::BodyAxes &axes,
                      KernelOp kernel) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) { return op->getParentOp() == kernel; };
  if (value.getDefiningOp() && options.filter(value.getDefiningOp()))
    (void)getBackwardSlice(value, &slice, options);
  auto has = [&](Value each) {
    return llvm::is_contained(axes.of(each), axis);
  };
  if (has(value))
    return true;
  for (Operation *op : slice)
    if (!isa<KernelOp>(op) &&
        (llvm::any_of(op->getResults(), has) ||
         (!isa<RowOp>(op) && llvm::any_of(op->getOperands(), has))))
      return true;
  return false;
}

FailureOr<uint64_t> findUnrelated(KernelOp kernel) {
  FailureOr<cells::BodyAxes> axes = cells::BodyAxes::get(kernel);
  if (failed(axes))
    return failure();
  SmallVector<unsigned> lanes = chooseLanes(kernel, *axes);
  ValueRange values = kernel.getDeliver().getValues();
  if (lanes.empty() || values.size() < 2 || values.size() > 64)
    return 0;
  uint64_t mask = 0;
  for (auto [i, value] : llvm::enumerate(values)) {
    int64_t cells = 1;
    for (unsigned axis : axes->of(value))
      cells *= axes->size(axis);
    if (cells > kFew && !dependsOn(value, lanes.back(), *axes, kernel))
      mask |= uint64_t(1) << i;
  }
  return mask;
}

} // namespace gyre::schedule
