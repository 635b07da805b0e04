// A network of edges with rectified layers: what its forward compares, its derivatives need too.
//
//   s[e]    = max(sum of q[dst[e], c] k[src[e], c] over c, 0)
//   t[e, c] = mask[e, c] ? |s[e] k[src[e], c]| : b[c]
//   y[n]    = sum of t[e] over the edges e that point at n, times W;  big = t > y[dst] before W

!x = !gyre.tensor<N x C x act>
!xe = !gyre.tensor<E x C x act>
!b = !gyre.tensor<C x act>
!w = !gyre.tensor<C x C x act>
!s = !gyre.tensor<E x act>
!truth = !gyre.tensor<E x C x i1>
!map = !gyre.map<[e: E] to N>

gyre.spec @conditions {
  gyre.param "C" in [1, 64]
  gyre.type_param "act" in [f32, f64] default f32
  gyre.func @rectified(%q: !x, %k: !x, %b: !b, %W: !w, %mask: !truth, %src: !map, %dst: !map) -> (y: !x, big: !truth) {
    %qe = gyre.gather %q over %dst axis 0 : !x, !map
    %ke = gyre.gather %k over %src axis 0 : !x, !map
    %dot = gyre.contract %qe[e, c], %ke[e, c] -> [e] : !xe, !xe
    %zero = gyre.constant 0.0 : !s
    %s = arith.maximumf %dot, %zero : !s
    %sk = gyre.contract %s[e], %ke[e, c] -> [e, c] : !s, !xe
    %abs = math.absf %sk : !xe
    %be = gyre.contract %b[c] -> [e, c] with (e = E) : !b
    %t = gyre.select %mask, %abs, %be : !truth, !xe
    %sum = gyre.segment_sum %t over %dst axis 0 : !xe, !map
    %back = gyre.gather %sum over %dst axis 0 : !x, !map
    %big = arith.cmpf ogt, %t, %back : !xe
    %y = gyre.contract %sum[n, c], %W[c, d] -> [n, d] : !x, !w
    gyre.return %y, %big : !x, !truth
  }
  gyre.derive @rectified_bwd = vjp @rectified wrt (q as gq, k as gk, b as gb, W as gW) given (y as gy)
  gyre.derive @rectified_bwd2 = vjp @rectified_bwd wrt (q as dq, k as dk, W as dW, gy as dgy) given (gq as hq, gk as hk, gb as hb, gW as hW)
}
