//===- RepeatOp.td - A static number of layers -------------*- tablegen -*-===//

#ifndef GYRE_REPEATOP_TD
#define GYRE_REPEATOP_TD

include "Gyre/GyreTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Gyre_RepeatOpDoc : OpDocGroup {
  let summary = "Layers";
  let description = "Unrolled by `gyre-specialise`.";
}

let opDocGroup = Gyre_RepeatOpDoc in {

def Gyre_RepeatOp : Gyre_Op<"repeat", [AttrSizedOperandSegments, SingleBlock, RecursiveMemoryEffects,
    RecursivelySpeculatable]> {
  let summary = "a static number of layers";
  let description = [{
    Runs its body `count` times. `carry` values go from one run to the next; of each
    `slice` value, run `i` gets the row `i` of its leading dimension; the results are
    the last carried values, then the stacked ones (one row a run). `gyre-specialise`
    unrolls it, before differentiation.

    Constraints:
    * `[repeat-count]` `count` is not negative (checked once it is a constant).
    * `[repeat-slice]` a sliced value has a leading dimension, of at least `count` (checked once both are constants).
    * `[repeat-block]` the block's arguments are the carried values, then the rows of the sliced ones.
    * `[repeat-yield]` the body yields the carried values, then one row of each stacked result.
    * `[repeat-result]` the results are the carried values, then the stacked ones with leading dimension `count`.

    ```mlir
    %u, %z_all = gyre.repeat T carry (%u = %u0 : !u) slice (%w = %weights : !ws) -> (!u, !zs) {
      ...
      gyre.yield %next, %z : !u, !u
    }
    ```
  }];
  let arguments = (ins Gyre_PolyAttr:$count, Variadic<Gyre_Tensor>:$carried, Variadic<Gyre_Tensor>:$sliced);
  let results = (outs Variadic<Gyre_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Gyre_YieldOp : Gyre_Op<"yield", [Pure, HasParent<"RepeatOp">, Terminator]> {
  let summary = "ends a layer with its carried and stacked values";
  let description = [{
    The carried values of the next run, then one row of each stacked result: see
    `gyre.repeat`.

    ```mlir
    gyre.yield %next, %z : !gyre.tensor<E x C x f32>, !gyre.tensor<E x C x f32>
    ```
  }];
  let arguments = (ins Variadic<Gyre_Tensor>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

} // opDocGroup

#endif // GYRE_REPEATOP_TD
