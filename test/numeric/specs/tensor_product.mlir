// A tensor product of features with the spherical harmonics of an edge, all paths (l1, l2, l3 <= 2):
//
// y[e, k, c] = sum over (i, j, k, p) of coefficient * w[e, p, c] * a[e, i, c] * b[e, j]
//
// test_tensor_product.py writes the tuples and the coefficients in place of TUPLES.

!a = !gyre.tensor<E x 9 x C x act>
!b = !gyre.tensor<E x 9 x act>
!w = !gyre.tensor<E x P x C x act>

gyre.spec @tensor_product {
  gyre.param "P" in [1, 64] doc "paths (l1, l2, l3)"
  gyre.param "C" in [1, 4096] doc "channels"
  gyre.type_param "act" in [f32, f64] default f64

  gyre.func @product(%a: !a, %b: !b, %w: !w) -> (y: !a) {
    %y = gyre.contract %a[e, i, c], %b[e, j], %w[e, p, c] -> [e, k, c] with (k = 9)
        over [i, j, k, p] {TUPLES} : !a, !b, !w
    gyre.return %y : !a
  }
  gyre.derive @product_bwd = vjp @product wrt (a as ga, b as gb, w as gw) given (y as g)
  gyre.derive @product_bwd2 = vjp @product_bwd
    wrt (g as dg, a as da, b as db, w as dw) given (ga as ha, gb as hb, gw as hw)
}
