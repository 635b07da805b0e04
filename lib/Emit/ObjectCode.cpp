//===- ObjectCode.cpp - LLVM IR and machine code --------------------------===//

#include "gyre/Emit/Emit.h"
#include "gyre/Lowering/Versions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/IPO/MergeFunctions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;

namespace gyre {

FailureOr<std::unique_ptr<llvm::TargetMachine>>
createBaselineMachine(Location loc, StringRef name) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::Triple triple(name.empty() ? llvm::sys::getDefaultTargetTriple()
                                   : name.str());
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return emitError(loc, "[emit-target] expected code generation for ")
           << triple.str() << ", got: " << error;
  StringRef processor =
      triple.getArch() == llvm::Triple::x86_64 ? "x86-64" : "generic";
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, processor, /*Features=*/"", llvm::TargetOptions(),
      llvm::Reloc::PIC_, /*CM=*/std::nullopt, llvm::CodeGenOptLevel::Default));
}

static constexpr StringLiteral kProcessor = "target-cpu";

/// The usual O2 pipeline, but for what multiplies code: loops over arrays of
/// any strides would be versioned and unrolled. No flag lets it reorder sums.
static void optimise(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  tuning.LoopUnrolling = false;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(module, modules);
}

/// Gives versions for other processors their code, once it is optimised.
static void addVersions(ModuleOp module, llvm::Module &translated) {
  for (auto declared : module.getOps<LLVM::LLVMFuncOp>()) {
    auto name = declared->getAttrOfType<FlatSymbolRefAttr>(kVersionOfAttr);
    llvm::Function *version = translated.getFunction(declared.getSymName());
    llvm::Function *code =
        name ? translated.getFunction(name.getValue()) : nullptr;
    // What nothing uses is not there any more.
    if (!code || !version)
      continue;
    llvm::ValueToValueMapTy mapping;
    for (auto [from, to] : llvm::zip_equal(code->args(), version->args()))
      mapping[&from] = &to;
    SmallVector<llvm::ReturnInst *> returns;
    llvm::CloneFunctionInto(version, code, mapping,
                            llvm::CloneFunctionChangeType::LocalChangesOnly,
                            returns);
    version->setLinkage(code->getLinkage());
    version->removeFnAttr(kProcessor);
    if (auto processor = declared.getTargetCpu())
      version->addFnAttr(kProcessor, *processor);
  }
}

std::unique_ptr<llvm::Module> emitLLVMIR(ModuleOp module,
                                         llvm::TargetMachine &machine,
                                         llvm::LLVMContext &context) {
  auto spec = module->getAttrOfType<StringAttr>("gyre.spec");
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, context, spec ? spec.getValue() : "gyre");
  if (!translated)
    return nullptr;
  translated->setTargetTriple(machine.getTargetTriple());
  translated->setDataLayout(machine.createDataLayout());
  translated->setPICLevel(llvm::PICLevel::BigPIC);
  optimise(*translated, machine);
  addVersions(module, *translated);
  // Kernels that differ in what the optimiser drops: code is chosen for one.
  llvm::MergeFunctionsPass::runOnModule(*translated);
  return translated;
}

static FailureOr<std::string> emitCode(Location loc, llvm::Module &module,
                                       llvm::TargetMachine &machine,
                                       llvm::CodeGenFileType type) {
  SmallString<0> code;
  llvm::raw_svector_ostream stream(code);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, /*DwoOut=*/nullptr, type))
    return emitError(loc, "[emit-target] expected machine code for ")
           << machine.getTargetTriple().str() << ", got none";
  passes.run(module);
  return std::string(code);
}

FailureOr<std::string> emitObject(Location loc, llvm::Module &module,
                                  llvm::TargetMachine &machine) {
  return emitCode(loc, module, machine, llvm::CodeGenFileType::ObjectFile);
}

FailureOr<std::string> emitAssembly(Location loc, llvm::Module &module,
                                    llvm::TargetMachine &machine) {
  return emitCode(loc, module, machine, llvm::CodeGenFileType::AssemblyFile);
}

} // namespace gyre
