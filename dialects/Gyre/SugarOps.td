//===- SugarOps.td - What users think in -------------------*- tablegen -*-===//
//
// Each of these is a few primitives (pass `gyre-decompose`); no pass knows them by name.
//
//===----------------------------------------------------------------------===//

#ifndef GYRE_SUGAROPS_TD
#define GYRE_SUGAROPS_TD

include "Gyre/GyreInterfaces.td"
include "Gyre/GyreTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Gyre_SugarOpsDoc : OpDocGroup {
  let summary = "Named operators";
  let description = "What users think in. Each is a few primitives, which `gyre-decompose` puts in its place.";
}

let opDocGroup = Gyre_SugarOpsDoc in {

/// An op of a maximal degree.
class Gyre_SugarOp<string mnemonic> : Gyre_Op<mnemonic, [Pure, Gyre_InferredTypes,
    DeclareOpInterfaceMethods<Gyre_DecomposableOpInterface>]> {
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::gyre::PolyAttr> getStaticSizes() { return {getDegree()}; }
  }];
}

def Gyre_RotateOp : Gyre_SugarOp<"rotate"> {
  let summary = "rotates features into the edge frame, keeping orders -1, 0, +1";
  let description = [{
    `out[e, r, c] = sum_j wigner[e, k(r), l*l + j] x[e, l*l + j, c]` with the reduced
    rows `r` of `docs/operators.md` 1.4 and 4.1 (degrees `0..L` of order 0, then
    degrees `1..L` of order -1, then of order +1). Only structural entries of `wigner`
    are read.

    Shapes: `wigner (E, (L+1)^2, (L+1)^2)`, `x (E, (L+1)^2, C)`, result `(E, 3L+1, C)`.
    Packed, `wigner (E, 3*(L+1)^2 - 2)` holds the structural entries alone: degree by
    degree, of each the rows of order -1, 0 and +1, columns ascending. Gradients have
    the layout of what they are gradients of.

    Constraints:
    * `[rotate-shape]` as above.

    ```mlir
    %xl = gyre.rotate %x by %wigner degree L : !gyre.tensor<E x (L+1)*(L+1) x C x f32>, !gyre.tensor<E x (L+1)*(L+1) x (L+1)*(L+1) x f32>
    %xp = gyre.rotate %x by %packed degree L : !gyre.tensor<E x (L+1)*(L+1) x C x f32>, !gyre.tensor<E x 3*(L+1)*(L+1) - 2 x f32>
    ```
  }];
  let arguments = (ins Gyre_FloatTensor:$x, Gyre_FloatTensor:$wigner, Gyre_PolyAttr:$degree);
  let results = (outs Gyre_FloatTensor:$result);
  let assemblyFormat = "$x `by` $wigner `degree` custom<Poly>($degree) attr-dict `:` custom<FullType>(type($x)) `,` custom<FullType>(type($wigner))";
}

def Gyre_DegreeMixOp : Gyre_SugarOp<"degree_mix"> {
  let summary = "mixes degrees of equal order with an edge's kernel";
  let description = [{
    `docs/operators.md` 4.2. Without a basis: each row times the radial value of its
    degree, `kernel (E, L+1, C)`. With a basis `(R, C)`: rows of one order are mixed
    by the compact kernel `(E, ((L+1)^2 + L^2) * R)`, rank fastest, whose second block
    orders -1 and +1 share.

    Shapes: `x (E, 3L+1, C)`, result the same.

    Constraints:
    * `[degree-mix-shape]` as above.

    ```mlir
    %y = gyre.degree_mix %xl by %kc basis %cb degree L : !x, !k, !b
    ```
  }];
  let arguments = (ins Gyre_FloatTensor:$x, Gyre_FloatTensor:$kernel, Optional<Gyre_FloatTensor>:$basis, Gyre_PolyAttr:$degree);
  let results = (outs Gyre_FloatTensor:$result);
  let assemblyFormat = [{
    $x `by` $kernel (`basis` $basis^)? `degree` custom<Poly>($degree) attr-dict
      `:` custom<FullType>(type($x)) `,` custom<FullType>(type($kernel)) (`,` type($basis)^)?
  }];
}

def Gyre_GatedActivationOp : Gyre_SugarOp<"gated_activation"> {
  let summary = "SiLU on the scalar row, sigmoid gates on the others";
  let description = [{
    `docs/operators.md` 6. Of each row of `z`, the first `C` entries `s` become
    `silu(s)`; each of the three planes of `L*C` that follow is multiplied by
    `sigmoid(s gate)`. Without a gate (`L = 0`) only the scalars are left.

    Shapes: `z (F, E, (3L+1)*C)`, `gate (F, C, L*C)`, result as `z`.

    Constraints:
    * `[gated-activation-shape]` as above.

    ```mlir
    %v = gyre.gated_activation %z gate %g degree L channels C : !z, !g
    ```
  }];
  let arguments = (ins Gyre_FloatTensor:$z, Optional<Gyre_FloatTensor>:$gate, Gyre_PolyAttr:$degree, Gyre_PolyAttr:$channels);
  let results = (outs Gyre_FloatTensor:$result);
  let assemblyFormat = [{
    $z (`gate` $gate^)? `degree` custom<Poly>($degree) `channels` custom<Poly>($channels) attr-dict
      `:` custom<FullType>(type($z)) (`,` type($gate)^)?
  }];
}

} // opDocGroup

#endif // GYRE_SUGAROPS_TD
