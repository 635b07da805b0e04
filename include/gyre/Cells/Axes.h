//===- Axes.h - The axes of a kernel's body ---------------------*- C++ -*-===//
//
// Dimensions of different values that an op indexes alike are one axis. Where
// an op takes a dimension as a group of axes, the dimension is those axes, in
// every value that shares it. Axes of size 1 are none. Axes of the same size
// that nothing has both of are one: a vector along one is as good along the
// other.
//
//===----------------------------------------------------------------------===//

#ifndef GYRE_CELLS_AXES_H
#define GYRE_CELLS_AXES_H

#include "gyre/Dialect/Gyre.h"

namespace gyre::cells {

/// Axes of one dimension, row-major.
using AxisList = llvm::SmallVector<unsigned, 2>;

class BodyAxes {
public:
  /// Fails, with an error, where two ways to split a dimension do not fit.
  static mlir::FailureOr<BodyAxes> get(KernelOp kernel);
  /// The op where that is, or null.
  static mlir::Operation *findMisfit(KernelOp kernel);

  unsigned count() const { return sizes.size(); }
  int64_t size(unsigned axis) const { return sizes[axis]; }
  /// The axes of all dimensions of a value that the body uses, in order.
  const AxisList &of(mlir::Value value) const { return values.at(value); }
  /// The axes of one dimension.
  const AxisList &of(mlir::Value value, unsigned dim) const {
    return dims.at({value, dim});
  }
  /// The axes that a contract's axis stands for.
  const AxisList &of(ContractOp op, mlir::StringAttr axis) const {
    return contracts.at({op, axis});
  }
  /// How often the axis is among those that a contract's axes stand for.
  unsigned count(ContractOp op, unsigned axis) const;
  /// Whether a relation ties the axis somewhere.
  bool isTied(unsigned axis) const { return tied[axis]; }

private:
  friend class AxisUnifier;
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<bool> tied;
  llvm::DenseMap<mlir::Value, AxisList> values;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, AxisList> dims;
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::StringAttr>, AxisList>
      contracts;
};

} // namespace gyre::cells

#endif // GYRE_CELLS_AXES_H
