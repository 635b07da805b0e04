//===- ElementwiseOps.td - What arith and math do not have -*- tablegen -*-===//

#ifndef GYRE_ELEMENTWISEOPS_TD
#define GYRE_ELEMENTWISEOPS_TD

include "Gyre/GyreTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Gyre_ElementwiseOpsDoc : OpDocGroup {
  let summary = "Elementwise";
  let description = "What `arith` and `math` do not have; `gyre.func` lists which of their ops are taken.";
}

let opDocGroup = Gyre_ElementwiseOpsDoc in {

class Gyre_UnaryOp<string mnemonic> : Gyre_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins Gyre_FloatTensor:$x);
  let results = (outs Gyre_FloatTensor:$result);
  let assemblyFormat = "$x attr-dict `:` custom<FullType>(type($x))";
  let hasVerifier = 1;
}

def Gyre_SigmoidOp : Gyre_UnaryOp<"sigmoid"> {
  let summary = "the logistic function, 1 / (1 + exp(-x))";
  let description = [{
    Elementwise (`[elementwise-type]`: the result has the type of `x`), finite for
    every finite `x`. The derivative is taken as
    `s * (1 - s)` of the result, not of `x` again.

    ```mlir
    %s = gyre.sigmoid %x : !gyre.tensor<E x C x f32>
    ```
  }];
}

def Gyre_SiluOp : Gyre_UnaryOp<"silu"> {
  let summary = "the sigmoid linear unit, x / (1 + exp(-x))";
  let description = [{
    Elementwise, `[elementwise-type]`. The derivative is `s * (1 + x * (1 - s))` with `s = sigmoid(x)`.

    ```mlir
    %y = gyre.silu %x : !gyre.tensor<E x C x f32>
    ```
  }];
}

def Gyre_StopGradientOp : Gyre_UnaryOp<"stop_gradient"> {
  let summary = "the value, whose derivative counts as zero";
  let description = [{
    Elementwise, `[elementwise-type]`.

    ```mlir
    %shift = gyre.stop_gradient %max : !gyre.tensor<E x f32>
    ```
  }];
}

def Gyre_ConvertOp : Gyre_Op<"convert", [Pure, SameOperandsAndResultShape]> {
  let summary = "the same numbers in another float type";
  let description = [{
    Elementwise, rounded once, to nearest, ties to even. The derivative is converted
    back. Converting to the type that is there is
    nothing, and `gyre-simplify` leaves nothing of it: a spec may convert between type
    parameters, whether they come out equal or not.

    Constraints:
    * `[convert-shape]` the result has the sizes of `x`.

    ```mlir
    %wide = gyre.convert %x : !gyre.tensor<E x C x bf16> -> !gyre.tensor<E x C x f32>
    ```
  }];
  let arguments = (ins Gyre_FloatTensor:$x);
  let results = (outs Gyre_FloatTensor:$result);
  let assemblyFormat = "$x attr-dict `:` custom<FullType>(type($x)) `->` custom<FullType>(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Gyre_SelectOp : Gyre_Op<"select", [Pure,
    AllTypesMatch<["on_true", "on_false", "result"]>]> {
  let summary = "one of two values, cell by cell";
  let description = [{
    `out[..] = condition[..] ? on_true[..] : on_false[..]`; the value that is not taken
    has no influence. (`arith.select` takes conditions of builtin tensors only.)

    Constraints:
    * `[select-shape]` the condition has the sizes of the values.

    ```mlir
    %c = arith.cmpf olt, %x, %y : !gyre.tensor<E x C x f32>
    %m = gyre.select %c, %x, %y : !gyre.tensor<E x C x i1>, !gyre.tensor<E x C x f32>
    ```
  }];
  let arguments = (ins Gyre_MaskTensor:$condition, Gyre_Tensor:$on_true, Gyre_Tensor:$on_false);
  let results = (outs Gyre_Tensor:$result);
  let assemblyFormat = "$condition `,` $on_true `,` $on_false attr-dict `:` custom<FullType>(type($condition)) `,` custom<FullType>(type($result))";
  let hasVerifier = 1;
}

def Gyre_ConstantOp : Gyre_Op<"constant", [Pure]> {
  let summary = "a tensor filled with one number";
  let description = [{
    Constraints:
    * `[number-syntax]` numbers are written with a decimal point, also the coefficients of relations.

    ```mlir
    %one = gyre.constant 1.0 : !gyre.tensor<E x C x f32>
    ```
  }];
  let arguments = (ins F64Attr:$value);
  let results = (outs Gyre_FloatTensor:$result);
  let assemblyFormat = "custom<PlainFloat>($value) attr-dict `:` custom<FullType>(type($result))";
}

} // opDocGroup

#endif // GYRE_ELEMENTWISEOPS_TD
