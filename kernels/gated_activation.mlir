// The nonlinearity of a mixing layer (docs/operators.md, section 6): SiLU on the scalar channels,
// sigmoid gates, computed from them, on the three planes of the others.

!z = !gyre.tensor<F x E x (3*L+1)*C x act>
!scalars = !gyre.tensor<F x E x C x act>
!G = !gyre.tensor<F x C x L*C x act>

gyre.spec @gated_activation {
  gyre.param "L" in [0, 8] doc "maximal degree"
  gyre.param "F" in [1, 64] default 1 doc "focuses"
  gyre.param "C" in [1, 4096] doc "channels of a focus"
  gyre.type_param "act" in [f32, f64, f16, bf16] default f32 doc "activations and parameters"

  gyre.alternative where L == 0 {
    gyre.func @gated_activation(%z: !scalars) -> (v: !scalars) {
      %v = gyre.gated_activation %z degree 0 channels C : !scalars
      gyre.return %v : !scalars
    }
    gyre.derive @gated_activation_bwd = vjp @gated_activation wrt (z as gz) given (v as a)
    gyre.derive @gated_activation_bwd2 = vjp @gated_activation_bwd wrt (a as da, z as dz) given (gz as h)
  }

  gyre.alternative where L >= 1 {
    gyre.func @gated_activation(%z: !z, %G: !G) -> (v: !z) {
      %v = gyre.gated_activation %z gate %G degree L channels C : !z, !G
      gyre.return %v : !z
    }
    gyre.derive @gated_activation_bwd = vjp @gated_activation wrt (z as gz, G as gG) given (v as a)
    gyre.derive @gated_activation_bwd2 = vjp @gated_activation_bwd
      wrt (a as da, z as dz, G as dG) given (gz as h, gG as mG)
  }
}
