//===- Registers.h - Registers of a GPU's threads ---------------*- C++ -*-===//

#ifndef GYRE_SCHEDULE_REGISTERS_H
#define GYRE_SCHEDULE_REGISTERS_H

#include "gyre/Dialect/Gyre.h"

namespace gyre::schedule {

/// An attribute of functions, a dictionary: how many registers of a thread the
/// vectors of a kernel may take, by its part (kPartAttr).
inline constexpr llvm::StringLiteral kRegistersAttr = "gyre.registers";

/// An attribute of kernels, and of their launches: the number of the kernel in
/// its function and, if it was cut in two, a `.0` or `.1` for each cut, or a
/// `-0` or `-1` where lanes have more cells after it (kWiderPart).
inline constexpr llvm::StringLiteral kPartAttr = "gyre.part";
inline constexpr char kWiderPart = '-';

/// How many registers of a thread the vectors of a kernel may take, if nothing
/// else is said. The assembler takes some 80 more: for pointers, for words and
/// sums that are under way, and for what it loads ahead.
inline constexpr int64_t kRegisters = 150;

/// An attribute of constants, a symbol: the largest number of workers of the
/// kernel that it names. Where the assembler's registers allow fewer at once
/// than the schedule hoped for, gyre-emit-device-code makes it smaller.
inline constexpr llvm::StringLiteral kWorkersAttr = "gyre.workers";

/// What kRegistersAttr says of a part, or of one that it was cut from by a `.`,
/// or else (and without a function) kRegisters.
int64_t getRegisters(FuncOp func, llvm::StringRef part);
int64_t getRegisters(KernelOp kernel);

} // namespace gyre::schedule

#endif // GYRE_SCHEDULE_REGISTERS_H
