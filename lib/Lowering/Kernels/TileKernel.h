//===- TileKernel.h - Kernels of tiles --------------------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_TILEKERNEL_H
#define GYRE_LIB_LOWERING_KERNELS_TILEKERNEL_H

#include "DeviceModule.h"
#include "Program.h"
#include "Tables.h"

namespace gyre::kernels {

/// How many sums the parts of a product are.
PolyAttr countTileParts(CellsOp kernel);

/// The words of 32 bits that packed columns of a kernel take.
int64_t countPackedWords(CellsOp kernel);

/// A kernel for each piece of a kernel of cells that has a tile; what they do
/// not cover is zero. Parts of sums are added by another one.
mlir::LogicalResult emitTilesForCUDA(Program &program, DeviceModule &device,
                                     Tables &tables, CellsOp kernel,
                                     const std::string &name, Params &params);

/// Whether such a kernel can be computed by tiles.
mlir::LogicalResult checkTiles(CellsOp kernel);

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_TILEKERNEL_H
