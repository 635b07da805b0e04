//===- DeriveOp.cpp - Declared derivatives --------------------------------===//

#include "gyre/Dialect/Gyre.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace gyre {

/// `(x as gx, w)`: names, and what they are called on the other side (`g` and
/// the name, where nothing is said).
static ParseResult parseRenamed(OpAsmParser &parser, ArrayAttr &names,
                                ArrayAttr &renamed) {
  SmallVector<Attribute> from, to;
  auto parseOne = [&]() -> ParseResult {
    StringRef name, other;
    if (parser.parseKeyword(&name))
      return failure();
    std::string target = ("g" + name).str();
    if (succeeded(parser.parseOptionalKeyword("as"))) {
      if (parser.parseKeyword(&other))
        return failure();
      target = other.str();
    }
    from.push_back(parser.getBuilder().getStringAttr(name));
    to.push_back(parser.getBuilder().getStringAttr(target));
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
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    list.push_back(parser.getBuilder().getStringAttr(name));
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
  return parser.parseOptionalAttrDictWithKeyword(result.attributes);
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
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {SymbolTable::getSymbolAttrName(), getPrimalAttrName(), getWrtAttrName(),
       getWrtNamesAttrName(), getGivenAttrName(), getGivenNamesAttrName(),
       getSavesAttrName(), getExactAttrName(), getWithoutAttrName()});
}

/// What needs no look at the primal; `gyre-differentiate` checks the rest.
LogicalResult DeriveOp::verify() {
  for (ArrayAttr names : {getWrt(), getGivenAttr(), getSavesAttr(),
                          getExactAttr(), getWithoutAttr()}) {
    if (!names)
      continue;
    llvm::StringSet<> seen;
    for (StringRef name : names.getAsValueRange<StringAttr>())
      if (!seen.insert(name).second)
        return emitOpError("[derive-repeated] expected each name once in a "
                           "list, got `")
               << name << "` twice";
  }
  if (getWrt().size() != getWrtNames().size() ||
      static_cast<bool>(getGivenAttr()) !=
          static_cast<bool>(getGivenNamesAttr()) ||
      (getGivenAttr() &&
       getGivenAttr().size() != getGivenNamesAttr().size()))
    return emitOpError("[derive-name-clash] expected one new name for each "
                       "name of `wrt` and `given`");
  return success();
}

} // namespace gyre
