//===- TileProduct.h - The product of two slabs -----------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_TILEPRODUCT_H
#define GYRE_LIB_LOWERING_KERNELS_TILEPRODUCT_H

#include "PackedColumns.h"
#include "Slabs.h"
#include "View.h"

#include "gyre/Tiles/Product.h"

namespace gyre::kernels {

/// Multiplies slabs, by one kind of instructions. All that a kernel knows of
/// how cells of a tile are held is here: a thread has some rows and some
/// columns, and a sum in a register for each of their cells.
class TileProduct {
public:
  /// In the way that the product's precision asks for. `thread`: i32, of as
  /// many as share the tile. `packed`: how slabs of columns are stored, if not
  /// as `columns` says.
  static std::unique_ptr<TileProduct>
  create(Builder &b, const tiles::Product &product, const Slab &rows,
         const Slab &columns, const std::optional<PackedColumns> &packed,
         mlir::Value thread);
  virtual ~TileProduct() = default;

  /// The sums of a thread, of all slabs; and of `before`, sums of another
  /// product, if there are any.
  virtual Values multiply(Slabs &slabs, mlir::ValueRange before) = 0;

  /// Where the row, or the column, of sum (i, j) is in the tile, i64.
  virtual mlir::Value getRow(int64_t i) = 0;
  virtual mlir::Value getColumn(int64_t j) = 0;
  /// How many columns from each multiple of that number on are neighbours.
  virtual int64_t getNeighbours() const = 0;

  mlir::Value getSum(mlir::ValueRange sums, int64_t i, int64_t j) const {
    return sums[i * columns.ofThread + j];
  }

protected:
  TileProduct(Builder &b, const Slab &rows, const Slab &columns)
      : b(b), rows(rows), columns(columns) {}
  /// An access of 16 bytes, from an element on that is known.
  mlir::Value loadVector(const Slab &slab, mlir::Value pointer,
                         int64_t element);

  Builder &b;
  Slab rows, columns;
};

/// A product that is done with a slab before the next one comes.
class SlabProduct : public TileProduct {
public:
  Values multiply(Slabs &slabs, mlir::ValueRange before) override;

protected:
  using TileProduct::TileProduct;
  /// What a thread adds to, before the first product.
  virtual Values zeros();
  /// Adds the product of two slabs, pointers to shared memory.
  virtual Values add(mlir::Value rowSlab, mlir::Value columnSlab,
                     mlir::ValueRange sums) = 0;
  /// The sums of a thread, of what it added to.
  virtual Values finish(mlir::ValueRange sums) { return Values(sums); }
  /// To how many steps of depth sums may be added before they are finished,
  /// and added up in another way; none where to any.
  virtual std::optional<int64_t> getMostAdded() const { return std::nullopt; }

private:
  Values addRange(Slabs &slabs, mlir::Value from, mlir::Value to,
                  mlir::ValueRange sums);
};

/// Fused multiply-adds.
std::unique_ptr<TileProduct> createMultiplyAdds(Builder &b, const Slab &rows,
                                                const Slab &columns,
                                                mlir::Value thread);
/// Matrix units that the four warps of a warpgroup use together.
std::unique_ptr<TileProduct> createWarpgroupProduct(Builder &b, Precision mode,
                                                    const Slab &rows,
                                                    const Slab &columns,
                                                    const PackedColumns &packed,
                                                    mlir::Value thread);
/// Matrix units.
std::unique_ptr<TileProduct> createMatrixProduct(
    Builder &b, Precision mode, const Slab &rows, const Slab &columns,
    const std::optional<PackedColumns> &packed, mlir::Value thread);

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_TILEPRODUCT_H
