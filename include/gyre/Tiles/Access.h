//===- Access.h - Arrays that a product reads in strides --------*- C++ -*-===//

#ifndef GYRE_TILES_ACCESS_H
#define GYRE_TILES_ACCESS_H

#include "gyre/Tiles/Product.h"

#include "llvm/ADT/MapVector.h"

namespace gyre::tiles {

/// A sum of axes, each times a number of elements.
struct Strides {
  PolyAttr offset;
  llvm::MapVector<mlir::StringAttr, PolyAttr> of;

  PolyAttr get(mlir::StringAttr axis) const;
  /// Whether a multiple of `count`, for all indices of the axes that `except`
  /// does not name, and all runtime sizes.
  bool areMultiplesOf(int64_t count, mlir::StringAttr except) const;
};

/// Whether a size is a multiple of `count`, whatever its variables are.
bool isMultipleOf(PolyAttr size, int64_t count);

/// Where the cells of an operand are: element `strides` of an array.
struct Access {
  /// None where a map, a computed value or a cut of an axis is between.
  static std::optional<Access> get(const Product &product, unsigned input);

  mlir::Value array;
  Strides strides;
  /// Whether elements are converted after they are read.
  bool isConverted = false;
};

} // namespace gyre::tiles

#endif // GYRE_TILES_ACCESS_H
