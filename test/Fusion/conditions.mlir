// Kernels of rows compute again what they compare; truth values in memory are of kernels of cells.
// RUN: gyre-opt %s --gyre-fuse | FileCheck %s

!r = !gyre.tensor<E x f32>
!x = !gyre.tensor<E x 4 x f32>
!n = !gyre.tensor<N x 4 x f32>
!t = !gyre.tensor<E x i1>
!map = !gyre.map<[e: E] to N>

// The second kernel needs the condition of the first, and finds what it compares.
// CHECK-LABEL: gyre.func @recomputed
// CHECK: %[[FIRST:.*]]:2 = gyre.kernel{{.*}}!gyre.tensor<N x 4 x f32>, !gyre.tensor<E x f32>
// CHECK: arith.cmpf
// CHECK: %{{.*}} = gyre.kernel
// CHECK: %[[S:.*]] = gyre.row %[[FIRST]]#1 axis 0
// CHECK: %[[CONDITION:.*]] = arith.cmpf ogt, %[[S]]
// CHECK: gyre.select %[[CONDITION]]
// CHECK: gyre.return
gyre.func @recomputed(%x: !x, %dst: !map) -> (y: !n) {
  %s = gyre.contract %x[e, c] -> [e] : !x
  %z = gyre.constant 0.0 : !r
  %c = arith.cmpf ogt, %s, %z : !r
  %p = gyre.select %c, %s, %z : !t, !r
  %px = gyre.contract %p[e], %x[e, c] -> [e, c] : !r, !x
  %sum = gyre.segment_sum %px over %dst axis 0 : !x, !map
  %back = gyre.gather %sum over %dst axis 0 : !n, !map
  %b = gyre.contract %back[e, c] -> [e] : !x
  %q = gyre.select %c, %b, %z : !t, !r
  %qx = gyre.contract %q[e], %x[e, c] -> [e, c] : !r, !x
  %y = gyre.segment_sum %qx over %dst axis 0 : !x, !map
  gyre.return %y : !n
}

// CHECK-LABEL: gyre.func @in_memory
// CHECK: gyre.cells
// CHECK: gyre.select %mask
// CHECK: gyre.cells
// CHECK: arith.cmpf
// CHECK: gyre.return
gyre.func @in_memory(%r: !r, %mask: !t) -> (p: !r, c: !t) {
  %z = gyre.constant 0.0 : !r
  %p = gyre.select %mask, %r, %z : !t, !r
  %c = arith.cmpf ogt, %r, %z : !r
  gyre.return %p, %c : !r, !t
}
