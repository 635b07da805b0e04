// How kernels are cut where products of matrices are computed on tiles.
// RUN: gyre-opt %s --gyre-fuse=target=cuda | FileCheck %s
// RUN: gyre-opt %s --gyre-fuse=target=cuda --gyre-schedule=target=cuda | FileCheck %s --check-prefix=TILE

!u = !gyre.tensor<E x 64 x f32>
!v = !gyre.tensor<E x 32 x f32>
!w = !gyre.tensor<64 x 32 x f32>
!s = !gyre.tensor<64 x 64 x f32>
!z = !gyre.tensor<E x 256 x f32>

// A tile adds products of the same rows and columns to the same sums, before what else they are added to.
// CHECK-LABEL: gyre.func @two
// CHECK-NEXT: %[[R:.*]] = gyre.cells : !gyre.tensor<E x 32 x f32> {
// CHECK-NEXT: %[[P:.*]] = gyre.contract %x[e, i], %a[i, o] -> [e, o]
// CHECK-NEXT: %[[Q:.*]] = gyre.contract %b[i, o], %y[e, i] -> [e, o]
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[P]], %[[Q]]
// CHECK-NEXT: arith.addf %[[S]], %c
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[R]]
// TILE-LABEL: gyre.func @two
// TILE-COUNT-1: gyre.cells tile
gyre.func @two(%x: !u, %y: !u, %a: !w, %b: !w, %c: !v) -> (r: !v) {
  %0 = gyre.contract %x[e, i], %a[i, o] -> [e, o] : !u, !w
  %1 = arith.addf %0, %c : !v
  %2 = gyre.contract %b[i, o], %y[e, i] -> [e, o] : !w, !u
  %r = arith.addf %1, %2 : !v
  gyre.return %r : !v
}

// Others have a tile each: one term of the sum is stored.
// CHECK-LABEL: gyre.func @two_precisions
// CHECK-NEXT: %[[A:.*]] = gyre.cells : !gyre.tensor<E x 32 x f32> {
// CHECK-NEXT: gyre.contract %x[e, i], %a[i, o] -> [e, o]
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: %[[B:.*]] = gyre.cells : !gyre.tensor<E x 32 x f32> {
// CHECK-NEXT: %[[P:.*]] = gyre.contract %y[e, i], %b[i, o] -> [e, o]
// CHECK-NEXT: arith.addf %[[A]], %[[P]]
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[B]]
// TILE-LABEL: gyre.func @two_precisions
// TILE-COUNT-2: gyre.cells tile
gyre.func @two_precisions(%x: !u, %y: !u, %a: !w, %b: !w) -> (r: !v) {
  %0 = gyre.contract %x[e, i], %a[i, o] -> [e, o] precision ieee : !u, !w
  %1 = gyre.contract %y[e, i], %b[i, o] -> [e, o] precision fp16x3 : !u, !w
  %r = arith.addf %0, %1 : !v
  gyre.return %r : !v
}

// And so has one that something else needs.
// CHECK-LABEL: gyre.func @two_results
// CHECK-COUNT-2: = gyre.cells : !gyre.tensor<E x 32 x f32>
// TILE-LABEL: gyre.func @two_results
// TILE-COUNT-2: gyre.cells tile
gyre.func @two_results(%x: !u, %y: !u, %a: !w, %b: !w) -> (p: !v, r: !v) {
  %p = gyre.contract %x[e, i], %a[i, o] -> [e, o] : !u, !w
  %1 = gyre.contract %y[e, i], %b[i, o] -> [e, o] : !u, !w
  %r = arith.addf %p, %1 : !v
  gyre.return %p, %r : !v, !v
}

// Matrices that lie along the sum are stored along the columns, once for all of their parts.
// CHECK-LABEL: gyre.func @columns
// CHECK-NEXT: %[[W:.*]] = gyre.cells : !gyre.tensor<2 x 64 x 64 x f32> {
// CHECK-NEXT: gyre.contract %w[i0, i1, i2] -> [i0, i2, i1]
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: %[[A:.*]] = gyre.cells : !gyre.tensor<E x 64 x f32> {
// CHECK-NEXT: gyre.contract %[[W]][t, o, i], %x[e, o] -> [e, i] over [t] {(1)}
// CHECK: %[[B:.*]] = gyre.cells : !gyre.tensor<E x 64 x f32> {
// CHECK-NEXT: %[[S:.*]] = gyre.slice %[[W]] axis 0 from 0 size 1
// CHECK-NEXT: gyre.contract %[[S]][t, o, i], %[[A]][e, o] -> [e, i]
// CHECK: gyre.return %[[B]]
gyre.func @columns(%x: !u, %w: !gyre.tensor<2 x 64 x 64 x f32>) -> (r: !u) {
  %0 = gyre.contract %w[t, i, o], %x[e, o] -> [e, i] over [t] {(1)} : !gyre.tensor<2 x 64 x 64 x f32>, !u
  %1 = gyre.slice %w axis 0 from 0 size 1 : !gyre.tensor<2 x 64 x 64 x f32>
  %r = gyre.contract %1[t, i, o], %0[e, o] -> [e, i] : !gyre.tensor<1 x 64 x 64 x f32>, !u
  gyre.return %r : !u
}

// What is added to a block of rows ends where these are: their kernel, and that of the product.
// CHECK-LABEL: gyre.func @placed
// CHECK-NEXT: %[[K:.*]]:3 = gyre.kernel over E
// CHECK: }
// CHECK-NEXT: %[[R:.*]] = gyre.cells : !gyre.tensor<E x 256 x f32> {
// CHECK-NEXT: %[[P:.*]] = gyre.contract
// CHECK-NEXT: %[[Q:.*]] = arith.addf %[[K]]#{{[012]}}, %[[P]]
// CHECK-NEXT: %[[B:.*]] = gyre.contract %[[Q]][e, d] -> [e, (c, d)] with (c = 4) over [c] {(0)}
// CHECK-NEXT: arith.addf %[[K]]#{{[012]}}, %[[B]]
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[R]]
// TILE-LABEL: gyre.func @placed
// TILE: gyre.cells tile
gyre.func @placed(%z: !z, %x: !u, %y: !u, %w: !s) -> (r: !z) {
  %e = math.exp %z : !z
  %f = math.exp %y : !u
  %g = arith.mulf %f, %y : !u
  %s = arith.mulf %x, %x : !u
  %p = gyre.contract %s[e, i], %w[i, o] -> [e, o] : !u, !s
  %q = arith.addf %g, %p : !u
  %b = gyre.contract %q[e, d] -> [e, (c, d)] with (c = 4) over [c] {(0)} : !u
  %r = arith.addf %e, %b : !z
  gyre.return %r : !z
}

// Rows that a later kernel alone uses wait for it: here for the one that has the product, which is too small for tiles.
// CHECK-LABEL: gyre.func @waits
// CHECK-NEXT: %[[P:.*]] = gyre.cells
// CHECK: }
// CHECK-NEXT: %[[R:.*]] = gyre.kernel over E deliver [#gyre.delivery<row 0>]
// CHECK: math.exp
// CHECK: math.sin
// CHECK: gyre.return %[[R]]
gyre.func @waits(%x: !gyre.tensor<E x 12 x f32>, %y: !gyre.tensor<E x 12 x f32>, %w: !gyre.tensor<12 x 12 x f32>) -> (r: !gyre.tensor<E x 12 x f32>) {
  %p = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !gyre.tensor<E x 12 x f32>, !gyre.tensor<12 x 12 x f32>
  %0 = math.exp %y : !gyre.tensor<E x 12 x f32>
  %1 = arith.mulf %0, %y : !gyre.tensor<E x 12 x f32>
  %2 = arith.mulf %p, %p : !gyre.tensor<E x 12 x f32>
  %3 = math.sin %2 : !gyre.tensor<E x 12 x f32>
  %r = arith.addf %1, %3 : !gyre.tensor<E x 12 x f32>
  gyre.return %r : !gyre.tensor<E x 12 x f32>
}

// Gates of three planes beside scalars of their own: the planes follow the product, and the scalars
// are another block of its kernel.
// CHECK-LABEL: gyre.func @gates
// CHECK-NEXT: %[[R:.*]] = gyre.cells : !gyre.tensor<E x 256 x f32> {
// CHECK: gyre.silu
// CHECK: gyre.sigmoid
// CHECK: gyre.contract %{{.*}}[e, (c, d)], %{{.*}}[e, (g, d)] -> [e, (c, d)] with (c = 3, d = 64, g = 1) over [c, g] {(0, 0), (1, 0), (2, 0)}
// CHECK: gyre.concat
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[R]]
// TILE-LABEL: gyre.func @gates
// TILE: gyre.cells tile
gyre.func @gates(%u: !z, %z: !z, %w: !s) -> (r: !z) {
  %s = gyre.slice %z axis 1 from 0 size 64 : !z
  %p = gyre.contract %s[e, i], %w[i, o] -> [e, o] : !u, !s
  %g = gyre.sigmoid %p : !u
  %v = gyre.contract %z[e, (c, d)], %g[e, (g, d)] -> [e, (c, d)] with (c = 4, d = 64, g = 1) over [c, g] {(1, 0), (2, 0), (3, 0)} : !z, !u
  %a = gyre.silu %s : !u
  %b = gyre.contract %a[e, d] -> [e, (c, d)] with (c = 4) over [c] {(0)} : !u
  %0 = arith.addf %b, %v : !z
  %r = arith.addf %u, %0 : !z
  gyre.return %r : !z
}

// Nothing is stored where the sum is only for rows: they compute it where they need it.
// CHECK-LABEL: gyre.func @not_stored
// CHECK: gyre.cells : !gyre.tensor<E x 12 x f32> {
// CHECK-NEXT: gyre.contract %x[e, i], %w[i, o] -> [e, o]
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: gyre.kernel over E deliver [#gyre.delivery<row 0>]
// CHECK-NOT: gyre.cells
// CHECK: gyre.return
gyre.func @not_stored(%x: !gyre.tensor<E x 12 x f32>, %y: !gyre.tensor<E x 12 x f32>, %w: !gyre.tensor<12 x 12 x f32>) -> (r: !gyre.tensor<E x 12 x f32>) {
  %0 = math.exp %y : !gyre.tensor<E x 12 x f32>
  %p = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !gyre.tensor<E x 12 x f32>, !gyre.tensor<12 x 12 x f32>
  %1 = arith.addf %0, %p : !gyre.tensor<E x 12 x f32>
  %2 = arith.mulf %1, %1 : !gyre.tensor<E x 12 x f32>
  %r = arith.mulf %2, %y : !gyre.tensor<E x 12 x f32>
  gyre.return %r : !gyre.tensor<E x 12 x f32>
}

// Gates that are used again are so in the same kernel.
// CHECK-LABEL: gyre.func @gates_again
// CHECK-NEXT: %[[R:.*]]:2 = gyre.cells : !gyre.tensor<E x 256 x f32>, !gyre.tensor<E x 64 x f32> {
// CHECK: gyre.silu
// CHECK: gyre.sigmoid
// CHECK: gyre.contract %{{.*}}[e, (c, d)], %{{.*}}[e, (g, d)] -> [e, (c, d)] with (c = 3, d = 64, g = 1) over [c, g] {(0, 0), (1, 0), (2, 0)}
// CHECK: gyre.concat
// CHECK: arith.mulf
// CHECK: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[R]]#0, %[[R]]#1
gyre.func @gates_again(%z: !z, %s: !u, %w: !s) -> (r: !z, h: !u) {
  %p = gyre.contract %s[e, i], %w[i, o] -> [e, o] : !u, !s
  %g = gyre.sigmoid %p : !u
  %v = gyre.contract %z[e, (c, d)], %g[e, (g, d)] -> [e, (c, d)] with (c = 4, d = 64, g = 1) over [c, g] {(1, 0), (2, 0), (3, 0)} : !z, !u
  %a = gyre.silu %s : !u
  %b = gyre.contract %a[e, d] -> [e, (c, d)] with (c = 4) over [c] {(0)} : !u
  %r = arith.addf %b, %v : !z
  %h = arith.mulf %g, %g : !u
  gyre.return %r, %h : !z, !u
}
