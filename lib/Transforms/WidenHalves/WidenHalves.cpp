//===- WidenHalves.cpp - gyre-widen-halves: f16 and bf16 in f32 -----------===//
//
// Halves are a format of memory: what a function computes from them, and what
// its kernels store for one another, is f32.
//
//===----------------------------------------------------------------------===//

#include "gyre/Dialect/Gyre.h"
#include "gyre/Transforms/Passes.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_WIDENHALVES
#include "gyre/Transforms/Passes.h.inc"

static bool isHalf(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && isa<Float16Type, BFloat16Type>(tensor.getElementType());
}

static Type widen(Type type) {
  if (!isHalf(type))
    return type;
  return cast<TensorType>(type).cloneWithElement(
      Float32Type::get(type.getContext()));
}

/// Sums of f32 that were to be rounded to halves as they go are refused.
static LogicalResult checkAccumulator(Operation &op) {
  auto contract = dyn_cast<ContractOp>(op);
  if (!contract || contract.getAccumulatorType().isF32() ||
      contract.getAccumulatorType().isF64())
    return success();
  return op.emitError("[widen-accumulator] expected an accumulator of f32 or "
                      "f64, got ")
         << contract.getAccumulatorType();
}

/// A conversion from one type to the same one is none.
static bool dropConversion(Operation &op) {
  if (!isa<ConvertOp>(op) ||
      op.getOperand(0).getType() != op.getResult(0).getType())
    return false;
  op.getResult(0).replaceAllUsesWith(op.getOperand(0));
  op.erase();
  return true;
}

static LogicalResult widen(FuncOp func) {
  Block &block = func.getBody().front();
  for (Operation &op : block)
    if (failed(checkAccumulator(op)))
      return failure();
  OpBuilder b(func.getContext());
  for (Operation &op : block.without_terminator())
    for (Value result : op.getResults())
      result.setType(widen(result.getType()));
  b.setInsertionPointToStart(&block);
  for (BlockArgument argument : block.getArguments()) {
    if (!isHalf(argument.getType()))
      continue;
    auto wide = ConvertOp::create(b, func.getLoc(), widen(argument.getType()),
                                  argument);
    argument.replaceAllUsesExcept(wide, wide);
  }
  ReturnOp end = func.getReturn();
  b.setInsertionPoint(end);
  for (auto [operand, type] :
       llvm::zip_equal(end->getOpOperands(), func.getResultTypes()))
    if (operand.get().getType() != type)
      operand.set(
          ConvertOp::create(b, operand.get().getLoc(), type, operand.get()));
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
    dropConversion(op);
  return success();
}

namespace {
struct WidenHalves : impl::WidenHalvesBase<WidenHalves> {
  void runOnOperation() override {
    for (FuncOp func : getOperation().getOps<FuncOp>())
      if (failed(widen(func)))
        return signalPassFailure();
  }
};
} // namespace

} // namespace gyre
