//===- TileProduct.h - The product of two slabs -----------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_TILEPRODUCT_H
#define GYRE_LIB_LOWERING_KERNELS_TILEPRODUCT_H

#include "Slab.h"
#include "View.h"

namespace gyre::kernels {

/// Multiplies slabs by fused multiply-adds in registers. All that a kernel
/// knows of how cells of a tile are held is here.
class TileProduct {
public:
  /// `thread`: i32, of as many as share the tile.
  TileProduct(Builder &b, const Slab &rows, const Slab &columns,
              mlir::Value thread);

  /// The sums of a thread before the first product.
  Values zeros();
  /// Adds the product of two slabs, pointers to shared memory.
  Values add(mlir::Value rowSlab, mlir::Value columnSlab,
             mlir::ValueRange sums);

  /// Where the row, or the column, of sum (i, j) is in the tile, i64.
  mlir::Value getRow(int64_t i) { return getPlace(rows, rowThread, i); }
  mlir::Value getColumn(int64_t j) {
    return getPlace(columns, columnThread, j);
  }
  mlir::Value getSum(mlir::ValueRange sums, int64_t i, int64_t j) const {
    return sums[i * columns.ofThread + j];
  }

private:
  /// The numbers of a slab that one step of depth reads.
  using Fragment = Values;

  mlir::Value getPlace(const Slab &slab, mlir::Value thread, int64_t i);
  mlir::Value loadVector(const Slab &slab, mlir::Value pointer,
                         int64_t element);
  /// Those of `vector` steps of depth.
  llvm::SmallVector<Fragment> load(const Slab &slab, mlir::Value pointer,
                                   int64_t depth);
  /// Where the thread's first cell is in a slab.
  mlir::Value point(const Slab &slab, mlir::Value pointer, mlir::Value thread);
  Values addSteps(mlir::Value rowSlab, mlir::Value columnSlab, int64_t depth,
                  mlir::ValueRange sums);

  Builder &b;
  Slab rows, columns;
  mlir::Value rowThread, columnThread;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_TILEPRODUCT_H
