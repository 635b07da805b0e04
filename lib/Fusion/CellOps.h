//===- CellOps.h - What is computed cell by cell ----------------*- C++ -*-===//
//
// Kernels of rows take values with one dimension of runtime size, and bodies
// that are small enough to stand in registers. What else there is, kernels of
// cells compute.
//
//===----------------------------------------------------------------------===//

#ifndef GYRE_LIB_FUSION_CELLOPS_H
#define GYRE_LIB_FUSION_CELLOPS_H

#include "gyre/Dialect/Gyre.h"

namespace gyre::fusion {

/// Whether a kernel of rows takes values of the type.
bool fitsRows(mlir::Type type);

/// Whether no kernel of rows takes the op, whatever is around it.
bool needsCells(mlir::Operation *op);

/// Whether a cell of the result is a cell of an operand, or a constant: it
/// costs no more to find it again than to load it.
bool movesCells(mlir::Operation *op);

/// Whether each product that a contract forms has a cell of its own under
/// `subscript`.
bool namesEachOnce(ContractOp op, mlir::ArrayAttr subscript);

/// Whether the op reads cells of its operand more than once.
bool repeats(mlir::Operation *op, mlir::Value operand);

/// Whether the value is a truth value that an elementwise op computes. Kernels
/// of rows hold no bytes: each computes those again that it needs.
bool isCondition(mlir::Value value);

/// Whether a value is best computed again by each kernel of rows that uses it:
/// a row of it takes no more loads than it has cells. `isThere`: whether a
/// value is in memory.
bool isCheap(mlir::Value value, llvm::function_ref<bool(mlir::Value)> isThere);

/// Of ops that move cells, but whose results are stored all the same.
inline constexpr llvm::StringLiteral kStoredAttr = "gyre.stored";

/// The ops of a function that kernels of cells compute.
class CellOps {
public:
  /// `others`: ops that are to be among them. `tiles`: whether products of
  /// matrices are computed on tiles.
  CellOps(FuncOp func, const llvm::DenseSet<mlir::Operation *> &others,
          bool tiles);

  bool contains(mlir::Operation *op) const { return ops.contains(op); }
  bool computes(mlir::Value value) const {
    return value.getDefiningOp() && contains(value.getDefiningOp());
  }
  /// Whether `user`, an op of a kernel of cells that computes its own cells
  /// more than once if `repeated`, computes the operand, too, and does not load
  /// it.
  bool takesIn(mlir::Operation *user, mlir::Value operand, bool repeated) const;
  /// The unit whose kernel computes an op, if any (`Units.h`).
  std::optional<int64_t> getUnit(mlir::Operation *op) const {
    auto it = units.find(op);
    return it == units.end() ? std::nullopt : std::optional(it->second);
  }
  /// Whether a kernel that computes the op would compute cells of the operand
  /// more than once.
  bool computesAgain(mlir::Operation *op, mlir::Value operand) const {
    return !spread.contains(operand) && repeats(op, operand);
  }

private:
  void followTruths(FuncOp func);
  void followProducts(FuncOp func);
  void followOnTiles(FuncOp func);

  llvm::DenseSet<mlir::Operation *> ops;
  llvm::DenseMap<mlir::Operation *, int64_t> units;
  /// Values that are stored for a kernel that could compute them.
  llvm::DenseSet<mlir::Value> stored;
  /// Products each cell of which is computed once, for several of a result.
  llvm::DenseSet<mlir::Value> spread;
};

} // namespace gyre::fusion

#endif // GYRE_LIB_FUSION_CELLOPS_H
