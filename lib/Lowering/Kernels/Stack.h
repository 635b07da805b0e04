//===- Stack.h - Values that lie where they would be copied -----*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_STACK_H
#define GYRE_LIB_LOWERING_KERNELS_STACK_H

#include "gyre/Tiles/Product.h"

#include "llvm/ADT/MapVector.h"

namespace gyre::kernels {

/// Kernels of cells that only put values one after the other, as the layers of
/// a `repeat` are stacked: these are written there at once. What is a part of
/// another value, or adds tiles to one that nothing else needs later, is in its
/// array, too, and so is a block of tiles that another kernel puts beside its
/// own.
struct Stacks {
  /// Where a value begins in an array, in elements, and the sizes by which its
  /// cells are counted there, if not by its own.
  struct Place {
    mlir::Value array;
    PolyAttr offset;
    llvm::SmallVector<PolyAttr> sizes = {};
  };

  static Stacks get(FuncOp func);

  bool isDone(mlir::Operation *kernel) const { return done.contains(kernel); }
  /// The value that a kernel of tiles adds to and that is in its result's
  /// array; null if there is none.
  mlir::Value getAddend(mlir::Operation *kernel) const {
    return addends.lookup(kernel);
  }
  /// Visits values and their places; what is in an array after the array's own
  /// place.
  void visit(llvm::function_ref<void(mlir::Value, Place)> visit) const;
  bool contains(mlir::Value value) const { return places.contains(value); }
  /// The sizes by which the cells of a value are counted in its array.
  llvm::ArrayRef<PolyAttr> getSizes(mlir::Value value) const;

private:
  using Returned = llvm::SmallDenseSet<mlir::Value>;
  void add(CellsOp kernel, const Returned &returned);
  bool addPart(CellsOp kernel, const Returned &returned);
  void addInPlace(CellsOp kernel, const tiles::Pieces &pieces,
                  const Returned &returned);
  void addBeside(CellsOp kernel, const tiles::Pieces &pieces,
                 const Returned &returned);
  bool isArray(mlir::Value value) const;
  std::optional<unsigned> countLastUses(mlir::Value value,
                                        CellsOp kernel) const;

  llvm::MapVector<mlir::Value, Place> places;
  llvm::SmallDenseSet<mlir::Operation *> done;
  llvm::SmallDenseMap<mlir::Operation *, mlir::Value> addends;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_STACK_H
