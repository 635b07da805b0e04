//===- Sizes.h - Values of runtime sizes ------------------------*- C++ -*-===//

#ifndef GYRE_LIB_INTERPRETER_SIZES_H
#define GYRE_LIB_INTERPRETER_SIZES_H

#include "gyre/Interpreter/Interpreter.h"

namespace gyre {

/// The values of runtime sizes, each with the argument that it is known from.
class Sizes {
public:
  /// Binds a name, unless it has a value already.
  void bind(llvm::StringRef name, int64_t value, llvm::StringRef source);
  /// Binds the name that a polynomial is, if it is one.
  void bind(PolyAttr poly, int64_t value, llvm::StringRef source);

  /// The value of a polynomial, or an error of `op` where a name has none or
  /// the value is no size.
  mlir::FailureOr<int64_t> evaluate(mlir::Operation *op, PolyAttr poly) const;

  /// The value of each dimension, or an error of `op`, also where a value of
  /// that shape has too many elements.
  mlir::FailureOr<llvm::SmallVector<int64_t>>
  evaluate(mlir::Operation *op, llvm::ArrayRef<PolyAttr> dims) const;

  /// ` (E is 7 by `x`)` for the names of a polynomial, empty if there is none.
  std::string explain(PolyAttr poly) const;

private:
  struct Binding {
    int64_t value;
    std::string source;
  };
  llvm::StringMap<Binding> bindings;
};

} // namespace gyre

#endif // GYRE_LIB_INTERPRETER_SIZES_H
