// Blocks of products, in the orders in which they are added; sums of sums in one array; cells whose index is taken apart.
!u = !gyre.tensor<E x 64 x f32>
!w = !gyre.tensor<64 x 64 x f32>
!y = !gyre.tensor<E x 256 x f32>

gyre.spec @blocks {
gyre.func @added(%u: !u, %x: !u, %h: !y, %w: !w) -> (left: !y, right: !y, two: !y, inner: !y, function: !y) {
  %0 = gyre.contract %u[e, i], %w[i, o] -> [e, (c, o)] with (c = 4) over [c] {(1)} : !u, !w
  %left = arith.addf %h, %0 : !y
  %1 = gyre.contract %x[e, i], %w[o, i] -> [e, (c, o)] with (c = 4) over [c] {(3)} : !u, !w
  %right = arith.addf %1, %h : !y
  %2 = gyre.contract %x[e, i], %w[i, o] -> [e, (c, o)] with (c = 4) over [c] {(2)} : !u, !w
  %3 = gyre.contract %u[e, i], %w[o, i] -> [e, (c, o)] with (c = 4) over [c] {(0)} : !u, !w
  %4 = arith.addf %2, %3 : !y
  %two = arith.addf %h, %4 : !y
  %5 = gyre.contract %u[e, i], %w[i, o] -> [e, (c, o)] with (c = 4) over [c] {(2)} : !u, !w
  %6 = arith.addf %5, %left : !y
  %inner = arith.addf %h, %6 : !y
  %7 = gyre.contract %x[e, i], %w[i, o] -> [e, (c, o)] with (c = 4) over [c] {(0)} : !u, !w
  %8 = gyre.sigmoid %7 : !y
  %function = arith.addf %h, %8 : !y
  gyre.return %left, %right, %two, %inner, %function : !y, !y, !y, !y, !y
}

gyre.func @sums(%u: !u, %x: !u, %w: !w) -> (y: !u, apart: !gyre.tensor<16 x E x 4 x f32>, pairs: !gyre.tensor<32 x E x 2 x f32>, beside: !gyre.tensor<2 x E x 64 x f32>) {
  %0 = gyre.contract %u[e, i], %w[o, i] -> [e, o] : !u, !w
  %1 = gyre.sigmoid %0 : !u
  %2 = gyre.contract %1[e, i], %w[o, i] -> [e, o] : !u, !w
  %3 = arith.addf %2, %0 : !u
  %4 = gyre.sigmoid %3 : !u
  %5 = gyre.contract %4[e, i], %w[i, o] -> [e, o] : !u, !w
  %6 = arith.addf %3, %5 : !u
  %7 = gyre.contract %6[e, i], %w[i, o] -> [e, o] : !u, !w
  %8 = gyre.contract %7[e, (m, c)] -> [m, e, c] with (m = 16, c = 4) : !u
  %9 = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !u, !w
  %10 = gyre.contract %9[e, (m, c)] -> [m, e, c] with (m = 32, c = 2) : !u
  %11 = gyre.contract %x[e, i], %w[o, i] -> [e, o] : !u, !w
  %12 = math.exp %x : !u
  %13 = gyre.concat %11, %12 axis 1 : !u, !u
  %14 = gyre.contract %13[e, (m, c)] -> [m, e, c] with (m = 2, c = 64) : !gyre.tensor<E x 128 x f32>
  gyre.return %6, %8, %10, %14 : !u, !gyre.tensor<16 x E x 4 x f32>, !gyre.tensor<32 x E x 2 x f32>, !gyre.tensor<2 x E x 64 x f32>
}
}
