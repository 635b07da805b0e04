//===- Workspace.cpp - The plans of a function, and its buffers -----------===//

#include "Workspace.h"

#include "../Entry.h"

using namespace mlir;

namespace gyre::kernels {

static LogicalResult checkOp(Operation &op) {
  if (isa<KernelOp, ReturnOp>(op))
    return success();
  return op.emitError(
             "[lower-kernel-op] expected kernels only (gyre-fuse makes "
             "them), got ")
         << op.getName();
}

static LogicalResult checkElement(Operation *op, Type type, bool inMemory) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor || tensor.getElementType().isF32() ||
      tensor.getElementType().isF64() ||
      (!inMemory && tensor.getElementType().isInteger(1)))
    return success();
  return op->emitError(
             "[lower-kernel-type] expected values of f32 or f64, got ")
         << type;
}

static LogicalResult checkAccumulator(ContractOp op) {
  if (op.getAccumulatorType() == op.getResult().getType().getElementType())
    return success();
  return op.emitError("[lower-kernel-type] expected an accumulator of the "
                      "values' type, got ")
         << op.getAccumulatorType();
}

FailureOr<std::vector<Plan>> planKernels(FuncOp func) {
  for (Type type : func.getArgumentTypes())
    if (failed(checkElement(func, type, /*inMemory=*/true)))
      return failure();
  std::vector<Plan> plans;
  for (Operation &op : func.getBody().front()) {
    if (failed(checkOp(op)))
      return failure();
    auto kernel = dyn_cast<KernelOp>(op);
    if (!kernel)
      continue;
    for (Operation &inner : kernel.getBody().front()) {
      for (Type type : inner.getResultTypes())
        if (failed(checkElement(&inner, type, /*inMemory=*/isa<RowOp>(inner))))
          return failure();
      auto contract = dyn_cast<ContractOp>(inner);
      if (contract && failed(checkAccumulator(contract)))
        return failure();
    }
    for (Type type : kernel.getResultTypes())
      if (failed(checkElement(kernel, type, /*inMemory=*/true)))
        return failure();
    FailureOr<std::vector<Plan>> parts = Plan::get(kernel);
    if (failed(parts))
      return failure();
    llvm::move(*parts, std::back_inserter(plans));
  }
  return plans;
}

Workspace Workspace::get(FuncOp func, ArrayRef<Plan> plans) {
  Workspace workspace;
  llvm::SmallDenseSet<Value> returned;
  returned.insert_range(func.getReturn().getOperands());
  MLIRContext *context = func.getContext();
  llvm::DenseMap<EntryBufferAttr, SmallVector<unsigned>> shared;
  for (const Plan &plan : plans) {
    // The parts of a kernel write to the same buffers.
    if (!plan.isLast)
      continue;
    llvm::DenseMap<EntryBufferAttr, unsigned> taken;
    KernelOp kernel = plan.kernel;
    for (auto [i, result] : llvm::enumerate(kernel.getResults())) {
      int64_t bytes = plan.results[i].getElementBytes();
      if (!returned.contains(result)) {
        workspace.bufferOf[result] = workspace.buffers.size();
        workspace.buffers.push_back(EntryBufferAttr::get(
            context, bytes, countElements(cast<TensorType>(result.getType()))));
      }
      if (plan.kind(i) == DeliveryKind::row)
        continue;
      auto buffer = EntryBufferAttr::get(
          context, bytes,
          PolyAttr::constant(context, plan.getPartialRows(i) *
                                          plan.results[i].getRowCells()));
      SmallVector<unsigned> &free = shared[buffer];
      unsigned number = taken[buffer]++;
      if (number == free.size()) {
        free.push_back(workspace.buffers.size());
        workspace.buffers.push_back(buffer);
      }
      workspace.partialOf[result] = free[number];
    }
  }
  return workspace;
}

} // namespace gyre::kernels
