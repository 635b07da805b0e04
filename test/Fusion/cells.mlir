// What kernels of rows do not compute, kernels of cells do.
// RUN: gyre-opt %s --gyre-fuse | FileCheck %s

!knn = !gyre.map<[k: 4, n: M] to N, padded>
!x = !gyre.tensor<B x 3 x N x f32>
!xk = !gyre.tensor<B x 3 x 4 x M x f32>
!y = !gyre.tensor<B x 3 x M x f32>
!slot = !gyre.tensor<B x 3 x M x i8>
!u = !gyre.tensor<E x 64 x f32>
!v = !gyre.tensor<E x 32 x f32>
!w = !gyre.tensor<64 x 32 x f32>

// What moves cells is no array: neither are the neighbours of all slots.
// CHECK-LABEL: gyre.func @pool
// CHECK-NEXT: %[[K:.*]]:2 = gyre.cells : !gyre.tensor<B x 3 x M x f32>, !gyre.tensor<B x 3 x M x i8> {
// CHECK-NEXT: %[[V:.*]] = gyre.gather %x over %knn axis 2
// CHECK-NEXT: %[[MAX:.*]], %[[SLOT:.*]] = gyre.max_slot %[[V]] axis 2 over %knn[k]
// CHECK-NEXT: gyre.deliver %[[MAX]], %[[SLOT]]
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[K]]#0, %[[K]]#1
gyre.func @pool(%x: !x, %knn: !knn) -> (y: !y, s: !slot) {
  %v = gyre.gather %x over %knn axis 2 : !x, !knn
  %y, %s = gyre.max_slot %v axis 2 over %knn[k] : !xk, !knn -> !y, !slot
  gyre.return %y, %s : !y, !slot
}

// What is used once, and of which each cell is used once, is computed where it is used.
// CHECK-LABEL: gyre.func @once
// CHECK-NEXT: %[[K:.*]] = gyre.cells : !gyre.tensor<B x 3 x N x f32> {
// CHECK-NEXT: gyre.spread_slot
// CHECK-NEXT: gyre.segment_sum
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[K]]
gyre.func @once(%g: !y, %s: !slot, %knn: !knn) -> (gx: !x) {
  %0 = gyre.spread_slot %g at %s axis 2 size 4 : !y, !slot
  %gx = gyre.segment_sum %0 over %knn axis 2 : !xk, !knn
  gyre.return %gx : !x
}

// Rows times a matrix: the sigmoid would be computed for each of the 32 results, so a kernel of rows
// stores it; what becomes of the product alone is in its kernel.
// CHECK-LABEL: gyre.func @weights
// CHECK-NEXT: %[[S:.*]] = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !gyre.tensor<E x 64 x f32> {
// CHECK: gyre.sigmoid
// CHECK: }
// CHECK-NEXT: %[[P:.*]] = gyre.cells : !gyre.tensor<32 x E x f32> {
// CHECK-NEXT: %[[A:.*]] = gyre.contract %[[S]][e, i], %w[i, o] -> [e, o]
// CHECK-NEXT: %[[T:.*]] = math.tanh %[[A]]
// CHECK-NEXT: %[[R:.*]] = arith.addf %[[T]], %r
// CHECK-NEXT: gyre.contract %[[R]][e, o] -> [o, e]
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[P]]
gyre.func @weights(%u: !u, %w: !w, %r: !v) -> (y: !gyre.tensor<32 x E x f32>) {
  %s = gyre.sigmoid %u : !u
  %p = gyre.contract %s[e, i], %w[i, o] -> [e, o] : !u, !w
  %t = math.tanh %p : !v
  %y = arith.addf %t, %r : !v
  %z = gyre.contract %y[e, o] -> [o, e] : !v
  gyre.return %z : !gyre.tensor<32 x E x f32>
}

// Not what needs rows that are nowhere in memory, nor where the product itself is used again.
// CHECK-LABEL: gyre.func @weights_and_rows
// CHECK-NEXT: %[[P:.*]] = gyre.cells : !gyre.tensor<E x 32 x f32> {
// CHECK-NEXT: gyre.contract
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: %[[Q:.*]] = gyre.cells : !gyre.tensor<E x 32 x f32> {
// CHECK-NEXT: gyre.contract
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: %[[Y:.*]]:2 = gyre.kernel over E
// CHECK: gyre.return %[[Y]]#{{[01]}}, %[[Y]]#{{[01]}}
gyre.func @weights_and_rows(%u: !u, %w: !w, %v: !w, %r: !v) -> (y: !v, z: !v) {
  %p = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !u, !w
  %q = gyre.contract %u[e, i], %v[i, o] -> [e, o] : !u, !w
  %0 = math.exp %r : !v
  %y = arith.addf %p, %0 : !v
  %1 = arith.mulf %q, %q : !v
  %z = arith.mulf %1, %q : !v
  gyre.return %y, %z : !v, !v
}

// The gradient of weights is one sum over all rows, by itself: two that are added, two.
// CHECK-LABEL: gyre.func @gradient
// CHECK-NEXT: %[[A:.*]] = gyre.cells : !gyre.tensor<64 x 32 x f32> {
// CHECK-NEXT: gyre.contract %u[e, i], %g[e, o] -> [i, o]
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: %[[B:.*]] = gyre.cells : !gyre.tensor<64 x 32 x f32> {
// CHECK-NEXT: gyre.contract %u[e, i], %h[e, o] -> [i, o]
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: %[[C:.*]] = gyre.cells : !gyre.tensor<64 x 32 x f32> {
// CHECK-NEXT: arith.mulf %[[A]], %[[B]]
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[C]]
gyre.func @gradient(%u: !u, %g: !v, %h: !v) -> (gw: !w) {
  %a = gyre.contract %u[e, i], %g[e, o] -> [i, o] : !u, !v
  %b = gyre.contract %u[e, i], %h[e, o] -> [i, o] : !u, !v
  %c = arith.mulf %a, %b : !w
  gyre.return %c : !w
}

// Two ways to split a dimension that do not fit one body: one of them is by cells.
// CHECK-LABEL: gyre.func @groups
// CHECK-COUNT-1: gyre.cells
// CHECK-NOT: gyre.cells
// CHECK: gyre.return
gyre.func @groups(%x: !gyre.tensor<E x 6 x f32>) -> (y: !gyre.tensor<E x 6 x f32>) {
  %a = gyre.contract %x[e, (i, j)] -> [e, (j, i)] with (i = 2, j = 3) : !gyre.tensor<E x 6 x f32>
  %y = arith.addf %a, %x : !gyre.tensor<E x 6 x f32>
  gyre.return %y : !gyre.tensor<E x 6 x f32>
}

// Sizes that rows do not have, also of arguments that are returned.
// CHECK-LABEL: gyre.func @sizes
// CHECK-NEXT: %[[A:.*]] = gyre.cells : !gyre.tensor<N x E x f32> {
// CHECK-NEXT: gyre.deliver %x
// CHECK-NEXT: }
// CHECK-NEXT: %[[B:.*]] = gyre.cells : !gyre.tensor<2*E x f32> {
// CHECK-NEXT: math.exp %y
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[A]], %[[B]]
gyre.func @sizes(%x: !gyre.tensor<N x E x f32>, %y: !gyre.tensor<2*E x f32>) -> (a: !gyre.tensor<N x E x f32>, b: !gyre.tensor<2*E x f32>) {
  %b = math.exp %y : !gyre.tensor<2*E x f32>
  gyre.return %x, %b : !gyre.tensor<N x E x f32>, !gyre.tensor<2*E x f32>
}
