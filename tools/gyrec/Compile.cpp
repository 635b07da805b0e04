//===- Compile.cpp - From a file to the requested form --------------------===//

#include "Compile.h"

#include "FitRegisters.h"

#include "gyre/Emit/Emit.h"
#include "gyre/Transforms/Passes.h"

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
  Compilation(CompileOptions &options, ModuleOp module, TimingScope &timing)
      : options(options), module(module), timing(timing) {}

  LogicalResult run();

private:
  /// Specs, functions, or what passes make of them; nothing would lower other
  /// ops.
  LogicalResult checkInput();
  LogicalResult runPasses();
  void addPasses(PassManager &passes, llvm::raw_ostream *program);
  LogicalResult writeModule();
  LogicalResult writePTX();
  LogicalResult writeLibrary(StringRef object);
  LogicalResult writeFile(StringRef contents);
  /// The library's files are named after the spec.
  LogicalResult checkSpecName();

  CompileOptions &options;
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

void Compilation::addPasses(PassManager &passes, llvm::raw_ostream *program) {
  const PipelineOptions &pipeline = options.pipeline;
  if (options.printsOnly()) {
    buildAlgebraPipeline(passes, pipeline);
    buildProgramPipeline(passes, pipeline.target, pipeline.haveWarpgroups());
    return passes.addPass(createPrintProgram(*program));
  }
  if (options.emission == Emission::MLIR)
    return buildLoopsPipeline(passes, pipeline, program);
  if (pipeline.target != "cuda")
    return buildPipeline(passes, pipeline, program);
  // Launches are lowered when code is chosen.
  buildLoopsPipeline(passes, pipeline, program);
  buildDeviceCodePipeline(passes, pipeline);
}

LogicalResult Compilation::runPasses() {
  TimingScope scope = timing.nest("passes");
  PipelineOptions &pipeline = options.pipeline;
  // A file without specs, such as the output of a pass, holds specialised
  // functions.
  pipeline.specialised = module.getOps<SpecOp>().empty() &&
                         pipeline.set.empty() && pipeline.spec.empty();
  PassManager passes(module.getContext(), ModuleOp::getOperationName());
  passes.enableTiming(scope);
  bool hasLaunches = pipeline.target == "cuda" && !options.printsOnly() &&
                     options.emission != Emission::MLIR &&
                     options.emission != Emission::PTX;
  // Only an assembler tells of spills; the default has one.
  bool isTried =
      hasLaunches && (pipeline.archs.empty() ||
                      llvm::any_of(pipeline.archs, [](const std::string &arch) {
                        return StringRef(arch).starts_with("sm_");
                      }));
  if (isTried) {
    PassManager algebra(module.getContext(), ModuleOp::getOperationName());
    algebra.enableTiming(scope);
    buildAlgebraPipeline(algebra, pipeline);
    if (failed(algebra.run(module)))
      return failure();
    pipeline.specialised = true;
    pipeline.derive.clear();
  }
  std::string program;
  llvm::raw_string_ostream os(program);
  addPasses(passes, pipeline.printProgram ? &os : nullptr);
  LogicalResult passed = isTried ? compileWithoutSpills(module, passes, program)
                                 : passes.run(module);
  if (hasLaunches && succeeded(passed)) {
    PassManager host(module.getContext(), ModuleOp::getOperationName());
    host.enableTiming(scope);
    buildDeviceHostPipeline(host);
    passed = host.run(module);
  }
  // What later passes refuse has a program nevertheless.
  LogicalResult printed = writeToStdout(module.getLoc(), program);
  return success(succeeded(passed) && succeeded(printed));
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
             emitManifest(module, options.pipeline.target)}});
}

LogicalResult Compilation::run() {
  if (failed(checkInput()) || failed(runPasses()))
    return failure();
  if (options.printsOnly())
    return success();
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

  bool isText = options.emission == Emission::Assembly;
  TimingScope generating = timing.nest(isText ? "assembly" : "object code");
  auto code = isText ? emitAssembly(module.getLoc(), *translated, **machine)
                     : emitObject(module.getLoc(), *translated, **machine);
  generating.stop();
  if (failed(code))
    return failure();
  if (options.emission == Emission::Library)
    return writeLibrary(*code);
  return writeFile(*code);
}

LogicalResult compile(CompileOptions &options, TimingScope &timing) {
  std::string error;
  auto file = openInputFile(options.input, &error);
  if (!file) {
    llvm::errs() << "gyrec: error: "
                 << "[gyrec-input] expected a readable file, got " << error
                 << "\n";
    return failure();
  }
  DialectRegistry registry;
  registerAllDialects(registry);
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
  // Errors of no op in particular point at the spec, which has a line to show.
  auto specs = module->getOps<SpecOp>();
  if (llvm::hasSingleElement(specs))
    (*module)->setLoc((*specs.begin()).getLoc());
  return Compilation(options, *module, timing).run();
}

} // namespace gyre
