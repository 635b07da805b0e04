// The nonlinearity of a mixing layer with the gradient of its gate logits, and the recovery of the
// layer's input from its output (docs/operators.md, section 6).
//
// q = s G + shift                   s: the scalar channels of z; logits of the gates
// v = (silu(s), w sigmoid(q))       w: the three planes of the other channels
// u_in = v_out - v                  at shift 0
//
// At a shift of zeros, its gradient is that of the logits, gq, and the cotangent of gq is kappa0.
// Logits are computed in the accumulator's type, and so is gq. Without gates (L = 0) there is
// nothing here that gated_activation.mlir has not.

!z = !gyre.tensor<F x E x (3*L+1)*C x act>
!s = !gyre.tensor<F x E x C x act>
!s_acc = !gyre.tensor<F x E x C x acc>
!w = !gyre.tensor<F x E x 3*L*C x act>
!G = !gyre.tensor<F x C x L*C x act>
!G_acc = !gyre.tensor<F x C x L*C x acc>
!q = !gyre.tensor<F x E x L*C x acc>
!gate = !gyre.tensor<F x E x L*C x act>

gyre.spec @gated_layer {
  gyre.param "L" in [1, 8] doc "maximal degree"
  gyre.param "F" in [1, 64] default 1 doc "focuses"
  gyre.param "C" in [1, 4096] doc "channels of a focus"
  gyre.type_param "act" in [f32, f64, f16, bf16] default f32 doc "activations and parameters"
  gyre.accumulator "acc" of "act"

  gyre.func @gated_layer(%z: !z, %G: !G, %shift: !q) -> (v: !z) {
    %s = gyre.slice %z axis 2 from 0 size C : !z
    %w = gyre.slice %z axis 2 from C size 3*L*C : !z
    %s_acc = gyre.convert %s : !s -> !s_acc
    %G_acc = gyre.convert %G : !G -> !G_acc
    %logits = gyre.contract %s_acc[f, e, c], %G_acc[f, c, g] -> [f, e, g] : !s_acc, !G_acc
    %q = arith.addf %logits, %shift : !q
    %open = gyre.sigmoid %q : !q
    %gate = gyre.convert %open : !q -> !gate
    %v_s = gyre.silu %s : !s
    %v_w = gyre.contract %w[f, e, (j, g)], %gate[f, e, g] -> [f, e, (j, g)] with (j = 3) : !w, !gate
    %v = gyre.concat %v_s, %v_w axis 2 : !s, !w
    gyre.return %v : !z
  }
  gyre.derive @gated_layer_bwd = vjp @gated_layer wrt (z as gz, shift as gq) given (v as a)
  gyre.derive @gated_layer_bwd2 = vjp @gated_layer_bwd
    wrt (a as da, z as dz, G as dG) given (gz as h, gq as kappa0)

  gyre.func @gated_layer_input(%z: !z, %G: !G, %v_out: !z) -> (u_in: !z) {
    %v = gyre.gated_activation %z gate %G degree L channels C : !z, !G
    %u_in = arith.subf %v_out, %v : !z
    gyre.return %u_in : !z
  }
  gyre.derive @gated_layer_input_bwd = vjp @gated_layer_input
    wrt (z as ez, G as eG, v_out as ev_out) given (u_in as hu)
}
