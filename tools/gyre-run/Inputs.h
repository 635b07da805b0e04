//===- Inputs.h - The arguments of a call, as arrays ------------*- C++ -*-===//

#ifndef GYRE_TOOLS_GYRE_RUN_INPUTS_H
#define GYRE_TOOLS_GYRE_RUN_INPUTS_H

#include "Manifest.h"
#include "References.h"

#include "gyre/Support/Npy.h"

namespace gyre {

/// Makes an argument up: floats uniform in [-1, 1), integers in [0, 4),
/// references of a kind; an eighth of those of a padded map are pads.
llvm::Expected<NpyArray> drawArgument(const CompiledFunction::Operand &argument,
                                      const llvm::StringMap<int64_t> &sizes,
                                      References kind, Random &random);

/// An array for each argument, and a value for each runtime size.
struct Inputs {
  std::vector<NpyArray> arrays;
  llvm::StringMap<int64_t> sizes;

  /// Reads <argument>.npy. A size is that of the first array that has it (where
  /// others disagree, the runtime says so), or the value that is given.
  static llvm::Expected<Inputs> read(const CompiledFunction &function,
                                     llvm::StringRef directory,
                                     const llvm::StringMap<int64_t> &given);

  /// Makes them up. The same seed, kind and sizes give the same arrays, on any
  /// machine.
  static llvm::Expected<Inputs> random(const CompiledFunction &function,
                                       uint64_t seed, References kind,
                                       const llvm::StringMap<int64_t> &given);
};

} // namespace gyre

#endif // GYRE_TOOLS_GYRE_RUN_INPUTS_H
