//===- JoinProducts.h - Sums of products of matrices ------------*- C++ -*-===//

#ifndef GYRE_LIB_FUSION_JOINPRODUCTS_H
#define GYRE_LIB_FUSION_JOINPRODUCTS_H

#include "gyre/Tiles/Product.h"

namespace gyre::fusion {

/// The products of rows and matrices that the op adds up, if it does: a tile
/// adds them to the same sums.
std::optional<tiles::ProductSum> getJoined(mlir::Operation *op);

/// Adds products that a tile can have together before what else they are added
/// to, in sums that are used by nothing else.
void joinProducts(FuncOp func);

} // namespace gyre::fusion

#endif // GYRE_LIB_FUSION_JOINPRODUCTS_H
