//===- LowerPlain.cpp - gyre-lower-plain: loops, one nest an op -----------===//

#include "Emitter.h"
#include "Legality.h"

#include "../../Entry.h"

#include "gyre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_LOWERPLAIN
#include "gyre/Transforms/Passes.h.inc"

using namespace plain;

static void emitOp(Emitter &e, Operation *op) {
  e.b.setLoc(op->getLoc());
  llvm::TypeSwitch<Operation *>(op)
      .Case<ContractOp>([&](auto op) { emitContract(e, op); })
      .Case<GatherOp>([&](auto op) { emitGather(e, op); })
      .Case<SegmentSumOp>([&](auto op) { emitSegmentSum(e, op); })
      .Case<ValidOp>([&](auto op) { emitValid(e, op); })
      .Case<SliceOp>([&](auto op) { emitSlice(e, op); })
      .Case<PadOp>([&](auto op) { emitPad(e, op); })
      .Case<ConcatOp>([&](auto op) { emitConcat(e, op); })
      .Case<MaxSlotOp>([&](auto op) { emitMaxSlot(e, op); })
      .Case<SelectSlotOp>([&](auto op) { emitSelectSlot(e, op); })
      .Case<SpreadSlotOp>([&](auto op) { emitSpreadSlot(e, op); })
      .Case<ConvertOp>([&](auto op) { emitConvert(e, op); })
      .Case<SelectOp>([&](auto op) { emitSelect(e, op); })
      .Case<ConstantOp>([&](auto op) { emitConstant(e, op); })
      .Case<SigmoidOp, SiluOp>([&](auto op) { emitSigmoid(e, op); })
      .Case<StopGradientOp>([&](auto op) {
        emitCopy(e, op.getX(), e.buffer(op.getX()), e.buffer(op.getResult()));
      })
      .Default([&](Operation *op) { emitElementwise(e, op); });
}

static void lower(FuncOp func, Tables &tables) {
  BufferPlan plan(func);
  EntryAttr entry = makeEntry(func, plan.buffers);
  OpBuilder builder(func);
  func::FuncOp body = createEntryBody(builder, func, entry);
  Emitter e(func, body, plan, entry, tables);
  for (Operation &op : func.getBody().front().without_terminator())
    emitOp(e, &op);
  e.b.setLoc(func.getReturn().getLoc());
  for (auto [i, value] : llvm::enumerate(func.getReturn().getOperands())) {
    auto written = plan.resultOf.find(value);
    if (written == plan.resultOf.end() || written->second != i)
      emitCopy(e, value, e.buffer(value), e.result(i));
  }
  func.erase();
}

namespace {
struct LowerPlain : impl::LowerPlainBase<LowerPlain> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkModule(module)))
      return signalPassFailure();
    Tables tables(module);
    for (FuncOp func : llvm::to_vector(module.getOps<FuncOp>()))
      lower(func, tables);
  }
};
} // namespace

} // namespace gyre
