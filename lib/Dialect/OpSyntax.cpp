//===- OpSyntax.cpp - Directives and names that several ops share ---------===//

#include "gyre/Dialect/OpSyntax.h"

using namespace mlir;

namespace gyre {

ParseResult parseNumber(AsmParser &parser, double &result) {
  SMLoc loc = parser.getCurrentLocation();
  // The parser's own error has no id: what is no such number is seen before.
  const char *digits = loc.getPointer();
  digits += *digits == '-';
  const char *end = digits;
  while (llvm::isDigit(*end))
    ++end;
  bool bits = end == digits + 1 && *digits == '0' && *end == 'x';
  if (end == digits || !(*end == '.' || bits)) {
    while (llvm::isAlnum(*end) || *end == '_')
      ++end;
    return parser.emitError(
               loc, "[number-syntax] expected a number with a decimal point, "
                    "got `")
           << StringRef(loc.getPointer(), end - loc.getPointer()) << "`";
  }
  return parser.parseFloat(result);
}

ParseResult parsePlainInteger(OpAsmParser &parser, IntegerAttr &result) {
  int64_t value;
  if (parser.parseInteger(value))
    return failure();
  result = parser.getBuilder().getI64IntegerAttr(value);
  return success();
}

void printPlainInteger(OpAsmPrinter &printer, Operation *, IntegerAttr value) {
  printer << value.getInt();
}

ParseResult parsePlainFloat(OpAsmParser &parser, FloatAttr &result) {
  double value;
  if (parseNumber(parser, value))
    return failure();
  result = parser.getBuilder().getF64FloatAttr(value);
  return success();
}

void printPlainFloat(OpAsmPrinter &printer, Operation *, FloatAttr value) {
  printer.printFloat(value.getValue());
}

void printName(OpAsmPrinter &printer, Operation *, StringAttr name) {
  printer << name.getValue();
}

ParseResult parseOtherAttributes(OpAsmParser &parser, OperationState &result,
                                 bool withKeyword,
                                 ArrayRef<StringRef> allowed) {
  NamedAttrList attributes;
  SMLoc loc = parser.getCurrentLocation();
  if (withKeyword ? parser.parseOptionalAttrDictWithKeyword(attributes)
                  : parser.parseOptionalAttrDict(attributes))
    return failure();
  for (NamedAttribute attribute : attributes)
    if (llvm::is_contained(result.name.getAttributeNames(),
                           attribute.getName()) &&
        !llvm::is_contained(allowed, attribute.getName().getValue()))
      return parser.emitError(loc, "[syntax-attribute] expected attributes "
                                   "that the op has no syntax for, got `")
             << attribute.getName().getValue() << "`";
  result.addAttributes(attributes);
  return success();
}

ParseResult parsePrecision(OpAsmParser &parser, StringRef expected,
                           PrecisionAttr &result) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<Precision> precision = symbolizePrecision(keyword);
  if (!precision)
    return parser.emitError(loc) << expected << ", got `" << keyword << "`";
  result = PrecisionAttr::get(parser.getContext(), *precision);
  return success();
}

LogicalResult verifyNames(Operation *op, ArrayRef<StringRef> names) {
  for (StringRef name : names)
    if (!isName(name))
      return op->emitError("[name-syntax] expected a name of letters, digits "
                           "and `_`, got `")
             << name << "`";
  return success();
}

} // namespace gyre
