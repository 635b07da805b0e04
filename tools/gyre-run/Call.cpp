//===- Call.cpp - gyre-run <spec>.json ------------------------------------===//

#include "Files.h"
#include "HostArrays.h"
#include "Manifest.h"
#include "Modes.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>
#include <deque>
#include <dlfcn.h>

using namespace llvm;

namespace gyre {
namespace {

/// What a call takes from the library, and from the runtime that it brings in.
struct Library {
  int32_t (*packed)(void *const *, const gyre_context *) = nullptr;
  int32_t (*workspace)(const int64_t *, int64_t *) = nullptr;
  decltype(&gyre_last_error) lastError = nullptr;
  decltype(&gyre_map_bytes) mapBytes = nullptr;
  decltype(&gyre_map_build) mapBuild = nullptr;

  /// It stays loaded until the process ends.
  Error load(const CompiledFunction &function);
  Error check(int32_t status) const {
    return status == GYRE_OK ? Error::success() : makeError(lastError());
  }
};

/// One call: its sizes, operands and memory.
class Call {
public:
  Call(const CompiledFunction &function, const Library &library,
       StringMap<int64_t> sizes)
      : function(function), library(library), sizes(std::move(sizes)) {}

  Error readArguments(StringRef directory);
  Error bindSizes();
  Error makeResults();
  Error makeArguments();
  Error run();
  Error writeResults(StringRef directory) const;

private:
  using Operand = CompiledFunction::Operand;

  Expected<int64_t> evaluate(PolyAttr size) const;
  Error buildMap(const Operand &argument, const NpyArray &file);

  const CompiledFunction &function;
  const Library &library;
  StringMap<int64_t> sizes;
  std::vector<NpyArray> files;
  // Deques: what points into them stays good.
  std::deque<HostTensor> arguments, results;
  std::deque<gyre_map> maps;
  std::vector<AlignedMemory> memory;
  std::vector<void *> operands;
};

} // namespace

Error Library::load(const CompiledFunction &function) {
  void *handle = dlopen(function.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return makeError("[run-library] expected a library that loads, got " +
                     Twine(dlerror()));
  auto find = [&](auto &symbol, StringRef name) -> Error {
    void *address = dlsym(handle, name.str().c_str());
    if (!address)
      return makeError("[run-library] expected the symbol " + name + " in " +
                       function.library + ", got none");
    std::memcpy(&symbol, &address, sizeof(symbol));
    return Error::success();
  };
  if (Error error = find(packed, function.packedSymbol))
    return error;
  if (Error error = find(workspace, function.workspaceSymbol))
    return error;
  if (Error error = find(lastError, "gyre_last_error"))
    return error;
  if (Error error = find(mapBytes, "gyre_map_bytes"))
    return error;
  return find(mapBuild, "gyre_map_build");
}

Error Call::readArguments(StringRef directory) {
  for (const Operand &argument : function.arguments) {
    Expected<NpyArray> array = readNpy(getPath(directory, argument.name));
    if (!array)
      return array.takeError();
    files.push_back(std::move(*array));
  }
  return Error::success();
}

/// A size is that of the first array that has it; where others disagree, the
/// runtime says so. Arrays of tensors come before those of maps.
Error Call::bindSizes() {
  StringMap<int64_t> given = sizes;
  sizes.clear();
  for (bool isMap : {false, true})
    for (auto [argument, file] : zip_equal(function.arguments, files))
      if (argument.isMap == isMap)
        for (auto [dim, size] : zip(argument.shape, file.shape))
          if (mlir::StringAttr name = dim.getVariable())
            sizes.try_emplace(name.getValue(), size);
  for (const auto &[name, size] : given) {
    if (!is_contained(function.sizes, name))
      return makeError("[run-size] expected one of the sizes " +
                       join(function.sizes, ", ") + ", got `" + name + "`");
    auto [it, added] = sizes.try_emplace(name, size);
    if (!added && it->second != size)
      return makeError("[run-size] expected " + Twine(it->second) + " for `" +
                       name + "`, as an argument has it, got " + Twine(size));
  }
  for (const std::string &name : function.sizes)
    if (!sizes.contains(name))
      return makeError("[run-size] expected a value for `" + name +
                       "` by an argument or by --size, got none");
  return Error::success();
}

Expected<int64_t> Call::evaluate(PolyAttr size) const {
  PolyAttr value = size.substitute([&](mlir::StringAttr name) -> PolyAttr {
    auto it = sizes.find(name.getValue());
    return it == sizes.end()
               ? PolyAttr()
               : PolyAttr::constant(size.getContext(), it->second);
  });
  if (std::optional<int64_t> constant = value.getConstant();
      constant && *constant >= 0)
    return *constant;
  return makeError("[run-size] expected a size of at least 0 for " +
                   size.str() + ", got " + value.str());
}

Error Call::buildMap(const Operand &argument, const NpyArray &file) {
  Expected<int64_t> target = evaluate(argument.target);
  if (!target)
    return target.takeError();
  // The runtime takes two integer types, and refuses what is none.
  HostTensor index(file.type.isInteger() ? toNpy(file.shape, toIntegers(file))
                                         : file,
                   "i64");
  int64_t bytes = 0;
  if (Error error = library.check(
          library.mapBytes(index.get(), *target, /*chunk_length=*/0, &bytes)))
    return error;
  Expected<AlignedMemory> place = allocate(bytes);
  if (!place)
    return place.takeError();
  operands.push_back(&maps.emplace_back());
  if (Error error = library.check(library.mapBuild(
          index.get(), *target, argument.padded,
          /*chunk_length=*/0, place->get(), bytes, &maps.back())))
    return error;
  memory.push_back(std::move(*place));
  return Error::success();
}

Error Call::makeResults() {
  for (const Operand &result : function.results) {
    SmallVector<int64_t> shape;
    for (PolyAttr dim : result.shape) {
      Expected<int64_t> size = evaluate(dim);
      if (!size)
        return size.takeError();
      shape.push_back(*size);
    }
    Expected<HostTensor> tensor = HostTensor::create(shape, result.dtype);
    if (!tensor)
      return tensor.takeError();
    results.push_back(std::move(*tensor));
  }
  return Error::success();
}

Error Call::makeArguments() {
  for (auto [argument, file] : zip_equal(function.arguments, files)) {
    if (!argument.isMap) {
      arguments.emplace_back(std::move(file), argument.dtype);
      operands.push_back(arguments.back().get());
    } else if (Error error = buildMap(argument, file)) {
      return error;
    }
  }
  return Error::success();
}

Error Call::run() {
  SmallVector<int64_t> values;
  for (const std::string &name : function.sizes)
    values.push_back(sizes.lookup(name));
  gyre_context context{};
  context.flags = GYRE_CHECK_MAPS;
  if (Error error = library.check(
          library.workspace(values.data(), &context.workspace_bytes)))
    return error;
  Expected<AlignedMemory> workspace = allocate(context.workspace_bytes);
  if (!workspace)
    return workspace.takeError();
  context.workspace = workspace->get();
  for (HostTensor &result : results)
    operands.push_back(result.get());
  return library.check(library.packed(operands.data(), &context));
}

Error Call::writeResults(StringRef directory) const {
  std::vector<std::string> names;
  std::vector<NpyArray> arrays;
  for (auto [operand, result] : zip_equal(function.results, results)) {
    names.push_back(operand.name);
    arrays.push_back(result.toFile());
  }
  return writeArrays(directory, names, arrays);
}

static Error call(const RunOptions &options) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<GyreDialect>();
  Expected<StringMap<int64_t>> sizes = parseSizes(options.size);
  if (!sizes)
    return sizes.takeError();
  auto function = CompiledFunction::read(options.input, options.func, context);
  if (!function)
    return function.takeError();
  Library library;
  if (Error error = library.load(*function))
    return error;
  Call call(*function, library, std::move(*sizes));
  if (Error error = call.readArguments(options.in))
    return error;
  if (Error error = call.bindSizes())
    return error;
  if (Error error = call.makeResults())
    return error;
  if (Error error = call.makeArguments())
    return error;
  if (Error error = call.run())
    return error;
  return call.writeResults(options.out);
}

int callKernel(const RunOptions &options) {
  if (Error error = call(options))
    return reportError(toString(std::move(error)));
  return 0;
}

} // namespace gyre
