// Edge-to-node reduction and its adjoint (docs/operators.md, section 2.3).

!rows = !gyre.tensor<E x A x B x act>
!nodes = !gyre.tensor<N x A x B x act>
!index = !gyre.map<[e: E] to N>

gyre.spec @segment_sum {
  gyre.param "A" in [1, 4096] default 1 doc "rows of an edge"
  gyre.param "B" in [1, 65536] doc "entries of a row"
  gyre.type_param "act" in [f32, f64, f16, bf16] default f32 doc "element type"

  gyre.func @segment_sum(%rows: !rows, %index: !index) -> (out: !nodes) {
    %out = gyre.segment_sum %rows over %index axis 0 : !rows, !index
    gyre.return %out : !nodes
  }
  gyre.derive @segment_sum_bwd = vjp @segment_sum wrt (rows as grows) given (out as g)
  gyre.derive @segment_sum_bwd2 = vjp @segment_sum_bwd wrt (g as dg) given (grows as h)
}
