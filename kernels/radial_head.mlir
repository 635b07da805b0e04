// From an edge's radial features to its degree kernel (docs/operators.md, section 3).
//
// rad[e, l, o] = sum_i q[e, l, i] A[i, o]            without A (Cr = 0) rad is q
// kc[e, j] = sum_(l, o) rad[e, l, o] Bm[(l, o), j]   without Bm (R = 0) kc is rad
//
// `kc` is what so2_rotate_mix.mlir takes, with Cw = F*C. Of `rad` what follows reads the row l = 0.
// The folded form is for inference: @radial_fold multiplies the two weights once, and `rad` is
// formed nowhere. With neither weight there is nothing to do, and no alternative that does it.

!q = !gyre.tensor<E x L+1 x Cr x act>
!rad = !gyre.tensor<E x L+1 x Cw x act>
!rad0 = !gyre.tensor<E x 1 x Cw x act>
!kc = !gyre.tensor<E x ((L+1)*(L+1)+L*L)*R x act>
!A = !gyre.tensor<Cr x Cw x par>
!A_act = !gyre.tensor<Cr x Cw x act>
!Bm = !gyre.tensor<(L+1)*Cw x ((L+1)*(L+1)+L*L)*R x par>
!Bm_act = !gyre.tensor<(L+1)*Cw x ((L+1)*(L+1)+L*L)*R x act>
!weff = !gyre.tensor<(L+1)*Cr x ((L+1)*(L+1)+L*L)*R x par>
!weff_act = !gyre.tensor<(L+1)*Cr x ((L+1)*(L+1)+L*L)*R x act>

gyre.spec @radial_head {
  gyre.param "L" in [0, 8] doc "maximal degree"
  gyre.param "Cr" in [0, 4096] doc "channels of the radial features, 0 where they are not projected"
  gyre.param "Cw" in [1, 65536] doc "channels of a node's row, of all focuses"
  gyre.param "R" in [0, 8] doc "rank of the degree kernel, 0 for one radial value per degree and channel"
  gyre.type_param "act" in [f32, f64, f16, bf16] default f32 doc "activations"
  gyre.type_param "par" in [f32, f64, f16, bf16] default !gyre.elem<act> doc "weights"

  gyre.alternative where Cr >= 1 and R >= 1 {
    gyre.func @radial_head(%q: !q, %A: !A, %Bm: !Bm) -> (rad: !rad, kc: !kc) {
      %a = gyre.convert %A : !A -> !A_act
      %b = gyre.convert %Bm : !Bm -> !Bm_act
      %rad = gyre.contract %q[e, l, i], %a[i, o] -> [e, l, o] : !q, !A_act
      %kc = gyre.contract %rad[e, l, o], %b[(l, o), j] -> [e, j] with (l = L+1, o = Cw) : !rad, !Bm_act
      gyre.return %rad, %kc : !rad, !kc
    }
    gyre.derive @radial_head_bwd = vjp @radial_head wrt (q as gq) given (rad as grad, kc as gkc)
    gyre.derive @radial_head_train_bwd = vjp @radial_head
      wrt (q as gq, A as gA, Bm as gBm) given (rad as grad, kc as gkc)
    // The second order of a force loss: `rad` has no cotangent, the weights' gradients have none.
    gyre.derive @radial_head_force_bwd = vjp @radial_head wrt (q as gq) given (kc as gkc)
    gyre.derive @radial_head_force_bwd2 = vjp @radial_head_force_bwd
      wrt (gkc as dgkc, A as dA, Bm as dBm) given (gq as hq)
    gyre.derive @radial_head_train_bwd2 = vjp @radial_head_train_bwd
      wrt (grad as dgrad, gkc as dgkc, q as dq, A as dA, Bm as dBm) given (gq as hq, gA as hA, gBm as hBm)

    // weff[(l, i), j] = sum_o A[i, o] Bm[(l, o), j]
    gyre.func @radial_fold(%A: !A, %Bm: !Bm) -> (weff: !weff) {
      %weff = gyre.contract %A[i, o], %Bm[(l, o), j] -> [(l, i), j] with (l = L+1, o = Cw, i = Cr) : !A, !Bm
      gyre.return %weff : !weff
    }
    // kc = q weff, and the row l = 0 of rad.
    gyre.func @radial_head_folded(%q: !q, %weff: !weff, %A: !A) -> (rad0: !rad0, kc: !kc) {
      %w = gyre.convert %weff : !weff -> !weff_act
      %a = gyre.convert %A : !A -> !A_act
      %kc = gyre.contract %q[e, l, i], %w[(l, i), j] -> [e, j] with (l = L+1, i = Cr) : !q, !weff_act
      %q0 = gyre.slice %q axis 1 from 0 size 1 : !q
      %rad0 = gyre.contract %q0[e, l, i], %a[i, o] -> [e, l, o] : !gyre.tensor<E x 1 x Cr x act>, !A_act
      gyre.return %rad0, %kc : !rad0, !kc
    }
    gyre.derive @radial_head_folded_bwd = vjp @radial_head_folded
      wrt (q as gq) given (rad0 as grad0, kc as gkc)
  }

  gyre.alternative where Cr >= 1 and R == 0 {
    gyre.func @radial_head(%q: !q, %A: !A) -> (kc: !rad) {
      %a = gyre.convert %A : !A -> !A_act
      %kc = gyre.contract %q[e, l, i], %a[i, o] -> [e, l, o] : !q, !A_act
      gyre.return %kc : !rad
    }
    gyre.derive @radial_head_bwd = vjp @radial_head wrt (q as gq) given (kc as gkc)
    gyre.derive @radial_head_train_bwd = vjp @radial_head wrt (q as gq, A as gA) given (kc as gkc)
    gyre.derive @radial_head_force_bwd2 = vjp @radial_head_bwd wrt (gkc as dgkc, A as dA) given (gq as hq)
    gyre.derive @radial_head_train_bwd2 = vjp @radial_head_train_bwd
      wrt (gkc as dgkc, q as dq, A as dA) given (gq as hq, gA as hA)
  }

  gyre.alternative where Cr == 0 and R >= 1 {
    gyre.func @radial_head(%q: !rad, %Bm: !Bm) -> (kc: !kc) {
      %b = gyre.convert %Bm : !Bm -> !Bm_act
      %kc = gyre.contract %q[e, l, o], %b[(l, o), j] -> [e, j] with (l = L+1, o = Cw) : !rad, !Bm_act
      gyre.return %kc : !kc
    }
    gyre.derive @radial_head_bwd = vjp @radial_head wrt (q as gq) given (kc as gkc)
    gyre.derive @radial_head_train_bwd = vjp @radial_head wrt (q as gq, Bm as gBm) given (kc as gkc)
    gyre.derive @radial_head_force_bwd2 = vjp @radial_head_bwd wrt (gkc as dgkc, Bm as dBm) given (gq as hq)
    gyre.derive @radial_head_train_bwd2 = vjp @radial_head_train_bwd
      wrt (gkc as dgkc, q as dq, Bm as dBm) given (gq as hq, gBm as hBm)
  }
}
