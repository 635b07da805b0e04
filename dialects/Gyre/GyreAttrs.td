//===- GyreAttrs.td - Sizes, axes, relations, conditions ---*- tablegen -*-===//

#ifndef GYRE_ATTRS_TD
#define GYRE_ATTRS_TD

include "Gyre/GyreDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Gyre_Attr<string name, string attrMnemonic> : AttrDef<Gyre_Dialect, name> {
  let mnemonic = attrMnemonic;
}


def Gyre_PolyAttr : Gyre_Attr<"Poly", "poly"> {
  let summary = "polynomial with integer coefficients over named sizes";
  let description = [{
    A size such as `3*L+1` or `F*C`. Kept in canonical form (monomials sorted, equal
    ones merged, zero ones dropped), so that equality of sizes is equality of
    attributes. Names are parameters of the enclosing `gyre.spec`, or runtime sizes.

    Constraints:
    * `[size-syntax]` sums, differences and products of integers, names and parentheses.
    * `[size-overflow]` coefficients fit 64 bits; at most 512 monomials, of degree at most 64.

    ```mlir
    #gyre.poly<L*L + 2*L + 1>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "coefficient of each monomial">:$coefs,
    ArrayRefParameter<"::mlir::ArrayAttr", "sorted variables of each monomial, repeated by power">:$monomials
  );
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    static PolyAttr constant(::mlir::MLIRContext *context, int64_t value);
    static PolyAttr variable(::mlir::StringAttr name);
    /// What arithmetic gives that goes beyond the limits above. It absorbs whatever it
    /// meets, and is a negative constant: no check of a size lets it pass.
    static PolyAttr overflow(::mlir::MLIRContext *context);
    bool isOverflow() const;

    PolyAttr add(PolyAttr other) const;
    PolyAttr sub(PolyAttr other) const;
    PolyAttr mul(PolyAttr other) const;

    /// The value, when no variable is left.
    std::optional<int64_t> getConstant() const;
    bool isConstant(int64_t value) const { return getConstant() == value; }
    /// The variable, when the polynomial is exactly one.
    ::mlir::StringAttr getVariable() const;
    /// Replaces each variable for which `lookup` returns non-null.
    PolyAttr substitute(::llvm::function_ref<PolyAttr(::mlir::StringAttr)> lookup) const;
    void walkVariables(::llvm::function_ref<void(::mlir::StringAttr)> visit) const;
    void printExpression(::llvm::raw_ostream &os) const;
    std::string str() const;
  }];
}

def Gyre_AxisAttr : Gyre_Attr<"Axis", "axis"> {
  let summary = "a named axis of a contraction, with its size";
  let parameters = (ins "::mlir::StringAttr":$name, "PolyAttr":$size);
  let hasCustomAssemblyFormat = 1;
}

def Gyre_RangeAttr : Gyre_Attr<"Range", "range"> {
  let summary = "an iterator of a relation, over a closed interval of integers";
  let parameters = (ins "::mlir::StringAttr":$name, "PolyAttr":$lower, "PolyAttr":$upper);
  let assemblyFormat = "`<` $name `,` $lower `,` $upper `>`";
}

def Gyre_PieceAttr : Gyre_Attr<"Piece", "piece"> {
  let summary = "one comprehension of a relation";
  let description = [{
    All tuples `indices` for iterators in their ranges (a later range may name an
    earlier iterator), each with the same coefficient.

    Constraints:
    * `[relation-coefficient]` the coefficient is a finite f64.
    * `[relation-iterator]` no two iterators share a name.
  }];
  let parameters = (ins
    ArrayRefParameter<"PolyAttr", "index of each axis of the relation">:$indices,
    "::mlir::FloatAttr":$coefficient,
    OptionalArrayRefParameter<"RangeAttr", "iterators, outermost first">:$ranges
  );
  let assemblyFormat = "`<` `[` $indices `]` `,` $coefficient (`,` `[` $ranges^ `]`)? `>`";
  let genVerifyDecl = 1;
}

def Gyre_RelationAttr : Gyre_Attr<"Relation", "relation"> {
  let summary = "a static relation: a union of comprehensions over compile-time parameters";
  let description = [{
    A multiset of index tuples over named axes, each with a coefficient. Tuples that
    occur twice add up. `gyre-specialise` evaluates it into `#gyre.tuples`.

    Constraints:
    * `[relation-axes]` there is an axis, and each piece has one index for each.

    ```mlir
    #gyre.relation<{(r = l, k = l*l + l, d = l*l + j) : l in [0, L], j in [0, 2*l] | (r = 0, k = 0, d = 0) * -1.0}>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"::mlir::StringAttr", "axes">:$axes,
    ArrayRefParameter<"PieceAttr", "comprehensions">:$pieces
  );
  let hasCustomAssemblyFormat = 1;
}

def Gyre_TuplesAttr : Gyre_Attr<"Tuples", "tuples"> {
  let summary = "an evaluated relation: a list of index tuples with coefficients";
  let description = [{
    Sorted lexicographically, without duplicates and without zero coefficients.

    Constraints:
    * `[tuples-size]` each tuple has one index for each axis.
    * `[relation-coefficient]` coefficients are finite.

    ```mlir
    #gyre.tuples<[r, k, d] {(0, 0, 0), (1, 2, 1) * -1.0}>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"::mlir::StringAttr", "axes">:$axes,
    "::mlir::DenseI64ArrayAttr":$indices,
    "::mlir::DenseF64ArrayAttr":$coefficients
  );
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Sorts, merges and drops, as the canonical form asks.
    static TuplesAttr getCanonical(::mlir::MLIRContext *context,
                                   ::llvm::ArrayRef<::mlir::StringAttr> axes,
                                   ::llvm::ArrayRef<int64_t> indices,
                                   ::llvm::ArrayRef<double> coefficients);
    int64_t size() const { return getCoefficients().size(); }
    ::llvm::ArrayRef<int64_t> tuple(int64_t i) const {
      return getIndices().asArrayRef().slice(i * getAxes().size(), getAxes().size());
    }
    double coefficient(int64_t i) const { return getCoefficients()[i]; }
  }];
}

def Gyre_ConditionAttr : Gyre_Attr<"Condition", "condition"> {
  let summary = "a comparison of two polynomials of parameters";
  let description = [{
    Constraints:
    * `[condition-comparison]` it is one of `==`, `>=`, `<=`, `>`, `<`.
  }];
  let parameters = (ins "PolyAttr":$lhs, "::mlir::StringAttr":$comparison, "PolyAttr":$rhs);
  let assemblyFormat = "`<` $lhs `,` $comparison `,` $rhs `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Whether it holds; nullopt while a variable is left.
    std::optional<bool> evaluate() const;
    /// `L + 1 >= 2`, without the attribute's own brackets.
    std::string str() const;
  }];
}

def Gyre_Precision : I32EnumAttr<"Precision", "how the products of a contraction are evaluated", [
    I32EnumAttrCase<"ieee", 0>, I32EnumAttrCase<"tf32x3", 1>, I32EnumAttrCase<"bf16x3", 2>,
    I32EnumAttrCase<"bf16x6", 3>, I32EnumAttrCase<"fp16x3", 4>, I32EnumAttrCase<"tf32", 5>,
    I32EnumAttrCase<"bf16", 6>, I32EnumAttrCase<"fp16", 7>, I32EnumAttrCase<"fp64", 8>
  ]> {
  let cppNamespace = "::gyre";
  let genSpecializedAttr = 0;
}
def Gyre_PrecisionAttr : EnumAttr<Gyre_Dialect, Gyre_Precision, "precision">;

#endif // GYRE_ATTRS_TD
