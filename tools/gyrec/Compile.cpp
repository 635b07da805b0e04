//===- Compile.cpp - From a file to the requested form --------------------===//

#include "Compile.h"

#include "gyre/Emit/Emit.h"
#include "gyre/InitAll.h"
#include "gyre/Pipelines.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

namespace gyre {
namespace {

class Compilation {
public:
  Compilation(const CompileOptions &options, ModuleOp module,
              TimingScope &timing)
      : options(options), module(module), timing(timing) {}

  LogicalResult run();

private:
  /// Specs, functions, or what passes make of them; nothing would lower other
  /// ops.
  LogicalResult checkInput();
  LogicalResult runPasses();
  void addDevicePasses(PassManager &passes);
  LogicalResult writeModule();
  LogicalResult writePTX();
  LogicalResult writeLibrary(StringRef object);
  LogicalResult writeFile(StringRef contents);
  /// The library's files are named after the spec.
  LogicalResult checkSpecName();

  const CompileOptions &options;
  ModuleOp module;
  TimingScope &timing;
};

} // namespace

LogicalResult Compilation::checkInput() {
  for (Operation &op : module.getOps())
    if (!isa<SpecOp, FuncOp, DeriveOp, gpu::GPUModuleOp>(op) &&
        !op.hasAttrOfType<EntryAttr>("gyre.entry"))
      return op.emitError("[gyrec-input] expected gyre.spec, or gyre.func and "
                          "gyre.derive, got ")
             << op.getName();
  return success();
}

LogicalResult Compilation::runPasses() {
  TimingScope scope = timing.nest("passes");
  PipelineOptions pipeline;
  for (const std::string &value : options.set)
    pipeline.set.push_back(value);
  for (const std::string &name : options.derive)
    pipeline.derive.push_back(name);
  pipeline.spec = options.spec;
  // A file without specs, such as the output of a pass, holds specialised
  // functions.
  pipeline.specialised = module.getOps<SpecOp>().empty() &&
                         options.set.empty() && options.spec.empty();
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  passes.enableTiming(scope);
  buildAlgebraPipeline(passes, pipeline);
  if (options.target == Target::CUDA) {
    addDevicePasses(passes);
  } else {
    if (options.lowering == Road::Fused)
      buildFusedLoopsPipeline(passes, "cpu");
    else
      buildPlainLoopsPipeline(passes);
    if (options.emission != Emission::MLIR)
      buildCPUCodePipeline(passes);
  }
  return passes.run(module);
}

void Compilation::addDevicePasses(PassManager &passes) {
  buildDeviceLoopsPipeline(passes);
  if (options.emission == Emission::MLIR)
    return;
  DeviceCodeOptions code;
  for (const std::string &arch : options.archs)
    code.archs.push_back(arch);
  code.toolkit = options.toolkit;
  code.report = options.reportKernels;
  buildDeviceCodePipeline(passes, code);
  if (options.emission != Emission::PTX)
    buildDeviceHostPipeline(passes);
}

LogicalResult Compilation::writeFile(StringRef contents) {
  std::string path = options.output.empty() ? "-" : options.output;
  if (path != "-")
    return writeFiles(module.getLoc(), {{path, contents.str()}});
  return writeToStdout(module.getLoc(), contents);
}

LogicalResult Compilation::writeModule() {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  os << "\n";
  return writeFile(text);
}

LogicalResult Compilation::writePTX() {
  std::string text;
  for (auto binary : module.getOps<gpu::BinaryOp>())
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
      text += object.getObject().getValue();
  return writeFile(text);
}

LogicalResult Compilation::checkSpecName() {
  auto spec = module->getAttrOfType<StringAttr>("gyre.spec");
  auto isPlain = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '-';
  };
  if (spec && hidesSystemFile(spec.getValue()))
    return emitError(module.getLoc(), "[gyrec-spec] expected a spec whose "
                                      "files hide none of the system's, got `")
           << spec.getValue() << "`";
  if (spec && !spec.empty() && llvm::all_of(spec.getValue(), isPlain))
    return success();
  return emitError(module.getLoc(), "[gyrec-spec] expected a spec with a name "
                                    "of letters, digits, `_` and `-`, got ")
         << (spec ? "`" + spec.getValue().str() + "`" : "none");
}

LogicalResult Compilation::writeLibrary(StringRef object) {
  TimingScope scope = timing.nest("link and write");
  Location loc = module.getLoc();
  if (failed(checkSpecName()))
    return failure();
  auto library = linkLibrary(loc, object, getLibraryFileName(module),
                             options.runtimeDirectory);
  if (failed(library))
    return failure();
  auto inDirectory = [&](StringRef name) {
    SmallString<128> path(options.output);
    llvm::sys::path::append(path, name);
    return path.str().str();
  };
  return writeFiles(
      loc, {{inDirectory(getLibraryFileName(module)), *library,
             /*executable=*/true},
            {inDirectory(getHeaderFileName(module)), emitHeader(module)},
            {inDirectory(getManifestFileName(module)),
             emitManifest(module,
                          options.target == Target::CUDA ? "cuda" : "cpu")}});
}

LogicalResult Compilation::run() {
  if (failed(checkInput()) || failed(runPasses()))
    return failure();
  if (options.emission == Emission::MLIR)
    return writeModule();
  if (options.emission == Emission::PTX)
    return writePTX();

  auto machine = createBaselineMachine(module.getLoc());
  if (failed(machine))
    return failure();
  llvm::LLVMContext context;
  TimingScope optimising = timing.nest("LLVM IR");
  std::unique_ptr<llvm::Module> translated =
      emitLLVMIR(module, **machine, context);
  optimising.stop();
  if (!translated)
    return failure();
  if (options.emission == Emission::LLVM) {
    std::string text;
    llvm::raw_string_ostream os(text);
    translated->print(os, nullptr);
    return writeFile(text);
  }

  TimingScope generating = timing.nest("object code");
  auto object = emitObject(module.getLoc(), *translated, **machine);
  generating.stop();
  if (failed(object))
    return failure();
  if (options.emission == Emission::Object)
    return writeFile(*object);
  return writeLibrary(*object);
}

LogicalResult compile(const CompileOptions &options, TimingScope &timing) {
  std::string error;
  auto file = openInputFile(options.input, &error);
  if (!file) {
    llvm::errs() << "gyrec: error: "
                 << "[gyrec-input] expected a readable file, got " << error
                 << "\n";
    return failure();
  }
  DialectRegistry registry;
  registerDialects(registry);
  registerLoweredDialects(registry);
  registerDeviceDialects(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(*sources, &context);

  TimingScope parsing = timing.nest("parse");
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  parsing.stop();
  if (!module)
    return failure();
  return Compilation(options, *module, timing).run();
}

} // namespace gyre
