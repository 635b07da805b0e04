//===- DeviceCode.cpp - gyre-emit-device-code -----------------------------===//

#include "CudaToolkit.h"

#include "gyre/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVM/NVVM/Utils.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_EMITDEVICECODE
#include "gyre/Transforms/Passes.h.inc"

using namespace emit;

namespace {

constexpr StringLiteral kTriple = "nvptx64-nvidia-cuda";
constexpr StringLiteral kDefaultArchs[] = {"sm_80", "sm_90a", "compute_80"};

/// `sm_90a` or `compute_80`.
struct Arch {
  std::string name;
  bool isPtx = false;
  std::string chip;
  /// The version of PTX: for code that a driver is to compile, the oldest that
  /// knows all functions the runtime calls; for ptxas, one that has everything.
  std::string features;

  static FailureOr<Arch> parse(Location loc, StringRef name);
};

struct EmitDeviceCode : impl::EmitDeviceCodeBase<EmitDeviceCode> {
  using EmitDeviceCodeBase::EmitDeviceCodeBase;

  void runOnOperation() override;

private:
  FailureOr<SmallVector<Arch>> parseArchs();
  LogicalResult emit(gpu::GPUModuleOp kernels, ArrayRef<Arch> archs,
                     const CudaToolkit &toolkit);
  FailureOr<gpu::ObjectAttr> emitObject(gpu::GPUModuleOp kernels,
                                        const Arch &arch,
                                        const CudaToolkit &toolkit);
  void judge(LLVM::LLVMFuncOp kernel, const Arch &arch,
             const KernelUsage &usage);
};

} // namespace

FailureOr<Arch> Arch::parse(Location loc, StringRef name) {
  auto fail = [&] {
    return emitError(loc, "[gpu-arch] expected an architecture such as sm_90a "
                          "or compute_80, got `")
           << name << "`";
  };
  auto [kind, version] = name.split('_');
  unsigned number;
  if ((kind != "sm" && kind != "compute") ||
      version.rtrim("af").getAsInteger(10, number) || number < 50)
    return fail();
  Arch arch{name.str(), kind == "compute", ("sm_" + version).str(), ""};
  std::string error;
  llvm::Triple triple(kTriple);
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return emitError(loc, "[gpu-arch] expected code generation for ")
           << kTriple << ", got: " << error;
  std::unique_ptr<llvm::MCSubtargetInfo> subtargets(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!subtargets->isCPUStringValid(arch.chip))
    return fail();
  bool isNewest = number == 110; // has nothing older
  arch.features = isNewest                     ? "+ptx90"
                  : arch.isPtx && number <= 90 ? "+ptx80"
                                               : "+ptx88";
  return arch;
}

FailureOr<SmallVector<Arch>> EmitDeviceCode::parseArchs() {
  SmallVector<StringRef> names(archs.begin(), archs.end());
  if (names.empty())
    llvm::append_range(names, kDefaultArchs);
  SmallVector<Arch> parsed;
  for (StringRef name : names) {
    FailureOr<Arch> arch = Arch::parse(getOperation().getLoc(), name);
    if (failed(arch))
      return failure();
    if (llvm::any_of(parsed, [&](Arch &other) { return other.name == name; }))
      return emitError(getOperation().getLoc(),
                       "[gpu-arch] expected each architecture once, got `")
             << name << "` twice";
    parsed.push_back(std::move(*arch));
  }
  return parsed;
}

/// Says what is remarkable about a kernel.
void EmitDeviceCode::judge(LLVM::LLVMFuncOp kernel, const Arch &arch,
                           const KernelUsage &usage) {
  StringRef name = kernel.getSymName();
  auto print = [](double value) {
    return llvm::formatv("{0:F1}", value).str();
  };
  if (usage.spillBytes > 0)
    kernel.emitWarning("[gpu-spill] expected registers for all values, got ")
        << usage.spillBytes << " bytes of spills in kernel `" << name
        << "` for " << arch.name;
  if (usage.milliseconds > 1000 * slow)
    kernel.emitWarning("[gpu-slow] expected ptxas to take at most ")
        << print(slow) << " s for a kernel, got "
        << print(usage.milliseconds / 1000) << " s for kernel `" << name
        << "` for " << arch.name;
  if (report)
    kernel.emitRemark("kernel `")
        << name << "` for " << arch.name << ": " << usage.registers
        << " registers, " << usage.spillBytes << " bytes of spills, "
        << usage.sharedBytes << " bytes of shared memory, "
        << print(usage.milliseconds) << " ms of ptxas";
}

/// Whether a kernel that spills can have more registers: it then asks for fewer
/// blocks on a multiprocessor.
static bool relax(LLVM::LLVMFuncOp kernel, const KernelUsage &usage) {
  constexpr int64_t mostRegisters = 255;
  StringRef name = NVVM::NVVMDialect::getMinctasmAttrName();
  auto blocks = kernel->getAttrOfType<IntegerAttr>(name);
  if (usage.spillBytes == 0 || usage.registers >= mostRegisters || !blocks ||
      blocks.getInt() <= 1)
    return false;
  kernel->setAttr(name,
                  IntegerAttr::get(blocks.getType(), blocks.getInt() - 1));
  return true;
}

static SmallVector<LLVM::LLVMFuncOp> getKernels(gpu::GPUModuleOp module) {
  SmallVector<LLVM::LLVMFuncOp> kernels;
  for (auto func : module.getOps<LLVM::LLVMFuncOp>())
    if (func->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()))
      kernels.push_back(func);
  return kernels;
}

static FailureOr<std::string> emitPTX(gpu::GPUModuleOp kernels,
                                      gpu::TargetAttrInterface target,
                                      const CudaToolkit &toolkit) {
  gpu::TargetOptions options(toolkit.hasLibdevice ? StringRef(toolkit.root)
                                                  : StringRef(),
                             {}, {}, {}, gpu::CompilationTarget::Assembly);
  auto serialized = target.serializeToObject(kernels, options);
  if (!serialized)
    return failure();
  return StringRef(serialized->data(), serialized->size()).rtrim('\0').str();
}

/// The object of one architecture, with what is known of its kernels.
FailureOr<gpu::ObjectAttr>
EmitDeviceCode::emitObject(gpu::GPUModuleOp kernels, const Arch &arch,
                           const CudaToolkit &toolkit) {
  Builder b(&getContext());
  auto target = NVVM::NVVMTargetAttr::get(b.getContext(), /*optLevel=*/3,
                                          kTriple, arch.chip, arch.features);
  // What one architecture relaxes, another need not.
  StringRef minctasm = NVVM::NVVMDialect::getMinctasmAttrName();
  SmallVector<std::pair<LLVM::LLVMFuncOp, IntegerAttr>> asked;
  for (LLVM::LLVMFuncOp kernel : getKernels(kernels))
    if (auto blocks = kernel->getAttrOfType<IntegerAttr>(minctasm))
      asked.push_back({kernel, blocks});
  llvm::scope_exit restore([&] {
    for (auto &[kernel, blocks] : asked)
      kernel->setAttr(minctasm, blocks);
  });
  // Nobody tries out what a driver makes of PTX: it may take all registers.
  if (arch.isPtx)
    for (auto &[kernel, blocks] : asked)
      kernel->setAttr(minctasm, b.getI32IntegerAttr(1));
  std::string ptx;
  Cubin cubin;
  bool again = true, fewRegisters = false;
  while (again) {
    auto text =
        emitPTX(kernels, cast<gpu::TargetAttrInterface>(target), toolkit);
    if (failed(text))
      return kernels.emitError("[gpu-ptx] expected PTX for ")
             << arch.name << ", got none";
    ptx = std::move(*text);
    again = false;
    if (arch.isPtx)
      break;
    auto assembled =
        toolkit.assemble(kernels.getLoc(), ptx, arch.name, fewRegisters);
    if (failed(assembled))
      return failure();
    cubin = std::move(*assembled);
    bool spills = false;
    for (LLVM::LLVMFuncOp kernel : getKernels(kernels)) {
      KernelUsage usage = cubin.kernels.lookup(kernel.getSymName());
      spills |= usage.spillBytes > 0;
      again |= relax(kernel, usage);
    }
    // The last resort, as code gets slower by it.
    if (spills && !again && !fewRegisters)
      again = fewRegisters = true;
  }

  SmallVector<gpu::KernelMetadataAttr> table;
  for (LLVM::LLVMFuncOp kernel : getKernels(kernels)) {
    DictionaryAttr metadata;
    if (!arch.isPtx) {
      KernelUsage usage = cubin.kernels.lookup(kernel.getSymName());
      judge(kernel, arch, usage);
      metadata = b.getDictionaryAttr(
          {b.getNamedAttr("registers", b.getI64IntegerAttr(usage.registers)),
           b.getNamedAttr("shared", b.getI64IntegerAttr(usage.sharedBytes)),
           b.getNamedAttr("spills", b.getI64IntegerAttr(usage.spillBytes))});
    }
    table.push_back(gpu::KernelMetadataAttr::get(
        kernel.getSymNameAttr(), kernel.getFunctionType(), nullptr, metadata));
  }
  return gpu::ObjectAttr::get(
      target,
      arch.isPtx ? gpu::CompilationTarget::Assembly
                 : gpu::CompilationTarget::Binary,
      b.getStringAttr(arch.isPtx ? ptx : cubin.code),
      b.getDictionaryAttr(b.getNamedAttr("arch", b.getStringAttr(arch.name))),
      gpu::KernelTableAttr::get(b.getContext(), table));
}

/// Whether a global is shared memory whose size launches say.
static bool isDynamicShared(LLVM::GlobalOp global) {
  auto array = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
  return array && array.getNumElements() == 0 &&
         global.getAddrSpace() == NVVM::NVVMMemorySpace::Shared;
}

LogicalResult EmitDeviceCode::emit(gpu::GPUModuleOp kernels,
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
  SmallVector<Attribute> objects;
  for (const Arch &arch : archs) {
    FailureOr<gpu::ObjectAttr> object = emitObject(kernels, arch, toolkit);
    if (failed(object))
      return failure();
    objects.push_back(*object);
  }
  OpBuilder builder(kernels);
  gpu::BinaryOp::create(builder, kernels.getLoc(), kernels.getName(), nullptr,
                        objects);
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
  FailureOr<SmallVector<Arch>> parsed = parseArchs();
  if (failed(parsed))
    return signalPassFailure();
  CudaToolkit found = CudaToolkit::find(toolkit);
  for (auto kernels :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>()))
    if (failed(emit(kernels, *parsed, found)))
      return signalPassFailure();
}

} // namespace gyre
