//===- ShapeOps.td - Slice, pad, concat of static axes -----*- tablegen -*-===//

#ifndef GYRE_SHAPEOPS_TD
#define GYRE_SHAPEOPS_TD

include "Gyre/GyreTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Gyre_ShapeOpsDoc : OpDocGroup {
  let summary = "Static axes";
  let description = "Parts of axes, and axes of parts.";
}

let opDocGroup = Gyre_ShapeOpsDoc in {

def Gyre_SliceOp : Gyre_Op<"slice", [Pure, Gyre_InferredTypes]> {
  let summary = "a contiguous part of one axis";
  let description = [{
    Positions `from` to `from + size - 1` of dimension `axis`. Its adjoint is `gyre.pad`.

    Constraints:
    * `[slice-axis]` `axis` is a dimension of `x`.
    * `[slice-range]` the part lies within the dimension (checked once all are constants).

    ```mlir
    %s = gyre.slice %u axis 1 from L + 1 size 2*L : !gyre.tensor<E x 3*L + 1 x f32>
    ```
  }];
  let arguments = (ins Gyre_FloatTensor:$x, I64Attr:$axis, Gyre_PolyAttr:$from, Gyre_PolyAttr:$size);
  let results = (outs Gyre_FloatTensor:$result);
  let assemblyFormat = [{
    $x `axis` custom<PlainInteger>($axis) `from` custom<Poly>($from) `size` custom<Poly>($size) attr-dict `:` custom<FullType>(type($x))
  }];
}

def Gyre_PadOp : Gyre_Op<"pad", [Pure, Gyre_InferredTypes]> {
  let summary = "zeros before and after along one axis";
  let description = [{
    `low` zeros before and `high` zeros after along dimension `axis`. Its adjoint is `gyre.slice`.

    Constraints:
    * `[pad-axis]` `axis` is a dimension of `x`.
    * `[pad-amount]` `low` and `high` are not negative (checked once they are constants).

    ```mlir
    %p = gyre.pad %s axis 1 low L + 1 high 0 : !gyre.tensor<E x 2*L x f32>
    ```
  }];
  let arguments = (ins Gyre_FloatTensor:$x, I64Attr:$axis, Gyre_PolyAttr:$low, Gyre_PolyAttr:$high);
  let results = (outs Gyre_FloatTensor:$result);
  let assemblyFormat = [{
    $x `axis` custom<PlainInteger>($axis) `low` custom<Poly>($low) `high` custom<Poly>($high) attr-dict `:` custom<FullType>(type($x))
  }];
}

def Gyre_ConcatOp : Gyre_Op<"concat", [Pure, Gyre_InferredTypes]> {
  let summary = "tensors one after another along one axis";
  let description = [{
    Constraints:
    * `[concat-operands]` there is at least one operand.
    * `[concat-axis]` `axis` is a dimension of the operands.
    * `[concat-shape]` the operands agree in rank, element type and all other dimensions.

    ```mlir
    %z = gyre.concat %a, %b axis 1 : !gyre.tensor<E x L x f32>, !gyre.tensor<E x 2*L x f32>
    ```
  }];
  let arguments = (ins Variadic<Gyre_FloatTensor>:$inputs, I64Attr:$axis);
  let results = (outs Gyre_FloatTensor:$result);
  let assemblyFormat = "$inputs `axis` custom<PlainInteger>($axis) attr-dict `:` type($inputs)";
}

} // opDocGroup

#endif // GYRE_SHAPEOPS_TD
