//===- Slabs.h - Slabs of a tile, one after another -------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_SLABS_H
#define GYRE_LIB_LOWERING_KERNELS_SLABS_H

#include "Totals.h"
#include "View.h"

#include <functional>

namespace gyre::kernels {

/// The slabs of a product's depth, in as many stages of shared memory as are
/// there at once: some are multiplied, others on their way.
class Slabs {
public:
  struct Shape {
    /// Steps of depth of a slab, and bytes of its rows, and of a stage.
    int64_t depth, rowBytes, stageBytes;
    int64_t stages, threads;
    /// Whether matrix units read the memory themselves.
    bool ofWarpgroups;
  };
  /// Makes the code that begins to copy a slab, of depth `k` on, to a stage:
  /// its place in bytes, i32.
  using Copy = std::function<void(mlir::Value stage, mlir::Value k)>;

  /// Makes the code of what a thread does with what it has copied itself, when
  /// that has come.
  using Arrived = std::function<void(mlir::Value rows, mlir::Value columns)>;

  /// `thread`: of those that share `memory`, i32. `known`: all of the depth,
  /// from 0 on, if it is a number; else it is from `begin` to `end`.
  Slabs(Builder &b, Shape shape, mlir::Value memory, mlir::Value thread,
        std::optional<int64_t> known, mlir::Value begin, mlir::Value end);

  void setCopy(Copy make) { copy = std::move(make); }
  void setArrived(Arrived make) { arrived = std::move(make); }

  int64_t getStages() const { return shape.stages; }
  /// All of the depth, where that is a number.
  std::optional<int64_t> getKnown() const { return known; }
  mlir::Value getFirst() const { return first; }
  mlir::Value getLast() const { return last; }
  /// A depth, as loops count it.
  mlir::Value number(int64_t depth);

  /// Begins to copy what the stages but one have room for.
  void fill();
  /// Waits until all threads have got here, and all slabs but so many have come
  /// of those whose copies were begun; the first one that was not waited for is
  /// in stage `arriving`.
  void wait(int64_t onTheirWay, mlir::Value arriving);

  /// One slab, and its stage; and the one that is free when all threads have
  /// multiplied the slab before.
  struct Turn {
    mlir::Value k, reads, writes;
  };
  /// Begins to copy the next slab to the stage that is free.
  void copyNext(const Turn &turn);
  /// The slabs of a range of depth that follows the last one.
  using Body = llvm::function_ref<Values(const Turn &, mlir::ValueRange)>;
  Values run(mlir::Value from, mlir::Value to, mlir::ValueRange carried,
             Body body);
  /// All slabs, in ranges of depth of `most` at most.
  void
  runInParts(int64_t most,
             llvm::function_ref<void(mlir::Value from, mlir::Value to)> body);

  /// Memory behind the stages for so many totals of each thread.
  Totals makeTotals(mlir::Type element, int64_t count);
  int64_t getTotalBytes() const { return totalBytes; }

  /// The stage of the next slab, and what is in one.
  mlir::Value getReads() const { return reads; }
  mlir::Value getNext(mlir::Value stage);
  mlir::Value getRows(mlir::Value stage);
  mlir::Value getColumns(mlir::Value stage);

private:
  void copyIfAny(mlir::Value stage, mlir::Value k);

  Builder &b;
  Shape shape;
  mlir::Value memory, thread;
  std::optional<int64_t> known;
  mlir::Value first, last, reads, writes;
  Copy copy;
  Arrived arrived;
  int64_t totalBytes = 0;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_SLABS_H
