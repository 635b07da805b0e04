//===- TileCode.h - The code of a block of a tile's threads -----*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_TILECODE_H
#define GYRE_LIB_LOWERING_KERNELS_TILECODE_H

#include "TileOperand.h"
#include "TileProduct.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <deque>

namespace gyre::kernels {

/// The operands of one of the products that a tile adds up.
struct TileTerm {
  /// `first`: the one whose sums these are, too, if it is another one.
  TileTerm(Builder &b, const TileScope &scope, const TileTerm *first)
      : scope(scope), rows(b, scope, /*isRows=*/true,
                           first ? &first->rows.getSlab() : nullptr),
        columns(b, scope, /*isRows=*/false,
                first ? &first->columns.getSlab() : nullptr) {}

  bool canSplit() const { return rows.canSplit() && columns.canSplit(); }
  void setSplit() {
    rows.setSplit();
    columns.setSplit();
  }

  const TileScope &scope;
  TileOperand rows, columns;
  /// The depth that is summed; and where its packed columns are.
  mlir::Value begin, end, packedSlabs;
  /// Indices of batches, and fixed ones.
  AxisIndices at;
};

/// The code of a piece's blocks.
class TileCode {
public:
  /// `scopes`: those of the products that are added.
  TileCode(Builder &b, llvm::ArrayRef<TileScope> scopes,
           const tiles::Piece &piece)
      : b(b), scope(scopes.front()), piece(piece), product(scope.product) {
    for (const TileScope &each : scopes)
      terms.emplace_back(b, each, terms.empty() ? nullptr : &terms.front());
    if (terms.size() == 1 && terms.front().canSplit())
      terms.front().setSplit();
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
    const TileTerm &term = terms.front();
    return term.rows.getSlab().getBytes() +
           (scope.packed ? scope.packed->getSlabBytes()
                         : term.columns.getSlab().getBytes());
  }
  void enterBlock(mlir::Value block);
  void findRange(TileTerm &term);
  void begin(TileTerm &term);
  void copy(TileTerm &term, mlir::Value stage, mlir::Value k);
  /// Adds a product to the sums.
  Values multiply(TileTerm &term, TileProduct &tile, mlir::ValueRange sums);
  void store(TileProduct &tile, mlir::ValueRange sums);
  /// What is stored by each way, and where: of vectors, where they begin.
  struct Delivery {
    llvm::SmallVector<Values> numbers, positions;
  };
  Delivery computeCells(TileProduct &tile, mlir::ValueRange sums, int64_t i,
                        int64_t j, int64_t count, int64_t vector);
  void storeCells(const Delivery &delivery, int64_t vector);
  int64_t countTogether(int64_t count);
  void storeVector(mlir::ValueRange numbers, mlir::Value array,
                   mlir::Value position);
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
  std::deque<TileTerm> terms;
  mlir::Value memory, thread, part, batch, firstRow, firstColumn;
  /// Which tile of the columns it is.
  mlir::Value columnTile;
  /// Of sums of sums, behind all stages.
  int64_t totalBytes = 0;
};

/// The sizes by which the sums of parts are counted; of parts, any.
llvm::SmallVector<PolyAttr> getPartSizes(const tiles::Product &product);

/// Where a contract of one operand puts the operand's cell of that index.
Values moveCell(Builder &b, CellCode &code, ContractOp move,
                mlir::ValueRange index);

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_TILECODE_H
