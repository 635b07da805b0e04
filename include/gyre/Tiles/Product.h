//===- Product.h - Contracts that are products of matrices ------*- C++ -*-===//

#ifndef GYRE_TILES_PRODUCT_H
#define GYRE_TILES_PRODUCT_H

#include "gyre/Tiles/Spread.h"

namespace gyre::tiles {

/// Of how many numbers that matrix units take one is the sum, in a mode of
/// theirs.
int64_t countParts(Precision mode);

/// A contract of two operands as products of matrices. Each of its axes is of
/// one kind, by where it stands: in both operands and the result (`batch`), in
/// one operand and the result (`rows` and `columns`), or not in the result
/// (`depth`). Columns are of the operand that has the innermost axis of the
/// result, so that they lie side by side there.
struct Product {
  /// None where a relation ties axes in more than one way, or where the result
  /// has an axis that no operand has.
  static std::optional<Product> get(ContractOp op);

  ContractOp op;
  /// Which operand has the rows, and which the columns.
  unsigned rowsInput = 0, columnsInput = 1;
  /// Rows, columns and batches in the order of the result; of the depth, axes
  /// of runtime size first.
  llvm::SmallVector<AxisAttr> batch, rows, columns, depth;
  /// Axes with one index only: of size one, or of the relation's one tuple.
  llvm::SmallDenseMap<mlir::StringAttr, int64_t> fixed;
  double coefficient = 1;

  /// Whether there is a product for each cell of the result.
  bool coversResult() const;
  PolyAttr count(llvm::ArrayRef<AxisAttr> axes) const;
  /// The same as a number: sizes at run time are taken for large ones.
  int64_t estimate(llvm::ArrayRef<AxisAttr> axes) const;
  /// Whether a tile is filled, and what is copied used often: else a thread for
  /// each cell does as well.
  bool pays() const;
  /// The precision, if it is one of matrix units: of products that are summed
  /// in f32. Others, and none, are evaluated in the accumulator's type.
  std::optional<Precision> getMatrixMode() const;
  /// Of that: the parts that numbers are sums of, for matrix units.
  int64_t countParts() const { return tiles::countParts(*getMatrixMode()); }
  /// To how many steps of depth matrix units may add themselves, truncated each
  /// time: of so many, 16 or, in tf32, 8 at a time, what they drop is less than
  /// what the sum of as many rounded products may be off.
  int64_t countMostAdded() const;
  static constexpr int64_t kMostAdded = 640; // of formats of 16 bits
  /// Whether the units of single warps do so, for all of the depth and that of
  /// products `before`.
  bool addsOnMatrixUnits(int64_t before) const;
  /// Whether the operand with the columns is the same for any number of rows,
  /// so that it can be prepared once for all of them.
  bool hasSharedColumns() const;
};

/// Products of the same rows and columns, whose cells add up to those of one
/// value: a tile adds all of them to the same sums.
struct ProductSum {
  /// Of a contract, or of additions of such that nothing else uses. None where
  /// a product does not cover the result, or no tile has it.
  static std::optional<ProductSum> get(mlir::Value value);

  llvm::SmallVector<Product, 2> terms;
  /// The contracts, and the additions.
  llvm::SmallVector<mlir::Operation *> ops;
};

/// Whether cells of two products are counted alike, and summed in the same way.
bool areAlike(const Product &x, const Product &y);

/// What becomes of a cell between a product and what is delivered: its place
/// changes (`by` along an axis, or as a contract of one operand says), it is
/// multiplied by a cell of something else, or it is an operand of the value
/// that is delivered.
struct Step {
  enum Kind { shift, move, spread, compute };
  Kind kind;
  int64_t axis = 0;
  PolyAttr by;
  /// The contract that moves or multiplies, or the op whose cell it is.
  mlir::Operation *op = nullptr;
  /// Elementwise ops of `op` and of values that are computed without loops.
  mlir::Value value;
  /// To which of the contract's cells, and of which operand it is one.
  std::optional<Spread> to = std::nullopt;
  unsigned input = 0;
  /// Those of other values that are computed with the cell, to the same cell:
  /// what is computed next is a function of these, too.
  std::vector<Step> alike = {};
};
using Steps = llvm::SmallVector<Step, 2>;

/// A block of what a kernel of cells delivers, each cell of which comes of one
/// cell of a product, or of a sum of products.
struct Piece {
  /// Those that are added, which are alike.
  llvm::SmallVector<Product, 1> terms;
  const Product &getProduct() const { return terms.front(); }
  /// How many numbers a cell is the sum of: sizes at run time are taken for
  /// large ones.
  int64_t estimateDepth() const;
  /// For each result of the kernel: the ways of a cell of the product.
  llvm::SmallVector<llvm::SmallVector<Steps, 1>, 1> steps;
};

struct Pieces {
  /// None where the kernel delivers something else, too. Values that are put
  /// together, or padded with zeros, are pieces.
  static std::optional<Pieces> get(CellsOp kernel);

  std::vector<Piece> pieces;
  /// A block of a result that comes of no product, but is computed without
  /// loops, and where it is.
  struct Other {
    unsigned result;
    mlir::Value value;
    Steps steps;
  };
  std::vector<Other> others;
  /// Whether they have all cells of the results; others are zero, or those of
  /// `rest`, a value from outside that pieces are added to.
  bool coverResults = true;
  mlir::Value rest;
};

/// Where the first cell of a contract's operand is in the result, for each
/// dimension, if the result has the operand's cells as a block, and zeros
/// beside it: an axis that has one index stands before another one of a group.
std::optional<llvm::SmallVector<PolyAttr>> getPlacement(ContractOp op);

/// Whether a cell of the op takes a loop to compute.
bool sums(mlir::Operation *op);

/// Whether the op computes each cell from the operands' cells of that index.
bool isElementwise(mlir::Operation *op);

} // namespace gyre::tiles

#endif // GYRE_TILES_PRODUCT_H
