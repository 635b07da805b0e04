// Contracts of contracts become one contract where that takes no more products.
// RUN: gyre-opt %s --gyre-simplify | FileCheck %s

!a = !gyre.tensor<E x 4 x f32>
!b = !gyre.tensor<4 x 6 x f32>

// A transpose of an operand is a subscript.
// CHECK-LABEL: gyre.func @transpose
// CHECK-NEXT: gyre.contract %a[a, b], %b[b, c] -> [a, c]
// CHECK-NEXT: gyre.return
gyre.func @transpose(%a: !a, %b: !b) -> (y: !gyre.tensor<E x 6 x f32>) {
  %t = gyre.contract %b[i, o] -> [o, i] : !b
  %y = gyre.contract %a[e, i], %t[o, i] -> [e, o] : !a, !gyre.tensor<6 x 4 x f32>
  gyre.return %y : !gyre.tensor<E x 6 x f32>
}

// So is a regrouping of the result, which splits an axis of the producer.
// CHECK-LABEL: gyre.func @regroup
// CHECK-NEXT: gyre.contract %a[a, b], %b[b, (c, d)] -> [c, a, d] with (c = 2, d = 3)
// CHECK-NEXT: gyre.return
gyre.func @regroup(%a: !a, %b: !b) -> (y: !gyre.tensor<2 x E x 3 x f32>) {
  %p = gyre.contract %a[e, i], %b[i, o] -> [e, o] : !a, !b
  %y = gyre.contract %p[e, (f, c)] -> [f, e, c] with (f = 2, c = 3) : !gyre.tensor<E x 6 x f32>
  gyre.return %y : !gyre.tensor<2 x E x 3 x f32>
}

// A part that a relation picks joins the relation of its use.
// CHECK-LABEL: gyre.func @part
// CHECK-NEXT: gyre.contract %z[a, (b, c)], %w[c, d] -> [a, d] with (b = 3) over [b] {(1)}
// CHECK-NEXT: gyre.return
gyre.func @part(%z: !gyre.tensor<E x 12 x f32>, %w: !b) -> (y: !gyre.tensor<E x 6 x f32>) {
  %s = gyre.contract %z[e, (r, c)] -> [e, c] with (r = 3, c = 4) over [r] {(1)} : !gyre.tensor<E x 12 x f32>
  %y = gyre.contract %s[e, c], %w[c, o] -> [e, o] : !a, !b
  gyre.return %y : !gyre.tensor<E x 6 x f32>
}

// What only moves or sums says nothing of products: it takes the other's precision.
// CHECK-LABEL: gyre.func @precision
// CHECK-NEXT: gyre.contract %a[a, b], %b[b, (c, d)] -> [c, a, d] with (c = 2, d = 3) precision tf32 :
// CHECK-NEXT: gyre.return
gyre.func @precision(%a: !a, %b: !b) -> (y: !gyre.tensor<2 x E x 3 x f32>) {
  %t = gyre.contract %b[i, o] -> [o, i] : !b
  %p = gyre.contract %a[e, i], %t[o, i] -> [e, o] precision tf32 : !a, !gyre.tensor<6 x 4 x f32>
  %y = gyre.contract %p[e, (f, c)] -> [f, e, c] with (f = 2, c = 3) : !gyre.tensor<E x 6 x f32>
  gyre.return %y : !gyre.tensor<2 x E x 3 x f32>
}

// Products of which different things are said stay two.
// CHECK-LABEL: gyre.func @precisions
// CHECK-NEXT: gyre.contract %a[a, b], %b[b, c] -> [a, c] precision tf32 :
// CHECK-NEXT: gyre.contract %s[a], %{{.*}}[a, b] -> [a, b] :
// CHECK-NEXT: gyre.return
gyre.func @precisions(%a: !a, %b: !b, %s: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x 6 x f32>) {
  %p = gyre.contract %a[e, i], %b[i, o] -> [e, o] precision tf32 : !a, !b
  %y = gyre.contract %p[e, o], %s[e] -> [e, o] : !gyre.tensor<E x 6 x f32>, !gyre.tensor<E x f32>
  gyre.return %y : !gyre.tensor<E x 6 x f32>
}

// Parts of parts: relations are joined, coefficients multiplied, and a cell that neither lists is
// not read.
// CHECK-LABEL: gyre.func @join
// CHECK-NEXT: gyre.contract %a[a, b] -> [a] over [b] {(1) * -6.000000e+00}
// CHECK-NEXT: gyre.return
gyre.func @join(%a: !a) -> (y: !gyre.tensor<E x f32>) {
  %s = gyre.contract %a[e, i] -> [e, j] with (j = 2) over [i, j] {(1, 0) * 2.0, (3, 1)} : !a
  %y = gyre.contract %s[e, j] -> [e] over [j] {(0) * -3.0} : !gyre.tensor<E x 2 x f32>
  gyre.return %y : !gyre.tensor<E x f32>
}

// A sum of products that two others read is computed once: it stays.
// CHECK-LABEL: gyre.func @shared
// CHECK-NEXT: %[[P:.*]] = gyre.contract %a[a, b], %b[b, c] -> [a, c]
// CHECK-COUNT-2: gyre.contract %[[P]]
// CHECK-NEXT: gyre.return
gyre.func @shared(%a: !a, %b: !b) -> (y: !gyre.tensor<E x f32>, z: !gyre.tensor<6 x f32>) {
  %p = gyre.contract %a[e, i], %b[i, o] -> [e, o] : !a, !b
  %y = gyre.contract %p[e, o] -> [e] : !gyre.tensor<E x 6 x f32>
  %z = gyre.contract %p[e, o] -> [o] : !gyre.tensor<E x 6 x f32>
  gyre.return %y, %z : !gyre.tensor<E x f32>, !gyre.tensor<6 x f32>
}

// A sum of products times something else stays too: inside, it would be taken again and again.
// CHECK-LABEL: gyre.func @nested
// CHECK-NEXT: %[[P:.*]] = gyre.contract %a[a, b], %b[b, c] -> [a, c]
// CHECK-NEXT: gyre.contract %{{.*}}, %[[P]][
gyre.func @nested(%a: !a, %b: !b, %c: !gyre.tensor<6 x 5 x f32>) -> (y: !gyre.tensor<E x 5 x f32>) {
  %p = gyre.contract %a[e, i], %b[i, o] -> [e, o] : !a, !b
  %y = gyre.contract %p[e, o], %c[o, q] -> [e, q] : !gyre.tensor<E x 6 x f32>, !gyre.tensor<6 x 5 x f32>
  gyre.return %y : !gyre.tensor<E x 5 x f32>
}

// A broadcast of a free axis that is summed again counts its cells: no subscript says so.
// CHECK-LABEL: gyre.func @counted
// CHECK-COUNT-2: gyre.contract
// CHECK-NEXT: gyre.return
gyre.func @counted(%a: !a) -> (y: !gyre.tensor<E x f32>) {
  %w = gyre.contract %a[e, i] -> [e, i, k] with (k = 3) : !a
  %y = gyre.contract %w[e, i, k] -> [e] : !gyre.tensor<E x 4 x 3 x f32>
  gyre.return %y : !gyre.tensor<E x f32>
}

// Different accumulators are different sums.
// CHECK-LABEL: gyre.func @accumulators
// CHECK-COUNT-2: gyre.contract
// CHECK-NEXT: gyre.return
gyre.func @accumulators(%a: !a, %b: !b) -> (y: !gyre.tensor<6 x E x f32>) {
  %p = gyre.contract %a[e, i], %b[i, o] -> [e, o] acc f64 : !a, !b
  %y = gyre.contract %p[e, o] -> [o, e] : !gyre.tensor<E x 6 x f32>
  gyre.return %y : !gyre.tensor<6 x E x f32>
}

// Coefficients whose product would leave the accumulator's range stay apart.
// CHECK-LABEL: gyre.func @range
// CHECK-COUNT-2: gyre.contract {{.*}}1.000000e-30
// CHECK-NEXT: gyre.return
gyre.func @range(%a: !a) -> (y: !a) {
  %s = gyre.contract %a[e, i] -> [e, i] over [i] {(1) * 1.0e-30} : !a
  %y = gyre.contract %s[e, i] -> [e, i] over [i] {(1) * 1.0e-30} : !a
  gyre.return %y : !a
}

// The accumulator that is implied anyway is no difference.
// CHECK-LABEL: gyre.func @implied
// CHECK-NEXT: gyre.contract %a[a, b], %b[b, c] -> [c, a] : {{.*}}
// CHECK-NEXT: gyre.return
gyre.func @implied(%a: !a, %b: !b) -> (y: !gyre.tensor<6 x E x f32>) {
  %p = gyre.contract %a[e, i], %b[i, o] -> [e, o] acc f32 : !a, !b
  %y = gyre.contract %p[e, o] -> [o, e] : !gyre.tensor<E x 6 x f32>
  gyre.return %y : !gyre.tensor<6 x E x f32>
}
