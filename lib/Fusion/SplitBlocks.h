//===- SplitBlocks.h - Sums of blocks that do not overlap -------*- C++ -*-===//

#ifndef GYRE_LIB_FUSION_SPLITBLOCKS_H
#define GYRE_LIB_FUSION_SPLITBLOCKS_H

#include "gyre/Dialect/Gyre.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace gyre::fusion {

/// A sum of a block that has zeros beside it, one or more contracts that have
/// zeros in that block, and perhaps other terms.
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
  /// What the block is added to.
  mlir::Value beside;
  /// Where the one part ends, and whether the block is that one.
  int64_t dim;
  PolyAttr border;
  bool isFirst;
  /// What it becomes.
  ConcatOp concat;

private:
  mlir::Value takePart(mlir::OpBuilder &b, mlir::Value value, bool isUpper);
  mlir::Value addParts(mlir::OpBuilder &b, mlir::Value x, mlir::Value y);
};

/// Erases ops that splits leave without users.
void eraseUnused(FuncOp func);

/// Where what follows a product of rows and a matrix is a sum of two blocks
/// beside one another, of which the product has one, makes it a concatenation:
/// each block is computed by itself.
void splitBlocks(FuncOp func);

} // namespace gyre::fusion

#endif // GYRE_LIB_FUSION_SPLITBLOCKS_H
