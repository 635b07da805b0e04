//===- Differences.cpp - A derivative against differences -----------------===//

#include "Differences.h"

#include <cmath>

using namespace mlir;

namespace gyre::test {

static std::vector<Argument> moved(const std::vector<Argument> &arguments,
                                   const std::vector<Array> &direction,
                                   double step) {
  std::vector<Argument> result = arguments;
  for (size_t i = 0; i < result.size(); ++i)
    if (auto *array = std::get_if<Array>(&result[i]))
      for (size_t j = 0; j < array->data.size(); ++j)
        array->data[j] += step * direction[i].data[j];
  return result;
}

static double dot(const Array &a, const Array &b, double *magnitude) {
  double sum = 0;
  for (size_t i = 0; i < a.data.size(); ++i) {
    sum += a.data[i] * b.data[i];
    *magnitude += std::abs(a.data[i] * b.data[i]);
  }
  return sum;
}

Comparison compareWithDifferences(FuncOp primal, FuncOp derivative,
                                  const std::vector<Argument> &arguments,
                                  StringRef gradientPrefix,
                                  StringRef cotangentPrefix,
                                  std::mt19937_64 &random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  auto randomLike = [&](const Array &array) {
    Array result = array;
    for (double &value : result.data)
      value = uniform(random);
    return result;
  };
  Comparison broken{Verdict::differs, NAN, NAN, NAN};
  FailureOr<std::vector<Array>> value = interpret(primal, arguments);
  if (mlir::failed(value))
    return broken;
  std::vector<Array> cotangents;
  for (const Array &result : *value)
    cotangents.push_back(randomLike(result));
  std::vector<Array> direction(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i)
    if (auto *array = std::get_if<Array>(&arguments[i]))
      direction[i] = randomLike(*array);

  // The derivative, whose arguments are found by name.
  std::vector<Argument> inputs;
  for (unsigned i = 0; i < derivative.getArgumentTypes().size(); ++i) {
    StringRef name = derivative.getArgName(i);
    if (std::optional<unsigned> argument = primal.findArg(name))
      inputs.push_back(arguments[*argument]);
    else if (name.consume_front(cotangentPrefix))
      inputs.push_back(cotangents[*primal.findRes(name)]);
  }
  FailureOr<std::vector<Array>> gradients = interpret(derivative, inputs);
  if (mlir::failed(gradients))
    return broken;
  double expected = 0, scale = 1e-3;
  for (unsigned i = 0; i < gradients->size(); ++i) {
    StringRef name = derivative.getResName(i);
    name.consume_front(gradientPrefix);
    expected += dot((*gradients)[i], direction[*primal.findArg(name)], &scale);
  }

  double magnitude = 0;
  auto along = [&](double step) {
    FailureOr<std::vector<Array>> results =
        interpret(primal, moved(arguments, direction, step));
    double sum = 0;
    for (size_t i = 0; i < cotangents.size(); ++i)
      sum += mlir::failed(results)
                 ? NAN
                 : dot((*results)[i], cotangents[i], &magnitude);
    return sum;
  };
  // Fourth order: 2e-3 leaves truncation and rounding far below the tolerance.
  auto differences = [&](double h) {
    return (8 * (along(h) - along(-h)) - (along(2 * h) - along(-2 * h))) /
           (12 * h);
  };
  double coarse = differences(2e-3), fine = differences(1e-3);
  double tolerance = 1e-6 * scale + 1e-10 * magnitude;
  Comparison result{Verdict::agrees, fine, expected, scale};
  if (std::isnan(fine) || std::isnan(expected))
    result.verdict = Verdict::differs;
  else if (std::abs(fine - expected) <= tolerance)
    result.verdict = Verdict::agrees;
  else if (std::abs(coarse - fine) > 0.1 * tolerance)
    result.verdict = Verdict::inconclusive;
  else
    result.verdict = Verdict::differs;
  return result;
}

} // namespace gyre::test
