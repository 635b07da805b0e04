// A product whose operands lie along its rows and columns, and whose depth is known, for modes of precision: test/device/modes.py.

gyre.spec @deep_product {
  gyre.param "E" in [1, 4096] doc "terms of a sum"
  gyre.param "K" in [1, 4096] doc "rows"
  gyre.param "N" in [1, 4096] doc "columns"

  gyre.func @deep_product(%u: !gyre.tensor<E x K x f32>, %gy: !gyre.tensor<E x N x f32>) -> (gw: !gyre.tensor<K x N x f32>) {
    %gw = gyre.contract %u[e, i], %gy[e, o] -> [i, o] : !gyre.tensor<E x K x f32>, !gyre.tensor<E x N x f32>
    gyre.return %gw : !gyre.tensor<K x N x f32>
  }
}
