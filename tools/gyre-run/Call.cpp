//===- Call.cpp - Calls of compiled functions -----------------------------===//

#include "Call.h"
#include "Files.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>
#include <dlfcn.h>

using namespace llvm;

namespace gyre {

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
  if (Error error = find(mapToCuda, "gyre_map_to_cuda"))
    return error;
  return find(mapBuild, "gyre_map_build");
}

Error Library::check(int32_t status) const {
  return status == GYRE_OK ? Error::success() : makeError(lastError());
}

Expected<void *> Call::place(int64_t bytes) {
  Expected<Block> block = machine.allocate(bytes);
  if (!block)
    return block.takeError();
  blocks.push_back(std::move(*block));
  return blocks.back().get();
}

Error Call::placeTensor(HostTensor &tensor) {
  Expected<void *> memory = place(tensor.bytes());
  if (!memory)
    return memory.takeError();
  gyre_tensor *view = tensor.get();
  view->data = *memory;
  view->device = machine.device();
  operands.push_back(view);
  compulsory += tensor.bytes();
  return Error::success();
}

gyre_tensor *Call::resultTensor(size_t i) const {
  return static_cast<gyre_tensor *>(
      operands[operands.size() - results.size() + i]);
}

Error Call::spoil() {
  if (!spoils)
    return Error::success();
  for (auto [i, result] : enumerate(results))
    if (Error error = machine.spoil(resultTensor(i)->data, result.bytes()))
      return error;
  return machine.spoil(context.workspace, context.workspace_bytes);
}

Error Call::buildMap(const Operand &argument, const NpyArray &file,
                     const StringMap<int64_t> &sizes) {
  Expected<int64_t> target = argument.target.evaluate(sizes);
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
  Expected<Block> host = createHostMachine()->allocate(bytes);
  if (!host)
    return host.takeError();
  gyre_map *map = &maps.emplace_back();
  operands.push_back(map);
  if (Error error = library.check(
          library.mapBuild(index.get(), *target, argument.padded,
                           /*chunk_length=*/0, host->get(), bytes, map)))
    return error;
  hostBlocks.push_back(std::move(*host));
  compulsory += 4 * map->entries;
  if (machine.device().type != GYRE_DEVICE_CUDA)
    return Error::success();
  Expected<void *> memory = place(bytes);
  if (!memory)
    return memory.takeError();
  return library.check(library.mapToCuda(map, machine.device().id, *memory,
                                         bytes, machine.stream(), map));
}

Error Call::makeWorkspace(const StringMap<int64_t> &sizes) {
  SmallVector<int64_t> values;
  for (const std::string &name : function.sizes)
    values.push_back(sizes.lookup(name));
  if (machine.device().type == GYRE_DEVICE_CPU)
    context.flags = GYRE_CHECK_MAPS;
  context.stream = machine.stream();
  if (Error error = library.check(
          library.workspace(values.data(), &context.workspace_bytes)))
    return error;
  Expected<void *> memory = place(context.workspace_bytes);
  if (!memory)
    return memory.takeError();
  context.workspace = *memory;
  return Error::success();
}

Error Call::prepare(const Inputs &inputs) {
  // Shapes that cannot be had are found before anything is copied.
  for (const Operand &result : function.results) {
    Expected<SmallVector<int64_t>> shape =
        evaluateShape(result.shape, inputs.sizes);
    if (!shape)
      return shape.takeError();
    Expected<HostTensor> tensor = HostTensor::create(*shape, result.dtype);
    if (!tensor)
      return tensor.takeError();
    results.push_back(std::move(*tensor));
  }
  for (auto [argument, file] : zip_equal(function.arguments, inputs.arrays)) {
    if (argument.isMap) {
      if (Error error = buildMap(argument, file, inputs.sizes))
        return error;
      continue;
    }
    HostTensor &tensor = arguments.emplace_back(file, argument.dtype);
    if (Error error = placeTensor(tensor))
      return error;
    void *data = static_cast<gyre_tensor *>(operands.back())->data;
    if (Error error = machine.upload(data, tensor.data(), tensor.bytes()))
      return error;
  }
  for (HostTensor &result : results)
    if (Error error = placeTensor(result))
      return error;
  if (Error error = makeWorkspace(inputs.sizes))
    return error;
  if (Error error = spoil())
    return error;
  return machine.finish();
}

Error Call::record() {
  auto recorded = machine.record([&] { return run(); });
  if (!recorded)
    return recorded.takeError();
  recording = std::move(*recorded);
  return Error::success();
}

Error Call::run() {
  if (recording)
    return recording();
  Error error = library.check(library.packed(operands.data(), &context));
  // The maps have been checked now.
  context.flags = 0;
  return error;
}

Error Call::runFirst(bool graph, int64_t repeat,
                     function_ref<Error()> disturb) {
  if (Error error = run())
    return error;
  if (repeat)
    if (Error error = keepResults())
      return error;
  if (graph) {
    if (Error error = machine.finish())
      return error;
    if (Error error = record())
      return error;
  }
  const int64_t runs = std::max<int64_t>(repeat, graph ? 2 : 1);
  for (int64_t i = 2; i <= runs; ++i) {
    if (Error error = spoil())
      return error;
    if (disturb)
      if (Error error = disturb())
        return error;
    if (Error error = run())
      return error;
    if (repeat)
      if (Error error = compareResults(i))
        return error;
  }
  return machine.finish();
}

Error Call::downloadResults() {
  for (auto [i, result] : enumerate(results))
    if (Error error = machine.download(result.data(), resultTensor(i)->data,
                                       result.bytes()))
      return error;
  return Error::success();
}

Error Call::keepResults() {
  if (Error error = downloadResults())
    return error;
  for (HostTensor &result : results)
    kept.emplace_back(result.data(), result.data() + result.bytes());
  return Error::success();
}

Error Call::compareResults(int64_t run) {
  if (Error error = downloadResults())
    return error;
  for (auto [i, result, first] : enumerate(results, kept)) {
    const auto other = std::mismatch(first.begin(), first.end(), result.data());
    if (other.first == first.end())
      continue;
    const int64_t element =
        (other.first - first.begin()) / (resultTensor(i)->dtype.bits / 8);
    return makeError("[run-repeat] expected the bits of run 1 for result `" +
                     function.results[i].name + "` in run " + Twine(run) +
                     ", got others, first in element " + Twine(element));
  }
  return Error::success();
}

Expected<std::vector<NpyArray>> Call::readResults() {
  if (Error error = downloadResults())
    return error;
  std::vector<NpyArray> arrays;
  for (const HostTensor &result : results)
    arrays.push_back(result.toFile());
  return arrays;
}

Error Call::writeResults(StringRef directory) {
  Expected<std::vector<NpyArray>> arrays = readResults();
  if (!arrays)
    return arrays.takeError();
  std::vector<std::string> names;
  for (const Operand &result : function.results)
    names.push_back(result.name);
  return writeArrays(directory, names, *arrays);
}

} // namespace gyre
