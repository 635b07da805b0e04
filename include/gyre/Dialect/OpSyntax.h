//===- OpSyntax.h - Directives that several ops' formats share --*- C++ -*-===//

#ifndef GYRE_DIALECT_OPSYNTAX_H
#define GYRE_DIALECT_OPSYNTAX_H

#include "gyre/Dialect/PolySyntax.h"

namespace gyre {

/// A size without its attribute's prefix; `parsePoly` is its parser.
inline void printPoly(mlir::OpAsmPrinter &printer, mlir::Operation *,
                      PolyAttr poly) {
  printer << poly.str();
}

/// An integer without its type.
mlir::ParseResult parsePlainInteger(mlir::OpAsmParser &parser,
                                    mlir::IntegerAttr &result);
void printPlainInteger(mlir::OpAsmPrinter &printer, mlir::Operation *,
                       mlir::IntegerAttr value);

/// A number without its type.
mlir::ParseResult parsePlainFloat(mlir::OpAsmParser &parser,
                                  mlir::FloatAttr &result);
void printPlainFloat(mlir::OpAsmPrinter &printer, mlir::Operation *,
                     mlir::FloatAttr value);

/// A type with its dialect's prefix, which `type(...)` leaves out where it can.
inline mlir::ParseResult parseFullType(mlir::OpAsmParser &parser,
                                       mlir::Type &type) {
  return parser.parseType(type);
}
inline void printFullType(mlir::OpAsmPrinter &printer, mlir::Operation *,
                          mlir::Type type) {
  printer << type;
}

/// A name without its quotes; `parseName` is its parser.
void printName(mlir::OpAsmPrinter &printer, mlir::Operation *,
               mlir::StringAttr name);

/// An optional dictionary at the end of an op. What the op has syntax for is
/// not said there, but for what `allowed` names: it would be lost, or come
/// twice.
mlir::ParseResult
parseOtherAttributes(mlir::OpAsmParser &parser, mlir::OperationState &result,
                     bool withKeyword,
                     llvm::ArrayRef<llvm::StringRef> allowed = {});

/// How products are evaluated. Of another word the error is `expected`, and the
/// word.
mlir::ParseResult parsePrecision(mlir::OpAsmParser &parser,
                                 llvm::StringRef expected,
                                 PrecisionAttr &result);

/// Checks names that a generic form or a builder may have brought.
llvm::LogicalResult verifyNames(mlir::Operation *op,
                                llvm::ArrayRef<llvm::StringRef> names);

} // namespace gyre

#endif // GYRE_DIALECT_OPSYNTAX_H
