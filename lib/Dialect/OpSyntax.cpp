//===- OpSyntax.cpp - Directives and names that several ops share ---------===//

#include "gyre/Dialect/OpSyntax.h"

using namespace mlir;

namespace gyre {

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
  if (parser.parseFloat(value))
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

LogicalResult verifyNames(Operation *op, ArrayRef<StringRef> names) {
  for (StringRef name : names)
    if (!isName(name))
      return op->emitError("[name-syntax] expected a name of letters, digits "
                           "and `_`, got `")
             << name << "`";
  return success();
}

} // namespace gyre
