//===- Differences.h - A derivative against differences ---------*- C++ -*-===//

#ifndef GYRE_TEST_UNIT_DIFFERENTIATE_DIFFERENCES_H
#define GYRE_TEST_UNIT_DIFFERENTIATE_DIFFERENCES_H

#include "gyre/Interpreter/Interpreter.h"

#include <random>

namespace gyre::test {

enum class Verdict {
  agrees,
  /// Differences of two step sizes disagree: a kink lies between the points.
  inconclusive,
  differs,
};

struct Comparison {
  Verdict verdict;
  double differences, derivative, scale;
};

/// Compares `derivative`, the VJP of `primal` in all its float arguments with
/// gradients named by `gradientPrefix` and cotangents by `cotangentPrefix`,
/// with central differences of `primal` along a random direction.
Comparison compareWithDifferences(FuncOp primal, FuncOp derivative,
                                  const std::vector<Argument> &arguments,
                                  llvm::StringRef gradientPrefix,
                                  llvm::StringRef cotangentPrefix,
                                  std::mt19937_64 &random);

} // namespace gyre::test

#endif // GYRE_TEST_UNIT_DIFFERENTIATE_DIFFERENCES_H
