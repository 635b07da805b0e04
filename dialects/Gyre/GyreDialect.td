//===- GyreDialect.td - The dialect and its base classes ---*- tablegen -*-===//

#ifndef GYRE_DIALECT_TD
#define GYRE_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Gyre_Dialect : Dialect {
  let name = "gyre";
  let summary = "The algebra of equivariant and neighbourhood networks";
  let description = [{
    Everything that these networks do over a graph is said with a few primitives
    on values with *named symbolic dimensions*: `gather` and `segment_sum` over an
    index map, `contract` (an einsum, optionally over a static relation of index
    tuples), elementwise `arith` and `math`, slicing of static axes, and maxima
    that remember their slot. The set is closed under differentiation: the adjoint
    of each primitive is written with the same primitives.

    A file holds `gyre.spec`s: parameters, functions (`gyre.func`) and declared
    derivatives (`gyre.derive`). Sizes are polynomials over parameters, fixed by
    the pass `gyre-specialise`, and over runtime sizes, bound when a compiled
    function is called.

    Names of sizes, axes, arguments, results, parameters and functions are the names
    that C and Python see:
    * `[name-syntax]` letters, digits and `_`, not a digit first; parameters are called
      neither `x`, which separates dimensions, nor like a builtin type.

    An op's dictionary holds what has no other place in its text:
    * `[syntax-attribute]` no attribute there that the op has syntax for.

    Where operands and attributes tell the types of the results:
    * `[result-type]` results have these types.
  }];
  let cppNamespace = "::gyre";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

/// The types of the results follow from the rest of the op. The verifier is the dialect's own: upstream's has a second
/// error for each of the op's.
def Gyre_InferredTypesTrait : NativeOpTrait<"InferredTypes", [], [{
    /// Leaves it to the trait's verifier.
    static ::llvm::LogicalResult refineReturnTypes(::mlir::MLIRContext *, std::optional<::mlir::Location>,
        ::mlir::ValueRange, ::mlir::DictionaryAttr, ::mlir::OpaqueProperties, ::mlir::RegionRange,
        ::llvm::SmallVectorImpl<::mlir::Type> &) { return ::mlir::success(); }
  }]> {
  let cppNamespace = "::gyre";
}
def Gyre_InferredTypes : TraitList<[InferTypeOpAdaptor, Gyre_InferredTypesTrait]>;

class Gyre_Op<string mnemonic, list<Trait> traits = []>
    : Op<Gyre_Dialect, mnemonic, traits>;

#endif // GYRE_DIALECT_TD
