//===- DeviceCode.cpp - gyre-emit-device-code -----------------------------===//

#include "DeviceObject.h"

#include "gyre/Schedule/Registers.h"
#include "gyre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Threading.h"
#include "mlir/Target/LLVM/NVVM/Utils.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_EMITDEVICECODE
#include "gyre/Transforms/Passes.h.inc"

using namespace emit;

namespace {

/// One binary to be: some kernels of a module, what they are called in it, and
/// its objects.
struct Part {
  std::string name;
  SmallVector<StringAttr> kernels, names;
  SmallVector<gpu::ObjectAttr> objects;
};

struct EmitDeviceCode : impl::EmitDeviceCodeBase<EmitDeviceCode> {
  using EmitDeviceCodeBase::EmitDeviceCodeBase;

  void runOnOperation() override;

private:
  LogicalResult check(gpu::GPUModuleOp kernels, ArrayRef<Arch> archs,
                      const CudaToolkit &toolkit);
  LogicalResult emit(gpu::GPUModuleOp kernels, ArrayRef<Arch> archs,
                     const CudaToolkit &toolkit);

  // Copies of a pass, which are for other modules, share it.
  std::shared_ptr<KnownCode> known = std::make_shared<KnownCode>();
};

} // namespace

/// Whether a global is shared memory whose size launches say.
static bool isDynamicShared(LLVM::GlobalOp global) {
  auto array = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
  return array && array.getNumElements() == 0 &&
         global.getAddrSpace() == NVVM::NVVMMemorySpace::Shared;
}

LogicalResult EmitDeviceCode::check(gpu::GPUModuleOp kernels,
                                    ArrayRef<Arch> archs,
                                    const CudaToolkit &toolkit) {
  if (!toolkit.hasLibdevice)
    for (auto func : kernels.getOps<LLVM::LLVMFuncOp>())
      if (func.isExternal() && func.getSymName().starts_with("__nv_"))
        return func.emitError("[gpu-libdevice] expected a CUDA toolkit with "
                              "nvvm/libdevice/libdevice.10.bc ($CUDA_HOME, or "
                              "--toolkit) for `")
               << func.getSymName() << "`, got none";
  // A private one would get one byte, and be written beyond it.
  for (auto global : kernels.getOps<LLVM::GlobalOp>())
    if (isDynamicShared(global) &&
        global.getLinkage() != LLVM::Linkage::External)
      return global.emitError("[gpu-dynamic-shared] expected shared memory of "
                              "dynamic size with external linkage, got it "
                              "private: @")
             << global.getSymName();
  auto machine =
      llvm::find_if(archs, [](const Arch &arch) { return !arch.isPtx; });
  if (machine != archs.end() && toolkit.ptxas.empty())
    return kernels.emitError("[gpu-ptxas] expected a CUDA toolkit with "
                             "bin/ptxas for ")
           << machine->name << " ($CUDA_HOME, or --toolkit), got none";
  return success();
}

/// Kernels that ptxas assembles are on their own, so that several run at once
/// and what one needs is done to it alone.
static SmallVector<Part> cut(gpu::GPUModuleOp kernels, ArrayRef<Arch> archs) {
  bool usesPtxas =
      llvm::any_of(archs, [](const Arch &arch) { return !arch.isPtx; });
  SmallVector<Part> parts;
  for (LLVM::LLVMFuncOp kernel : getKernels(kernels)) {
    if (parts.empty() || usesPtxas)
      parts.emplace_back().name =
          (usesPtxas ? kernel.getSymName() : kernels.getName()).str();
    parts.back().kernels.push_back(kernel.getSymNameAttr());
  }
  return parts;
}

/// What a part names: its kernels, and what is used there.
static llvm::DenseSet<Operation *> collect(const SymbolTable &symbols,
                                           const Part &part) {
  llvm::DenseSet<Operation *> found;
  SmallVector<Operation *> left;
  auto add = [&](StringAttr name) {
    Operation *op = symbols.lookup(name);
    if (op && found.insert(op).second)
      left.push_back(op);
  };
  for (StringAttr kernel : part.kernels)
    add(kernel);
  while (!left.empty())
    if (auto uses = SymbolTable::getSymbolUses(left.pop_back_val()))
      for (SymbolTable::SymbolUse use : *uses)
        add(use.getSymbolRef().getRootReference());
  return found;
}

/// A copy of a module, in a module of its own, with the kernels of a part and
/// what they need.
static OwningOpRef<ModuleOp> extract(gpu::GPUModuleOp kernels,
                                     const SymbolTable &symbols,
                                     const Part &part) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernels.getLoc());
  OpBuilder b = OpBuilder::atBlockBegin(module->getBody());
  auto copy = cast<gpu::GPUModuleOp>(b.cloneWithoutRegions(*kernels));
  b.createBlock(&copy.getBodyRegion());
  llvm::DenseSet<Operation *> needed = collect(symbols, part);
  for (Operation &op : *kernels.getBody())
    if (needed.contains(&op))
      b.clone(op);
  return module;
}

static gpu::GPUModuleOp getDevice(ModuleOp module) {
  return *module.getOps<gpu::GPUModuleOp>().begin();
}

static int64_t getBlocks(LLVM::LLVMFuncOp kernel) {
  auto blocks = kernel->getAttrOfType<IntegerAttr>(
      NVVM::NVVMDialect::getMinctasmAttrName());
  return blocks ? blocks.getInt() : 1;
}

/// How many blocks of each kernel of machine code a multiprocessor holds, as
/// the assembler left it, of how many were asked for; where architectures
/// differ, the fewest.
using Blocks = llvm::DenseMap<StringAttr, std::pair<int64_t, int64_t>>;

/// Workers that would not be there at once are not: others would wait for them.
static void fitWorkers(ModuleOp host, const Blocks &blocks) {
  host.walk([&](arith::ConstantOp constant) {
    auto name = constant->getAttrOfType<SymbolRefAttr>(schedule::kWorkersAttr);
    auto found = name ? blocks.find(name.getLeafReference()) : blocks.end();
    if (found == blocks.end())
      return;
    auto workers = cast<IntegerAttr>(constant.getValue());
    auto [left, asked] = found->second;
    constant.setValueAttr(IntegerAttr::get(
        workers.getType(),
        std::max<int64_t>(workers.getInt() * left / asked, 1)));
  });
}

/// Gives a kernel on its own the name of an equal one that was compiled before.
static void rename(gpu::GPUModuleOp module, Part &part, KnownCode &known) {
  SmallVector<LLVM::LLVMFuncOp> kernels = getKernels(module);
  part.names = part.kernels;
  if (kernels.size() != 1)
    return;
  kernels[0].setSymName("kernel");
  std::string text = print(module);
  part.names[0] = StringAttr::get(module.getContext(),
                                  known.getName(text, part.kernels[0]));
  kernels[0].setSymNameAttr(part.names[0]);
}

LogicalResult EmitDeviceCode::emit(gpu::GPUModuleOp kernels,
                                   ArrayRef<Arch> archs,
                                   const CudaToolkit &toolkit) {
  SmallVector<Part> parts = cut(kernels, archs);
  struct Task {
    OwningOpRef<ModuleOp> module;
    const Part *part;
    const Arch *arch;
    gpu::ObjectAttr *object;
  };
  std::vector<Task> tasks;
  SymbolTable symbols(kernels);
  for (Part &part : parts) {
    part.objects.resize(archs.size());
    OwningOpRef<ModuleOp> module = extract(kernels, symbols, part);
    rename(getDevice(*module), part, *known);
    for (auto [arch, object] : llvm::zip_equal(archs, part.objects))
      tasks.push_back({module->clone(), &part, &arch, &object});
  }
  Judgement judgement{slow, report};
  auto run = [&](Task &task) -> LogicalResult {
    auto object = emitObject(getDevice(*task.module), *task.arch, toolkit,
                             judgement, *known);
    if (succeeded(object))
      *task.object = *object;
    return object;
  };
  if (failed(failableParallelForEach(&getContext(), tasks, run)))
    return failure();

  Blocks blocks;
  for (LLVM::LLVMFuncOp kernel : getKernels(kernels))
    blocks[kernel.getSymNameAttr()] = {getBlocks(kernel), getBlocks(kernel)};
  for (Task &task : tasks)
    if (!task.arch->isPtx)
      for (auto [kernel, name] : llvm::zip_equal(
               getKernels(getDevice(*task.module)), task.part->kernels)) {
        int64_t &left = blocks[name].first;
        left = std::min(left, getBlocks(kernel));
      }
  fitWorkers(getOperation(), blocks);

  OpBuilder b(kernels);
  llvm::DenseMap<StringAttr, SymbolRefAttr> places;
  for (Part &part : parts) {
    SmallVector<Attribute> objects(part.objects.begin(), part.objects.end());
    auto binary =
        gpu::BinaryOp::create(b, kernels.getLoc(), part.name, nullptr, objects);
    for (auto [kernel, name] : llvm::zip_equal(part.kernels, part.names))
      places[kernel] = SymbolRefAttr::get(binary.getSymNameAttr(),
                                          {FlatSymbolRefAttr::get(name)});
  }
  getOperation().walk([&](gpu::LaunchFuncOp launch) {
    SymbolRefAttr place = places.lookup(launch.getKernelName());
    if (place && launch.getKernelModuleName() == kernels.getSymNameAttr())
      launch.setKernelAttr(place);
  });
  kernels.erase();
  return success();
}

void EmitDeviceCode::runOnOperation() {
  ModuleOp module = getOperation();
  for (auto func : module.getOps<FuncOp>()) {
    func.emitError("[lower-gpu] expected functions that launch kernels, got a "
                   "gyre.func that no pass has lowered: @")
        << func.getSymName();
    return signalPassFailure();
  }
  NVVM::SerializeGPUModuleBase::init();
  FailureOr<SmallVector<Arch>> parsed =
      parseArchs(module.getLoc(), llvm::to_vector<4>(archs));
  if (failed(parsed))
    return signalPassFailure();
  CudaToolkit found = CudaToolkit::find(toolkit);
  for (auto kernels :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>()))
    if (failed(check(kernels, *parsed, found)) ||
        failed(emit(kernels, *parsed, found)))
      return signalPassFailure();
}

} // namespace gyre
