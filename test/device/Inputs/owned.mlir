// Each row reads more cells of its node than shared memory has room for.

!m = !gyre.map<[e: E] to N>
!x = !gyre.tensor<N x 160 x 32 x f32>
!w = !gyre.tensor<E x 160 x f32>
!xe = !gyre.tensor<E x 160 x 32 x f32>

gyre.spec @owned {
  gyre.func @owned(%x: !x, %w: !w, %m: !m) -> (z: !gyre.tensor<E x 32 x f32>) {
    %xe = gyre.gather %x over %m axis 0 : !x, !m
    %z = gyre.contract %w[e, k], %xe[e, k, c] -> [e, c] : !w, !xe
    gyre.return %z : !gyre.tensor<E x 32 x f32>
  }
}
