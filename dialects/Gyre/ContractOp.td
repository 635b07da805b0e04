//===- ContractOp.td - Every product, reduction, broadcast -*- tablegen -*-===//

#ifndef GYRE_CONTRACTOP_TD
#define GYRE_CONTRACTOP_TD

include "Gyre/GyreTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Gyre_ContractOpDoc : OpDocGroup {
  let summary = "Contractions";
  let description = "The one op for every product, reduction, transpose and broadcast.";
}

let opDocGroup = Gyre_ContractOpDoc in {

def Gyre_ContractOp : Gyre_Op<"contract", [Pure, Gyre_InferredTypes]> {
  let summary = "einsum over named axes, optionally over a static relation";
  let description = [{
    Each operand has a subscript: for each of its dimensions an axis, or a row-major
    group `(f, c)` of axes whose sizes multiply to the dimension. A result cell is

        sum over tuples t of the relation and over the free axes that the result lacks
            coefficient(t) * product of the operands' cells.

    Without a relation all axes are free. Cells of operands that no tuple names are
    never read; cells of the result that no tuple names are exact zeros. An axis that
    only the result has is a broadcast (its size is given by `with`), so a contract of
    one operand is a reduction, a transpose or a broadcast. The adjoint in each operand
    is the same op over the same relation, that operand and the result exchanged.

    An operand may be packed, which is to hold the entries that the relation reads and no
    others: tuples then name the position of an entry, on an axis of its own, in place of
    its row and column. Gradients of it are packed by the same relation.

    Products and sums are taken in the accumulator type `acc` (f32 for f16 and bf16
    operands, else the operands' own), in a fixed order, and rounded once.

    `precision` names a form in which products may be evaluated, and thereby a bound: beyond
    what sums in `ieee` are allowed, a result may be off by so much of |f|, which is the
    contract of the operands' absolute values. Nothing that is said is `ieee`.

    | precision | each operand is | bound |
    |---|---|---|
    | `ieee` | itself, in the accumulator's type | 0 |
    | `fp64` | itself, and the accumulator is f64 | 0 |
    | `bf16x6` | the sum of three bf16: products of the six largest pairs | 2^-21 |
    | `tf32x3` | the sum of two tf32: three products | 2^-20 |
    | `fp16x3` | the sum of an f16 and 2^-11 times another: three products | 2^-20, and 2^-35 times the contract of \|x\| + \|y\| + 2^-15 |
    | `bf16x3` | the sum of two bf16: three products | 2^-14 |
    | `tf32` | rounded to tf32 | 2^-9 |
    | `fp16` | rounded to f16 | 2^-9, and 2^-24 times the contract of \|x\| + \|y\| + 2^-15 |
    | `bf16` | rounded to bf16 | 2^-6 |

    In `fp16x3` and `fp16` results of operands beyond 65504 are infinite or NaN. Matrix units of
    GPUs evaluate these forms where the contract is a product of matrices, of f32 accumulators.
    Whatever else evaluates a contract does so in `ieee`, which keeps each bound; `fp64` is
    always evaluated as such.

    Constraints:
    * `[contract-subscript-count]` one subscript an operand; `[contract-subscript-rank]` one entry a dimension.
    * `[contract-axis-repeat]` no axis stands twice in one subscript.
    * `[contract-axis-size]` an axis has one size, not negative; `[contract-group-size]` a group's sizes multiply to its dimension.
    * `[contract-axis-unsized]` each axis of a group, and each broadcast axis, has a size.
    * `[contract-axis-unused]` each sized axis stands in a subscript.
    * `[contract-relation-axis]` each axis of the relation stands in a subscript, once in the relation.
    * `[contract-tuple-range]` each tuple lies within the sizes of its axes (checked once these are constants).
    * `[contract-element-type]` the operands have one floating-point element type.
    * `[contract-precision]` the precision is one of those listed.
    * `[contract-accumulator]` the accumulator is a float type (of those that tensors have) that has every value of the operands' type.

    ```mlir
    %y = gyre.contract %w[e, k, d], %x[e, d, c] -> [e, r, c] with (r = 3*L + 1)
           over {(r = l, k = l*l + l, d = l*l + j) : l in [0, L], j in [0, 2*l]}
           : !gyre.tensor<E x 16 x 16 x f32>, !gyre.tensor<E x 16 x C x f32>
    // Packed, of the (2*l + 1) entries of each of these rows.
    %z = gyre.contract %p[e, p], %x[e, d, c] -> [e, r, c] with (r = L + 1)
           over {(r = l, p = l*l + j, d = l*l + j) : l in [0, L], j in [0, 2*l]}
           : !gyre.tensor<E x 16 x f32>, !gyre.tensor<E x 16 x C x f32>
    ```
  }];
  let arguments = (ins Variadic<Gyre_FloatTensor>:$inputs,
    ArrayAttr:$subscripts, ArrayAttr:$result_subscript,
    TypedArrayAttrBase<Gyre_AxisAttr, "axes with sizes">:$domain,
    OptionalAttr<AnyAttrOf<[Gyre_RelationAttr, Gyre_TuplesAttr]>>:$relation,
    OptionalAttr<TypeAttr>:$acc,
    OptionalAttr<Gyre_PrecisionAttr>:$precision);
  let results = (outs Gyre_FloatTensor:$result);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// Size of an axis of the domain, null when there is none of that name.
    PolyAttr getAxisSize(::mlir::StringAttr axis);
    /// The evaluated relation; null when there is none or it is still symbolic.
    TuplesAttr getTuples() { return ::llvm::dyn_cast_or_null<TuplesAttr>(getRelationAttr()); }
    /// Axes that the relation ties.
    ::llvm::ArrayRef<::mlir::StringAttr> getRelationAxes();
    /// The accumulator type, given or implied by the operands' element type.
    ::mlir::Type getAccumulatorType();
  }];
}

} // opDocGroup

#endif // GYRE_CONTRACTOP_TD
