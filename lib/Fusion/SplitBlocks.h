//===- SplitBlocks.h - Sums of blocks that do not overlap -------*- C++ -*-===//

#ifndef GYRE_LIB_FUSION_SPLITBLOCKS_H
#define GYRE_LIB_FUSION_SPLITBLOCKS_H

#include "gyre/Dialect/Gyre.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace gyre::fusion {

/// A sum of a block that has zeros beside it, a contract that has zeros in that
/// block, and perhaps other terms.
struct BlockSplit {
  /// A dimension cut in two, of which what a relation names is the one part.
  struct Cut {
    int64_t dim;
    /// The relation's axis that leads the dimension, and where it is cut.
    mlir::StringAttr axis;
    int64_t at;
    bool isUpper;
  };

  /// `isLeft`: whether the block is the left term.
  static std::optional<BlockSplit> find(mlir::arith::AddFOp sum, bool isLeft);
  /// Makes the sum, and those that it is a term of alone, a concatenation.
  void apply();

  mlir::arith::AddFOp sum;
  ContractOp placed, other;
  /// Where the one part ends.
  PolyAttr border;
  Cut cut;
  /// The operands of sums through which the contract is a term, the last sum's
  /// first.
  llvm::SmallVector<mlir::OpOperand *, 2> path;
  /// What it becomes.
  ConcatOp concat;
};

/// Erases ops that splits leave without users.
void eraseUnused(FuncOp func);

/// Where what follows a product of rows and a matrix is a sum of two blocks
/// beside one another, of which the product has one, makes it a concatenation:
/// each block is computed by itself.
void splitBlocks(FuncOp func);

} // namespace gyre::fusion

#endif // GYRE_LIB_FUSION_SPLITBLOCKS_H
