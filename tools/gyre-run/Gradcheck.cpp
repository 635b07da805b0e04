//===- Gradcheck.cpp - Whether derivatives are right ----------------------===//

#include "Chain.h"
#include "Files.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;

namespace gyre {
namespace {

using Derivative = CompiledFunction::Derivative;

/// What is expected of results that are rounded to a type.
struct Precision {
  double roundoff;
  /// Of central differences; and what these may be off, relative to the sum of
  /// the sizes of all terms.
  double step, difference;
  /// The same for identities, which no step enters.
  double identity;
};

constexpr Precision kDouble = {0x1p-53, 0x1p-17, 1e-6, 1e-10};
constexpr Precision kSingle = {0x1p-24, 0x1p-7, 1e-3, 1e-4};

/// A line of the table.
struct Check {
  std::string function;
  int order;
  std::string what;
  double error, bound;
  bool ok() const { return error <= bound; }
};

/// A sum of products, and that of their sizes.
struct Sum {
  double value = 0, size = 0;

  void add(double a, double b) {
    value += a * b;
    size += std::fabs(a * b);
  }
  void add(ArrayRef<double> a, ArrayRef<double> b) {
    for (auto [x, y] : zip_equal(a, b))
      add(x, y);
  }
};

class Gradcheck {
public:
  explicit Gradcheck(Chain &chain) : chain(chain) {}

  /// The checks of one derivative.
  Error check(const CompiledFunction &derivative);
  std::vector<Check> checks;

private:
  using Arguments = std::vector<std::string>;

  /// <g, u> = <v, J u> with J u by central differences, for one gradient g.
  Error checkDifference(StringRef argument, StringRef gradient);
  /// A second order is the adjoint of the first, which is linear in its
  /// cotangents.
  Error checkAdjoint();
  /// The Hessian of <v, f> is symmetric.
  Error checkSymmetry();
  /// The arguments in which all of a Hessian is known, with a derivative that
  /// takes what the second order says of saved values, if there are any.
  Arguments findHessian(const CompiledFunction *&reentry);
  Expected<Values> multiplyHessian(const Arguments &names,
                                   const CompiledFunction *reentry,
                                   const Values &direction);
  /// Saved results of the primal's primal that the primal takes.
  Arguments findSaved() const;

  Expected<Sum> pair(const Values &results) const;
  void report(const Twine &what, double left, double right, double size,
              double bound);
  void report(const Check &check) { checks.push_back(check); }

  Chain &chain;
  // Of the derivative that is checked.
  const CompiledFunction *derivative = nullptr, *primal = nullptr;
  Precision precision = kDouble;
  int order = 1;
};

} // namespace

static bool isFloat(const NpyArray &array) { return array.type.kind == 'f'; }

static NpyArray zerosLike(const NpyArray &array) {
  return withNumbers(array, std::vector<double>(toDoubles(array).size(), 0.0));
}

/// The key of a value, "" for none.
static std::string findKey(const std::map<std::string, std::string> &map,
                           StringRef value) {
  for (const auto &[key, other] : map)
    if (other == value)
      return key;
  return "";
}

void Gradcheck::report(const Twine &what, double left, double right,
                       double size, double bound) {
  const double off = std::fabs(left - right);
  checks.push_back(
      {derivative->name, order, what.str(), off == 0 ? 0 : off / size, bound});
}

/// <v, y> for the cotangents v of the derivative and results y of the primal.
/// Cells of y that are no numbers are left out, as their cotangent is.
Expected<Sum> Gradcheck::pair(const Values &results) const {
  auto arguments = chain.arguments(*derivative);
  auto base = chain.results(*primal);
  if (!arguments || !base)
    return joinErrors(arguments.takeError(), base.takeError());
  Sum sum;
  for (const auto &[result, cotangent] : derivative->derivative->given)
    for (auto [v, y, at] : zip_equal(toDoubles((*arguments)->at(cotangent)),
                                     toDoubles(results.at(result)),
                                     toDoubles((*base)->at(result))))
      if (std::isfinite(at))
        sum.add(v, y);
  return sum;
}

Error Gradcheck::checkDifference(StringRef argument, StringRef gradient) {
  auto base = chain.arguments(*primal);
  if (!base)
    return base.takeError();
  auto computed = chain.results(*derivative);
  if (!computed)
    return computed.takeError();
  const NpyArray &at = (*base)->at(argument.str());
  const std::vector<double> x = toDoubles(at),
                            g = toDoubles((*computed)->at(gradient.str())),
                            along = chain.drawAlong(g);
  Check best;
  // Near a kink, or where a function is steep, another step sees its slope.
  for (double factor : {1.0, 0.25, 4.0, 0.0625}) {
    const double step = factor * precision.step;
    std::vector<double> ends[2];
    Sum values[2];
    for (int side : {0, 1}) {
      std::vector<double> moved = x;
      for (auto [number, direction] : zip_equal(moved, along))
        number += (side ? step : -step) * direction;
      const NpyArray rounded = withNumbers(at, moved);
      ends[side] = toDoubles(rounded);
      Expected<Values> results =
          chain.call(*primal, {{argument.str(), rounded}});
      if (!results)
        return results.takeError();
      Expected<Sum> sum = pair(*results);
      if (!sum)
        return sum.takeError();
      values[side] = *sum;
    }
    Sum expected; // along what the arguments were moved in fact
    for (auto [slope, high, low] : zip_equal(g, ends[1], ends[0]))
      expected.add(slope, (high - low) / (2 * step));
    const double seen = (values[1].value - values[0].value) / (2 * step),
                 size = std::max(expected.size, std::fabs(seen)),
                 off = std::fabs(seen - expected.value),
                 noise = 8 * precision.roundoff * values[1].size / step;
    Check now = {derivative->name, order, ("difference in " + argument).str(),
                 off == 0 ? 0 : off / size,
                 precision.difference + (size > 0 ? noise / size : 0)};
    if (factor == 1.0 || now.error / now.bound < best.error / best.bound)
      best = now;
    if (best.ok())
      break;
  }
  report(best);
  return Error::success();
}

Error Gradcheck::checkAdjoint() {
  // With the cotangents v of which the second order has a gradient dv, and
  // zeros for others: <v, dv> = <h, primal(v)>.
  const Derivative &first = *primal->derivative,
                   &second = *derivative->derivative;
  auto arguments = chain.arguments(*derivative);
  if (!arguments)
    return arguments.takeError();
  auto taken = chain.arguments(*primal);
  if (!taken)
    return taken.takeError();
  auto computed = chain.results(*derivative);
  if (!computed)
    return computed.takeError();
  Sum left, right;
  std::string names;
  Values zeros;
  for (const auto &[result, cotangent] : first.given) {
    auto gradient = second.wrt.find(cotangent);
    const NpyArray &v = (*taken)->at(cotangent);
    if (gradient == second.wrt.end()) {
      if (isFloat(v))
        zeros[cotangent] = zerosLike(v);
      continue;
    }
    names += (names.empty() ? "" : ", ") + cotangent;
    left.add(toDoubles(v), toDoubles((*computed)->at(gradient->second)));
  }
  if (names.empty())
    return Error::success();
  Expected<Values> results = chain.call(*primal, zeros);
  if (!results)
    return results.takeError();
  for (const auto &[result, cotangent] : second.given)
    right.add(toDoubles((*arguments)->at(cotangent)),
              toDoubles(results->at(result)));
  report("adjoint in " + names, left.value, right.value, left.size + right.size,
         precision.identity);
  return Error::success();
}

Gradcheck::Arguments Gradcheck::findSaved() const {
  const CompiledFunction &forward = *chain.find(primal->derivative->of);
  Arguments saved;
  for (const auto &argument : primal->arguments)
    if (!argument.isMap && StringRef(argument.dtype).starts_with("f") &&
        findKey(primal->derivative->given, argument.name).empty() &&
        forward.findResult(argument.name))
      saved.push_back(argument.name);
  return saved;
}

Gradcheck::Arguments Gradcheck::findHessian(const CompiledFunction *&reentry) {
  const Derivative &first = *primal->derivative,
                   &second = *derivative->derivative;
  Arguments names;
  for (const auto &[argument, gradient] : first.wrt) {
    if (second.given.count(gradient) &&
        (!primal->findArgument(argument) || second.wrt.count(argument)))
      names.push_back(argument);
  }
  const Arguments saved = findSaved();
  Arguments best;
  // Without saved values, what the primal does not take is in no product.
  if (saved.empty())
    return any_of(names,
                  [&](const auto &name) { return second.wrt.count(name); })
               ? names
               : best;
  for (const std::string &value : saved)
    if (!second.wrt.count(value))
      return best;
  for (const CompiledFunction &other : chain.functions()) {
    if (!other.derivative || other.derivative->of != first.of ||
        any_of(saved, [&](const std::string &value) {
          return !other.derivative->given.count(value);
        }))
      continue;
    Arguments common = names;
    erase_if(common, [&](const std::string &name) {
      return !other.derivative->wrt.count(name);
    });
    if (common.size() > best.size()) {
      best = common;
      reentry = &other;
    }
  }
  return best;
}

Expected<Values> Gradcheck::multiplyHessian(const Arguments &names,
                                            const CompiledFunction *reentry,
                                            const Values &direction) {
  const Derivative &first = *primal->derivative,
                   &second = *derivative->derivative;
  auto arguments = chain.arguments(*derivative);
  if (!arguments)
    return arguments.takeError();
  Values others;
  for (const auto &[result, cotangent] : second.given) {
    auto along = direction.find(findKey(first.wrt, result));
    others[cotangent] = along == direction.end()
                            ? zerosLike((*arguments)->at(cotangent))
                            : along->second;
  }
  Expected<Values> partial = chain.call(*derivative, others);
  if (!partial)
    return partial.takeError();
  Values total;
  for (const std::string &name : names)
    if (second.wrt.count(name))
      total[name] = partial->at(second.wrt.at(name));
  if (!reentry)
    return total;
  auto known = chain.arguments(*reentry);
  if (!known)
    return known.takeError();
  Values cotangents;
  const Arguments saved = findSaved();
  for (const auto &[result, cotangent] : reentry->derivative->given)
    cotangents[cotangent] = is_contained(saved, result)
                                ? partial->at(second.wrt.at(result))
                                : zerosLike((*known)->at(cotangent));
  Expected<Values> again = chain.call(*reentry, cotangents);
  if (!again)
    return again.takeError();
  for (const std::string &name : names) {
    const NpyArray &rest = again->at(reentry->derivative->wrt.at(name));
    std::vector<double> sum = toDoubles(rest);
    if (auto it = total.find(name); it != total.end())
      for (auto [number, part] : zip_equal(sum, toDoubles(it->second)))
        number += part;
    total[name] = withNumbers(rest, sum);
  }
  return total;
}

Error Gradcheck::checkSymmetry() {
  const CompiledFunction *reentry = nullptr;
  const Arguments names = findHessian(reentry);
  if (names.empty())
    return Error::success();
  auto gradients = chain.results(*primal);
  if (!gradients)
    return gradients.takeError();
  Values directions[2], products[2];
  for (int i : {0, 1}) {
    for (const std::string &name : names)
      directions[i][name] =
          chain.drawLike((*gradients)->at(primal->derivative->wrt.at(name)));
    Expected<Values> product = multiplyHessian(names, reentry, directions[i]);
    if (!product)
      return product.takeError();
    products[i] = std::move(*product);
  }
  Sum sums[2];
  for (int i : {0, 1})
    for (const auto &[name, product] : products[i])
      sums[i].add(toDoubles(directions[1 - i].at(name)), toDoubles(product));
  report("symmetry in " + join(names, ", ") +
             (reentry ? " with " + reentry->name : ""),
         sums[0].value, sums[1].value, sums[0].size + sums[1].size,
         precision.identity);
  return Error::success();
}

Error Gradcheck::check(const CompiledFunction &function) {
  derivative = &function;
  primal = chain.find(function.derivative->of);
  order = 1;
  for (auto *of = primal; of->derivative; of = chain.find(of->derivative->of))
    ++order;
  precision = kDouble;
  for (const auto *operands : {&primal->arguments, &function.arguments})
    for (const auto &operand : *operands)
      if (operand.dtype == "f32")
        precision = kSingle;
  for (const auto &[argument, gradient] : function.derivative->wrt)
    if (Error error = checkDifference(argument, gradient))
      return error;
  if (order == 1)
    return Error::success();
  if (Error error = checkAdjoint())
    return error;
  return checkSymmetry();
}

static void print(raw_ostream &os, ArrayRef<Check> checks) {
  size_t function = 8, what = 4;
  for (const Check &check : checks) {
    function = std::max(function, check.function.size());
    what = std::max(what, check.what.size());
  }
  auto pad = [&](StringRef text, size_t width) -> raw_ostream & {
    return os << left_justify(text, static_cast<unsigned>(width)) << "  ";
  };
  pad("function", function) << "order  ";
  pad("what", what) << "error    bound    ok\n";
  for (const Check &check : checks) {
    pad(check.function, function) << format("%5d  ", check.order);
    pad(check.what, what) << format("%.1e  %.1e  ", check.error, check.bound)
                          << (check.ok() ? "yes" : "NO") << "\n";
  }
}

static Error checkOptions(const RunOptions &options) {
  if (options.bench || options.graph || options.repeat ||
      !options.out.empty() || !options.json.empty())
    return makeError("[run-mode] expected none of --bench, --graph, --repeat, "
                     "--out and --json with --gradcheck, got one");
  return Error::success();
}

static Expected<bool> gradcheck(const RunOptions &options) {
  if (Error error = checkOptions(options))
    return error;
  auto chain = Chain::read(options);
  if (!chain)
    return chain.takeError();
  Gradcheck all(**chain);
  std::string names;
  for (const CompiledFunction &function : (*chain)->functions()) {
    if (!function.derivative)
      continue;
    names += (names.empty() ? "" : ", ") + function.name;
    if (options.func.empty() || options.func == function.name)
      if (Error error = all.check(function))
        return error;
  }
  if (all.checks.empty())
    return makeError("[run-gradcheck] expected " +
                     (options.func.empty() ? "a derivative"
                                           : "the derivative " + options.func) +
                     " in the library, got " +
                     (names.empty() ? "none" : names));
  print(outs(), all.checks);
  const auto failed =
      count_if(all.checks, [](const Check &check) { return !check.ok(); });
  outs() << all.checks.size() << " checks, " << failed << " failed\n";
  return failed == 0;
}

int checkGradients(const RunOptions &options) {
  Expected<bool> ok = gradcheck(options);
  if (!ok)
    return reportError(toString(ok.takeError()));
  return *ok ? 0 : 1;
}

} // namespace gyre
