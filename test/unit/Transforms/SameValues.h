//===- SameValues.h - Passes keep the values of programs --------*- C++ -*-===//

#ifndef GYRE_TEST_UNIT_TRANSFORMS_SAMEVALUES_H
#define GYRE_TEST_UNIT_TRANSFORMS_SAMEVALUES_H

#include "../Differentiate/RandomProgram.h"

#include "mlir/Pass/PassManager.h"

namespace gyre::test {

/// Adds the derivative of the last function in all its float arguments. Names
/// of gradients and of cotangents get the prefix.
void addDerivative(mlir::ModuleOp module, llvm::StringRef name,
                   llvm::StringRef prefix);

/// A random program (RandomProgram.h) with functions of its first and second
/// derivative, in all float arguments.
RandomProgram makeRandomProgramWithDerivatives(mlir::MLIRContext &context,
                                               std::mt19937_64 &random);

/// Reports cells of the results of `got` that differ from those of `expected`
/// by more than rounding. A NaN differs from everything.
void compareValues(FuncOp expected, FuncOp got,
                   llvm::ArrayRef<Argument> arguments);

/// Runs `passes` on copies of `count` such programs and compares values.
/// Returns the numbers of ops before and after.
std::pair<uint64_t, uint64_t> expectSameValues(mlir::MLIRContext &context,
                                               mlir::PassManager &passes,
                                               uint64_t count);

} // namespace gyre::test

#endif // GYRE_TEST_UNIT_TRANSFORMS_SAMEVALUES_H
