// Node-to-edge copies, the adjoint of segment_sum.mlir (docs/operators.md, section 2.3).
//
// rows[e, a, b] = g[index[e], a, b]

!rows = !gyre.tensor<E x A x B x act>
!nodes = !gyre.tensor<N x A x B x act>
!index = !gyre.map<[e: E] to N>

gyre.spec @segment_broadcast {
  gyre.param "A" in [1, 4096] default 1 doc "rows of a node"
  gyre.param "B" in [1, 65536] doc "entries of a row"
  gyre.type_param "act" in [f32, f64, f16, bf16] default f32 doc "element type"

  gyre.func @segment_broadcast(%g: !nodes, %index: !index) -> (rows: !rows) {
    %rows = gyre.gather %g over %index axis 0 : !nodes, !index
    gyre.return %rows : !rows
  }
  gyre.derive @segment_broadcast_bwd = vjp @segment_broadcast wrt (g as gg) given (rows as grows)
  gyre.derive @segment_broadcast_bwd2 = vjp @segment_broadcast_bwd wrt (grows as dgrows) given (gg as hg)
}
