//===- PolySyntax.cpp - Text form of sizes, axes and relations ------------===//

#include "gyre/Dialect/PolySyntax.h"

using namespace mlir;

namespace gyre {

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// integer | name | `(` sum `)` | `-` factor
static ParseResult parseFactor(AsmParser &parser, PolyAttr &result) {
  MLIRContext *context = parser.getContext();
  if (succeeded(parser.parseOptionalLParen()))
    return failure(parsePoly(parser, result) || parser.parseRParen());
  if (succeeded(parser.parseOptionalMinus())) {
    if (parseFactor(parser, result))
      return failure();
    result = PolyAttr::constant(context, -1).mul(result);
    return success();
  }
  int64_t value;
  OptionalParseResult integer = parser.parseOptionalInteger(value);
  if (integer.has_value()) {
    if (failed(*integer))
      return failure();
    result = PolyAttr::constant(context, value);
    return success();
  }
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&name)))
    return parser.emitError(loc, "[size-syntax] expected a size: an integer, "
                                 "a name or a parenthesis");
  if (name == "x")
    return parser.emitError(loc, "[size-syntax] expected a size, got `x`, "
                                 "which separates dimensions");
  result = PolyAttr::variable(StringAttr::get(context, name));
  return success();
}

/// What may follow a first factor, already in `result`.
static ParseResult parseTermTail(AsmParser &parser, PolyAttr &result) {
  while (succeeded(parser.parseOptionalStar())) {
    PolyAttr factor;
    if (parseFactor(parser, factor))
      return failure();
    result = result.mul(factor);
  }
  return success();
}

static ParseResult parseTerm(AsmParser &parser, PolyAttr &result) {
  return failure(parseFactor(parser, result) ||
                 parseTermTail(parser, result));
}

/// What may follow a first term, already in `result`.
static ParseResult parseSumTail(AsmParser &parser, PolyAttr &result) {
  while (true) {
    bool plus = succeeded(parser.parseOptionalPlus());
    if (!plus && failed(parser.parseOptionalMinus()))
      return success();
    PolyAttr term;
    if (parseTerm(parser, term))
      return failure();
    result = plus ? result.add(term) : result.sub(term);
  }
}

ParseResult parsePoly(AsmParser &parser, PolyAttr &result) {
  return failure(parseTerm(parser, result) || parseSumTail(parser, result));
}

ParseResult parsePolyAfterParen(AsmParser &parser, PolyAttr &result) {
  return failure(parsePoly(parser, result) || parser.parseRParen() ||
                 parseTermTail(parser, result) ||
                 parseSumTail(parser, result));
}

//===----------------------------------------------------------------------===//
// Axes and subscripts
//===----------------------------------------------------------------------===//

static ParseResult parseName(AsmParser &parser, StringAttr &result) {
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  result = StringAttr::get(parser.getContext(), name);
  return success();
}

ParseResult parseAxis(AsmParser &parser, AxisAttr &result) {
  StringAttr name;
  PolyAttr size;
  if (parseName(parser, name) || parser.parseColon() ||
      parsePoly(parser, size))
    return failure();
  result = AxisAttr::get(parser.getContext(), name, size);
  return success();
}

void printAxis(AsmPrinter &printer, AxisAttr axis) {
  printer << axis.getName().getValue() << ": " << axis.getSize().str();
}

ParseResult parseSubscript(AsmParser &parser, ArrayAttr &result) {
  SmallVector<Attribute> entries;
  auto parseEntry = [&]() -> ParseResult {
    SmallVector<Attribute> group;
    auto parseMember = [&]() -> ParseResult {
      StringAttr name;
      if (parseName(parser, name))
        return failure();
      group.push_back(name);
      return success();
    };
    if (succeeded(parser.parseOptionalLParen())) {
      if (parser.parseCommaSeparatedList(parseMember) || parser.parseRParen())
        return failure();
    } else if (parseMember()) {
      return failure();
    }
    entries.push_back(ArrayAttr::get(parser.getContext(), group));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry))
    return failure();
  result = ArrayAttr::get(parser.getContext(), entries);
  return success();
}

void printSubscript(AsmPrinter &printer, ArrayAttr subscript) {
  auto printName = [&](Attribute name) {
    printer << cast<StringAttr>(name).getValue();
  };
  printer << "[";
  llvm::interleaveComma(subscript, printer, [&](Attribute entry) {
    ArrayAttr group = cast<ArrayAttr>(entry);
    if (group.size() == 1)
      return printName(group[0]);
    printer << "(";
    llvm::interleaveComma(group, printer, printName);
    printer << ")";
  });
  printer << "]";
}

//===----------------------------------------------------------------------===//
// Relations
//===----------------------------------------------------------------------===//

/// An optional `* number` behind a tuple, 1.0 where it is missing.
static ParseResult parseCoefficient(AsmParser &parser, double &result) {
  result = 1.0;
  if (failed(parser.parseOptionalStar()))
    return success();
  bool negative = succeeded(parser.parseOptionalMinus());
  if (parser.parseFloat(result))
    return failure();
  if (negative)
    result = -result;
  return success();
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
      parser.parseComma() || parsePoly(parser, upper) ||
      parser.parseRSquare())
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
  for (auto [axis, index] : llvm::zip_equal(axes, indices))
    if (!index)
      return parser.emitError(loc)
             << "[relation-axes] expected an index for axis `"
             << axis.getValue() << "` in each piece of the relation";
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
  result = PieceAttr::get(
      context, indices,
      FloatAttr::get(Float64Type::get(context), coefficient), ranges);
  return success();
}

static void printPiece(AsmPrinter &printer, ArrayRef<StringAttr> axes,
                       PieceAttr piece) {
  printer << "(";
  llvm::interleaveComma(
      llvm::zip_equal(axes, piece.getIndices()), printer, [&](auto entry) {
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
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                       parseIndex))
      return failure();
    if (indices.size() - before != axes.size())
      return parser.emitError(loc)
             << "[tuples-size] expected " << axes.size()
             << " indices in a tuple, got " << indices.size() - before;
    return parseCoefficient(parser, coefficients.emplace_back());
  };
  if (parser.parseCommaSeparatedList(parseAxisName) || parser.parseRSquare() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseTuple))
    return failure();
  result = TuplesAttr::getCanonical(parser.getContext(), axes, indices,
                                    coefficients);
  return success();
}

void printTuples(AsmPrinter &printer, TuplesAttr tuples) {
  printer << "[";
  llvm::interleaveComma(tuples.getAxes(), printer, [&](StringAttr axis) {
    printer << axis.getValue();
  });
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
        loc, "[condition-comparison] expected one of ==, >=, <=, >, <");
  }
  if (comparison != "==" && succeeded(parser.parseOptionalEqual()))
    comparison += "=";
  if (parsePoly(parser, rhs))
    return failure();
  result = ConditionAttr::get(
      parser.getContext(), lhs,
      StringAttr::get(parser.getContext(), comparison), rhs);
  return success();
}

} // namespace gyre
