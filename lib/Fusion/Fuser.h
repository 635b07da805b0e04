//===- Fuser.h - Programs of kernels ----------------------------*- C++ -*-===//

#ifndef GYRE_LIB_FUSION_FUSER_H
#define GYRE_LIB_FUSION_FUSER_H

#include "CellOps.h"
#include "Stages.h"

namespace gyre::fusion {

/// What one kernel delivers: values of rows, or of one op or unit, cell by
/// cell.
struct Group {
  int64_t stage;
  PolyAttr rows;
  mlir::Value owner;
  const void *cells;
  llvm::SmallVector<mlir::Value> delivered;
};

class Fuser {
public:
  Fuser(FuncOp func, const llvm::DenseSet<mlir::Operation *> &others,
        bool tiles)
      : func(func), b(func.getContext()), cells(func, others, tiles),
        tiles(tiles) {}
  /// Gives ops that have to be among the others; none if it is done.
  llvm::ArrayRef<mlir::Operation *> run();

private:
  /// The stage of the kernel that computes a value.
  int64_t stageOf(mlir::Value value) const { return stages.of(value); }
  void require(mlir::Value value);
  /// What a kernel of rows at `stage` has to find in memory of an operand.
  void requireOf(mlir::Operation *user, mlir::Value operand, int64_t stage);
  /// Whether later stages compute a value of rows again, from what is in
  /// memory.
  bool isCheap(mlir::Value value) const;
  void collectRequired();
  void collect();
  Group &groupFor(int64_t stage, PolyAttr rows, mlir::Value owner,
                  const void *cells);
  void build(Group &group);
  void buildRows(Group &group);
  void checkBody();
  mlir::Value findWhole(mlir::Value value) const;
  mlir::Value load(mlir::Value value);
  mlir::Value compute(mlir::Value value);
  mlir::Value buildContractRow(ContractOp op);

  FuncOp func;
  mlir::OpBuilder b;
  CellOps cells;
  /// Whether products of matrices are computed on tiles.
  bool tiles;
  Stages stages;
  llvm::SetVector<mlir::Value> required;
  /// Values that are returned again.
  llvm::SmallVector<mlir::Value> repeated;
  llvm::SmallVector<Group> groups;
  /// Values of whole arrays, by the values that they replace; one for each time
  /// that a value is returned.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 1>> delivered;

  // The kernel that is being built.
  KernelOp kernel;
  int64_t stage = 0;
  llvm::DenseMap<mlir::Value, mlir::Value> inBody;
  /// What ops of the body were, and those of all bodies that do not fit there.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> origins;
  llvm::SmallVector<mlir::Operation *> misfits;
};

} // namespace gyre::fusion

#endif // GYRE_LIB_FUSION_FUSER_H
