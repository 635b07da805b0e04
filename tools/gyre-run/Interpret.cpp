//===- Interpret.cpp - gyre-run --interpret -------------------------------===//

#include "Modes.h"

#include "gyre/InitAll.h"
#include "gyre/Interpreter/Interpreter.h"
#include "gyre/Support/Npy.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace gyre {

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

static std::string getPath(StringRef directory, StringRef name) {
  SmallString<128> path(directory);
  llvm::sys::path::append(path, name + ".npy");
  return path.str().str();
}

static llvm::Expected<llvm::StringMap<int64_t>>
parseSizes(ArrayRef<std::string> options) {
  llvm::StringMap<int64_t> sizes;
  for (StringRef option : options) {
    auto [name, text] = option.split('=');
    int64_t value;
    if (name.empty() || text.getAsInteger(10, value) || value < 0)
      return makeError("[run-size] expected name=value with a value of at "
                       "least 0, got `" +
                       option + "`");
    if (!sizes.try_emplace(name, value).second)
      return makeError("[run-size] expected one value for `" + name +
                       "`, got two");
  }
  return sizes;
}

/// Fixes the parameters and brings everything down to primitives. A file
/// without specs, such as the output of a pass, holds specialised functions.
static LogicalResult lower(ModuleOp module, const RunOptions &options) {
  PassManager passes(module.getContext());
  bool hasSpec = !module.getOps<SpecOp>().empty();
  if (hasSpec || !options.set.empty() || !options.spec.empty()) {
    SpecialiseOptions specialise;
    specialise.set.assign(options.set.begin(), options.set.end());
    specialise.spec = options.spec;
    passes.addPass(createSpecialise(specialise));
  }
  passes.addPass(createDecompose());
  passes.addPass(createDifferentiate());
  return passes.run(module);
}

static llvm::Expected<FuncOp> findFunction(ModuleOp module, StringRef name) {
  if (auto func = module.lookupSymbol<FuncOp>(name))
    return func;
  std::string names;
  for (FuncOp func : module.getOps<FuncOp>())
    names += (names.empty() ? "" : ", ") + func.getSymName().str();
  return makeError("[run-function] expected one of the functions " + names +
                   ", got `" + name + "`");
}

static llvm::Expected<std::vector<Argument>> readArguments(FuncOp func,
                                                           StringRef in) {
  std::vector<Argument> arguments;
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes())) {
    std::string path = getPath(in, func.getArgName(i));
    llvm::Expected<NpyArray> array = readNpy(path);
    if (!array)
      return array.takeError();
    auto map = dyn_cast<MapType>(type);
    if (!map) {
      arguments.push_back(Array{array->shape, toDoubles(*array)});
      continue;
    }
    if (!array->type.isInteger())
      return makeError("[run-map-dtype] expected integers for a map, got " +
                       array->type.str() + " in " + path);
    arguments.push_back(IndexMap{array->shape, IndexMap::kInferred,
                                 map.getPadded(), toIntegers(*array)});
  }
  return arguments;
}

static NpyArray toFile(const Array &array, TensorType type) {
  if (!isa<IntegerType>(type.getElementType()))
    return toNpy(array.shape, array.data);
  return toNpy(array.shape,
               std::vector<int64_t>(array.data.begin(), array.data.end()));
}

static llvm::Error write(llvm::sys::fs::TempFile &file, const NpyArray &array) {
  llvm::raw_fd_ostream os(file.FD, /*shouldClose=*/false);
  writeNpy(os, array);
  os.flush();
  std::error_code code = os.error();
  os.clear_error();
  return llvm::errorCodeToError(code);
}

/// Says that a result's file could not be written, if there is an error.
static llvm::Error explain(llvm::Error error, StringRef path) {
  if (!error)
    return error;
  return makeError("[run-output] expected to write " + path +
                   ", got: " + llvm::toString(std::move(error)));
}

/// Each file appears whole, and only after all have been written.
static llvm::Error writeResults(FuncOp func, ArrayRef<Array> results,
                                StringRef out) {
  if (std::error_code code = llvm::sys::fs::create_directories(out))
    return explain(llvm::errorCodeToError(code), out);
  SmallVector<std::string> paths;
  for (StringRef name : func.getResNames().getAsValueRange<StringAttr>())
    paths.push_back(getPath(out, name));
  std::vector<llvm::sys::fs::TempFile> files;
  llvm::Error error = llvm::Error::success();
  for (size_t i = 0; !error && i < paths.size(); ++i) {
    auto file = llvm::sys::fs::TempFile::create(paths[i] + ".%%%%%%%%");
    if (!file) {
      error = explain(file.takeError(), paths[i]);
      break;
    }
    files.push_back(std::move(*file));
    auto type = cast<TensorType>(func.getResultTypes()[i]);
    error = explain(write(files[i], toFile(results[i], type)), paths[i]);
  }
  for (size_t i = 0; i < files.size(); ++i) {
    bool good = !error;
    llvm::Error last = good ? files[i].keep(paths[i]) : files[i].discard();
    error =
        llvm::joinErrors(std::move(error), explain(std::move(last), paths[i]));
  }
  return error;
}

/// `emitted` tells of an error that has been reported as a diagnostic.
static llvm::Error run(ModuleOp module, const RunOptions &options,
                       bool &emitted) {
  llvm::Expected<llvm::StringMap<int64_t>> sizes = parseSizes(options.size);
  if (!sizes)
    return sizes.takeError();
  llvm::Expected<FuncOp> func = findFunction(module, options.func);
  if (!func)
    return func.takeError();
  llvm::Expected<std::vector<Argument>> arguments =
      readArguments(*func, options.in);
  if (!arguments)
    return arguments.takeError();
  FailureOr<std::vector<Array>> results = interpret(*func, *arguments, *sizes);
  emitted = failed(results);
  if (emitted)
    return llvm::Error::success();
  return writeResults(*func, *results, options.out);
}

int interpretSpec(const RunOptions &options) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(options.input, sources, &context);
  if (!module || failed(lower(*module, options)))
    return 1;
  bool emitted = false;
  if (llvm::Error error = run(*module, options, emitted))
    return reportError(llvm::toString(std::move(error)));
  return emitted;
}

} // namespace gyre
