//===- TileCode.h - The code of a block of a tile's threads -----*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_TILECODE_H
#define GYRE_LIB_LOWERING_KERNELS_TILECODE_H

#include "TileOperand.h"
#include "TileProduct.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace gyre::kernels {

/// The code of a piece's blocks.
class TileCode {
public:
  TileCode(Builder &b, const TileScope &scope, const tiles::Piece &piece)
      : b(b), scope(scope), piece(piece), product(scope.product),
        rows(b, scope, /*isRows=*/true), columns(b, scope, /*isRows=*/false) {
    if (rows.canSplit() && columns.canSplit()) {
      rows.setSplit();
      columns.setSplit();
    }
  }

  int64_t getSharedBytes() const {
    return getStageBytes() * getStages() + totalBytes;
  }
  void emit(mlir::gpu::GPUFuncOp func, mlir::Value block, mlir::Value thread);
  /// Adds some parts of a cell of the product, from `first` to `last`.
  mlir::Value addParts(mlir::Value cell, mlir::Value first, mlir::Value last);
  /// Delivers a cell of the product, the sum of its parts.
  void deliverSum(mlir::Value cell, mlir::Value sum);
  /// Packs columns, as one of the threads that do it.
  void emitPack(mlir::Value number);

private:
  mlir::Value finish(CellCode &code, mlir::Value sum);
  int64_t getStages() const { return scope.tile.getStages(); }
  int64_t getStageBytes() const {
    return rows.getSlab().getBytes() + (scope.packed
                                            ? scope.packed->getSlabBytes()
                                            : columns.getSlab().getBytes());
  }
  void enterBlock(mlir::Value block);
  void findRange(mlir::Value part);
  void copy(mlir::Value stage, mlir::Value k);
  Values multiply(TileProduct &tile);
  void store(TileProduct &tile, mlir::ValueRange sums);
  void storeCells(TileProduct &tile, mlir::ValueRange sums, int64_t i,
                  int64_t j, int64_t count, int64_t vector);
  void storeVector(mlir::ValueRange numbers, mlir::Value array,
                   mlir::Value position);
  Values move(CellCode &code, ContractOp move, mlir::ValueRange index);
  /// Vectors of neighbours, by the values that they are cells of.
  using Loaded = llvm::SmallDenseMap<mlir::Value, mlir::Value, 2>;
  void loadNeighbour(CellCode &code, mlir::Value value, mlir::ValueRange index,
                     int64_t number, int64_t count, Loaded &loaded);
  mlir::Value spread(CellCode &code, const tiles::Step &step, mlir::Value sum,
                     Values &index);
  mlir::Value follow(CellCode &code, llvm::ArrayRef<tiles::Step> steps,
                     mlir::Value sum, Values &index, int64_t number,
                     int64_t count, llvm::SmallVectorImpl<Loaded> &loaded);
  /// The ways from a cell of the product to cells of results, by numbers of
  /// these.
  std::vector<std::pair<unsigned, tiles::Steps>> getWays() const;
  int64_t countNeighbours(const TileProduct &tile);
  void ifInside(mlir::Value at, llvm::ArrayRef<AxisAttr> axes, int64_t extent,
                llvm::function_ref<void()> body);

  Builder &b;
  const TileScope &scope;
  const tiles::Piece &piece;
  const tiles::Product &product;
  TileOperand rows, columns;
  mlir::Value memory, thread, part, batch, firstRow, firstColumn, begin, end;
  /// Which tile of the columns it is, and where its packed slabs are.
  mlir::Value columnTile, packedSlabs;
  /// Of sums of sums, behind all stages.
  int64_t totalBytes = 0;
  /// Indices of batches, and fixed ones.
  AxisIndices at;
};

/// The sizes by which the sums of parts are counted; of parts, any.
llvm::SmallVector<PolyAttr> getPartSizes(const tiles::Product &product);

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_TILECODE_H
