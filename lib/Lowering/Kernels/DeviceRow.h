//===- DeviceRow.h - A row of a team of threads -----------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_DEVICEROW_H
#define GYRE_LIB_LOWERING_KERNELS_DEVICEROW_H

#include "LaneSums.h"
#include "Tables.h"

namespace gyre::kernels {

/// Builds the code of a kernel's rows. What is the same for all rows is loaded
/// where it is created.
class DeviceRow : public Lanes {
public:
  DeviceRow(Builder &b, const Plan &plan, const Params &params, Team &team,
            Tables &tables, mlir::ValueRange coordinates);

  /// Row `row`; carries the sums of segments, then totals.
  Values emit(mlir::Value row, mlir::ValueRange carried);

  mlir::Value loadShared(cells::NodeId node) override;
  unsigned getReuse() const override { return 24; }
  mlir::Value openCarried(cells::NodeId node) override;
  void closeCarried(cells::NodeId node, mlir::Value value) override;
  void deliver(const cells::DeliveredCell &cell, cells::Extent extent,
               mlir::Value value) override;
  mlir::Value reduce(mlir::Value partial) override;

private:
  /// Words of one value that a warp loads at once: a word for each thread.
  struct Batch {
    mlir::Value value;
    llvm::SmallVector<cells::NodeId> words;
    /// Offset of this thread's word, and the word of the row.
    mlir::Value offset, word;
  };
  /// Cells of one result whose sums over the lanes are still to be taken.
  struct Pending {
    LaneSums sums;
    llvm::SmallVector<const cells::DeliveredCell *> cells;
    /// Those that are summed over each warp, and where the warps' sums are.
    llvm::SmallVector<const cells::DeliveredCell *> stored;
    mlir::Value memory;
  };

  void batchWords();
  void clearRows();
  void flush(unsigned result);
  void storeSums(unsigned result, mlir::Value sum,
                 llvm::ArrayRef<int32_t> owned);
  void keepSums(unsigned result, mlir::Value sum,
                llvm::ArrayRef<int32_t> owned);
  void finish(unsigned result);
  mlir::Value pointer(const cells::DeliveredCell &cell);
  mlir::Value laneNumber();
  int32_t offsetOf(const cells::DeliveredCell &cell) const;

  Builder &b;
  const Plan &plan;
  const Params &params;
  Team &team;
  Tables &tables;
  Values coordinates;
  llvm::SmallVector<Batch> batches;
  /// Which batch, and which thread, has a word.
  llvm::DenseMap<cells::NodeId, std::pair<unsigned, unsigned>> words;
  llvm::DenseMap<cells::NodeId, mlir::Value> invariants, carriedIn, carriedOut;
  std::vector<Pending> pending;
  llvm::SmallVector<RowPointer> results;
  Body *body = nullptr;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_DEVICEROW_H
