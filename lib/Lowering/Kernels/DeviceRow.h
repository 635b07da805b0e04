//===- DeviceRow.h - A row of a team of threads -----------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_DEVICEROW_H
#define GYRE_LIB_LOWERING_KERNELS_DEVICEROW_H

#include "Ahead.h"
#include "LaneSums.h"
#include "OwnWords.h"

namespace gyre::kernels {

/// Builds the code of a kernel's rows. What is the same for all rows is loaded
/// where it is created.
class DeviceRow : public Lanes {
public:
  DeviceRow(Builder &b, const Plan &plan, const Params &params, Team &team,
            OwnWords &words, mlir::ValueRange coordinates);

  /// The rows of a worker are at positions [lo, hi); what positions carry
  /// besides sums.
  Values begin(mlir::Value teamNumber, mlir::Value lo, mlir::Value hi) {
    return ahead.begin(teamNumber, lo, hi);
  }
  void enterNode(mlir::Value node) { ahead.enterNode(node); }
  /// The row at a position; carries the sums of segments, then totals, then
  /// the rest.
  Values emit(mlir::Value position, mlir::ValueRange carried);
  void end() { ahead.end(); }
  /// Of dynamic size, for all teams of a block, once rows have been emitted.
  int64_t getSharedBytes() const {
    return ahead.getBytes() * plan.schedule.getTeams() + words.getBytes();
  }

  mlir::Value loadShared(cells::NodeId node) override;
  mlir::Value loadAhead(cells::NodeId node) override;
  unsigned getReuse() const override { return schedule::kReuse; }
  mlir::Value openCarried(cells::NodeId node) override;
  void closeCarried(cells::NodeId node, mlir::Value value) override;
  void deliver(const cells::DeliveredCell &cell, cells::Extent extent,
               mlir::Value value) override;
  mlir::Value reduce(mlir::Value partial) override;

private:
  /// Cells of one result whose sums over the lanes are still to be taken.
  struct Pending {
    LaneSums sums;
    llvm::SmallVector<const cells::DeliveredCell *> cells;
    /// Those that are summed over each warp, and where the warps' sums are.
    llvm::SmallVector<const cells::DeliveredCell *> stored;
    mlir::Value memory;
  };

  void clearRows();
  void storeCells(unsigned result,
                  llvm::ArrayRef<const cells::DeliveredCell *> cells,
                  llvm::function_ref<mlir::Value(int64_t first)> get);
  void flush(unsigned result);
  void storeSums(unsigned result, mlir::Value sum,
                 llvm::ArrayRef<int32_t> owned);
  void keepSums(unsigned result, mlir::Value sum,
                llvm::ArrayRef<int32_t> owned);
  void finish(unsigned result);
  mlir::Value pointer(const cells::DeliveredCell &cell);
  mlir::Value ownPointer(
      unsigned result, mlir::Type type,
      llvm::function_ref<const cells::DeliveredCell *(int64_t thread)> cellOf);

  Builder &b;
  const Plan &plan;
  const Params &params;
  Team &team;
  OwnWords &words;
  Values coordinates;
  Ahead ahead;
  llvm::DenseMap<cells::NodeId, mlir::Value> invariants, carriedIn, carriedOut;
  std::vector<Pending> pending;
  llvm::SmallVector<RowPointer> results;
  Body *body = nullptr;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_DEVICEROW_H
