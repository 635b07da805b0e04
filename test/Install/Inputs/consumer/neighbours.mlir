!x = !gyre.tensor<N x C x f32>
!map = !gyre.map<[e: E] to N>

// Another spec would be called gyre.spec @otherwise.
gyre.spec @neighbours {
  gyre.param "C" in [1, 64]
  gyre.func @sums(%x: !x, %src: !map, %dst: !map) -> (y: !x) {
    %xe = gyre.gather %x over %src axis 0 : !x, !map
    %y = gyre.segment_sum %xe over %dst axis 0 : !gyre.tensor<E x C x f32>, !map
    gyre.return %y : !x
  }
  gyre.derive @sums_bwd = vjp @sums wrt (x as gx) given (y as gy)
  gyre.func @squares(%x: !x) -> (y: !x) {
    %y = arith.mulf %x, %x : !x
    gyre.return %y : !x
  }
}
