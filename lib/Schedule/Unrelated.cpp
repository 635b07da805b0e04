//===- Unrelated.cpp - Results that have nothing along the lanes ----------===//

#include "Facts.h"

#include "Lanes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gyre::schedule {

/// So many cells do without lanes of their own.
static constexpr int64_t kFew = 32;

namespace {

/// What a result is computed from.
struct Source {
  /// Whether it, or a value that it is computed from, has the axis of lanes.
  bool hasAxis = false;
  /// Cells of the largest value.
  int64_t cells = 0;
};

} // namespace

static Source findSource(Value value, unsigned axis,
                         const cells::BodyAxes &axes, KernelOp kernel) {
  Source source;
  auto visit = [&](Value each) {
    int64_t cells = 1;
    for (unsigned other : axes.of(each)) {
      cells = llvm::SaturatingMultiply<uint64_t>(cells, axes.size(other));
      source.hasAxis |= other == axis;
    }
    source.cells = std::max(source.cells, cells);
  };
  visit(value);
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) { return op->getParentOp() == kernel; };
  if (value.getDefiningOp() && options.filter(value.getDefiningOp()))
    (void)getBackwardSlice(value, &slice, options);
  for (Operation *op : slice) {
    if (isa<KernelOp>(op))
      continue;
    llvm::for_each(op->getResults(), visit);
    if (!isa<RowOp>(op))
      llvm::for_each(op->getOperands(), visit);
  }
  return source;
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
    Source source = findSource(value, lanes.back(), *axes, kernel);
    if (!source.hasAxis && source.cells > kFew)
      mask |= uint64_t(1) << i;
  }
  return mask;
}

} // namespace gyre::schedule
