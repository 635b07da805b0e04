// Gather, rotate, mix, and sum into the nodes that the rows came from: one index map for both. A
// kernel that walks the edges of a node reads the node's row once and sums in one place.
//
// out[n, r, ch] = sum over edges e of n of mix(rotate(x[n]))[e, r, ch]

!x = !gyre.tensor<N x (L+1)*(L+1) x F*C x act>
!xe = !gyre.tensor<E x (L+1)*(L+1) x F*C x act>
!wigner = !gyre.tensor<E x (L+1)*(L+1) x (L+1)*(L+1) x act>
!rows = !gyre.tensor<E x 3*L+1 x F*C x act>
!out = !gyre.tensor<N x 3*L+1 x F*C x act>
!map = !gyre.map<[e: E] to N>
!radial = !gyre.tensor<E x L+1 x F*C x act>
!kc = !gyre.tensor<E x ((L+1)*(L+1)+L*L)*R x act>
!cb = !gyre.tensor<R x F*C x act>

gyre.spec @own_message {
  gyre.param "L" in [0, 8] doc "maximal degree"
  gyre.param "F" in [1, 64] default 1 doc "focuses, independent groups of channels"
  gyre.param "C" in [1, 4096] doc "channels of a focus"
  gyre.param "R" in [0, 8] doc "rank of the degree kernel, 0 for one radial value per degree and channel"
  gyre.type_param "act" in [f32, f64, f16, bf16] default f32 doc "activations and parameters"

  gyre.alternative where R == 0 {
    gyre.func @message(%x: !x, %src: !map, %wigner: !wigner, %kc: !radial) -> (out: !out) {
      %xe = gyre.gather %x over %src axis 0 : !x, !map
      %xl = gyre.rotate %xe by %wigner degree L : !xe, !wigner
      %y = gyre.degree_mix %xl by %kc degree L : !rows, !radial
      %out = gyre.segment_sum %y over %src axis 0 : !rows, !map
      gyre.return %out : !out
    }
    gyre.derive @message_bwd = vjp @message wrt (x as gx, wigner as gwigner, kc as gkc) given (out as g)
    gyre.derive @message_bwd2 = vjp @message_bwd
      wrt (g as dg, x as dx, wigner as dwigner, kc as dkc) given (gx as hx, gwigner as hwigner, gkc as hkc)
  }

  gyre.alternative where R >= 1 {
    gyre.func @message(%x: !x, %src: !map, %wigner: !wigner, %kc: !kc, %cb: !cb) -> (out: !out) {
      %xe = gyre.gather %x over %src axis 0 : !x, !map
      %xl = gyre.rotate %xe by %wigner degree L : !xe, !wigner
      %y = gyre.degree_mix %xl by %kc basis %cb degree L : !rows, !kc, !cb
      %out = gyre.segment_sum %y over %src axis 0 : !rows, !map
      gyre.return %out : !out
    }
    gyre.derive @message_bwd = vjp @message wrt (x as gx, wigner as gwigner, kc as gkc, cb as gcb) given (out as g)
    gyre.derive @message_bwd2 = vjp @message_bwd
      wrt (g as dg, x as dx, wigner as dwigner, kc as dkc, cb as dcb)
      given (gx as hx, gwigner as hwigner, gkc as hkc, gcb as hcb)
  }
}
