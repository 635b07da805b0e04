//===- Stack.h - Values that lie where they would be copied -----*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_STACK_H
#define GYRE_LIB_LOWERING_KERNELS_STACK_H

#include "gyre/Dialect/Gyre.h"

#include "llvm/ADT/MapVector.h"

namespace gyre::kernels {

/// Kernels of cells that only put values one after the other, as the layers of
/// a `repeat` are stacked: these are written there at once.
struct Stacks {
  /// Where a value begins in an array, in elements.
  struct Place {
    mlir::Value array;
    PolyAttr offset;
  };

  static Stacks get(FuncOp func);

  bool isDone(mlir::Operation *kernel) const { return done.contains(kernel); }
  /// Visits values and their places; an array that is in another one after its
  /// own place has been visited.
  void visit(llvm::function_ref<void(mlir::Value, Place)> visit) const;
  bool contains(mlir::Value value) const { return places.contains(value); }

private:
  void add(CellsOp kernel, const llvm::SmallDenseSet<mlir::Value> &returned);

  llvm::MapVector<mlir::Value, Place> places;
  llvm::SmallDenseSet<mlir::Operation *> done;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_STACK_H
