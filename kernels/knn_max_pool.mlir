// The largest of each output's neighbours, and which it was (docs/operators.md, section 9.3).
//
// y[b, c, n] = max_k x[b, c, knn[k, n]]        arg: the slot k; ties go to the lowest one
//
// Padded references are skipped and NaNs never win. Where no value is larger than -inf, y is -inf
// and the slot 0. Slots are unsigned numbers of 8 bits.

!x = !gyre.tensor<B x C x Nin x act>
!neighbours = !gyre.tensor<B x C x K x Nout x act>
!y = !gyre.tensor<B x C x Nout x act>
!arg = !gyre.tensor<B x C x Nout x i8>
!knn = !gyre.map<[k: K, n: Nout] to Nin, padded>

gyre.spec @knn_max_pool {
  gyre.param "K" in [1, 255] doc "neighbours of an output"
  gyre.type_param "act" in [f32, f64, f16, bf16] default f32 doc "activations"

  gyre.func @knn_max_pool(%x: !x, %knn: !knn) -> (y: !y, arg: !arg) {
    %v = gyre.gather %x over %knn axis 2 : !x, !knn
    %y, %arg = gyre.max_slot %v axis 2 over %knn[k] : !neighbours, !knn -> !y, !arg
    gyre.return %y, %arg : !y, !arg
  }
  gyre.derive @knn_max_pool_bwd = vjp @knn_max_pool wrt (x as gx) given (y as gy) saves (arg) without (x)
  gyre.derive @knn_max_pool_bwd2 = vjp @knn_max_pool_bwd wrt (gy as dgy) given (gx as hx)
}
