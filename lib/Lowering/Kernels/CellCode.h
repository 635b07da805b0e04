//===- CellCode.h - The code of one cell of a value -------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_CELLCODE_H
#define GYRE_LIB_LOWERING_KERNELS_CELLCODE_H

#include "Plan.h"
#include "Tables.h"

#include <map>

namespace gyre::kernels {

inline mlir::Type elementOf(mlir::Value value) {
  return mlir::cast<TensorType>(value.getType()).getElementType();
}
inline llvm::ArrayRef<PolyAttr> dimsOf(mlir::Value value) {
  return mlir::cast<TensorType>(value.getType()).getDims();
}

/// Emits cells of the values of a gyre.cells body, each from the cells that it
/// depends on, back to arrays in memory. Indices and sizes are i64.
class CellCode {
public:
  CellCode(Builder &b, CellsOp kernel, const Params &params, Tables &tables)
      : b(b), kernel(kernel), params(params), tables(tables), known(1) {}

  /// A value from outside whose array the kernel may write to.
  void setWritten(mlir::Value value) { written = value; }

  /// Sums of a few terms, by a relation, are straight-line code in place of
  /// loops.
  void setStraight() { isStraight = true; }

  mlir::Value get(mlir::Value value, mlir::ValueRange index);
  /// Says what a cell is, of a value from outside or of an op's only result.
  void provide(mlir::Value value, mlir::ValueRange index, mlir::Value number);
  /// A contract's cell, in its accumulator's type. Given a range, only that
  /// part of the sum over axes of runtime size, which are counted row-major.
  mlir::Value
  getSum(ContractOp op, mlir::ValueRange index,
         std::optional<std::pair<mlir::Value, mlir::Value>> range = {});
  /// Stores a number as an element of an array of a type.
  void store(mlir::Value number, mlir::Type element, mlir::Value array,
             mlir::Value position);
  mlir::Value convert(mlir::Value number, mlir::Type type);

  mlir::Value size(PolyAttr size);
  mlir::Value count(llvm::ArrayRef<PolyAttr> sizes);
  mlir::Value linearise(mlir::ValueRange index, llvm::ArrayRef<PolyAttr> sizes);
  Values delinearise(mlir::Value position, llvm::ArrayRef<PolyAttr> sizes);
  /// Sums and products of indices, in which what is known is added last: so
  /// neighbours are at known distances from one another.
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value scale(mlir::Value x, int64_t by);
  /// How far a position is from another one, if that is known.
  static std::optional<int64_t> getDistance(mlir::Value from, mlir::Value to);
  /// A number that a position is a multiple of.
  static int64_t getDivisor(mlir::Value position);

  using LoopBody =
      llvm::function_ref<Values(mlir::Value at, mlir::ValueRange carried)>;
  Values loop(mlir::Value lo, mlir::Value hi, mlir::ValueRange initial,
              LoopBody body);

private:
  friend class CellContract;
  using Compute = llvm::function_ref<mlir::Value()>;

  /// `value`, if the condition holds, else zero.
  mlir::Value onlyIf(mlir::Value condition, mlir::Type type, Compute value);
  mlir::Value number(mlir::Type type, double value);
  mlir::Value less(mlir::Value x, mlir::Value y);
  /// Whether a reference is to a node: pads are stored as the target size.
  mlir::Value isNode(mlir::Value node, MapType map);
  mlir::Value node(mlir::Value map, mlir::ValueRange index);

  mlir::Value load(mlir::Value value, mlir::ValueRange index);
  Values compute(mlir::Operation *op, mlir::ValueRange index);
  mlir::Value gather(GatherOp op, mlir::ValueRange index);
  mlir::Value segmentSum(SegmentSumOp op, mlir::ValueRange index);
  mlir::Value pad(PadOp op, mlir::ValueRange index);
  mlir::Value concat(ConcatOp op, mlir::ValueRange index);
  Values maxSlot(MaxSlotOp op, mlir::ValueRange index);
  mlir::Value selectSlot(SelectSlotOp op, mlir::ValueRange index);
  mlir::Value spreadSlot(SpreadSlotOp op, mlir::ValueRange index);

  Builder &b;
  CellsOp kernel;
  const Params &params;
  Tables &tables;
  mlir::Value written;
  bool isStraight = false;
  /// Sums, products and sizes that have been emitted, each once in a block.
  std::map<std::vector<const void *>, mlir::Value> made;
  template <typename Op> mlir::Value make(mlir::Value x, mlir::Value y);
  mlir::Value multiply(mlir::Value x, PolyAttr by);
  mlir::Value remember(std::vector<const void *> key, Compute compute);
  /// Cells that have been emitted, by op and index; those of a region that code
  /// outside of it does not see are in a map of their own.
  std::vector<std::map<std::vector<void *>, Values>> known;
};

/// The index with what stands at [axis, axis + count) replaced.
Values replaceAt(mlir::ValueRange index, int64_t axis, int64_t count,
                 mlir::ValueRange by);

/// An element as it is in memory.
mlir::Type getMemoryElement(mlir::Type element);

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_CELLCODE_H
