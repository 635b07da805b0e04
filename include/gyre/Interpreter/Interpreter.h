//===- Interpreter.h - The algebra, evaluated in fp64 -----------*- C++ -*-===//
//
// The oracle of every pass and lowering: each primitive is carried out by the
// formula of its description, in fp64, one op after another.
//
//===----------------------------------------------------------------------===//

#ifndef GYRE_INTERPRETER_INTERPRETER_H
#define GYRE_INTERPRETER_INTERPRETER_H

#include "gyre/Dialect/Gyre.h"

#include "llvm/ADT/StringMap.h"

#include <variant>
#include <vector>

namespace gyre {

/// A row-major value. Integers (slots, truth values) are kept as doubles.
struct Array {
  llvm::SmallVector<int64_t> shape;
  std::vector<double> data;
};

/// What a `!gyre.map` argument is bound to.
struct IndexMap {
  /// As a target: the number of nodes that the other arguments and sizes tell.
  static constexpr int64_t kInferred = -1;

  llvm::SmallVector<int64_t> axes;
  int64_t target = kInferred;
  bool padded = false;
  /// One entry a position of the axes, row-major. Those of a padded map that
  /// are not less than the target are padding.
  std::vector<int64_t> index;
};

using Argument = std::variant<Array, IndexMap>;

/// Evaluates a function of primitives whose parameters are fixed.
///
/// Runtime sizes are bound, by name, by `sizes` and by every argument with a
/// dimension, axis or target that is exactly that name; all shapes and indices
/// are checked. What is wrong is emitted as an error of the function or the op,
/// with an id `[interpret-...]`. `sizes` may name sizes that the function
/// lacks.
///
/// A slot outside of its axis is an error, but for slot 0 of an axis without
/// slots (that is what `max_slot` gives there): it is read as 0 and not
/// written.
mlir::FailureOr<std::vector<Array>>
interpret(FuncOp func, llvm::ArrayRef<Argument> arguments,
          const llvm::StringMap<int64_t> &sizes = {});

} // namespace gyre

#endif // GYRE_INTERPRETER_INTERPRETER_H
