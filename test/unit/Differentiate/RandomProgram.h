//===- RandomProgram.h - Random compositions of the primitives --*- C++ -*-===//

#ifndef GYRE_TEST_UNIT_DIFFERENTIATE_RANDOMPROGRAM_H
#define GYRE_TEST_UNIT_DIFFERENTIATE_RANDOMPROGRAM_H

#include "gyre/Interpreter/Interpreter.h"

#include <random>

namespace gyre::test {

/// A function of a few random primitives, smooth but for kinks at isolated
/// points, with values of moderate size at inputs in [-1, 1].
struct RandomProgram {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  FuncOp func;
};

RandomProgram makeRandomProgram(mlir::MLIRContext &context,
                                std::mt19937_64 &random);

/// Arguments for a program's function: tensors uniform in [-1, 1], maps random
/// (padded ones with a real reference in each first slot).
std::vector<Argument> makeArguments(FuncOp func, std::mt19937_64 &random);

/// Runtime sizes that programs use.
llvm::StringMap<int64_t> getSizes();

} // namespace gyre::test

#endif // GYRE_TEST_UNIT_DIFFERENTIATE_RANDOMPROGRAM_H
