//===- Facts.h - What a schedule is chosen by -------------------*- C++ -*-===//

#ifndef GYRE_LIB_SCHEDULE_FACTS_H
#define GYRE_LIB_SCHEDULE_FACTS_H

#include "gyre/Schedule/Lanes.h"
#include "gyre/Tiles/Product.h"

namespace gyre::schedule {

/// Static facts of a kernel.
struct Facts {
  /// Fails, with an error, where the body cannot be expanded into cells.
  /// `oneVector`, for CPUs: what goes on with a sum over lanes has them in one
  /// vector. Otherwise the lanes are threads of one block, where they can be.
  /// Whether `leastAlive` is wanted, which takes time, is for GPUs.
  static mlir::FailureOr<Facts> get(KernelOp kernel, bool oneVector,
                                    bool inPhases = true);

  /// A place for each axis of the body.
  llvm::SmallVector<Place> places;
  /// Cells along the lane axes, and of them along the innermost one.
  int64_t width = 1, contiguous = 1;
  /// Bytes of a cell.
  int64_t bytes = 4;
  /// The most vectors along the lanes that are alive at once, and of a GPU's
  /// kernels where they are computed in as many phases as that takes.
  int64_t mostAlive = 0, leastAlive = 0;
  /// Steps of a row.
  int64_t steps = 0;
  /// Bytes along all lanes of the cells of an owner's node, and of those that
  /// are read for one row alone.
  int64_t ownerBytes = 0, rowBytes = 0;
  /// Of a thread in a row: words that all lanes share that it reads, vectors
  /// that it reads, copies and writes, and sums over the lanes.
  int64_t words = 0, vectors = 0, sums = 0;
  /// Whether sums over the rows of an owner's nodes are all that is delivered.
  bool sumsNodes = false;
  /// Whether the body goes on with sums over the lanes.
  bool reducesInside = false;
  /// Whether each lane does its work alone, so that lanes may be in several
  /// blocks.
  bool spreads = false;
};

/// How many of the registers for vectors those may take that hold a single cell
/// of each thread, and 64-bit ones. Words that lanes share are read, and sums
/// over the lanes are taken, once for all cells of a thread: where it has
/// several, that is worth more than many warps on a multiprocessor.
inline int64_t getNarrow(int64_t registers) {
  return std::min<int64_t>(registers, 120);
}

/// Cuts a kernel of a GPU in two, and those again, until each keeps no more
/// vectors alive than fit its registers (`getNarrow`), and where that leaves
/// lanes room for more cells each, if rows are done sooner then; by what they
/// deliver, so that both compute what they share.
llvm::LogicalResult splitKernel(KernelOp kernel);

/// The results, by their bits, that depend on nothing along the axis that the
/// other results have along lanes. Fails, with an error, where axes do not fit.
mlir::FailureOr<uint64_t> findUnrelated(KernelOp kernel);

/// Cuts a kernel in two, and those again, until all results of each have
/// something along its lanes.
llvm::LogicalResult splitUnrelated(KernelOp kernel);

/// Cuts the sum of a kernel of few cells into parts.
void cutSum(CellsOp kernel, bool cuda);

/// The tile of products that warpgroups multiply; null where they do not, or
/// where it does not pay.
TileAttr chooseWarpgroups(llvm::ArrayRef<tiles::Piece> pieces);

/// Gives a kernel of products of matrices a tile, where it pays, and parts
/// where its sums are long and its cells few. `warpgroups`: whether there is
/// wgmma.
void chooseTile(CellsOp kernel, bool warpgroups);

} // namespace gyre::schedule

#endif // GYRE_LIB_SCHEDULE_FACTS_H
