//===- Chain.cpp - Functions that are derivatives of others ---------------===//

#include "Chain.h"
#include "Files.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gyre {

using Operand = CompiledFunction::Operand;

NpyArray withNumbers(const NpyArray &array, ArrayRef<double> numbers) {
  NpyArray result = array;
  const int bytes = array.type.bytes;
  for (auto [i, number] : enumerate(numbers))
    storeFloat(number, bytes, result.data.data() + i * bytes);
  return result;
}

const CompiledFunction *Chain::find(StringRef name) const {
  auto it = find_if(all, [&](auto &f) { return f.name == name; });
  return it == all.end() ? nullptr : &*it;
}

static bool haveOneType(const Operand &a, const Operand &b) {
  return !a.isMap && !b.isMap && a.dtype == b.dtype &&
         std::equal(a.shape.begin(), a.shape.end(), b.shape.begin(),
                    b.shape.end(), [](const SizeExpr &x, const SizeExpr &y) {
                      return x.str() == y.str();
                    });
}

/// A manifest may come from anywhere.
Error Chain::check(const CompiledFunction &function) const {
  auto fail = [&](const Twine &expected, StringRef got) {
    return makeError("[run-gradcheck] expected " + expected + ", got `" + got +
                     "` in " + function.name);
  };
  for (const auto *operands : {&function.arguments, &function.results})
    for (const Operand &operand : *operands)
      if (operand.dtype == "f16" || operand.dtype == "bf16")
        return fail("elements of f32 or f64, in which differences mean "
                    "something, for `" +
                        operand.name + "`",
                    operand.dtype);
  if (!function.derivative)
    return Error::success();
  const CompiledFunction *primal = find(function.derivative->of);
  // A primal stands before its derivatives, so there is no circle.
  if (!primal)
    return makeError("[run-gradcheck] expected `" + function.derivative->of +
                     "`, of which " + function.name +
                     " is a derivative, in the library (gyrec --derive=" +
                     function.derivative->of + "," + function.name +
                     "), got none");
  if (primal >= &function)
    return fail("the derivative of a function that stands before it",
                function.derivative->of);
  for (const auto &[name, gradient] : function.derivative->wrt) {
    const Operand *of = primal->findArgument(name);
    if (!of)
      return fail("an argument of " + primal->name, name);
    const Operand *result = function.findResult(gradient);
    if (!result || !haveOneType(*of, *result))
      return fail("a result of the type of `" + name + "` for its gradient",
                  gradient);
  }
  StringSet<> cotangents;
  for (const auto &[name, cotangent] : function.derivative->given) {
    const Operand *of = primal->findResult(name);
    if (!of)
      return fail("a result of " + primal->name, name);
    // What no gradient depends on is no argument.
    const Operand *argument = function.findArgument(cotangent);
    if (argument && !haveOneType(*of, *argument))
      return fail("an argument of the type of `" + name + "` for its cotangent",
                  cotangent);
    cotangents.insert(cotangent);
  }
  for (const Operand &argument : function.arguments)
    if (!primal->findArgument(argument.name) &&
        !primal->findResult(argument.name) &&
        !cotangents.contains(argument.name))
      return fail("arguments or results of " + primal->name +
                      ", and cotangents, as arguments",
                  argument.name);
  return Error::success();
}

/// Those that are not given are 5, 8, 11, ... in the manifest's order.
Error Chain::setSizes() {
  Expected<StringMap<int64_t>> given = parseSizes(options.size);
  if (!given)
    return given.takeError();
  std::vector<std::string> names;
  int64_t next = 5;
  for (const CompiledFunction &function : all)
    for (const std::string &name : function.sizes) {
      if (is_contained(names, name))
        continue;
      names.push_back(name);
      auto it = given->find(name);
      sizes[name] = it == given->end() ? next : it->second;
      next += 3;
    }
  for (StringRef name : given->keys())
    if (!is_contained(names, name))
      return makeError(unknownSize(names, name));
  return Error::success();
}

Expected<std::unique_ptr<Chain>> Chain::read(const RunOptions &options) {
  Expected<uint64_t> seed =
      parseSeed(options.random.empty() ? "1" : options.random);
  if (!seed)
    return seed.takeError();
  std::unique_ptr<Chain> chain(new Chain(options, *seed));
  auto functions = CompiledFunction::readAll(options.input);
  if (!functions)
    return functions.takeError();
  chain->all = std::move(*functions);
  for (CompiledFunction &function : chain->all) {
    if (Error error = chain->check(function))
      return error;
    if (!function.derivative)
      continue;
    auto &given = function.derivative->given;
    for (auto it = given.begin(); it != given.end();)
      it = function.findArgument(it->second) ? std::next(it) : given.erase(it);
  }
  for (const CompiledFunction &function : chain->all)
    if (Error error = chain->libraries[function.name].load(function))
      return error;
  if (Error error = chain->setSizes())
    return error;
  if (chain->all.empty())
    return chain;
  auto machine = createMachine(chain->all.front().target, options.device);
  if (!machine)
    return machine.takeError();
  chain->machine = std::move(*machine);
  return chain;
}

std::vector<double> Chain::drawAlong(const std::vector<double> &signs) {
  std::vector<double> direction;
  for (double sign : signs) {
    const double number = random.real();
    const double size = 0.5 + 0.5 * std::fabs(number);
    direction.push_back(std::copysign(size, sign == 0 ? number : sign));
  }
  return direction;
}

NpyArray Chain::drawLike(const NpyArray &array) {
  std::vector<double> numbers(array.data.size() / array.type.bytes);
  for (double &number : numbers)
    number = random.real();
  return withNumbers(array, numbers);
}

Expected<NpyArray> Chain::make(const Operand &argument) {
  const std::string path = getPath(options.in, argument.name);
  if (!options.in.empty() && sys::fs::exists(path))
    return readNpy(path);
  Expected<NpyArray> array =
      drawArgument(argument, sizes, options.references, random);
  if (!array || argument.isMap || !array->shape.empty() ||
      array->type.isInteger())
    return array;
  // Single numbers divide, or stand under roots, more often than not.
  return withNumbers(*array, drawAlong({1.0}));
}

Expected<const Values *> Chain::arguments(const CompiledFunction &function) {
  auto [it, added] = madeArguments.try_emplace(function.name);
  Values &made = it->second;
  if (!added)
    return &made;
  Values known, finite;
  if (function.derivative) {
    const CompiledFunction &primal = *find(function.derivative->of);
    auto taken = arguments(primal);
    if (!taken)
      return taken.takeError();
    auto computed = results(primal);
    if (!computed)
      return computed.takeError();
    known = **taken;
    known.insert((*computed)->begin(), (*computed)->end());
    for (const auto &[result, cotangent] : function.derivative->given)
      finite[cotangent] = (*computed)->at(result);
  }
  for (const Operand &argument : function.arguments) {
    auto at = known.find(argument.name);
    auto of = finite.find(argument.name);
    if (at != known.end() && of == finite.end()) {
      made[argument.name] = at->second;
      continue;
    }
    Expected<NpyArray> array = make(argument);
    if (!array)
      return array.takeError();
    // What is no number has no derivative: its cotangent is zero.
    if (of != finite.end() && !array->type.isInteger()) {
      std::vector<double> numbers = toDoubles(*array);
      for (auto [number, result] : zip(numbers, toDoubles(of->second)))
        if (!std::isfinite(result))
          number = 0;
      *array = withNumbers(*array, numbers);
    }
    made[argument.name] = std::move(*array);
  }
  return &made;
}

Expected<const Values *> Chain::results(const CompiledFunction &function) {
  auto it = madeResults.find(function.name);
  if (it != madeResults.end())
    return &it->second;
  Expected<Values> values = call(function, {});
  if (!values)
    return values.takeError();
  return &(madeResults[function.name] = std::move(*values));
}

Expected<Values> Chain::call(const CompiledFunction &function,
                             const Values &others) {
  auto made = arguments(function);
  if (!made)
    return made.takeError();
  Inputs inputs;
  for (const Operand &argument : function.arguments) {
    auto other = others.find(argument.name);
    inputs.arrays.push_back(other == others.end() ? (*made)->at(argument.name)
                                                  : other->second);
  }
  for (const std::string &name : function.sizes)
    inputs.sizes[name] = sizes.lookup(name);
  Call run(function, libraries[function.name], *machine);
  if (Error error = run.prepare(inputs))
    return error;
  if (Error error = run.runFirst(/*graph=*/false, /*repeat=*/0))
    return error;
  Expected<std::vector<NpyArray>> arrays = run.readResults();
  if (!arrays)
    return arrays.takeError();
  Values values;
  for (auto [result, array] : zip_equal(function.results, *arrays))
    values[result.name] = std::move(array);
  return values;
}

} // namespace gyre
