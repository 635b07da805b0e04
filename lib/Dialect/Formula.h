//===- Formula.h - Contracts in the notation of the formulas ----*- C++ -*-===//

#ifndef GYRE_LIB_DIALECT_FORMULA_H
#define GYRE_LIB_DIALECT_FORMULA_H

#include "gyre/Dialect/Gyre.h"

namespace gyre {

/// A size with the usual operators.
struct Size {
  PolyAttr poly;

  friend Size operator+(Size a, Size b) { return {a.poly.add(b.poly)}; }
  friend Size operator-(Size a, Size b) { return {a.poly.sub(b.poly)}; }
  friend Size operator*(Size a, Size b) { return {a.poly.mul(b.poly)}; }
  friend Size operator+(Size a, int64_t b) { return a + a.number(b); }
  friend Size operator-(Size a, int64_t b) { return a - a.number(b); }
  friend Size operator*(int64_t a, Size b) { return b.number(a) * b; }

  Size number(int64_t value) const {
    return {PolyAttr::constant(poly.getContext(), value)};
  }
};

/// An iterator, between bounds that are both included.
struct Iterator {
  Size name, lower, upper;
};

/// One comprehension: an index for each axis of the relation.
struct Piece {
  llvm::SmallVector<Size, 3> indices;
  llvm::SmallVector<Iterator, 2> iterators;
};

class Formula {
public:
  Formula(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// An iterator's name that none of `sizes` has: it would be hidden there.
  Size iterator(llvm::StringRef name, llvm::ArrayRef<Size> sizes);

  /// The axes are separated by spaces.
  RelationAttr relation(llvm::StringRef axes, llvm::ArrayRef<Piece> pieces);

  /// Subscripts list axes, and groups of axes in parentheses: `e (s p)`.
  /// `sizes` are those of axes that are not a dimension of an operand by
  /// themselves.
  mlir::Value
  contract(llvm::ArrayRef<std::pair<mlir::Value, llvm::StringRef>> operands,
           llvm::StringRef result,
           llvm::ArrayRef<std::pair<llvm::StringRef, Size>> sizes = {},
           mlir::Attribute relation = {});

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace gyre

#endif // GYRE_LIB_DIALECT_FORMULA_H
