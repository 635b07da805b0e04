//===- SlotOps.td - Maxima that remember where they were ---*- tablegen -*-===//

#ifndef GYRE_SLOTOPS_TD
#define GYRE_SLOTOPS_TD

include "Gyre/GyreTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Gyre_SlotOpsDoc : OpDocGroup {
  let summary = "Slots";
  let description = "Maxima along an axis that remember where they were.";
}

let opDocGroup = Gyre_SlotOpsDoc in {

def Gyre_MaxSlotOp : Gyre_Op<"max_slot", [Pure]> {
  let summary = "maximum along one axis, and the slot that holds it";
  let description = [{
    Starts from `-inf` and slot 0, visits the slots in ascending order and takes one
    that is strictly greater: ties go to the lowest slot, NaN never wins. With a map,
    the axes of `x` at `axis` are the map's, one of which (`[k]`) is reduced, and
    padded references are skipped; without one, dimension `axis` is reduced. A row
    that has no value above `-inf` gives `-inf` and slot 0.

    Only `max` carries a derivative: its adjoint is `gyre.spread_slot`, except that the
    slot of a padded reference gets 0 (it was not read). So a row of pads gives no
    gradient, and a row of which no value won gives it to slot 0, unless that is a pad.

    Constraints:
    * `[max-slot-axis]` `axis` is a dimension of `x`, and `x` has the map's axes there.
    * `[max-slot-map-axis]` the named axis is the map's, and is named exactly where there is a map.
    * `[max-slot-shape]` `max` has the type of `x` without the reduced dimension, `slot` the same sizes.
    * `[max-slot-width]` the slot's integer type (unsigned) holds every slot (checked again where a runtime size becomes known).

    ```mlir
    %y, %slot = gyre.max_slot %v axis 2 over %knn[k] : !gyre.tensor<B x C x K x Nout x f32>,
        !gyre.map<[k: K, n: Nout] to Nin, padded> -> !gyre.tensor<B x C x Nout x f32>, !gyre.tensor<B x C x Nout x i8>
    ```
  }];
  let arguments = (ins Gyre_FloatTensor:$x, Optional<Gyre_Map>:$map, I64Attr:$axis, OptionalAttr<StrAttr>:$map_axis);
  let results = (outs Gyre_FloatTensor:$max, Gyre_IntTensor:$slot);
  let assemblyFormat = [{
    $x `axis` custom<PlainInteger>($axis) (`over` $map^ `[` custom<Name>($map_axis) `]`)? attr-dict
      `:` custom<FullType>(type($x)) (`,` type($map)^)? `->` custom<FullType>(type($max)) `,` custom<FullType>(type($slot))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The dimension of `x` that is reduced.
    int64_t getReducedDim();
  }];
}

def Gyre_SelectSlotOp : Gyre_Op<"select_slot", [Pure, Gyre_InferredTypes]> {
  let summary = "reads one slot along an axis";
  let description = [{
    `out[.., ..] = x[.., slot[.., ..], ..]` along dimension `axis`. Its adjoint is `gyre.spread_slot`.

    Constraints:
    * `[select-slot-axis]` `axis` is a dimension of `x`.
    * `[select-slot-shape]` `slot` has the sizes of `x` without that dimension.

    ```mlir
    %y = gyre.select_slot %v at %slot axis 2 : !gyre.tensor<B x C x K x Nout x f32>, !gyre.tensor<B x C x Nout x i8>
    ```
  }];
  let arguments = (ins Gyre_FloatTensor:$x, Gyre_IntTensor:$slot, I64Attr:$axis);
  let results = (outs Gyre_FloatTensor:$result);
  let assemblyFormat = "$x `at` $slot `axis` custom<PlainInteger>($axis) attr-dict `:` custom<FullType>(type($x)) `,` custom<FullType>(type($slot))";
}

def Gyre_SpreadSlotOp : Gyre_Op<"spread_slot", [Pure, Gyre_InferredTypes]> {
  let summary = "writes a value to its slot along a new axis, zeros elsewhere";
  let description = [{
    A new dimension of `size` at `axis`; `out[.., k, ..] = g[.., ..]` where `k` is the
    slot, else 0. Its adjoint is `gyre.select_slot`.

    Constraints:
    * `[spread-slot-axis]` `axis` is a place between the dimensions of `g`.
    * `[spread-slot-shape]` `slot` has the sizes of `g`.
    * `[spread-slot-size]` `size` is not negative (checked once it is a constant).

    ```mlir
    %v = gyre.spread_slot %g at %slot axis 2 size K : !gyre.tensor<B x C x Nout x f32>, !gyre.tensor<B x C x Nout x i8>
    ```
  }];
  let arguments = (ins Gyre_FloatTensor:$g, Gyre_IntTensor:$slot, I64Attr:$axis, Gyre_PolyAttr:$size);
  let results = (outs Gyre_FloatTensor:$result);
  let assemblyFormat = [{
    $g `at` $slot `axis` custom<PlainInteger>($axis) `size` custom<Poly>($size) attr-dict `:` custom<FullType>(type($g)) `,` custom<FullType>(type($slot))
  }];
}

} // opDocGroup

#endif // GYRE_SLOTOPS_TD
