// The mean of each output's neighbours (docs/operators.md, section 9.3).
//
// y[b, c, n] = sum_k x[b, c, knn[k, n]] / count[n]     over the references that are not padded
//
// The sum is divided and then rounded once. Without neighbours the mean is 0/0, NaN, and no
// gradient leaves it, nor enters it in the second order.

!x = !gyre.tensor<B x C x Nin x act>
!y = !gyre.tensor<B x C x Nout x act>
!x_acc = !gyre.tensor<B x C x Nin x acc>
!neighbours = !gyre.tensor<B x C x K x Nout x acc>
!y_acc = !gyre.tensor<B x C x Nout x acc>
!real = !gyre.tensor<K x Nout x acc>
!count = !gyre.tensor<Nout x acc>
!empty = !gyre.tensor<B x C x Nout x i1>
!knn = !gyre.map<[k: K, n: Nout] to Nin, padded>

gyre.spec @knn_avg_pool {
  gyre.param "K" in [1, 65536] doc "neighbours of an output"
  gyre.type_param "act" in [f32, f64, f16, bf16] default f32 doc "activations"
  gyre.accumulator "acc" of "act"

  gyre.func @knn_avg_pool(%x: !x, %knn: !knn) -> (y: !y) {
    %x_acc = gyre.convert %x : !x -> !x_acc
    %v = gyre.gather %x_acc over %knn axis 2 : !x_acc, !knn
    %sum = gyre.contract %v[b, c, k, n] -> [b, c, n] : !neighbours
    %real = gyre.valid %knn : !knn -> !real
    %count = gyre.contract %real[k, n] -> [n] : !real
    %one = gyre.constant 1.0 : !count
    %divisor = arith.maximumf %count, %one : !count
    %divisor_y = gyre.contract %divisor[n] -> [b, c, n] with (b = B, c = C) : !count
    %mean = arith.divf %sum, %divisor_y : !y_acc
    %count_y = gyre.contract %count[n] -> [b, c, n] with (b = B, c = C) : !count
    %zero = gyre.constant 0.0 : !y_acc
    %empty = arith.cmpf oeq, %count_y, %zero : !y_acc
    %nan = gyre.constant 0x7FF8000000000000 : !y_acc
    %chosen = gyre.select %empty, %nan, %mean : !empty, !y_acc
    %y = gyre.convert %chosen : !y_acc -> !y
    gyre.return %y : !y
  }
  gyre.derive @knn_avg_pool_bwd = vjp @knn_avg_pool wrt (x as gx) given (y as gy) without (x)
  gyre.derive @knn_avg_pool_bwd2 = vjp @knn_avg_pool_bwd wrt (gy as dgy) given (gx as hx)
}
