//===- Registers.h - Registers of a GPU's threads ---------------*- C++ -*-===//

#ifndef GYRE_SCHEDULE_REGISTERS_H
#define GYRE_SCHEDULE_REGISTERS_H

#include "gyre/Dialect/Gyre.h"

namespace gyre::schedule {

/// An attribute of functions: how many registers of a thread the vectors of
/// their kernels may take.
inline constexpr llvm::StringLiteral kRegistersAttr = "gyre.registers";

/// An attribute of constants: the largest number of workers of the kernel that
/// it names. Where the assembler's registers allow fewer at once than the
/// schedule hoped for, gyre-emit-device-code makes it smaller.
inline constexpr llvm::StringLiteral kWorkersAttr = "gyre.workers";

/// What kRegistersAttr says, or else (and without a function) 120. The
/// assembler takes about as many again: for pointers, for words and sums that
/// are under way, and for what it loads ahead.
inline int64_t getRegisters(FuncOp func) {
  mlir::IntegerAttr attr;
  if (func)
    attr = func->getAttrOfType<mlir::IntegerAttr>(kRegistersAttr);
  return attr ? std::max<int64_t>(attr.getInt(), 1) : 120;
}

} // namespace gyre::schedule

#endif // GYRE_SCHEDULE_REGISTERS_H
