//===- View.h - Where the cells of a row are in memory ----------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_VIEW_H
#define GYRE_LIB_LOWERING_KERNELS_VIEW_H

#include "gyre/Cells/Graph.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace gyre::kernels {

using Builder = mlir::ImplicitLocOpBuilder;
using Values = llvm::SmallVector<mlir::Value>;

mlir::Value constant(Builder &b, int64_t value);
/// An i32.
mlir::Value constant32(Builder &b, int64_t value);

/// A compact array: a pointer, and how many rows it has (null if none).
struct Array {
  mlir::Value base, rows;
};

/// The lane axes of a kernel, and their sizes.
struct LaneAxes {
  llvm::SmallVector<unsigned> axes;
  llvm::SmallVector<int64_t> sizes;

  static LaneAxes get(KernelOp kernel, const cells::BodyAxes &axes);
  /// Cells along all of them.
  int64_t width() const;
  /// Where the cell `start`, counted row-major, is on each axis.
  llvm::SmallVector<mlir::Value> coordinates(Builder &b,
                                             mlir::Value start) const;
};

/// The layout of an array whose rows are like `value`; dimension `rowsDim`
/// counts them.
class View {
public:
  View(mlir::Value value, std::optional<unsigned> rowsDim,
       const cells::BodyAxes &axes, const LaneAxes &lanes);

  mlir::Type getElementType() const { return element; }
  /// Whether the cells of a row lie one after the other.
  bool isRowCompact() const { return rowsDim.value_or(0) == 0; }
  int64_t getRowCells() const { return rowCells; }
  /// The pointer to where the lane axes have these coordinates; none for the
  /// start.
  mlir::Value atLane(Builder &b, const Array &array,
                     mlir::ValueRange coordinates) const;
  mlir::Value atRow(Builder &b, mlir::Value pointer, mlir::Value row) const;
  mlir::Value atCell(Builder &b, mlir::Value pointer, mlir::Value rows,
                     llvm::ArrayRef<int64_t> index) const;
  /// The pointer to cell `cell` of row `row`, cells counted row-major.
  mlir::Value atRowCell(Builder &b, const Array &array, mlir::Value row,
                        mlir::Value cell) const;
  /// The offset of a cell from the row's start, in elements: a constant, and
  /// what is taken times the number of rows.
  std::pair<int64_t, int64_t> offset(llvm::ArrayRef<int64_t> index) const;
  int64_t getElementBytes() const;
  /// From one cell to the next along the innermost lane axis, in elements,
  /// times the number of rows or not; 0 without lane axes.
  std::pair<int64_t, bool> laneStride() const;

private:
  struct Stride {
    int64_t elements;
    bool timesRows;
    std::optional<unsigned> lane;
  };
  mlir::Type element;
  std::optional<unsigned> rowsDim;
  int64_t rowCells = 1, rowStride = 1;
  llvm::SmallVector<Stride> strides;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_VIEW_H
