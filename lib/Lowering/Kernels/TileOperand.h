//===- TileOperand.h - What a product reads, slab by slab -------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_TILEOPERAND_H
#define GYRE_LIB_LOWERING_KERNELS_TILEOPERAND_H

#include "CellCode.h"
#include "PackedColumns.h"
#include "Stack.h"

#include "gyre/Tiles/Access.h"

namespace gyre::kernels {

/// Indices of a product's axes.
using AxisIndices = llvm::DenseMap<mlir::StringAttr, mlir::Value>;

/// Finds the indices of axes that are counted row-major together.
void setIndices(Builder &b, CellCode &code, llvm::ArrayRef<AxisAttr> axes,
                mlir::Value number, AxisIndices &at);
/// The index in a value whose dimensions have this subscript.
Values getPosition(CellCode &code, ContractOp op, mlir::ArrayAttr subscript,
                   const AxisIndices &at);

/// Shares `count` accesses among threads: `take` makes the code of a thread's
/// own of number `i`.
void shareAccesses(Builder &b, mlir::Value thread, int64_t threads,
                   int64_t count, llvm::function_ref<void(int64_t i)> take);

/// What the code of a tile is about.
struct TileScope {
  CellsOp kernel;
  const tiles::Product &product;
  const Params &params;
  Tables &tables;
  TileAttr tile;
  /// Of the sum, where it is cut.
  std::optional<int64_t> parts;
  /// The value in the result's array that tiles are added to, if any.
  mlir::Value addend;
  /// Where results are.
  const Stacks &stacks;
  /// Where columns are packed before, if they are.
  std::optional<PackedColumns> packed = std::nullopt;

  CellCode getCode(Builder &b) const {
    CellCode code(b, kernel, params, tables);
    code.setWritten(addend);
    code.setStraight();
    return code;
  }
};

/// Copies slabs of one operand to shared memory. Where they are in an array, in
/// strides, no thread waits for that; else they are computed, cell by cell.
class TileOperand {
public:
  /// `like`: the slab whose layout its own has to have, if any.
  TileOperand(Builder &b, const TileScope &scope, bool isRows,
              const Slab *like = nullptr);

  const Slab &getSlab() const { return slab; }
  /// Whether threads can split what they copy, each the numbers of its own
  /// copies; and that they do.
  bool canSplit() const;
  void setSplit() { slab.isSplit = true; }
  /// `thread`: i32; `first`: the row, or column, that the block begins with;
  /// `at`: indices of batches, and those that are fixed.
  void begin(mlir::Value thread, mlir::Value first, const AxisIndices &at);
  /// Copies the slab of depth [k, k + depth), as far as it is before `end`, to
  /// `to`, in shared memory. What is beyond is zero.
  void copy(mlir::Value to, mlir::Value k, mlir::Value end);
  /// Splits what this thread has copied to `slab`, and waited for.
  void splitOwn(mlir::Value slab);
  /// The number of row, or column, `x` at a depth; zero beyond the ends.
  mlir::Value getCell(mlir::Value x, mlir::Value depth, mlir::Value end);

private:
  /// A number that is known when code runs, and one that is known before.
  struct Place {
    mlir::Value number;
    int64_t more = 0;
  };
  struct Chunk {
    Place along, across;
  };

  int64_t getWidth(mlir::StringAttr contiguous) const;
  void planCopies(const Slab *like);
  int64_t countChunks() const { return slab.extent * slab.depth / width; }
  Chunk getChunk(int64_t i);
  int64_t countQuads() const { return countChunks() / Slab::kSteps; }
  llvm::SmallVector<Chunk> getQuad(int64_t i);
  llvm::SmallVector<Values> splitQuad(llvm::ArrayRef<mlir::Value> loaded);
  mlir::Value getAddress(const Chunk &chunk, mlir::Value slab);
  mlir::Value add(mlir::Value x, Place place);
  mlir::Value getPlace(mlir::Value across, mlir::Value along);
  mlir::Value getOffset(const Chunk &chunk, mlir::Value k);
  mlir::Value isBefore(mlir::Value k, mlir::Value end);
  mlir::Value isBefore(const Place &depth, mlir::Value k, mlir::Value end);
  mlir::Value isInside(mlir::Value x, mlir::Value k, mlir::Value end);
  mlir::Value isInTile(const Place &x);
  void copyChunk(const Chunk &chunk, mlir::Value to, mlir::Value k,
                 mlir::Value end);
  void computeCell(mlir::Value number, mlir::Value to, mlir::Value k,
                   mlir::Value end);

  Builder &b;
  const TileScope &scope;
  bool isRows;
  unsigned input;
  llvm::ArrayRef<AxisAttr> extentAxes, depthAxes;
  Slab slab;
  std::optional<tiles::Access> access;
  /// Whether it is copied without waiting; so many elements at once.
  bool isCopied = false;
  int64_t width = 1;

  mlir::Value thread, first;
  AxisIndices at;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_TILEOPERAND_H
