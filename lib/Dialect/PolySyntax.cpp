//===- PolySyntax.cpp - Text form of names, sizes and subscripts ----------===//

#include "gyre/Dialect/PolySyntax.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace gyre {

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

bool isName(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

bool isElementTypeName(StringRef name) {
  static constexpr StringRef whole[] = {"index",  "none",  "complex", "memref",
                                        "tensor", "tuple", "vector"};
  static constexpr StringRef stems[] = {"f", "bf", "tf", "i", "si", "ui"};
  return llvm::is_contained(whole, name) ||
         llvm::any_of(stems, [&](StringRef stem) {
           StringRef width = name;
           return width.consume_front(stem) && !width.empty() &&
                  llvm::isDigit(width.front());
         });
}

ParseResult parseName(AsmParser &parser, StringAttr &result) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  if (!isName(name))
    return parser.emitError(loc, "[name-syntax] expected a name of letters, "
                                 "digits and `_`, got `")
           << name << "`";
  result = StringAttr::get(parser.getContext(), name);
  return success();
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

namespace {
/// The grammar of sizes. Nesting is bounded, for each level takes some of the
/// stack.
class PolyParser {
public:
  explicit PolyParser(AsmParser &parser) : parser(parser) {}

  /// term ((`+` | `-`) term)*
  ParseResult parseSum(PolyAttr &result) {
    return failure(parseTerm(result) || parseSumTail(result));
  }

  /// What follows a first factor, already in `result`.
  ParseResult parseTermTail(PolyAttr &result) {
    while (succeeded(parser.parseOptionalStar())) {
      PolyAttr factor;
      if (parseFactor(factor))
        return failure();
      result = result.mul(factor);
    }
    return success();
  }

  /// What follows a first term, already in `result`.
  ParseResult parseSumTail(PolyAttr &result) {
    while (true) {
      bool plus = succeeded(parser.parseOptionalPlus());
      if (!plus && failed(parser.parseOptionalMinus()))
        return success();
      PolyAttr term;
      if (parseTerm(term))
        return failure();
      result = plus ? result.add(term) : result.sub(term);
    }
  }

private:
  static constexpr unsigned maxDepth = 64;

  /// factor (`*` factor)*
  ParseResult parseTerm(PolyAttr &result) {
    return failure(parseFactor(result) || parseTermTail(result));
  }

  /// `-`* (integer | name | `(` sum `)`)
  ParseResult parseFactor(PolyAttr &result) {
    bool negative = false;
    while (succeeded(parser.parseOptionalMinus()))
      negative = !negative;
    if (parsePrimary(result))
      return failure();
    if (negative)
      result = PolyAttr::constant(parser.getContext(), -1).mul(result);
    return success();
  }

  ParseResult parsePrimary(PolyAttr &result) {
    MLIRContext *context = parser.getContext();
    SMLoc loc = parser.getCurrentLocation();
    if (succeeded(parser.parseOptionalLParen())) {
      if (++depth > maxDepth)
        return parser.emitError(loc)
               << "[size-syntax] expected at most " << maxDepth
               << " parentheses within one another, got more";
      if (parseSum(result) || parser.parseRParen())
        return failure();
      --depth;
      return success();
    }
    int64_t value = 0; // g++ does not see that it is assigned
    OptionalParseResult integer = parser.parseOptionalDecimalInteger(value);
    if (integer.has_value()) {
      if (failed(*integer))
        return failure();
      result = PolyAttr::constant(context, value);
      return success();
    }
    StringRef name;
    if (failed(parser.parseOptionalKeyword(&name)))
      return parser.emitError(loc, "[size-syntax] expected a size: an integer, "
                                   "a name or a parenthesis");
    if (name == "x")
      return parser.emitError(loc, "[size-syntax] expected a size, got `x`, "
                                   "which separates dimensions");
    if (isElementTypeName(name))
      return parser.emitError(loc, "[size-syntax] expected a size, got `")
             << name << "`, which is a type";
    if (!isName(name))
      return parser.emitError(loc, "[name-syntax] expected a name of letters, "
                                   "digits and `_`, got `")
             << name << "`";
    result = PolyAttr::variable(StringAttr::get(context, name));
    return success();
  }

  AsmParser &parser;
  unsigned depth = 0;
};
} // namespace

static ParseResult checkOverflow(AsmParser &parser, SMLoc loc, PolyAttr poly) {
  if (!poly.isOverflow())
    return success();
  return parser.emitError(loc, "[size-overflow] expected coefficients that 64 "
                               "bits hold and at most 512 monomials of degree "
                               "at most 64, got a larger polynomial");
}

ParseResult parsePoly(AsmParser &parser, PolyAttr &result) {
  SMLoc loc = parser.getCurrentLocation();
  return failure(PolyParser(parser).parseSum(result) ||
                 checkOverflow(parser, loc, result));
}

ParseResult parsePolyAfterParen(AsmParser &parser, PolyAttr &result) {
  SMLoc loc = parser.getCurrentLocation();
  PolyParser inner(parser), outer(parser);
  return failure(inner.parseSum(result) || parser.parseRParen() ||
                 outer.parseTermTail(result) || outer.parseSumTail(result) ||
                 checkOverflow(parser, loc, result));
}

//===----------------------------------------------------------------------===//
// Axes and subscripts
//===----------------------------------------------------------------------===//

ParseResult parseAxis(AsmParser &parser, AxisAttr &result) {
  StringAttr name;
  PolyAttr size;
  if (parseName(parser, name) || parser.parseColon() || parsePoly(parser, size))
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

void walkAxes(ArrayAttr subscript, llvm::function_ref<void(StringAttr)> visit) {
  for (Attribute group : subscript)
    for (Attribute axis : cast<ArrayAttr>(group))
      visit(cast<StringAttr>(axis));
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

} // namespace gyre
