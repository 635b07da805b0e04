// Gather, rotate into the edge frame, mix degrees (docs/operators.md, section 4).
//
// u[f, e, r*C + c] = sum_i K[e, i, r, f*C + c] sum_j wigner[e, k(i), j] x[src[e], j, f*C + c]
//
// With a rank (R >= 1) the degree kernel K is factorised, K = sum_p kc[.., p] cb[p, ..]; without
// (R = 0) it is one radial value per degree and channel. Only the structural entries of `wigner`
// are read, and only they get a gradient; packed, `wigner` and its gradients hold nothing else.

!x = !gyre.tensor<N x (L+1)*(L+1) x F*C x act>
!xe = !gyre.tensor<E x (L+1)*(L+1) x F*C x act>
!wigner = !gyre.tensor<E x (L+1)*(L+1) x (L+1)*(L+1) x act>
!packed = !gyre.tensor<E x 3*(L+1)*(L+1) - 2 x act>
!rows = !gyre.tensor<E x 3*L+1 x F*C x act>
!u = !gyre.tensor<F x E x (3*L+1)*C x act>
!src = !gyre.map<[e: E] to N>
!radial = !gyre.tensor<E x L+1 x F*C x act>
!kc = !gyre.tensor<E x ((L+1)*(L+1)+L*L)*R x act>
!cb = !gyre.tensor<R x F*C x act>

gyre.spec @so2_rotate_mix {
  gyre.param "L" in [0, 8] doc "maximal degree"
  gyre.param "F" in [1, 64] default 1 doc "focuses, independent groups of channels"
  gyre.param "C" in [1, 4096] doc "channels of a focus"
  gyre.param "R" in [0, 8] doc "rank of the degree kernel, 0 for one radial value per degree and channel"
  gyre.param "packed" in [0, 1] default 0 doc "whether the matrices are dense, or their structural entries alone (section 4.6)"
  gyre.type_param "act" in [f32, f64, f16, bf16] default f32 doc "activations and parameters"

  gyre.alternative where R == 0 and packed == 0 {
    gyre.func @rotate_mix(%x: !x, %src: !src, %wigner: !wigner, %kc: !radial) -> (u: !u) {
      %xe = gyre.gather %x over %src axis 0 : !x, !src
      %xl = gyre.rotate %xe by %wigner degree L : !xe, !wigner
      %y = gyre.degree_mix %xl by %kc degree L : !rows, !radial
      %u = gyre.contract %y[e, r, (f, c)] -> [f, e, (r, c)] with (f = F, c = C) : !rows
      gyre.return %u : !u
    }
    gyre.derive @rotate_mix_bwd = vjp @rotate_mix wrt (x as gx, wigner as gwigner, kc as gkc) given (u as g)
    gyre.derive @rotate_mix_bwd2 = vjp @rotate_mix_bwd
      wrt (g as dg, x as dx, wigner as dwigner, kc as dkc) given (gx as hx, gwigner as hwigner, gkc as hkc)
  }

  gyre.alternative where R >= 1 and packed == 0 {
    gyre.func @rotate_mix(%x: !x, %src: !src, %wigner: !wigner, %kc: !kc, %cb: !cb) -> (u: !u) {
      %xe = gyre.gather %x over %src axis 0 : !x, !src
      %xl = gyre.rotate %xe by %wigner degree L : !xe, !wigner
      %y = gyre.degree_mix %xl by %kc basis %cb degree L : !rows, !kc, !cb
      %u = gyre.contract %y[e, r, (f, c)] -> [f, e, (r, c)] with (f = F, c = C) : !rows
      gyre.return %u : !u
    }
    gyre.derive @rotate_mix_bwd = vjp @rotate_mix wrt (x as gx, wigner as gwigner, kc as gkc) given (u as g)
    gyre.derive @rotate_mix_basis_grad = vjp @rotate_mix wrt (cb as gcb) given (u as g)
    gyre.derive @rotate_mix_bwd2 = vjp @rotate_mix_bwd
      wrt (g as dg, x as dx, wigner as dwigner, kc as dkc, cb as dcb) given (gx as hx, gwigner as hwigner, gkc as hkc)
  }

  gyre.alternative where R == 0 and packed == 1 {
    gyre.func @rotate_mix(%x: !x, %src: !src, %wigner: !packed, %kc: !radial) -> (u: !u) {
      %xe = gyre.gather %x over %src axis 0 : !x, !src
      %xl = gyre.rotate %xe by %wigner degree L : !xe, !packed
      %y = gyre.degree_mix %xl by %kc degree L : !rows, !radial
      %u = gyre.contract %y[e, r, (f, c)] -> [f, e, (r, c)] with (f = F, c = C) : !rows
      gyre.return %u : !u
    }
    gyre.derive @rotate_mix_bwd = vjp @rotate_mix wrt (x as gx, wigner as gwigner, kc as gkc) given (u as g)
    gyre.derive @rotate_mix_bwd2 = vjp @rotate_mix_bwd
      wrt (g as dg, x as dx, wigner as dwigner, kc as dkc) given (gx as hx, gwigner as hwigner, gkc as hkc)
  }

  gyre.alternative where R >= 1 and packed == 1 {
    gyre.func @rotate_mix(%x: !x, %src: !src, %wigner: !packed, %kc: !kc, %cb: !cb) -> (u: !u) {
      %xe = gyre.gather %x over %src axis 0 : !x, !src
      %xl = gyre.rotate %xe by %wigner degree L : !xe, !packed
      %y = gyre.degree_mix %xl by %kc basis %cb degree L : !rows, !kc, !cb
      %u = gyre.contract %y[e, r, (f, c)] -> [f, e, (r, c)] with (f = F, c = C) : !rows
      gyre.return %u : !u
    }
    gyre.derive @rotate_mix_bwd = vjp @rotate_mix wrt (x as gx, wigner as gwigner, kc as gkc) given (u as g)
    gyre.derive @rotate_mix_basis_grad = vjp @rotate_mix wrt (cb as gcb) given (u as g)
    gyre.derive @rotate_mix_bwd2 = vjp @rotate_mix_bwd
      wrt (g as dg, x as dx, wigner as dwigner, kc as dkc, cb as dcb) given (gx as hx, gwigner as hwigner, gkc as hkc)
  }
}
