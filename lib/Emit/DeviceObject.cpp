//===- DeviceObject.cpp - Kernels for one architecture --------------------===//

#include "DeviceObject.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVM/NVVM/Utils.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace gyre::emit {

/// Says what is remarkable about a kernel.
static void judge(LLVM::LLVMFuncOp kernel, const Arch &arch,
                  const KernelUsage &usage, const Judgement &judgement) {
  StringRef name = kernel.getSymName();
  auto print = [](double value) {
    return llvm::formatv("{0:F1}", value).str();
  };
  if (usage.spillBytes > 0)
    kernel.emitWarning("[gpu-spill] expected registers for all values, got ")
        << usage.spillBytes << " bytes of spills in kernel `" << name
        << "` for " << arch.name;
  if (usage.milliseconds > 1000 * judgement.slow)
    kernel.emitWarning("[gpu-slow] expected ptxas to take at most ")
        << print(judgement.slow) << " s for a kernel, got "
        << print(usage.milliseconds / 1000) << " s for kernel `" << name
        << "` for " << arch.name;
  if (judgement.reports)
    kernel.emitRemark("kernel `")
        << name << "` for " << arch.name << ": " << usage.registers
        << " registers, " << usage.spillBytes << " bytes of spills, "
        << usage.sharedBytes << " bytes of shared memory, "
        << print(usage.milliseconds) << " ms of ptxas";
}

/// How many blocks of a kernel a multiprocessor is to hold, if that is said.
static IntegerAttr getBlocks(LLVM::LLVMFuncOp kernel) {
  return kernel->getAttrOfType<IntegerAttr>(
      NVVM::NVVMDialect::getMinctasmAttrName());
}

static void setBlocks(LLVM::LLVMFuncOp kernel, int32_t blocks) {
  kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                  Builder(kernel.getContext()).getI32IntegerAttr(blocks));
}

/// Whether a kernel that spills can have more registers: it then asks for fewer
/// blocks on a multiprocessor.
static bool relax(LLVM::LLVMFuncOp kernel, const KernelUsage &usage) {
  constexpr int64_t mostRegisters = 255;
  IntegerAttr blocks = getBlocks(kernel);
  if (usage.spillBytes == 0 || usage.registers >= mostRegisters || !blocks ||
      blocks.getInt() <= 1)
    return false;
  setBlocks(kernel, blocks.getInt() - 1);
  return true;
}

SmallVector<LLVM::LLVMFuncOp> getKernels(gpu::GPUModuleOp module) {
  SmallVector<LLVM::LLVMFuncOp> kernels;
  for (auto func : module.getOps<LLVM::LLVMFuncOp>())
    if (func->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()))
      kernels.push_back(func);
  return kernels;
}

std::string print(gpu::GPUModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // The verifier would take this thread's diagnostics, and others'.
  module->print(os, OpPrintingFlags().assumeVerified());
  return text;
}

StringRef KnownCode::getName(StringRef kernel, StringRef name) {
  std::lock_guard<std::mutex> lock(mutex);
  return names.try_emplace(kernel, name.str()).first->second;
}

std::shared_ptr<const DeviceCode> KnownCode::lookup(StringRef module) const {
  std::lock_guard<std::mutex> lock(mutex);
  return codes.lookup(module);
}

void KnownCode::insert(StringRef module,
                       std::shared_ptr<const DeviceCode> code) {
  std::lock_guard<std::mutex> lock(mutex);
  codes.insert({module, std::move(code)});
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

/// Emits PTX, and assembles it for an `sm_XX`.
static FailureOr<DeviceCode> emitCode(gpu::GPUModuleOp kernels,
                                      gpu::TargetAttrInterface target,
                                      const Arch &arch,
                                      const CudaToolkit &toolkit) {
  DeviceCode code;
  Effort effort = Effort::most;
  bool again = true, relaxes = true;
  while (again) {
    // Only the assembler knows of efforts.
    if (relaxes) {
      auto text = emitPTX(kernels, target, toolkit);
      if (failed(text))
        return kernels.emitError("[gpu-ptx] expected PTX for ")
               << arch.name << ", got none";
      code.ptx = std::move(*text);
    }
    again = relaxes = false;
    if (arch.isPtx)
      break;
    auto assembled =
        toolkit.assemble(kernels.getLoc(), code.ptx, arch.name, effort);
    if (failed(assembled))
      return failure();
    code.cubin = std::move(*assembled);
    // Fewer blocks at a time cost more than code that is not moved to where it
    // would be faster, and less than code that is left where it is.
    bool spills = false;
    for (LLVM::LLVMFuncOp kernel : getKernels(kernels)) {
      KernelUsage usage = code.cubin.kernels.lookup(kernel.getSymName());
      spills |= usage.spillBytes > 0;
      relaxes |= effort == Effort::fewRegisters && relax(kernel, usage);
    }
    again = spills && effort != Effort::least;
    if (effort == Effort::most)
      effort = Effort::fewRegisters;
    else
      effort = relaxes ? Effort::most : Effort::least;
  }
  for (LLVM::LLVMFuncOp kernel : getKernels(kernels))
    if (auto blocks = getBlocks(kernel))
      code.blocks[kernel.getSymName()] = blocks.getInt();
  return code;
}

FailureOr<gpu::ObjectAttr> emitObject(gpu::GPUModuleOp kernels,
                                      const Arch &arch,
                                      const CudaToolkit &toolkit,
                                      const Judgement &judgement,
                                      KnownCode &known) {
  Builder b(kernels.getContext());
  auto target = NVVM::NVVMTargetAttr::get(
      b.getContext(), /*optLevel=*/3, kDeviceTriple, arch.chip, arch.features);
  // Nobody tries out what a driver makes of PTX: it may take all registers.
  if (arch.isPtx)
    for (LLVM::LLVMFuncOp kernel : getKernels(kernels))
      if (getBlocks(kernel))
        setBlocks(kernel, 1);
  std::string text = arch.name + "\n" + print(kernels);
  std::shared_ptr<const DeviceCode> code = known.lookup(text);
  if (!code) {
    auto emitted = emitCode(kernels, cast<gpu::TargetAttrInterface>(target),
                            arch, toolkit);
    if (failed(emitted))
      return failure();
    code = std::make_shared<DeviceCode>(std::move(*emitted));
    known.insert(text, code);
  }
  for (LLVM::LLVMFuncOp kernel : getKernels(kernels))
    if (getBlocks(kernel))
      setBlocks(kernel, code->blocks.lookup(kernel.getSymName()));

  SmallVector<gpu::KernelMetadataAttr> table;
  for (LLVM::LLVMFuncOp kernel : getKernels(kernels)) {
    DictionaryAttr metadata;
    if (!arch.isPtx) {
      KernelUsage usage = code->cubin.kernels.lookup(kernel.getSymName());
      judge(kernel, arch, usage, judgement);
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
      b.getStringAttr(arch.isPtx ? code->ptx : code->cubin.code),
      b.getDictionaryAttr(b.getNamedAttr("arch", b.getStringAttr(arch.name))),
      gpu::KernelTableAttr::get(b.getContext(), table));
}

} // namespace gyre::emit
