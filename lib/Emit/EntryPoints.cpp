//===- EntryPoints.cpp - gyre-emit-entry-points ---------------------------===//

#include "Names.h"
#include "Signature.h"

#include "gyre/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_EMITENTRYPOINTS
#include "gyre/Transforms/Passes.h.inc"

using namespace emit;

namespace {

/// Builds the three symbols of one entry point.
class EntryPoint {
public:
  EntryPoint(LLVM::LLVMFuncOp wrapper, EntryAttr entry)
      : b(wrapper.getLoc(), wrapper.getContext()), wrapper(wrapper),
        entry(entry), table(encode(entry)), symbols(getSymbols(entry)),
        pointer(LLVM::LLVMPointerType::get(b.getContext())) {}

  void build() {
    b.setInsertionPointToEnd(wrapper->getBlock());
    buildConstants();
    buildTyped();
    buildPacked();
    buildWorkspace();
  }

private:
  void buildConstants();
  void buildTyped();
  void buildPacked();
  void buildWorkspace();
  LLVM::LLVMFuncOp define(StringRef name, size_t pointers);
  LLVM::LLVMFuncOp runtime(StringRef name, size_t pointers);
  Value address(LLVM::GlobalOp global) {
    return LLVM::AddressOfOp::create(b, global);
  }
  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(b, b.getI64Type(), value);
  }
  Value words(int64_t count, Type type) {
    return LLVM::AllocaOp::create(b, pointer, type, constant(count));
  }
  Value at(Value base, Type type, int64_t element) {
    return LLVM::GEPOp::create(b, pointer, type, base,
                               ArrayRef<LLVM::GEPArg>{int32_t(element)});
  }

  ImplicitLocOpBuilder b;
  LLVM::LLVMFuncOp wrapper;
  EntryAttr entry;
  entry::Table table;
  std::array<std::string, 3> symbols;
  Type pointer;
  LLVM::GlobalOp tableGlobal, namesGlobal;
};

} // namespace

LLVM::LLVMFuncOp EntryPoint::define(StringRef name, size_t pointers) {
  auto type = LLVM::LLVMFunctionType::get(b.getI32Type(),
                                          SmallVector<Type>(pointers, pointer));
  auto func = LLVM::LLVMFuncOp::create(b, name, type);
  func.addEntryBlock(b);
  return func;
}

/// A function of the runtime, declared once a module.
LLVM::LLVMFuncOp EntryPoint::runtime(StringRef name, size_t pointers) {
  auto module = wrapper->getParentOfType<ModuleOp>();
  if (auto func = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return func;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(b.getI32Type(),
                                          SmallVector<Type>(pointers, pointer));
  return LLVM::LLVMFuncOp::create(b, name, type);
}

void EntryPoint::buildConstants() {
  auto count = static_cast<int64_t>(table.words.size());
  auto elements = DenseElementsAttr::get(
      RankedTensorType::get({count}, b.getI64Type()), ArrayRef(table.words));
  tableGlobal = LLVM::GlobalOp::create(
      b, LLVM::LLVMArrayType::get(b.getI64Type(), count), /*isConstant=*/true,
      LLVM::Linkage::Internal, symbols[0] + "__table", elements);
  StringRef names(table.names.c_str(), table.names.size() + 1);
  namesGlobal = LLVM::GlobalOp::create(
      b, LLVM::LLVMArrayType::get(b.getI8Type(), names.size()),
      /*isConstant=*/true, LLVM::Linkage::Internal, symbols[0] + "__names",
      b.getStringAttr(names));
}

/// NAME(a, .., r, .., ctx): NAME_packed on an array of the operands.
void EntryPoint::buildTyped() {
  size_t operands = entry.getArguments().size() + entry.getResults().size();
  LLVM::LLVMFuncOp func = define(symbols[0], operands + 1);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&func.getBody().front());
  Value args = words(operands, pointer);
  for (size_t i = 0; i < operands; ++i)
    LLVM::StoreOp::create(b, func.getArgument(i), at(args, pointer, i));
  auto call =
      LLVM::CallOp::create(b, TypeRange(b.getI32Type()), symbols[1],
                           ValueRange{args, func.getArgument(operands)});
  LLVM::ReturnOp::create(b, call.getResult());
}

/// NAME_packed(args, ctx): checks the call and describes it in a frame, then
/// runs the body on the frame.
void EntryPoint::buildPacked() {
  LLVM::LLVMFuncOp func = define(symbols[1], 2);
  OpBuilder::InsertionGuard guard(b);
  Block *enter = &func.getBody().front();
  Block *run = b.createBlock(&func.getBody());
  Block *refuse = b.createBlock(&func.getBody());

  b.setInsertionPointToStart(enter);
  Value frame = words(table.frameWords, b.getI64Type());
  LLVM::LLVMFuncOp callee = runtime("gyre_rt_enter", 5);
  Value status =
      LLVM::CallOp::create(b, callee,
                           {address(tableGlobal), address(namesGlobal),
                            func.getArgument(0), func.getArgument(1), frame})
          .getResult();
  Value ok = LLVM::ConstantOp::create(b, b.getI32Type(), GYRE_OK);
  Value passed = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, status, ok);
  LLVM::CondBrOp::create(b, passed, run, refuse);

  b.setInsertionPointToStart(refuse);
  LLVM::ReturnOp::create(b, status);

  b.setInsertionPointToStart(run);
  auto word = [&](int64_t offset) { return at(frame, b.getI64Type(), offset); };
  SmallVector<Value> operands;
  size_t arguments = entry.getArguments().size();
  for (auto [i, offset] : llvm::enumerate(table.operandOffsets)) {
    bool isMap =
        i < arguments && isa<MapType>(entry.getArguments()[i].getType());
    for (int64_t part = 0; part < (isMap ? 3 : 1); ++part)
      operands.push_back(word(offset + part * entry::kMapDescriptorWords));
  }
  for (size_t i = 0; i < entry.getSizes().size(); ++i)
    operands.push_back(LLVM::LoadOp::create(b, b.getI64Type(), word(i)));
  operands.push_back(word(table.workspaceOffset));
  if (!entry.onCuda()) {
    LLVM::CallOp::create(b, wrapper, operands);
    LLVM::ReturnOp::create(b, ok);
    return;
  }
  operands.push_back(
      LLVM::LoadOp::create(b, pointer, word(table.streamOffset)));
  LLVM::ReturnOp::create(
      b, LLVM::CallOp::create(b, wrapper, operands).getResult());
}

/// NAME_workspace(sizes, bytes).
void EntryPoint::buildWorkspace() {
  LLVM::LLVMFuncOp func = define(symbols[2], 2);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&func.getBody().front());
  LLVM::LLVMFuncOp callee = runtime("gyre_rt_workspace", 4);
  auto call = LLVM::CallOp::create(b, callee,
                                   {address(tableGlobal), address(namesGlobal),
                                    func.getArgument(0), func.getArgument(1)});
  LLVM::ReturnOp::create(b, call.getResult());
}

/// The function that takes a body's memrefs by pointer.
static LLVM::LLVMFuncOp findWrapper(LLVM::LLVMFuncOp body) {
  return body->getParentOfType<ModuleOp>().lookupSymbol<LLVM::LLVMFuncOp>(
      ("_mlir_ciface_" + body.getSymName()).str());
}

/// Whether the frame's words fit the parameters of the wrapper.
static LogicalResult checkWrapper(LLVM::LLVMFuncOp body, EntryAttr entry,
                                  LLVM::LLVMFuncOp wrapper) {
  // The workspace, and the stream of a GPU.
  size_t expected = entry.getSizes().size() + (entry.onCuda() ? 2 : 1);
  for (EntryOperandAttr operand : llvm::concat<const EntryOperandAttr>(
           entry.getArguments(), entry.getResults())) {
    auto tensor = dyn_cast<TensorType>(operand.getType());
    if (!isa<TensorType, MapType>(operand.getType()) ||
        (tensor && !getDtype(tensor.getElementType())))
      return body.emitError("[entry-operand] expected tensors of f64, f32, "
                            "f16, bf16 or i1 to i64, or maps, got ")
             << operand.getType();
    expected += tensor ? 1 : 3;
  }
  if (!wrapper || wrapper.getNumArguments() != expected)
    return body.emitError("[entry-wrapper] expected a C wrapper of ")
           << expected << " parameters (llvm.emit_c_interface), got "
           << (wrapper ? std::to_string(wrapper.getNumArguments()) : "none");
  Type result = wrapper.getFunctionType().getReturnType();
  if (isa<LLVM::LLVMVoidType>(result) == entry.onCuda())
    return body.emitError("[entry-wrapper] expected a C wrapper that returns ")
           << (entry.onCuda() ? "a status" : "nothing") << ", got " << result;
  return success();
}

namespace {
struct EmitEntryPoints : impl::EmitEntryPointsBase<EmitEntryPoints> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<LLVM::LLVMFuncOp> bodies;
    for (auto func : module.getOps<LLVM::LLVMFuncOp>())
      if (func->hasAttrOfType<EntryAttr>("gyre.entry"))
        bodies.push_back(func);
    // The wrapper was given its body's attributes.
    for (LLVM::LLVMFuncOp body : llvm::to_vector(bodies))
      if (LLVM::LLVMFuncOp wrapper = findWrapper(body)) {
        wrapper->removeAttr("gyre.entry");
        wrapper->removeAttr("gyre.derivative");
        llvm::erase(bodies, wrapper);
      }
    if (failed(checkNames(module)))
      return signalPassFailure();
    for (LLVM::LLVMFuncOp body : bodies) {
      auto entry = body->getAttrOfType<EntryAttr>("gyre.entry");
      LLVM::LLVMFuncOp wrapper = findWrapper(body);
      if (failed(checkWrapper(body, entry, wrapper)))
        return signalPassFailure();
      body.setLinkage(LLVM::Linkage::Internal);
      wrapper.setLinkage(LLVM::Linkage::Internal);
      EntryPoint(wrapper, entry).build();
    }
  }
};
} // namespace

} // namespace gyre
