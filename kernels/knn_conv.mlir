// Convolution over k nearest neighbours (docs/operators.md, sections 9.1 and 9.2).
//
// y[b, o, n] = bias[o] + sum_(c, k) x[b, c, knn[k, n]] w[o, (c, rf[n, k])]
//
// A padded reference reads 0; the cell `rf` of one does not matter. With one cell (V = 1) there is
// no `rf`; with one neighbour as well (K = 1) this is a gather and one product of matrices.

!x = !gyre.tensor<B x Cin x Nin x act>
!y = !gyre.tensor<B x Cout x Nout x act>
!w = !gyre.tensor<Cout x Cin*V x par>
!bias = !gyre.tensor<Cout x par>
!w_act = !gyre.tensor<Cout x Cin*V x act>
!w_one = !gyre.tensor<Cout x Cin x par>
!w_one_act = !gyre.tensor<Cout x Cin x act>
!w_cells = !gyre.tensor<Cout x Cin x V x act>
!w_slots = !gyre.tensor<Cout x Cin x Nout x K x act>
!bias_act = !gyre.tensor<Cout x act>
!neighbours = !gyre.tensor<B x Cin x K x Nout x act>
!knn = !gyre.map<[k: K, n: Nout] to Nin, padded>
!rf = !gyre.map<[n: Nout, k: K] to V>

gyre.spec @knn_conv {
  gyre.param "Cin" in [1, 65536] doc "channels of the input"
  gyre.param "Cout" in [1, 65536] doc "channels of the output"
  gyre.param "K" in [1, 65536] doc "neighbours of an output"
  gyre.param "V" in [1, 65536] doc "cells of the weights"
  gyre.param "biased" in [0, 1] default 0 doc "1: bias is added"
  gyre.type_param "act" in [f32, f64, f16, bf16] default f32 doc "activations"
  gyre.type_param "par" in [f32, f64, f16, bf16] default !gyre.elem<act> doc "weights"

  gyre.alternative where V == 1 and biased == 0 {
    gyre.func @knn_conv(%x: !x, %knn: !knn, %w: !w_one) -> (y: !y) {
      %w_act = gyre.convert %w : !w_one -> !w_one_act
      %v = gyre.gather %x over %knn axis 2 : !x, !knn
      %y = gyre.contract %v[b, c, k, n], %w_act[o, c] -> [b, o, n] : !neighbours, !w_one_act
      gyre.return %y : !y
    }
    gyre.derive @knn_conv_grad_input = vjp @knn_conv wrt (x as gx) given (y as gy)
    gyre.derive @knn_conv_grad_weight = vjp @knn_conv wrt (w as gw) given (y as gy)
    gyre.derive @knn_conv_bwd = vjp @knn_conv wrt (x as gx, w as gw) given (y as gy)
    gyre.derive @knn_conv_bwd2 = vjp @knn_conv_bwd
      wrt (gy as dgy, x as dx, w as dw) given (gx as hx, gw as hw)
  }

  gyre.alternative where V == 1 and biased == 1 {
    gyre.func @knn_conv(%x: !x, %knn: !knn, %w: !w_one, %bias: !bias) -> (y: !y) {
      %w_act = gyre.convert %w : !w_one -> !w_one_act
      %v = gyre.gather %x over %knn axis 2 : !x, !knn
      %s = gyre.contract %v[b, c, k, n], %w_act[o, c] -> [b, o, n] : !neighbours, !w_one_act
      %bias_act = gyre.convert %bias : !bias -> !bias_act
      %bias_y = gyre.contract %bias_act[o] -> [b, o, n] with (b = B, n = Nout) : !bias_act
      %y = arith.addf %s, %bias_y : !y
      gyre.return %y : !y
    }
    gyre.derive @knn_conv_grad_input = vjp @knn_conv wrt (x as gx) given (y as gy)
    gyre.derive @knn_conv_grad_weight = vjp @knn_conv wrt (w as gw) given (y as gy)
    gyre.derive @knn_conv_grad_bias = vjp @knn_conv wrt (bias as gbias) given (y as gy)
    gyre.derive @knn_conv_bwd = vjp @knn_conv wrt (x as gx, w as gw, bias as gbias) given (y as gy)
    gyre.derive @knn_conv_bwd2 = vjp @knn_conv_bwd
      wrt (gy as dgy, x as dx, w as dw) given (gx as hx, gw as hw, gbias as hbias)
  }

  gyre.alternative where V >= 2 and biased == 0 {
    gyre.func @knn_conv(%x: !x, %knn: !knn, %rf: !rf, %w: !w) -> (y: !y) {
      %w_act = gyre.convert %w : !w -> !w_act
      %v = gyre.gather %x over %knn axis 2 : !x, !knn
      %cells = gyre.contract %w_act[o, (c, v)] -> [o, c, v] with (c = Cin, v = V) : !w_act
      %slots = gyre.gather %cells over %rf axis 2 : !w_cells, !rf
      %y = gyre.contract %v[b, c, k, n], %slots[o, c, n, k] -> [b, o, n] : !neighbours, !w_slots
      gyre.return %y : !y
    }
    gyre.derive @knn_conv_grad_input = vjp @knn_conv wrt (x as gx) given (y as gy)
    gyre.derive @knn_conv_grad_weight = vjp @knn_conv wrt (w as gw) given (y as gy)
    gyre.derive @knn_conv_bwd = vjp @knn_conv wrt (x as gx, w as gw) given (y as gy)
    gyre.derive @knn_conv_bwd2 = vjp @knn_conv_bwd
      wrt (gy as dgy, x as dx, w as dw) given (gx as hx, gw as hw)
  }

  gyre.alternative where V >= 2 and biased == 1 {
    gyre.func @knn_conv(%x: !x, %knn: !knn, %rf: !rf, %w: !w, %bias: !bias) -> (y: !y) {
      %w_act = gyre.convert %w : !w -> !w_act
      %v = gyre.gather %x over %knn axis 2 : !x, !knn
      %cells = gyre.contract %w_act[o, (c, v)] -> [o, c, v] with (c = Cin, v = V) : !w_act
      %slots = gyre.gather %cells over %rf axis 2 : !w_cells, !rf
      %s = gyre.contract %v[b, c, k, n], %slots[o, c, n, k] -> [b, o, n] : !neighbours, !w_slots
      %bias_act = gyre.convert %bias : !bias -> !bias_act
      %bias_y = gyre.contract %bias_act[o] -> [b, o, n] with (b = B, n = Nout) : !bias_act
      %y = arith.addf %s, %bias_y : !y
      gyre.return %y : !y
    }
    gyre.derive @knn_conv_grad_input = vjp @knn_conv wrt (x as gx) given (y as gy)
    gyre.derive @knn_conv_grad_weight = vjp @knn_conv wrt (w as gw) given (y as gy)
    gyre.derive @knn_conv_grad_bias = vjp @knn_conv wrt (bias as gbias) given (y as gy)
    gyre.derive @knn_conv_bwd = vjp @knn_conv wrt (x as gx, w as gw, bias as gbias) given (y as gy)
    gyre.derive @knn_conv_bwd2 = vjp @knn_conv_bwd
      wrt (gy as dgy, x as dx, w as dw) given (gx as hx, gw as hw, gbias as hbias)
  }
}
