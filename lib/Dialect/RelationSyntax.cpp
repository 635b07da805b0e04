//===- RelationSyntax.cpp - Text form of relations and conditions ---------===//

#include "gyre/Dialect/PolySyntax.h"

#include <cmath>

using namespace mlir;

namespace gyre {

//===----------------------------------------------------------------------===//
// Relations
//===----------------------------------------------------------------------===//

static ParseResult checkFinite(AsmParser &parser, SMLoc loc, double value) {
  if (std::isfinite(value))
    return success();
  return parser.emitError(
             loc, "[relation-coefficient] expected a finite number, got ")
         << value;
}

/// An optional `* number` behind a tuple, 1.0 where it is missing.
static ParseResult parseCoefficient(AsmParser &parser, double &result) {
  result = 1.0;
  if (failed(parser.parseOptionalStar()))
    return success();
  SMLoc loc = parser.getCurrentLocation();
  if (parseNumber(parser, result))
    return failure();
  return checkFinite(parser, loc, result);
}

static void printCoefficient(AsmPrinter &printer, double value) {
  if (value == 1.0)
    return;
  printer << " * ";
  printer.printFloat(APFloat(value));
}

static ParseResult parseRange(AsmParser &parser, RangeAttr &result) {
  StringAttr name;
  PolyAttr lower, upper;
  if (parseName(parser, name) || parser.parseKeyword("in") ||
      parser.parseLSquare() || parsePoly(parser, lower) ||
      parser.parseComma() || parsePoly(parser, upper) || parser.parseRSquare())
    return failure();
  result = RangeAttr::get(parser.getContext(), name, lower, upper);
  return success();
}

static void printRange(AsmPrinter &printer, RangeAttr range) {
  printer << range.getName().getValue() << " in [" << range.getLower().str()
          << ", " << range.getUpper().str() << "]";
}

/// `(r = l, k = l*l) * 2.0 : l in [0, L]`. The first piece fixes the axes and
/// their order; the others may name them in any order.
static ParseResult parsePiece(AsmParser &parser, SmallVector<StringAttr> &axes,
                              PieceAttr &result) {
  MLIRContext *context = parser.getContext();
  bool first = axes.empty();
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<PolyAttr> indices(axes.size());
  auto parseEntry = [&]() -> ParseResult {
    StringAttr name;
    PolyAttr index;
    SMLoc entryLoc = parser.getCurrentLocation();
    if (parseName(parser, name) || parser.parseEqual() ||
        parsePoly(parser, index))
      return failure();
    auto *it = llvm::find(axes, name);
    bool seen = it != axes.end() && indices[it - axes.begin()];
    if (seen || (it == axes.end() && !first))
      return parser.emitError(entryLoc)
             << "[relation-axes] expected each axis of the relation once, got `"
             << name.getValue() << "`";
    if (it == axes.end()) {
      axes.push_back(name);
      indices.push_back(index);
    } else {
      indices[it - axes.begin()] = index;
    }
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseEntry))
    return failure();
  if (axes.empty())
    return parser.emitError(loc, "[relation-axes] expected at least one axis, "
                                 "got none");
  for (auto [axis, index] : llvm::zip_equal(axes, indices))
    if (!index)
      return parser.emitError(loc)
             << "[relation-axes] expected an index for each axis in each "
                "piece, got none for `"
             << axis.getValue() << "`";
  double coefficient;
  if (parseCoefficient(parser, coefficient))
    return failure();
  SmallVector<RangeAttr> ranges;
  if (succeeded(parser.parseOptionalColon())) {
    auto parseOne = [&]() -> ParseResult {
      RangeAttr range;
      if (parseRange(parser, range))
        return failure();
      ranges.push_back(range);
      return success();
    };
    if (parser.parseCommaSeparatedList(parseOne))
      return failure();
  }
  auto value = FloatAttr::get(Float64Type::get(context), coefficient);
  if (failed(PieceAttr::verify([&] { return parser.emitError(loc); }, indices,
                               value, ranges)))
    return failure();
  result = PieceAttr::get(context, indices, value, ranges);
  return success();
}

static void printPiece(AsmPrinter &printer, ArrayRef<StringAttr> axes,
                       PieceAttr piece) {
  printer << "(";
  llvm::interleaveComma(llvm::zip_equal(axes, piece.getIndices()), printer,
                        [&](auto entry) {
                          printer << std::get<0>(entry).getValue() << " = "
                                  << std::get<1>(entry).str();
                        });
  printer << ")";
  printCoefficient(printer, piece.getCoefficient().getValueAsDouble());
  if (piece.getRanges().empty())
    return;
  printer << " : ";
  llvm::interleaveComma(piece.getRanges(), printer,
                        [&](RangeAttr range) { printRange(printer, range); });
}

ParseResult parseRelation(AsmParser &parser, RelationAttr &result) {
  SmallVector<StringAttr> axes;
  SmallVector<PieceAttr> pieces;
  if (parser.parseLBrace())
    return failure();
  // Pieces are separated by `|`: the union of the comprehensions.
  do {
    PieceAttr piece;
    if (parsePiece(parser, axes, piece))
      return failure();
    pieces.push_back(piece);
  } while (succeeded(parser.parseOptionalVerticalBar()));
  if (parser.parseRBrace())
    return failure();
  result = RelationAttr::get(parser.getContext(), axes, pieces);
  return success();
}

void printRelation(AsmPrinter &printer, RelationAttr relation) {
  printer << "{";
  llvm::interleave(
      relation.getPieces(), printer,
      [&](PieceAttr piece) { printPiece(printer, relation.getAxes(), piece); },
      " | ");
  printer << "}";
}

ParseResult parseTuples(AsmParser &parser, TuplesAttr &result) {
  return failure(parser.parseLSquare() ||
                 parseTuplesAfterSquare(parser, result));
}

ParseResult parseTuplesAfterSquare(AsmParser &parser, TuplesAttr &result) {
  SmallVector<StringAttr> axes;
  SmallVector<int64_t> indices;
  SmallVector<double> coefficients;
  auto parseAxisName = [&]() -> ParseResult {
    StringAttr name;
    if (parseName(parser, name))
      return failure();
    axes.push_back(name);
    return success();
  };
  auto parseTuple = [&]() -> ParseResult {
    size_t before = indices.size();
    SMLoc loc = parser.getCurrentLocation();
    auto parseIndex = [&]() -> ParseResult {
      return parser.parseInteger(indices.emplace_back());
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseIndex))
      return failure();
    if (indices.size() - before != axes.size())
      return parser.emitError(loc)
             << "[tuples-size] expected " << axes.size()
             << " indices in a tuple, got " << indices.size() - before;
    return parseCoefficient(parser, coefficients.emplace_back());
  };
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(parseAxisName) || parser.parseRSquare() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseTuple))
    return failure();
  result = TuplesAttr::getCanonical(parser.getContext(), axes, indices,
                                    coefficients);
  // Finite coefficients of one tuple may add up to what is not.
  for (double coefficient : result.getCoefficients().asArrayRef())
    if (failed(checkFinite(parser, start, coefficient)))
      return failure();
  return success();
}

void printTuples(AsmPrinter &printer, TuplesAttr tuples) {
  printer << "[";
  llvm::interleaveComma(tuples.getAxes(), printer,
                        [&](StringAttr axis) { printer << axis.getValue(); });
  printer << "] {";
  llvm::interleaveComma(llvm::seq<int64_t>(0, tuples.size()), printer,
                        [&](int64_t i) {
                          printer << "(";
                          llvm::interleaveComma(tuples.tuple(i), printer);
                          printer << ")";
                          printCoefficient(printer, tuples.coefficient(i));
                        });
  printer << "}";
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

ParseResult parseCondition(AsmParser &parser, ConditionAttr &result) {
  PolyAttr lhs, rhs;
  std::string comparison;
  if (parsePoly(parser, lhs))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalGreater())) {
    comparison = ">";
  } else if (succeeded(parser.parseOptionalLess())) {
    comparison = "<";
  } else if (succeeded(parser.parseOptionalEqual())) {
    if (parser.parseEqual())
      return failure();
    comparison = "==";
  } else {
    return parser.emitError(
               loc,
               "[condition-comparison] expected one of ==, >=, <=, >, < after ")
           << lhs.str();
  }
  if (comparison != "==" && succeeded(parser.parseOptionalEqual()))
    comparison += "=";
  if (parsePoly(parser, rhs))
    return failure();
  result =
      ConditionAttr::get(parser.getContext(), lhs,
                         StringAttr::get(parser.getContext(), comparison), rhs);
  return success();
}

} // namespace gyre
