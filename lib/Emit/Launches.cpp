//===- Launches.cpp - gyre-lower-launches ---------------------------------===//

#include "DeviceTable.h"

#include "gyre/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_LOWERLAUNCHES
#include "gyre/Transforms/Passes.h.inc"

using namespace emit;

namespace {

constexpr StringLiteral kLaunch = "gyre_rt_launch";

/// A binary and the constant data that it becomes.
struct DeviceTable {
  gpu::BinaryOp binary;
  LLVM::GlobalOp code;
};
using DeviceTables = llvm::DenseMap<StringAttr, DeviceTable>;

/// A kernel's place in the data, and its type.
struct KernelPlace {
  LLVM::GlobalOp code;
  int64_t number;
  gpu::KernelMetadataAttr kernel;
};

/// Turns the launches of one function into calls.
class Launcher {
public:
  Launcher(func::FuncOp func, const DeviceTables &tables)
      : b(func.getLoc(), func.getContext()), func(func), tables(tables),
        pointer(LLVM::LLVMPointerType::get(b.getContext())) {}

  LogicalResult lower();

private:
  LogicalResult check(gpu::LaunchFuncOp launch);
  FailureOr<KernelPlace> findKernel(gpu::LaunchFuncOp launch);
  FailureOr<Value> packParameters(gpu::LaunchFuncOp launch,
                                  gpu::KernelMetadataAttr kernel);
  LogicalResult lower(gpu::LaunchFuncOp launch);
  LLVM::LLVMFuncOp declareLaunch();
  /// A size, an index or an i32, as i64.
  Value widen(Value value);
  /// A place on the stack; in the entry block, as all code is.
  Value place(Type type, int64_t count = 1) {
    Value size = LLVM::ConstantOp::create(b, b.getI64Type(), count);
    return LLVM::AllocaOp::create(b, pointer, type, size);
  }

  ImplicitLocOpBuilder b;
  func::FuncOp func;
  const DeviceTables &tables;
  Type pointer;
  Value status, stream;
};

} // namespace

LLVM::LLVMFuncOp Launcher::declareLaunch() {
  auto module = func->getParentOfType<ModuleOp>();
  if (auto found = module.lookupSymbol<LLVM::LLVMFuncOp>(kLaunch))
    return found;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  // status, code; kernel, grid, block and shared bytes; stream, parameters
  SmallVector<Type> types = {b.getI32Type(), pointer};
  types.append(8, b.getI64Type());
  types.append(2, pointer);
  return LLVM::LLVMFuncOp::create(
      b, kLaunch, LLVM::LLVMFunctionType::get(b.getI32Type(), types));
}

Value Launcher::widen(Value value) {
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(b, b.getI64Type(), value);
  if (value.getType().isInteger(32))
    return arith::ExtUIOp::create(b, b.getI64Type(), value);
  return value;
}

LogicalResult Launcher::check(gpu::LaunchFuncOp launch) {
  if (launch->getBlock() != &func.getBody().front())
    return launch.emitError("[launch-place] expected launches in straight-line "
                            "code of the function, got one in ")
           << launch->getParentOp()->getName();
  if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty() ||
      launch.getAsyncObject() || launch.hasClusterSize())
    return launch.emitError("[launch-form] expected a launch without tokens, "
                            "streams and clusters, got one with them");
  return success();
}

FailureOr<KernelPlace> Launcher::findKernel(gpu::LaunchFuncOp launch) {
  auto table = tables.find(launch.getKernelModuleName());
  if (table != tables.end())
    for (auto [i, kernel] : llvm::enumerate(getKernels(table->second.binary)))
      if (kernel.getName() == launch.getKernelName())
        return KernelPlace{table->second.code, int64_t(i), kernel};
  return launch.emitError("[launch-kernel] expected a kernel of a gpu.binary "
                          "of this module, got ")
         << launch.getKernel();
}

FailureOr<Value> Launcher::packParameters(gpu::LaunchFuncOp launch,
                                          gpu::KernelMetadataAttr kernel) {
  SmallVector<Value> values;
  for (Value value : launch.getKernelOperands()) {
    Type type = value.getType();
    if (!isa<LLVM::LLVMPointerType, IndexType>(type) && !type.isInteger(32) &&
        !type.isInteger(64) && !type.isF32() && !type.isF64())
      return launch.emitError("[launch-argument] expected arguments of type "
                              "!llvm.ptr, index, i32, i64, f32 or f64, got ")
             << type;
    values.push_back(type.isIndex() ? widen(value) : value);
  }
  auto signature = dyn_cast<LLVM::LLVMFunctionType>(kernel.getFunctionType());
  if (signature &&
      !llvm::equal(signature.getParams(), ValueRange(values).getTypes()))
    return launch.emitError("[launch-argument] expected arguments for ")
           << signature << ", got " << ValueRange(values).getTypes();
  Value list = place(pointer, std::max<int64_t>(values.size(), 1));
  for (auto [i, value] : llvm::enumerate(values)) {
    Value slot = place(value.getType());
    LLVM::StoreOp::create(b, value, slot);
    Value at = LLVM::GEPOp::create(b, pointer, pointer, list,
                                   ArrayRef<LLVM::GEPArg>{int32_t(i)});
    LLVM::StoreOp::create(b, slot, at);
  }
  return list;
}

LogicalResult Launcher::lower(gpu::LaunchFuncOp launch) {
  if (failed(check(launch)))
    return failure();
  FailureOr<KernelPlace> place = findKernel(launch);
  if (failed(place))
    return failure();
  b.setLoc(launch.getLoc());
  b.setInsertionPoint(launch);
  FailureOr<Value> parameters = packParameters(launch, place->kernel);
  if (failed(parameters))
    return failure();
  SmallVector<Value> operands = {
      status, LLVM::AddressOfOp::create(b, place->code),
      LLVM::ConstantOp::create(b, b.getI64Type(), place->number)};
  for (gpu::KernelDim3 size :
       {launch.getGridSizeOperandValues(), launch.getBlockSizeOperandValues()})
    for (Value extent : {size.x, size.y, size.z})
      operands.push_back(widen(extent));
  Value shared = launch.getDynamicSharedMemorySize();
  operands.push_back(
      shared ? widen(shared)
             : LLVM::ConstantOp::create(b, b.getI64Type(), 0).getResult());
  operands.append({stream, *parameters});
  status = LLVM::CallOp::create(b, declareLaunch(), operands).getResult();
  launch.erase();
  return success();
}

LogicalResult Launcher::lower() {
  if (func.getNumResults() != 0 || !llvm::hasSingleElement(func.getBody()))
    return func.emitError("[launch-form] expected a function of one block "
                          "without results, got ")
           << func.getFunctionType();
  if (failed(func.insertArgument(func.getNumArguments(), pointer, {},
                                 func.getLoc())))
    return failure();
  stream = func.getArguments().back();
  func.setFunctionType(
      b.getFunctionType(func.getFunctionType().getInputs(), {b.getI32Type()}));
  b.setInsertionPointToStart(&func.getBody().front());
  status = LLVM::ConstantOp::create(b, b.getI32Type(), 0);
  SmallVector<gpu::LaunchFuncOp> launches;
  func.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
  for (gpu::LaunchFuncOp launch : launches)
    if (failed(lower(launch)))
      return failure();
  func.getBody().front().getTerminator()->setOperands(status);
  return success();
}

namespace {
struct LowerLaunches : impl::LowerLaunchesBase<LowerLaunches> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    DeviceTables tables;
    llvm::DenseMap<Attribute, DeviceTable> distinct;
    SmallVector<Attribute> described;
    auto binaries = llvm::to_vector(module.getOps<gpu::BinaryOp>());
    for (gpu::BinaryOp binary : binaries) {
      if (failed(check(binary)))
        return signalPassFailure();
      auto [known, isNew] = distinct.try_emplace(binary.getObjectsAttr());
      if (isNew) {
        known->second = {binary, createDeviceTable(binary)};
        llvm::append_range(described, describeKernels(binary));
      }
      tables[binary.getSymNameAttr()] = known->second;
    }
    if (!binaries.empty())
      module->setAttr("gyre.kernels", ArrayAttr::get(&getContext(), described));
    for (auto func : module.getOps<func::FuncOp>())
      if (auto entry = func->getAttrOfType<EntryAttr>("gyre.entry");
          entry && entry.onCuda() && failed(Launcher(func, tables).lower()))
        return signalPassFailure();
    WalkResult left = module.walk([](gpu::LaunchFuncOp launch) {
      launch.emitError("[launch-place] expected launches in functions with a "
                       "gyre.entry on cuda, got one elsewhere");
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      return signalPassFailure();
    for (gpu::BinaryOp binary : binaries)
      binary.erase();
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  }

  /// Whether gyre-emit-device-code made it.
  LogicalResult check(gpu::BinaryOp binary) {
    for (Attribute attr : binary.getObjects()) {
      auto object = cast<gpu::ObjectAttr>(attr);
      if (getArch(object).empty() || !object.getKernels() ||
          object.getKernels().size() != getKernels(binary).size())
        return binary.emitError("[launch-code] expected objects with an "
                                "architecture and the same kernels, got ")
               << attr;
    }
    return success();
  }
};
} // namespace

} // namespace gyre
