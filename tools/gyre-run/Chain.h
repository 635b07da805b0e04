//===- Chain.h - Functions that are derivatives of others -------*- C++ -*-===//

#ifndef GYRE_TOOLS_GYRE_RUN_CHAIN_H
#define GYRE_TOOLS_GYRE_RUN_CHAIN_H

#include "Call.h"
#include "Modes.h"

#include <map>

namespace gyre {

/// Arrays by the names of arguments or results.
using Values = std::map<std::string, NpyArray>;

/// The functions of a library, with arguments that fit one another: a
/// derivative has those of its primal, the primal's results where it takes
/// these, and cotangents that are made up.
class Chain {
public:
  static llvm::Expected<std::unique_ptr<Chain>> read(const RunOptions &options);

  const std::vector<CompiledFunction> &functions() const { return all; }
  const CompiledFunction *find(llvm::StringRef name) const;

  /// The arguments of a function; each time the same.
  llvm::Expected<const Values *> arguments(const CompiledFunction &function);
  /// The results of a function for its arguments; each time the same.
  llvm::Expected<const Values *> results(const CompiledFunction &function);
  /// The results for those and other arguments in place of some of them.
  llvm::Expected<Values> call(const CompiledFunction &function,
                              const Values &others);

  /// Numbers in [-1, 1) in the shape and type of an array.
  NpyArray drawLike(const NpyArray &array);
  /// Signs as in an array (any where that has a zero), sizes in [1/2, 1).
  std::vector<double> drawAlong(const std::vector<double> &signs);

private:
  Chain(const RunOptions &options, uint64_t seed)
      : options(options), random(seed) {}

  llvm::Error check(const CompiledFunction &function) const;
  llvm::Error setSizes();
  llvm::Expected<NpyArray> make(const CompiledFunction::Operand &argument);

  const RunOptions &options;
  Random random;
  std::vector<CompiledFunction> all;
  std::map<std::string, Library> libraries;
  std::unique_ptr<Machine> machine;
  llvm::StringMap<int64_t> sizes;
  std::map<std::string, Values> madeArguments, madeResults;
};

/// An array of the same shape and type with other numbers, rounded.
NpyArray withNumbers(const NpyArray &array, llvm::ArrayRef<double> numbers);

} // namespace gyre

#endif // GYRE_TOOLS_GYRE_RUN_CHAIN_H
