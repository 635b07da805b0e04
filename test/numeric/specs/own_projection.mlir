// Vectors of the nodes, projected on directions and filtered along edges; the filtered ones of the
// edges, and their sums into nodes through a SiLU. With derivatives of several kinds: of all
// cotangents and of one, with a saved result, and to the second order of one gradient only.
//
// p[e, c] = f[e, c] sum_d r[e, d] v[src[e], d, c],   y[n, c] = silu(z[n, c]),   z = sums of p over dst

!v = !gyre.tensor<N x 3 x C x act>
!r = !gyre.tensor<E x 3 x act>
!f = !gyre.tensor<E x C x act>
!y = !gyre.tensor<N x C x act>
!map = !gyre.map<[e: E] to N>

gyre.spec @own_projection {
  gyre.param "C" in [1, 4096] doc "channels"
  gyre.type_param "act" in [f32, f64, bf16] default f32

  gyre.func @projection(%v: !v, %r: !r, %f: !f, %src: !map, %dst: !map) -> (p: !f, y: !y) {
    %ve = gyre.gather %v over %src axis 0 : !v, !map
    %p = gyre.contract %f[e, c], %r[e, d], %ve[e, d, c] -> [e, c] : !f, !r, !gyre.tensor<E x 3 x C x act>
    %z = gyre.segment_sum %p over %dst axis 0 : !f, !map
    %y = gyre.silu %z : !y
    gyre.return %p, %y : !f, !y
  }
  gyre.derive @projection_bwd = vjp @projection wrt (v, r)
  gyre.derive @projection_r = vjp @projection wrt (r) given (p)
  gyre.derive @projection_f = vjp @projection wrt (f) given (p)
  gyre.derive @projection_bwd2 = vjp @projection_bwd
    wrt (v as dv, r as dr, f as df, gp as dgp, gy as dgy) given (gr as hr)

  gyre.func @squash(%x: !y) -> (t: !y) {
    %t = math.tanh %x : !y
    gyre.return %t : !y
  }
  gyre.derive @squash_bwd = vjp @squash wrt (x) given (t) saves (t) without (x)
  gyre.derive @squash_bwd2 = vjp @squash_bwd wrt (t as dt, gt as dgt) given (gx as hx)
}
