// A product of matrices and all that comes of it, for modes of precision: test/device/modes.py.

gyre.spec @product {
  gyre.param "K" in [1, 4096] doc "terms of a sum"
  gyre.param "N" in [1, 4096] doc "columns"

  gyre.func @product(%u: !gyre.tensor<E x K x f32>, %w: !gyre.tensor<K x N x f32>) -> (y: !gyre.tensor<E x N x f32>) {
    %y = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !gyre.tensor<E x K x f32>, !gyre.tensor<K x N x f32>
    gyre.return %y : !gyre.tensor<E x N x f32>
  }
  gyre.derive @product_bwd = vjp @product wrt (u as gu, w as gw) given (y as gy)
  gyre.derive @product_bwd2 = vjp @product_bwd wrt (gy as dgy, u as du, w as dw) given (gu as hu, gw as hw)
}
