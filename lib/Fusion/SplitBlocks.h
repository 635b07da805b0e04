//===- SplitBlocks.h - Sums of blocks that do not overlap -------*- C++ -*-===//

#ifndef GYRE_LIB_FUSION_SPLITBLOCKS_H
#define GYRE_LIB_FUSION_SPLITBLOCKS_H

#include "gyre/Dialect/Gyre.h"

namespace gyre::fusion {

/// Where what follows a product of rows and a matrix is a sum of two blocks
/// beside one another, of which the product has one, makes it a concatenation:
/// each block is computed by itself.
void splitBlocks(FuncOp func);

} // namespace gyre::fusion

#endif // GYRE_LIB_FUSION_SPLITBLOCKS_H
