//===- Inputs.cpp - The arguments of a call, as arrays --------------------===//

#include "Inputs.h"
#include "Files.h"
#include "HostArrays.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace llvm;

namespace gyre {

using Operand = CompiledFunction::Operand;

static Error checkSizes(const CompiledFunction &function,
                        const StringMap<int64_t> &given,
                        StringMap<int64_t> &sizes) {
  for (const auto &[name, size] : given) {
    if (!is_contained(function.sizes, name))
      return makeError(unknownSize(function.sizes, name));
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

Expected<Inputs> Inputs::read(const CompiledFunction &function,
                              StringRef directory,
                              const StringMap<int64_t> &given) {
  Inputs inputs;
  for (const Operand &argument : function.arguments) {
    Expected<NpyArray> array = readNpy(getPath(directory, argument.name));
    if (!array)
      return array.takeError();
    inputs.arrays.push_back(std::move(*array));
  }
  // Arrays of tensors come before those of maps.
  for (bool isMap : {false, true})
    for (auto [argument, file] : zip_equal(function.arguments, inputs.arrays))
      if (argument.isMap == isMap)
        for (auto [dim, size] : zip(argument.shape, file.shape))
          if (std::optional<StringRef> name = dim.getName())
            inputs.sizes.try_emplace(*name, size);
  if (Error error = checkSizes(function, given, inputs.sizes))
    return error;
  return inputs;
}

static Expected<NpyArray> makeTensor(const Operand &argument,
                                     ArrayRef<int64_t> shape, Random &random) {
  Expected<HostTensor> zeros = HostTensor::create(shape, argument.dtype);
  if (!zeros)
    return zeros.takeError();
  NpyArray array = zeros->toFile();
  const int bytes = array.type.bytes;
  for (size_t at = 0; at < array.data.size(); at += bytes) {
    if (array.type.kind == 'f') {
      const double value = random.real();
      storeFloat(value, bytes, array.data.data() + at);
      continue;
    }
    const int64_t value = random.below(array.type.kind == 'b' ? 2 : 4);
    std::memcpy(array.data.data() + at, &value, static_cast<size_t>(bytes));
  }
  return array;
}

static Expected<NpyArray> makeMap(const Operand &argument,
                                  ArrayRef<int64_t> shape, int64_t target,
                                  References kind, Random &random) {
  Expected<HostTensor> zeros = HostTensor::create(shape, "i64");
  if (!zeros)
    return zeros.takeError();
  NpyArray array = zeros->toFile();
  if (!array.data.empty() && target == 0)
    return makeError("[run-random] expected a node for the references of `" +
                     argument.name + "`, got none");
  MutableArrayRef<int64_t> nodes(reinterpret_cast<int64_t *>(array.data.data()),
                                 array.data.size() / sizeof(int64_t));
  for (int64_t &node : nodes)
    node = argument.padded && random.below(8) == 0
               ? target
               : drawReference(kind, target, random);
  if (kind == References::Sorted)
    llvm::sort(nodes);
  return array;
}

Expected<NpyArray> drawArgument(const Operand &argument,
                                const StringMap<int64_t> &sizes,
                                References kind, Random &random) {
  Expected<SmallVector<int64_t>> shape = evaluateShape(argument.shape, sizes);
  if (!shape)
    return shape.takeError();
  if (!argument.isMap)
    return makeTensor(argument, *shape, random);
  Expected<int64_t> target = argument.target.evaluate(sizes);
  if (!target)
    return target.takeError();
  return makeMap(argument, *shape, *target, kind, random);
}

Expected<Inputs> Inputs::random(const CompiledFunction &function, uint64_t seed,
                                References kind,
                                const StringMap<int64_t> &given) {
  Inputs inputs;
  if (Error error = checkSizes(function, given, inputs.sizes))
    return error;
  Random random(seed);
  for (const Operand &argument : function.arguments) {
    Expected<NpyArray> array =
        drawArgument(argument, inputs.sizes, kind, random);
    if (!array)
      return array.takeError();
    inputs.arrays.push_back(std::move(*array));
  }
  return inputs;
}

} // namespace gyre
