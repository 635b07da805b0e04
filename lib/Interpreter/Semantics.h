//===- Semantics.h - What each primitive means ------------------*- C++ -*-===//
//
// Each function fills `out`, which has the result's shape and is all zeros.
//
//===----------------------------------------------------------------------===//

#ifndef GYRE_LIB_INTERPRETER_SEMANTICS_H
#define GYRE_LIB_INTERPRETER_SEMANTICS_H

#include "Sizes.h"

namespace gyre {

/// An operand of an op: its array, or null where it is a map.
using Operands = llvm::ArrayRef<const Array *>;

// Contract.cpp

mlir::LogicalResult contract(ContractOp op, const Sizes &sizes, Operands inputs,
                             Array &out);

// Elementwise.cpp

/// Whether `op` is an elementwise op, of gyre, arith or math, that is known
/// here.
bool isElementwise(mlir::Operation *op);
void elementwise(mlir::Operation *op, Operands inputs, Array &out);

// Index.cpp

void gather(const Array &x, const IndexMap &map, int64_t axis, Array &out);
void segmentSum(const Array &rows, const IndexMap &map, int64_t axis,
                Array &out);
void valid(const IndexMap &map, Array &out);

// Slots.cpp

mlir::LogicalResult maxSlot(MaxSlotOp op, const Array &x, const IndexMap *map,
                            Array &max, Array &slot);
mlir::LogicalResult selectSlot(mlir::Operation *op, const Array &x,
                               const Array &slot, int64_t axis, Array &out);
mlir::LogicalResult spreadSlot(mlir::Operation *op, const Array &g,
                               const Array &slot, int64_t axis, Array &out);

// Shape.cpp

void slice(const Array &x, int64_t axis, int64_t from, Array &out);
/// Puts `x` at positions `low` and following of dimension `axis` of `out`.
void insert(const Array &x, int64_t axis, int64_t low, Array &out);

/// A shape seen as three sizes: before, of and after a few dimensions.
struct Split {
  int64_t outer = 1, size = 1, inner = 1;

  Split(llvm::ArrayRef<int64_t> shape, int64_t axis, int64_t width = 1) {
    for (int64_t dim = 0, rank = shape.size(); dim < rank; ++dim)
      (dim < axis ? outer : dim < axis + width ? size : inner) *= shape[dim];
  }
  int64_t offset(int64_t o, int64_t s, int64_t i = 0) const {
    return (o * size + s) * inner + i;
  }
};

} // namespace gyre

#endif // GYRE_LIB_INTERPRETER_SEMANTICS_H
