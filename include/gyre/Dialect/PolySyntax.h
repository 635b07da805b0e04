//===- PolySyntax.h - Text form of sizes, axes and relations ----*- C++ -*-===//
//
// One home for the small grammar that types, attributes and ops share.
//
//===----------------------------------------------------------------------===//

#ifndef GYRE_DIALECT_POLYSYNTAX_H
#define GYRE_DIALECT_POLYSYNTAX_H

#include "gyre/Dialect/Gyre.h"

namespace gyre {

/// Whether C, Python and the text form take it as a name.
bool isName(llvm::StringRef name);
/// Whether a size of that name would be read as an element type.
bool isElementTypeName(llvm::StringRef name);
mlir::ParseResult parseName(mlir::AsmParser &parser, mlir::StringAttr &result);

/// `-0.5`: a number with a decimal point, or the bits of one, `0x7ff8...`.
mlir::ParseResult parseNumber(mlir::AsmParser &parser, double &result);

/// `3*L + 1`: sums, differences and products of integers and names.
mlir::ParseResult parsePoly(mlir::AsmParser &parser, PolyAttr &result);
/// The same, where the first token, a `(`, has been consumed.
mlir::ParseResult parsePolyAfterParen(mlir::AsmParser &parser,
                                      PolyAttr &result);

/// `e: E`, with the separator that the context uses.
mlir::ParseResult parseAxis(mlir::AsmParser &parser, AxisAttr &result);
void printAxis(mlir::AsmPrinter &printer, AxisAttr axis);

/// `{(r = l, k = l*l) * -1.0 : l in [0, L] | ...}`.
mlir::ParseResult parseRelation(mlir::AsmParser &parser, RelationAttr &result);
void printRelation(mlir::AsmPrinter &printer, RelationAttr relation);

/// `[r, k] {(0, 0), (1, 2) * -1.0}`.
mlir::ParseResult parseTuples(mlir::AsmParser &parser, TuplesAttr &result);
/// The same, where the first token, a `[`, has been consumed.
mlir::ParseResult parseTuplesAfterSquare(mlir::AsmParser &parser,
                                         TuplesAttr &result);
void printTuples(mlir::AsmPrinter &printer, TuplesAttr tuples);

/// `[e, (r, c)]`, as an array of arrays of names.
mlir::ParseResult parseSubscript(mlir::AsmParser &parser,
                                 mlir::ArrayAttr &result);
void printSubscript(mlir::AsmPrinter &printer, mlir::ArrayAttr subscript);
/// Visits each axis of a well-formed subscript.
void walkAxes(mlir::ArrayAttr subscript,
              llvm::function_ref<void(mlir::StringAttr)> visit);

/// `R >= 1`.
mlir::ParseResult parseCondition(mlir::AsmParser &parser,
                                 ConditionAttr &result);

} // namespace gyre

#endif // GYRE_DIALECT_POLYSYNTAX_H
