//===- Attrs.cpp - Attributes: text form and invariants -------------------===//

#include "gyre/Dialect/PolySyntax.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace gyre;

//===----------------------------------------------------------------------===//
// Custom directives
//===----------------------------------------------------------------------===//

/// `, compact align 16`, of which anything may be missing.
static ParseResult parseEntryLayout(AsmParser &parser, bool &compact,
                                    int64_t &alignment) {
  compact = false;
  alignment = 0;
  if (failed(parser.parseOptionalComma()))
    return success();
  compact = succeeded(parser.parseOptionalKeyword("compact"));
  if (compact && failed(parser.parseOptionalKeyword("align")))
    return success();
  if (!compact && parser.parseKeyword("align"))
    return failure();
  return parser.parseInteger(alignment);
}

static void printEntryLayout(AsmPrinter &printer, bool compact,
                             int64_t alignment) {
  if (compact || alignment)
    printer << ",";
  if (compact)
    printer << " compact";
  if (alignment)
    printer << " align " << alignment;
}

#define GET_ATTRDEF_CLASSES
#include "gyre/Dialect/GyreAttrs.cpp.inc"

namespace gyre {

void GyreDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "gyre/Dialect/GyreAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Text form: each attribute is its small grammar in angle brackets
//===----------------------------------------------------------------------===//

template <typename AttrT>
static Attribute parseInAngles(AsmParser &parser,
                               ParseResult (*parseBody)(AsmParser &, AttrT &)) {
  AttrT result;
  if (parser.parseLess() || parseBody(parser, result) || parser.parseGreater())
    return {};
  return result;
}

Attribute PolyAttr::parse(AsmParser &parser, Type) {
  return parseInAngles<PolyAttr>(parser, parsePoly);
}
void PolyAttr::print(AsmPrinter &printer) const {
  printer << "<" << str() << ">";
}

Attribute AxisAttr::parse(AsmParser &parser, Type) {
  return parseInAngles<AxisAttr>(parser, parseAxis);
}
void AxisAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printAxis(printer, *this);
  printer << ">";
}

Attribute RelationAttr::parse(AsmParser &parser, Type) {
  return parseInAngles<RelationAttr>(parser, parseRelation);
}
void RelationAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printRelation(printer, *this);
  printer << ">";
}

Attribute TuplesAttr::parse(AsmParser &parser, Type) {
  return parseInAngles<TuplesAttr>(parser, parseTuples);
}
void TuplesAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printTuples(printer, *this);
  printer << ">";
}

//===----------------------------------------------------------------------===//
// PieceAttr
//===----------------------------------------------------------------------===//

LogicalResult PieceAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<PolyAttr>, FloatAttr coefficient,
                                ArrayRef<RangeAttr> ranges) {
  if (!coefficient.getType().isF64() || !coefficient.getValue().isFinite())
    return emitError() << "[relation-coefficient] expected a finite f64, got "
                       << coefficient;
  for (size_t i = 0; i < ranges.size(); ++i)
    for (RangeAttr earlier : ranges.take_front(i))
      if (earlier.getName() == ranges[i].getName())
        return emitError() << "[relation-iterator] expected iterators of "
                              "different names, got two of name `"
                           << earlier.getName().getValue() << "`";
  return success();
}

//===----------------------------------------------------------------------===//
// TuplesAttr
//===----------------------------------------------------------------------===//

LogicalResult TuplesAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<StringAttr> axes,
                                 DenseI64ArrayAttr indices,
                                 DenseF64ArrayAttr coefficients) {
  if (indices.size() != static_cast<int64_t>(axes.size()) * coefficients.size())
    return emitError() << "[tuples-size] expected "
                       << axes.size() * coefficients.size() << " indices, got "
                       << indices.size();
  return success();
}

TuplesAttr TuplesAttr::getCanonical(MLIRContext *context,
                                    ArrayRef<StringAttr> axes,
                                    ArrayRef<int64_t> indices,
                                    ArrayRef<double> coefficients) {
  size_t width = axes.size();
  SmallVector<size_t> order(coefficients.size());
  std::iota(order.begin(), order.end(), 0);
  auto tuple = [&](size_t i) { return indices.slice(i * width, width); };
  // Equal tuples keep their order, so that their coefficients add up the same
  // way every time.
  llvm::sort(order, [&](size_t a, size_t b) {
    ArrayRef<int64_t> x = tuple(a), y = tuple(b);
    auto [p, q] = std::mismatch(x.begin(), x.end(), y.begin());
    return p == x.end() ? a < b : *p < *q;
  });
  SmallVector<int64_t> sorted;
  SmallVector<double> merged;
  for (size_t at = 0; at < order.size();) {
    ArrayRef<int64_t> current = tuple(order[at]);
    double sum = 0;
    for (; at < order.size() && tuple(order[at]) == current; ++at)
      sum += coefficients[order[at]];
    if (sum == 0)
      continue;
    sorted.append(current.begin(), current.end());
    merged.push_back(sum);
  }
  return TuplesAttr::get(context, axes, DenseI64ArrayAttr::get(context, sorted),
                         DenseF64ArrayAttr::get(context, merged));
}

//===----------------------------------------------------------------------===//
// ConditionAttr
//===----------------------------------------------------------------------===//

LogicalResult
ConditionAttr::verify(function_ref<InFlightDiagnostic()> emitError, PolyAttr,
                      StringAttr comparison, PolyAttr) {
  if (!llvm::is_contained({"==", ">=", "<=", ">", "<"}, comparison.getValue()))
    return emitError() << "[condition-comparison] expected one of ==, >=, <=, "
                          ">, <, got `"
                       << comparison.getValue() << "`";
  return success();
}

std::optional<bool> ConditionAttr::evaluate() const {
  std::optional<int64_t> lhs = getLhs().getConstant();
  std::optional<int64_t> rhs = getRhs().getConstant();
  if (!lhs || !rhs)
    return std::nullopt;
  llvm::StringRef comparison = getComparison().getValue();
  if (comparison == "==")
    return *lhs == *rhs;
  if (comparison == ">=")
    return *lhs >= *rhs;
  if (comparison == "<=")
    return *lhs <= *rhs;
  if (comparison == ">")
    return *lhs > *rhs;
  return *lhs < *rhs;
}

std::string ConditionAttr::str() const {
  return getLhs().str() + " " + getComparison().str() + " " + getRhs().str();
}

} // namespace gyre
