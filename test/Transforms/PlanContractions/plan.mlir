// Products of many operands become products of two, in the cheapest order.
// RUN: gyre-opt %s --gyre-plan-contractions | FileCheck %s

!e4 = !gyre.tensor<E x 4 x f32>
!w = !gyre.tensor<4 x 4 x f32>

// What does not depend on a runtime size is multiplied once for all.
// CHECK-LABEL: gyre.func @weights
// CHECK-NEXT: %[[V:.*]] = gyre.contract %v[a, b], %w[b, c] -> [a, c]
// CHECK-NEXT: gyre.contract %x[a, b], %[[V]][b, c] -> [a, c]
// CHECK-NEXT: gyre.return
gyre.func @weights(%x: !e4, %v: !w, %w: !w) -> (y: !e4) {
  %y = gyre.contract %x[e, i], %v[i, j], %w[j, k] -> [e, k] : !e4, !w, !w
  gyre.return %y : !e4
}

// A basis leaves a sum over pairs of rows, and the coefficients go with the pairs.
// CHECK-LABEL: gyre.func @basis
// CHECK-NEXT: %[[T:.*]] = gyre.contract %k[a, b, c], %z[a, d, e] -> [a, f, c, e] with (f = 2) over [b, d, f] {(0, 0, 0), (1, 0, 1) * 2.000000e+00, (2, 1, 0) * -1.000000e+00, (3, 1, 1)}
// CHECK-NEXT: %[[Y:.*]] = gyre.contract %b[a, b], %[[T]][c, d, a, b] -> [c, d, b] :
// CHECK-NEXT: gyre.return %[[Y]]
gyre.func @basis(%k: !gyre.tensor<E x 4 x 1 x f32>, %b: !gyre.tensor<1 x 8 x f32>, %z: !gyre.tensor<E x 2 x 8 x f32>) -> (y: !gyre.tensor<E x 2 x 8 x f32>) {
  %y = gyre.contract %k[e, s, p], %b[p, c], %z[e, i, c] -> [e, o, c] with (o = 2)
      over [s, i, o] {(0, 0, 0), (1, 0, 1) * 2.0, (2, 1, 0) * -1.0, (3, 1, 1)}
      : !gyre.tensor<E x 4 x 1 x f32>, !gyre.tensor<1 x 8 x f32>, !gyre.tensor<E x 2 x 8 x f32>
  gyre.return %y : !gyre.tensor<E x 2 x 8 x f32>
}

// A product that sums no tied axis is formed only where tuples list it, without coefficients.
// CHECK-LABEL: gyre.func @sparse
// CHECK-NEXT: %[[T:.*]] = gyre.contract %a[a, b], %b[a, b, c] -> [a, b, c] over [b] {(1), (3)} :
// CHECK-NEXT: %[[Y:.*]] = gyre.contract %c[a, b, c], %[[T]][a, d, c] -> [a, b, c] over [b, d] {(0, 1) * 3.000000e+00, (1, 3), (4, 3), (5, 3)} :
// CHECK-NEXT: gyre.return %[[Y]]
gyre.func @sparse(%a: !e4, %b: !gyre.tensor<E x 4 x 8 x f32>, %c: !gyre.tensor<E x 6 x 8 x f32>) -> (y: !gyre.tensor<E x 6 x 8 x f32>) {
  %y = gyre.contract %a[e, i], %b[e, i, c], %c[e, o, c] -> [e, o, c] over [i, o] {(1, 0) * 3.0, (3, 1), (3, 4), (3, 5)}
      : !e4, !gyre.tensor<E x 4 x 8 x f32>, !gyre.tensor<E x 6 x 8 x f32>
  gyre.return %y : !gyre.tensor<E x 6 x 8 x f32>
}

// An axis of one operand alone is summed first, of a product of two as well.
// CHECK-LABEL: gyre.func @own_sum
// CHECK-NEXT: %[[S:.*]] = gyre.contract %x[a, b] -> [a]
// CHECK-NEXT: gyre.contract %v[a, b], %[[S]][c] -> [c, a, b]
// CHECK-NEXT: gyre.return
gyre.func @own_sum(%x: !e4, %v: !w) -> (y: !gyre.tensor<E x 4 x 4 x f32>) {
  %y = gyre.contract %x[e, i], %v[k, j] -> [e, k, j] : !e4, !w
  gyre.return %y : !gyre.tensor<E x 4 x 4 x f32>
}

// Both contracts use the product of %g and %b, though the first, alone, would do as well without.
// CHECK-LABEL: gyre.func @shared
// CHECK-NEXT: %[[T:.*]] = gyre.contract %b[a], %g[b, a] -> [b, a]
// CHECK-NEXT: %[[Y:.*]] = gyre.contract %x[a, b], %[[T]][a, b] -> [a, b]
// CHECK-NEXT: %[[Z:.*]] = gyre.contract %h[a, b], %[[T]][a, b] -> [a, b]
// CHECK-NEXT: gyre.return %[[Y]], %[[Z]]
gyre.func @shared(%b: !gyre.tensor<4 x f32>, %x: !e4, %g: !e4, %h: !e4) -> (y: !e4, z: !e4) {
  %y = gyre.contract %b[c], %x[e, c], %g[e, c] -> [e, c] : !gyre.tensor<4 x f32>, !e4, !e4
  %z = gyre.contract %b[c], %g[e, c], %h[e, c] -> [e, c] : !gyre.tensor<4 x f32>, !e4, !e4
  gyre.return %y, %z : !e4, !e4
}

// A step that stands there already, later in the block, is not taken twice.
// CHECK-LABEL: gyre.func @found
// CHECK-NEXT: %[[T:.*]] = gyre.contract %x[a, b], %g[a, b] -> [a, b]
// CHECK-NEXT: %[[Y:.*]] = gyre.contract %h[a, b], %[[T]][a, b] -> [a, b]
// CHECK-NEXT: gyre.return %[[Y]], %[[T]]
gyre.func @found(%x: !e4, %g: !e4, %h: !e4) -> (y: !e4, z: !e4) {
  %y = gyre.contract %x[e, c], %g[e, c], %h[e, c] -> [e, c] : !e4, !e4, !e4
  %z = gyre.contract %x[e, c], %g[e, c] -> [e, c] : !e4, !e4
  gyre.return %y, %z : !e4, !e4
}

// Precision goes with each step; so does an accumulator that is the operands' type.
// CHECK-LABEL: gyre.func @precision
// CHECK-COUNT-2: gyre.contract {{.*}} acc f16 precision fp16 :
// CHECK-NEXT: gyre.return
gyre.func @precision(%x: !gyre.tensor<E x f16>) -> (y: !gyre.tensor<E x f16>) {
  %y = gyre.contract %x[e], %x[e], %x[e] -> [e] acc f16 precision fp16 : !gyre.tensor<E x f16>, !gyre.tensor<E x f16>, !gyre.tensor<E x f16>
  gyre.return %y : !gyre.tensor<E x f16>
}

// What is rounded once stays one contract.
// CHECK-LABEL: gyre.func @wide
// CHECK-NEXT: gyre.contract %x[e], %x[e], %x[e] -> [e] :
// CHECK-NEXT: gyre.contract %z[e], %z[e], %z[e] -> [e] acc f64 :
// CHECK-NEXT: gyre.return
gyre.func @wide(%x: !gyre.tensor<E x bf16>, %z: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x bf16>, v: !gyre.tensor<E x f32>) {
  %y = gyre.contract %x[e], %x[e], %x[e] -> [e] : !gyre.tensor<E x bf16>, !gyre.tensor<E x bf16>, !gyre.tensor<E x bf16>
  %v = gyre.contract %z[e], %z[e], %z[e] -> [e] acc f64 : !gyre.tensor<E x f32>, !gyre.tensor<E x f32>, !gyre.tensor<E x f32>
  gyre.return %y, %v : !gyre.tensor<E x bf16>, !gyre.tensor<E x f32>
}

// Symbolic relations, and those without a tuple, are left as they are.
// CHECK-LABEL: gyre.func @left
// CHECK-NEXT: gyre.contract %x[e, i], %x[e, i], %x[e, i] -> [e] over {(i = 0)}
// CHECK-NEXT: gyre.contract %x[e, i], %x[e, i], %x[e, i] -> [e] over [i] {}
// CHECK-NEXT: gyre.return
gyre.func @left(%x: !e4) -> (y: !gyre.tensor<E x f32>, z: !gyre.tensor<E x f32>) {
  %y = gyre.contract %x[e, i], %x[e, i], %x[e, i] -> [e] over {(i = 0)} : !e4, !e4, !e4
  %z = gyre.contract %x[e, i], %x[e, i], %x[e, i] -> [e] over [i] {} : !e4, !e4, !e4
  gyre.return %y, %z : !gyre.tensor<E x f32>, !gyre.tensor<E x f32>
}

// Seven factors of a chain: more than are tried in all orders.
// CHECK-LABEL: gyre.func @chain
// CHECK-COUNT-5: gyre.contract {{.*}} : !gyre.tensor<4 x 4 x f32>, !gyre.tensor<4 x 4 x f32>
// CHECK-NEXT: gyre.contract %x[a, b], %{{.*}}[c, b] -> [a, c]
// CHECK-NEXT: gyre.return
gyre.func @chain(%x: !e4, %a: !w, %b: !w, %c: !w, %d: !w, %f: !w, %g: !w) -> (y: !e4) {
  %y = gyre.contract %x[e, i], %a[i, j], %b[j, k], %c[k, l], %d[l, m], %f[m, n], %g[n, o] -> [e, o] : !e4, !w, !w, !w, !w, !w, !w
  gyre.return %y : !e4
}
