//===- Derivation.h - One declared derivative -------------------*- C++ -*-===//

#ifndef GYRE_LIB_DIFFERENTIATE_DERIVATION_H
#define GYRE_LIB_DIFFERENTIATE_DERIVATION_H

#include "gyre/Differentiate/Differentiate.h"

#include "llvm/ADT/DenseMap.h"

namespace gyre {

/// Arguments that a derived function would have taken but does not need: which
/// ones it needs may depend on parameters, so declarations may name them all.
using UnneededArguments =
    llvm::SmallVector<std::pair<mlir::StringAttr, mlir::Type>>;

/// Builds the function that `derive` declares, right before it. `unneeded` are
/// the primal's arguments of that kind, then those of the derivative.
llvm::FailureOr<FuncOp> buildDerivative(DeriveOp derive, FuncOp primal,
                                        UnneededArguments &unneeded,
                                        GradientObserver observer);

/// Which of the primal's values a derivative may use, and how it gets them.
///
/// A value is there when it is saved or an argument; it can be recomputed when
/// the operands of its op are there, and recovered when it is a term of a sum
/// or a difference whose other values are there, or when it stands in the
/// result of an op that only moves cells. Recomputing is preferred.
class Availability {
public:
  /// `body` holds the primal's ops up to (and without) `end`.
  Availability(mlir::Block &body, mlir::Block::iterator end)
      : body(body), end(end) {}

  /// `value` is at hand as `replacement`.
  void provide(mlir::Value value, mlir::Value replacement) {
    built[value] = replacement;
    direct.erase(value);
  }
  /// `value` is at hand as `replacement`, but nothing may be recomputed from
  /// it.
  void provideForDirectUses(mlir::Value value, mlir::Value replacement) {
    direct[value] = replacement;
  }

  /// Finds out how each value of the body can be had.
  void close();

  /// The value to use in place of `value`, built at `builder`; null when it
  /// cannot be had.
  mlir::Value get(mlir::OpBuilder &builder, mlir::Value value);

private:
  /// How to build a value: from an op of the body, either by running it again
  /// or by undoing it.
  struct Recipe {
    mlir::Operation *op;
    bool undo;
  };

  bool isThere(mlir::Value value) const {
    return built.contains(value) || recipes.contains(value);
  }
  void extendDirect();
  mlir::Value getDirect(mlir::OpBuilder &builder, mlir::Value value);
  bool closeByRecomputing();
  bool recoverOne();
  mlir::Value build(mlir::OpBuilder &builder, mlir::Value value);
  /// What the recipe of `value` builds it from.
  llvm::SmallVector<mlir::Value> getNeeds(mlir::Value value) const;
  void buildFromNeeds(mlir::OpBuilder &builder, mlir::Value value);

  mlir::Block &body;
  mlir::Block::iterator end;
  llvm::DenseMap<mlir::Value, mlir::Value> built;
  /// Null until it is built, for parts and views.
  llvm::DenseMap<mlir::Value, mlir::Value> direct;
  llvm::DenseMap<mlir::Value, Recipe> recipes;
};

} // namespace gyre

#endif // GYRE_LIB_DIFFERENTIATE_DERIVATION_H
