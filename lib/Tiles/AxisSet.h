//===- AxisSet.h - The axes that a subscript names --------------*- C++ -*-===//

#ifndef GYRE_LIB_TILES_AXISSET_H
#define GYRE_LIB_TILES_AXISSET_H

#include "gyre/Dialect/PolySyntax.h"

namespace gyre::tiles {

using AxisSet = llvm::SmallDenseSet<mlir::StringAttr>;

inline AxisSet getAxes(mlir::ArrayAttr subscript) {
  AxisSet axes;
  walkAxes(subscript, [&](mlir::StringAttr axis) { axes.insert(axis); });
  return axes;
}

} // namespace gyre::tiles

#endif // GYRE_LIB_TILES_AXISSET_H
