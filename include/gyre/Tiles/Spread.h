//===- Spread.h - Cells that several cells of a result need -----*- C++ -*-===//

#ifndef GYRE_TILES_SPREAD_H
#define GYRE_TILES_SPREAD_H

#include "gyre/Dialect/Gyre.h"

namespace gyre::tiles {

/// Where a cell of an operand goes in a contract that multiplies each with
/// cells of the other operand: to one cell for each such family of tuples. Axes
/// that the relation ties are sums of multiples of the operand's tied axis.
struct Spread {
  struct Tie {
    mlir::StringAttr axis;
    int64_t first, step;
  };

  /// The tied axis of the operand, or, of a term, of the result.
  mlir::StringAttr along;
  /// The other tied ones.
  llvm::SmallVector<Tie, 2> ties;
  double coefficient = 1;
};

/// The families that a cell of an operand has tuples of. None where a cell of
/// the result is a sum of several products, or some cells of the operand have
/// other tuples than others.
std::optional<llvm::SmallVector<Spread, 2>> getSpreads(ContractOp op,
                                                       unsigned input);

/// Whether the cells of operands of two contracts, of numbers `ofX` and `ofY`,
/// go to the same cells of the results, by families in the same order.
bool goAlike(ContractOp x, unsigned ofX, ContractOp y, unsigned ofY);

/// The terms of a cell of the result, in their order, where each has the same
/// few of them: of each, the axes that the relation ties are sums of multiples
/// of the result's tied axis.
std::optional<llvm::SmallVector<Spread, 2>> getTerms(ContractOp op);

/// Whether all cells of the contract's result are in some tuple.
bool coversResult(ContractOp op);

} // namespace gyre::tiles

#endif // GYRE_TILES_SPREAD_H
