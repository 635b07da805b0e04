//===- ContractForm.h - A contract with numbered axes -----------*- C++ -*-===//
//
// What gyre-simplify and gyre-plan-contractions work on: names are gone, so
// that two axes are the same exactly when their numbers are.
//
//===----------------------------------------------------------------------===//

#ifndef GYRE_LIB_TRANSFORMS_SIMPLIFY_CONTRACTFORM_H
#define GYRE_LIB_TRANSFORMS_SIMPLIFY_CONTRACTFORM_H

#include "gyre/Dialect/Gyre.h"

namespace gyre {

using AxisId = unsigned;
/// Axes of one dimension, row-major.
using AxisGroup = llvm::SmallVector<AxisId, 2>;
using AxisSubscript = llvm::SmallVector<AxisGroup, 4>;

/// A list of tuples over some axes, each with a coefficient. No axes and the
/// one empty tuple of coefficient 1 is the relation that ties nothing.
struct TupleList {
  llvm::SmallVector<AxisId> axes;
  std::vector<std::pair<llvm::SmallVector<int64_t>, double>> tuples;

  static TupleList free() { return {{}, {{{}, 1.0}}}; }
  bool isFree() const {
    return axes.empty() && tuples.size() == 1 && tuples[0].second == 1.0;
  }
  bool has(AxisId axis) const { return llvm::is_contained(axes, axis); }
  /// Whether no two tuples agree on the axes that `keep` names.
  bool isInjectiveOn(llvm::function_ref<bool(AxisId)> keep) const;
  /// Forgets an axis; tuples that then are equal add up.
  void project(AxisId axis);
  /// Sorts, merges equal tuples, drops those of coefficient 0.
  void normalise();
  /// Pairs of tuples that agree on the axes that both have.
  static TupleList join(const TupleList &a, const TupleList &b);
};

struct ContractForm {
  /// Null when the relation is still symbolic.
  static std::optional<ContractForm> get(ContractOp op);
  /// Builds the op; axes are called a, b, c, … by first appearance.
  ContractOp build(mlir::OpBuilder &builder, mlir::Location loc) const;

  AxisId addAxis(PolyAttr size) {
    sizes.push_back(size);
    return sizes.size() - 1;
  }
  /// Whether the axis stands in a subscript of an operand.
  bool isRead(AxisId axis) const;
  bool isWritten(AxisId axis) const { return contains(result, axis); }
  static bool contains(const AxisSubscript &subscript, AxisId axis);
  /// Puts `group` in the place of `axis` in each subscript.
  void substitute(AxisId axis, const AxisGroup &group);

  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<AxisSubscript> subscripts;
  AxisSubscript result;
  llvm::SmallVector<PolyAttr> sizes;
  TupleList relation;
  mlir::TypeAttr acc;
  PrecisionAttr precision;
};

/// Ties no more than has to be tied: axes that are equal in every tuple become
/// one, an axis that takes all its values with each choice of the others is
/// free.
void untie(ContractForm &form);

/// Puts operands into the order of their definitions.
void sortOperands(ContractForm &form);

} // namespace gyre

#endif // GYRE_LIB_TRANSFORMS_SIMPLIFY_CONTRACTFORM_H
