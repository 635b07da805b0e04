// y[n, c] = sum of w[e] x[src[e], c] over the edges e that point at n.

!x = !gyre.tensor<N x C x act>
!w = !gyre.tensor<E x act>
!xe = !gyre.tensor<E x C x act>
!map = !gyre.map<[e: E] to N>

gyre.spec @weighted_sum {
  gyre.param "C" in [1, 4096] doc "channels"
  gyre.type_param "act" in [f32, f64] default f32
  gyre.func @weighted_sum(%x: !x, %w: !w, %src: !map, %dst: !map) -> (y: !x) {
    %xe = gyre.gather %x over %src axis 0 : !x, !map
    %me = gyre.contract %w[e], %xe[e, c] -> [e, c] : !w, !xe
    %y = gyre.segment_sum %me over %dst axis 0 : !xe, !map
    gyre.return %y : !x
  }
  gyre.derive @weighted_sum_bwd = vjp @weighted_sum wrt (x as gx, w as gw) given (y as gy)
}
