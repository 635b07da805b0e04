//===- EvaluateRelation.cpp - From comprehensions to tuples ---------------===//

#include "gyre/Transforms/EvaluateRelation.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;

namespace gyre {

namespace {

/// Relations are small tables; this many iterations mean a mistake, which shall
/// neither fill the memory nor take forever.
constexpr int64_t maxSteps = int64_t(1) << 20;

/// A polynomial over iterators, ready to be evaluated for many of their values.
struct Expression {
  struct Term {
    int64_t coefficient;
    SmallVector<size_t, 4> iterators;
  };
  std::vector<Term> terms;

  /// Nullopt on overflow.
  std::optional<int64_t> evaluate(ArrayRef<int64_t> values) const {
    int64_t sum = 0;
    for (const Term &term : terms) {
      int64_t product = term.coefficient;
      for (size_t iterator : term.iterators)
        if (llvm::MulOverflow(product, values[iterator], product))
          return std::nullopt;
      if (llvm::AddOverflow(sum, product, sum))
        return std::nullopt;
    }
    return sum;
  }
};

/// Lists the tuples of one piece after the other.
class Lister {
public:
  Lister(ParameterLookup lookup,
         llvm::function_ref<InFlightDiagnostic()> emitError)
      : lookup(lookup), emitError(emitError) {}

  LogicalResult add(PieceAttr piece);

  SmallVector<int64_t> indices;
  SmallVector<double> coefficients;

private:
  LogicalResult compile(PolyAttr poly, ArrayRef<RangeAttr> scope,
                        Expression &result);
  FailureOr<int64_t> evaluate(const Expression &expression);
  FailureOr<bool> isEmpty();
  LogicalResult visit(size_t depth);
  LogicalResult takeSteps(int64_t count);

  ParameterLookup lookup;
  llvm::function_ref<InFlightDiagnostic()> emitError;
  int64_t stepsLeft = maxSteps;

  // The current piece.
  std::vector<std::pair<Expression, Expression>> bounds;
  std::vector<Expression> tuple;
  double coefficient = 0;
  SmallVector<int64_t> values; // of the iterators
};

} // namespace

/// Position of the innermost iterator of that name.
static std::optional<size_t> findIterator(ArrayRef<RangeAttr> scope,
                                          StringAttr name) {
  for (size_t i = scope.size(); i > 0; --i)
    if (scope[i - 1].getName() == name)
      return i - 1;
  return std::nullopt;
}

static InFlightDiagnostic &&emitOverflow(InFlightDiagnostic &&diag) {
  diag << "[specialise-relation-size] expected indices and bounds that fit in "
          "64 bits";
  return std::move(diag);
}

LogicalResult Lister::compile(PolyAttr poly, ArrayRef<RangeAttr> scope,
                              Expression &result) {
  for (auto [coef, monomial] :
       llvm::zip_equal(poly.getCoefs(), poly.getMonomials())) {
    Expression::Term &term = result.terms.emplace_back();
    term.coefficient = coef;
    for (StringAttr name : monomial.getAsRange<StringAttr>()) {
      if (std::optional<size_t> iterator = findIterator(scope, name)) {
        term.iterators.push_back(*iterator);
        continue;
      }
      std::optional<int64_t> value = lookup(name);
      if (!value)
        return emitError() << "[specialise-relation] expected only parameters "
                              "and iterators in a relation, got `"
                           << name.getValue() << "` in " << poly.str();
      if (llvm::MulOverflow(term.coefficient, *value, term.coefficient))
        return emitOverflow(emitError()) << ", got " << poly.str();
    }
  }
  return success();
}

FailureOr<int64_t> Lister::evaluate(const Expression &expression) {
  if (std::optional<int64_t> value = expression.evaluate(values))
    return *value;
  return emitOverflow(emitError());
}

LogicalResult Lister::takeSteps(int64_t count) {
  if (count > stepsLeft)
    return emitError() << "[specialise-relation-size] expected a relation that "
                          "is listed in at most "
                       << maxSteps << " steps, got one that takes more";
  stepsLeft -= count;
  return success();
}

/// Whether a range that depends on no other has no values: there are no tuples,
/// and there is no need to go through the ranges before it.
FailureOr<bool> Lister::isEmpty() {
  auto isFixed = [](const Expression &expression) {
    return llvm::all_of(expression.terms, [](const Expression::Term &term) {
      return term.iterators.empty();
    });
  };
  for (const auto &[lower, upper] : bounds) {
    if (!isFixed(lower) || !isFixed(upper))
      continue;
    FailureOr<int64_t> first = evaluate(lower), last = evaluate(upper);
    if (failed(first) || failed(last))
      return failure();
    if (*first > *last)
      return true;
  }
  return false;
}

LogicalResult Lister::visit(size_t depth) {
  if (depth == bounds.size()) {
    for (const Expression &expression : tuple) {
      FailureOr<int64_t> index = evaluate(expression);
      if (failed(index))
        return failure();
      indices.push_back(*index);
    }
    coefficients.push_back(coefficient);
    return success();
  }
  FailureOr<int64_t> lower = evaluate(bounds[depth].first);
  FailureOr<int64_t> upper = evaluate(bounds[depth].second);
  if (failed(lower) || failed(upper))
    return failure();
  if (*lower > *upper)
    return success();
  int64_t count;
  if (llvm::SubOverflow(*upper, *lower, count) ||
      llvm::AddOverflow<int64_t>(count, 1, count))
    count = std::numeric_limits<int64_t>::max();
  if (failed(takeSteps(count)))
    return failure();
  for (int64_t value = *lower; value <= *upper; ++value) {
    values[depth] = value;
    if (failed(visit(depth + 1)))
      return failure();
  }
  return success();
}

LogicalResult Lister::add(PieceAttr piece) {
  ArrayRef<RangeAttr> ranges = piece.getRanges();
  bounds.assign(ranges.size(), {});
  tuple.assign(piece.getIndices().size(), {});
  values.assign(ranges.size(), 0);
  coefficient = piece.getCoefficient().getValueAsDouble();
  for (size_t i = 0; i < ranges.size(); ++i) {
    // A bound may name the iterators before it, not its own.
    ArrayRef<RangeAttr> scope = ranges.take_front(i);
    if (failed(compile(ranges[i].getLower(), scope, bounds[i].first)) ||
        failed(compile(ranges[i].getUpper(), scope, bounds[i].second)))
      return failure();
  }
  for (auto [index, expression] : llvm::zip_equal(piece.getIndices(), tuple))
    if (failed(compile(index, ranges, expression)))
      return failure();
  FailureOr<bool> empty = isEmpty();
  if (failed(empty) || failed(takeSteps(1)))
    return failure();
  return *empty ? success() : visit(0);
}

bool isClosed(RelationAttr relation) {
  auto namesOnly = [](PolyAttr poly, ArrayRef<RangeAttr> scope) {
    bool closed = true;
    poly.walkVariables([&](StringAttr name) {
      closed &= findIterator(scope, name).has_value();
    });
    return closed;
  };
  return llvm::all_of(relation.getPieces(), [&](PieceAttr piece) {
    ArrayRef<RangeAttr> ranges = piece.getRanges();
    for (size_t i = 0; i < ranges.size(); ++i)
      if (!namesOnly(ranges[i].getLower(), ranges.take_front(i)) ||
          !namesOnly(ranges[i].getUpper(), ranges.take_front(i)))
        return false;
    return llvm::all_of(piece.getIndices(), [&](PolyAttr index) {
      return namesOnly(index, ranges);
    });
  });
}

FailureOr<TuplesAttr>
evaluateRelation(RelationAttr relation, ParameterLookup lookup,
                 llvm::function_ref<InFlightDiagnostic()> emitError) {
  Lister lister(lookup, emitError);
  for (PieceAttr piece : relation.getPieces())
    if (failed(lister.add(piece)))
      return failure();
  auto tuples =
      TuplesAttr::getCanonical(relation.getContext(), relation.getAxes(),
                               lister.indices, lister.coefficients);
  for (double coefficient : tuples.getCoefficients().asArrayRef())
    if (!std::isfinite(coefficient))
      return emitError() << "[relation-coefficient] expected coefficients of "
                            "equal tuples with a finite sum, got "
                         << coefficient;
  return tuples;
}

} // namespace gyre
