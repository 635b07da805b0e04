//===- DeriveOp.cpp - Declared derivatives --------------------------------===//

#include "gyre/Dialect/OpSyntax.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace gyre {

/// `(x as gx, w)`: names, and what they are called on the other side (`g` and
/// the name, where nothing is said).
static ParseResult parseRenamed(OpAsmParser &parser, ArrayAttr &names,
                                ArrayAttr &renamed) {
  SmallVector<Attribute> from, to;
  auto parseOne = [&]() -> ParseResult {
    StringAttr name, other;
    if (parseName(parser, name))
      return failure();
    if (failed(parser.parseOptionalKeyword("as")))
      other = parser.getBuilder().getStringAttr("g" + name.getValue());
    else if (parseName(parser, other))
      return failure();
    from.push_back(name);
    to.push_back(other);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
    return failure();
  names = parser.getBuilder().getArrayAttr(from);
  renamed = parser.getBuilder().getArrayAttr(to);
  return success();
}

static void printRenamed(OpAsmPrinter &printer, StringRef keyword,
                         ArrayAttr names, ArrayAttr renamed) {
  printer << " " << keyword << " (";
  llvm::interleaveComma(llvm::zip_equal(names, renamed), printer, [&](auto p) {
    printer << cast<StringAttr>(std::get<0>(p)).getValue() << " as "
            << cast<StringAttr>(std::get<1>(p)).getValue();
  });
  printer << ")";
}

static ParseResult parseNames(OpAsmParser &parser, ArrayAttr &names) {
  SmallVector<Attribute> list;
  auto parseOne = [&]() -> ParseResult {
    StringAttr name;
    if (parseName(parser, name))
      return failure();
    list.push_back(name);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
    return failure();
  names = parser.getBuilder().getArrayAttr(list);
  return success();
}

static void printNames(OpAsmPrinter &printer, StringRef keyword,
                       ArrayAttr names) {
  if (!names)
    return;
  printer << " " << keyword << " (";
  llvm::interleaveComma(names.getAsValueRange<StringAttr>(), printer);
  printer << ")";
}

ParseResult DeriveOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  FlatSymbolRefAttr primal;
  ArrayAttr names, renamed;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(),
                             result.attributes) ||
      parser.parseEqual() || parser.parseKeyword("vjp") ||
      parser.parseAttribute(primal, getPrimalAttrName(result.name),
                            result.attributes) ||
      parser.parseKeyword("wrt") || parseRenamed(parser, names, renamed))
    return failure();
  result.addAttribute(getWrtAttrName(result.name), names);
  result.addAttribute(getWrtNamesAttrName(result.name), renamed);
  if (succeeded(parser.parseOptionalKeyword("given"))) {
    if (parseRenamed(parser, names, renamed))
      return failure();
    result.addAttribute(getGivenAttrName(result.name), names);
    result.addAttribute(getGivenNamesAttrName(result.name), renamed);
  }
  std::pair<StringRef, StringAttr> lists[] = {
      {"saves", getSavesAttrName(result.name)},
      {"exact", getExactAttrName(result.name)},
      {"without", getWithoutAttrName(result.name)}};
  for (auto &[keyword, attrName] : lists) {
    if (failed(parser.parseOptionalKeyword(keyword)))
      continue;
    if (parseNames(parser, names))
      return failure();
    result.addAttribute(attrName, names);
  }
  if (succeeded(parser.parseOptionalKeyword("precision"))) {
    PrecisionAttr precision;
    if (parsePrecision(parser,
                       "[derive-precision] expected a precision such as ieee "
                       "or tf32x3",
                       precision))
      return failure();
    result.addAttribute(getPrecisionAttrName(result.name), precision);
  }
  return parseOtherAttributes(parser, result, /*withKeyword=*/true);
}

void DeriveOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getSymName());
  printer << " = vjp " << getPrimalAttr();
  printRenamed(printer, "wrt", getWrt(), getWrtNames());
  if (ArrayAttr given = getGivenAttr())
    printRenamed(printer, "given", given, getGivenNamesAttr());
  printNames(printer, "saves", getSavesAttr());
  printNames(printer, "exact", getExactAttr());
  printNames(printer, "without", getWithoutAttr());
  if (std::optional<Precision> precision = getPrecision())
    printer << " precision " << stringifyPrecision(*precision);
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {SymbolTable::getSymbolAttrName(), getPrimalAttrName(), getWrtAttrName(),
       getWrtNamesAttrName(), getGivenAttrName(), getGivenNamesAttrName(),
       getSavesAttrName(), getExactAttrName(), getWithoutAttrName(),
       getPrecisionAttrName()});
}

/// What needs no look at the primal; `gyre-differentiate` checks the rest.
LogicalResult DeriveOp::verify() {
  if (failed(verifyNames(*this, getSymName())))
    return failure();
  for (ArrayAttr names :
       {getWrt(), getWrtNames(), getGivenAttr(), getGivenNamesAttr(),
        getSavesAttr(), getExactAttr(), getWithoutAttr()}) {
    if (!names)
      continue;
    llvm::StringSet<> seen;
    for (StringRef name : names.getAsValueRange<StringAttr>()) {
      if (failed(verifyNames(*this, name)))
        return failure();
      if (!seen.insert(name).second)
        return emitError("[derive-repeated] expected each name once in a "
                         "list, got `")
               << name << "` twice";
    }
  }
  auto renamed = [](ArrayAttr names, ArrayAttr others) {
    return names && others ? names.size() == others.size() : names == others;
  };
  if (!renamed(getWrt(), getWrtNames()) ||
      !renamed(getGivenAttr(), getGivenNamesAttr()))
    return emitError("[derive-renamed] expected one new name for each name "
                     "of `wrt` and of `given`, got more or fewer");
  for (auto [list, names] :
       {std::pair("wrt", getWrt()), std::pair("given", getGivenAttr())})
    if (names && names.empty())
      return emitError("[derive-nothing] expected at least one name in `")
             << list << "`, got none";
  return success();
}

} // namespace gyre
