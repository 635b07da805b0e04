//===- PackedColumns.h - Columns that are split once ------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_PACKEDCOLUMNS_H
#define GYRE_LIB_LOWERING_KERNELS_PACKEDCOLUMNS_H

#include "PartSplit.h"
#include "Slab.h"

#include "gyre/Tiles/Product.h"

namespace gyre::kernels {

class TileOperand;

/// The operand with the columns of a product on matrix units, where it is the
/// same for all rows: a kernel before splits its numbers into parts and stores
/// these slab by slab, in the order in which the lanes of a warp take them.
///
/// The unit is what the lanes have of one part of eight columns for 16 steps of
/// depth: words of 32 bits, those of a lane side by side, which it loads at
/// once. A slab has the eights of its columns, of each the parts, and of these
/// such steps, in this order. Warpgroups read slabs themselves, as matrices of
/// eight columns and 16 bytes of depth: of a unit the first words of all lanes
/// are one, and so are their second ones.
class PackedColumns {
public:
  /// None where the columns are no such operand, or no matrix units take it.
  /// `first`: words of the buffer that are taken already. `before`: steps of
  /// depth that the sums have already.
  static std::optional<PackedColumns> get(CellsOp kernel,
                                          const tiles::Product &product,
                                          int64_t first, int64_t before);

  int64_t getSlabBytes() const { return kWordBytes * getSlabWords(); }
  int64_t countWords() const {
    return batches * tiles * slabs * getSlabWords();
  }
  /// Whether matrix units add to the sums themselves.
  bool addsToSums() const { return adds; }
  /// Words of a lane, of one part of eight columns, for 16 steps of depth.
  int64_t getStepWords() const {
    return split.format == PartSplit::tf32 ? 4 : 2;
  }
  /// Steps of depth that warpgroups may add to the same sums.
  int64_t countMostAdded() const { return mostAdded; }
  bool isOfWarpgroups() const { return ofWarpgroups; }
  int64_t getEightWords() const { return getPlace(1, 0, 0); }
  /// Where words of lane 0 are in a slab, of a part of the eight columns of
  /// number `eight`, for 16 steps of depth; those of a lane are
  /// `getStepWords()` times its number from there.
  int64_t getPlace(int64_t eight, int64_t part, int64_t step) const {
    return ((eight * split.parts + part) * depth / kStep + step) *
           getStepWords() * kLanes;
  }

  /// How many threads pack it, and the code of the one of number `at`.
  int64_t countThreads() const {
    return batches * tiles * slabs * columns / kEight * depth / kStep * kLanes;
  }
  void pack(Builder &b, TileOperand &operand, mlir::Value buffer,
            mlir::Value at) const;
  /// Which batch it is that thread `at` packs.
  mlir::Value getBatch(Builder &b, mlir::Value at) const;

  /// Where the slabs of a batch's tile begin, for thread `thread`, i32.
  mlir::Value begin(Builder &b, mlir::Value buffer, mlir::Value batch,
                    mlir::Value tile, mlir::Value thread) const;
  /// Copies the slab of depth `k`, by so many threads.
  void copy(Builder &b, mlir::Value from, mlir::Value to, mlir::Value k,
            mlir::Value thread, int64_t threads) const;

private:
  static constexpr int64_t kWordBytes = 4, kLanes = 32, kStep = 16, kEight = 8;

  explicit PackedColumns(PartSplit split) : split(split) {}
  int64_t getSlabWords() const { return getPlace(columns / kEight, 0, 0); }
  int64_t getTileThreads() const {
    return columns / kEight * depth / kStep * kLanes;
  }

  PartSplit split;
  bool ofWarpgroups = false, adds = false;
  int64_t mostAdded = 0;
  /// Of a tile; and how many of them there are.
  int64_t columns = 0, depth = 0;
  /// Depth of the product.
  int64_t whole = 0;
  int64_t batches = 1, tiles = 1, slabs = 1;
  int64_t first = 0;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_PACKEDCOLUMNS_H
