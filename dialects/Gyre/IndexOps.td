//===- IndexOps.td - Gather, segment sum and validity ------*- tablegen -*-===//

#ifndef GYRE_INDEXOPS_TD
#define GYRE_INDEXOPS_TD

include "Gyre/GyreTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Gyre_IndexOpsDoc : OpDocGroup {
  let summary = "Index maps";
  let description = "What moves values between nodes and the edges (or neighbour slots) that refer to them.";
}

let opDocGroup = Gyre_IndexOpsDoc in {

def Gyre_GatherOp : Gyre_Op<"gather", [Pure, Gyre_InferredTypes]> {
  let summary = "copies rows of nodes to what refers to them";
  let description = [{
    `out[.., e, ..] = x[.., m[e], ..]`: dimension `axis` of `x`, of the map's target
    size, is replaced by the map's axes. A padded reference reads 0. Its adjoint is
    `gyre.segment_sum` over the same map.

    Constraints:
    * `[gather-axis]` `axis` is a dimension of `x`.
    * `[gather-target]` that dimension is the map's target size.

    ```mlir
    %xe = gyre.gather %x over %src axis 0 : !gyre.tensor<N x C x f32>, !gyre.map<[e: E] to N>
    ```
  }];
  let arguments = (ins Gyre_Tensor:$x, Gyre_Map:$map, I64Attr:$axis);
  let results = (outs Gyre_Tensor:$result);
  let assemblyFormat = "$x `over` $map `axis` custom<PlainInteger>($axis) attr-dict `:` custom<FullType>(type($x)) `,` custom<FullType>(type($map))";
}

def Gyre_SegmentSumOp : Gyre_Op<"segment_sum", [Pure, Gyre_InferredTypes]> {
  let summary = "sums rows into the node that they refer to";
  let description = [{
    `out[.., s, ..] = sum over e with m[e] = s of rows[.., e, ..]`: the map's axes,
    found at `axis`, are replaced by its target size. The order of summation is
    fixed: ascending position of the (flattened) axes. Padded references are dropped;
    a node that nothing refers to gets an exact 0. Its adjoint is `gyre.gather`.

    Constraints:
    * `[segment-sum-axis]` `rows` has the map's axes at `axis`.

    ```mlir
    %n = gyre.segment_sum %rows over %src axis 0 : !gyre.tensor<E x C x f32>, !gyre.map<[e: E] to N>
    ```
  }];
  let arguments = (ins Gyre_FloatTensor:$rows, Gyre_Map:$map, I64Attr:$axis);
  let results = (outs Gyre_FloatTensor:$result);
  let assemblyFormat = "$rows `over` $map `axis` custom<PlainInteger>($axis) attr-dict `:` custom<FullType>(type($rows)) `,` custom<FullType>(type($map))";
}

def Gyre_ValidOp : Gyre_Op<"valid", [Pure]> {
  let summary = "1 where a map refers to a node, 0 where it is padded";
  let description = [{
    Constraints:
    * `[valid-shape]` the result has the map's axes.

    ```mlir
    %v = gyre.valid %knn : !gyre.map<[k: K, n: Nout] to Nin, padded> -> !gyre.tensor<K x Nout x f32>
    ```
  }];
  let arguments = (ins Gyre_Map:$map);
  let results = (outs Gyre_FloatTensor:$result);
  let assemblyFormat = "$map attr-dict `:` custom<FullType>(type($map)) `->` custom<FullType>(type($result))";
  let hasVerifier = 1;
}

} // opDocGroup

#endif // GYRE_INDEXOPS_TD
