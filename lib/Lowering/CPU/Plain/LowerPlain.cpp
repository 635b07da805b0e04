//===- LowerPlain.cpp - gyre-lower-plain: loops, one nest an op -----------===//

#include "Emitter.h"
#include "Legality.h"

#include "gyre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_LOWERPLAIN
#include "gyre/Transforms/Passes.h.inc"

using namespace plain;

/// Runtime sizes in the order in which the operands name them.
static SmallVector<StringAttr> collectSizes(FuncOp func) {
  llvm::SetVector<StringAttr> names;
  auto visit = [&](PolyAttr size) {
    size.walkVariables([&](StringAttr name) { names.insert(name); });
  };
  for (Type type : llvm::concat<const Type>(func.getArgumentTypes(),
                                            func.getResultTypes())) {
    if (auto map = dyn_cast<MapType>(type)) {
      llvm::for_each(map.getAxisSizes(), visit);
      visit(map.getTarget());
    } else {
      llvm::for_each(cast<TensorType>(type).getDims(), visit);
    }
  }
  return names.takeVector();
}

static EntryAttr makeEntry(FuncOp func, const BufferPlan &plan) {
  MLIRContext *context = func.getContext();
  SmallVector<EntryOperandAttr> arguments, results;
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
    arguments.push_back(EntryOperandAttr::get(
        context, cast<StringAttr>(func.getArgNames()[i]), type));
  for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
    results.push_back(EntryOperandAttr::get(
        context, cast<StringAttr>(func.getResNames()[i]), type));
  return EntryAttr::get(context, func.getSymNameAttr(), collectSizes(func),
                        arguments, results, plan.buffers);
}

/// A memref of any strides.
static Type getMemRefType(TensorType type) {
  SmallVector<int64_t> strides(type.rank(), ShapedType::kDynamic);
  auto layout =
      StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides);
  return MemRefType::get(type.getShape(), getMemoryType(type.getElementType()),
                         layout);
}

static func::FuncOp createBody(OpBuilder &builder, EntryAttr entry,
                               Location loc) {
  SmallVector<Type> types;
  auto map = MemRefType::get({ShapedType::kDynamic}, builder.getI32Type());
  for (EntryOperandAttr operand : llvm::concat<const EntryOperandAttr>(
           entry.getArguments(), entry.getResults())) {
    if (auto tensor = dyn_cast<TensorType>(operand.getType()))
      types.push_back(getMemRefType(tensor));
    else
      types.append(3, map);
  }
  types.append(entry.getSizes().size(), builder.getIndexType());
  types.push_back(MemRefType::get({ShapedType::kDynamic}, builder.getI8Type()));
  auto body = func::FuncOp::create(
      builder, loc, (entry.getName().getValue() + "__body").str(),
      builder.getFunctionType(types, {}));
  body.addEntryBlock();
  body->setAttr("gyre.entry", entry);
  body->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                builder.getUnitAttr());
  return body;
}

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
  EntryAttr entry = makeEntry(func, plan);
  OpBuilder builder(func);
  func::FuncOp body = createBody(builder, entry, func.getLoc());
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
