//===- Interpret.cpp - gyre-run --interpret -------------------------------===//

#include "Files.h"
#include "Modes.h"

#include "gyre/InitAll.h"
#include "gyre/Interpreter/Interpreter.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace gyre {

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

/// The runtime sizes that a function mentions, in the order of its text.
static std::vector<std::string> collectSizes(FuncOp func) {
  std::vector<std::string> names;
  AttrTypeWalker walker;
  walker.addWalk([&](PolyAttr size) {
    size.walkVariables([&](StringAttr name) {
      if (!llvm::is_contained(names, name.getValue()))
        names.push_back(name.str());
    });
  });
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    walker.walk(op->getAttrDictionary());
    for (Type type : op->getResultTypes())
      walker.walk(type);
  });
  return names;
}

/// The interpreter takes sizes that the function lacks; here they are mistakes.
static LogicalResult checkSizes(FuncOp func,
                                const llvm::StringMap<int64_t> &sizes) {
  std::vector<std::string> names = collectSizes(func);
  for (StringRef name : sizes.keys())
    if (!llvm::is_contained(names, name))
      return func.emitError(unknownSize(names, name));
  return success();
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

static llvm::Error writeResults(FuncOp func, ArrayRef<Array> results,
                                StringRef out) {
  std::vector<std::string> names;
  std::vector<NpyArray> arrays;
  for (auto [i, array] : llvm::enumerate(results)) {
    names.push_back(func.getResName(i).str());
    arrays.push_back(toFile(array, cast<TensorType>(func.getResultTypes()[i])));
  }
  return writeArrays(out, names, arrays);
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
  emitted = failed(checkSizes(*func, *sizes));
  if (emitted)
    return llvm::Error::success();
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
