// One form for equal contracts, so that equal values are found.
// RUN: gyre-opt %s --gyre-simplify | FileCheck %s

!a = !gyre.tensor<E x 4 x f32>
!b = !gyre.tensor<4 x 3 x f32>

// Axes are named by first appearance, operands ordered by definition.
// CHECK-LABEL: gyre.func @names
// CHECK-NEXT: %[[P:.*]] = gyre.contract %a[a, b], %b[b, c] -> [a, c]
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[P]], %[[P]]
// CHECK-NEXT: gyre.return %[[S]]
gyre.func @names(%a: !a, %b: !b) -> (y: !gyre.tensor<E x 3 x f32>) {
  %p = gyre.contract %a[e, i], %b[i, o] -> [e, o] : !a, !b
  %q = gyre.contract %b[k, n], %a[m, k] -> [m, n] : !b, !a
  %s = arith.addf %p, %q : !gyre.tensor<E x 3 x f32>
  gyre.return %s : !gyre.tensor<E x 3 x f32>
}

// A relation that says no more than that two axes are equal is a name.
// CHECK-LABEL: gyre.func @diagonal
// CHECK-NEXT: gyre.return %a
gyre.func @diagonal(%a: !a) -> (y: !a) {
  %y = gyre.contract %a[e, i] -> [e, j] with (j = 4) over [i, j] {(0, 0), (1, 1), (2, 2), (3, 3)} : !a
  gyre.return %y : !a
}

// One cell short of the whole axis: the relation stays, on the one axis that is left.
// CHECK-LABEL: gyre.func @partial_diagonal
// CHECK-NEXT: gyre.contract %a[a, b] -> [a, b] over [b] {(0), (1), (3)}
gyre.func @partial_diagonal(%a: !a) -> (y: !a) {
  %y = gyre.contract %a[e, i] -> [e, j] with (j = 4) over [i, j] {(0, 0), (1, 1), (3, 3)} : !a
  gyre.return %y : !a
}

// Both axes of a diagonal of one operand stay.
// CHECK-LABEL: gyre.func @trace
// CHECK-NEXT: gyre.contract %m[a, b] -> [] over [a, b] {(0, 0), (1, 1)}
gyre.func @trace(%m: !gyre.tensor<2 x 2 x f32>) -> (y: !gyre.tensor<f32>) {
  %y = gyre.contract %m[i, j] -> [] over [i, j] {(0, 0), (1, 1)} : !gyre.tensor<2 x 2 x f32>
  gyre.return %y : !gyre.tensor<f32>
}

// No tuple: an exact zero.
// CHECK-LABEL: gyre.func @empty
// CHECK-NEXT: gyre.constant 0.0
// CHECK-NEXT: gyre.return
gyre.func @empty(%a: !a) -> (y: !a) {
  %y = gyre.contract %a[e, i] -> [e, i] over [i] {} : !a
  gyre.return %y : !a
}

// A coefficient is not dropped with its axis.
// CHECK-LABEL: gyre.func @scaled
// CHECK-NEXT: gyre.contract %a[a, b] -> [a, b] over [b] {(0) * 2.000000e+00, (1) * 2.000000e+00, (2) * 2.000000e+00, (3) * 2.000000e+00}
gyre.func @scaled(%a: !a) -> (y: !a) {
  %y = gyre.contract %a[e, i] -> [e, i] over [i] {(0) * 2.0, (1) * 2.0, (2) * 2.0, (3) * 2.0} : !a
  gyre.return %y : !a
}

// Dead values go.
// CHECK-LABEL: gyre.func @dead
// CHECK-NEXT: gyre.return %a
gyre.func @dead(%a: !a, %b: !b) -> (y: !a) {
  %p = gyre.contract %a[e, i], %b[i, o] -> [e, o] : !a, !b
  gyre.return %a : !a
}

// What is still symbolic is left alone.
// CHECK-LABEL: gyre.func @symbolic
// CHECK-NEXT: gyre.contract %x[e, i] -> [e, j] with (j = L + 1) over {(i = l, j = l) : l in [0, L]}
gyre.func @symbolic(%x: !gyre.tensor<E x L + 1 x f32>) -> (y: !gyre.tensor<E x L + 1 x f32>) {
  %y = gyre.contract %x[e, i] -> [e, j] with (j = L + 1) over {(i = l, j = l) : l in [0, L]} : !gyre.tensor<E x L + 1 x f32>
  gyre.return %y : !gyre.tensor<E x L + 1 x f32>
}

// A conversion to the type that is there is nothing; others stay, also one that undoes another.
// CHECK-LABEL: gyre.func @conversions
// CHECK-NEXT: %[[N:.*]] = gyre.convert %a : {{.*}}f32> -> {{.*}}f16>
// CHECK-NEXT: %[[W:.*]] = gyre.convert %[[N]]
// CHECK-NEXT: gyre.return %a, %[[W]]
gyre.func @conversions(%a: !a) -> (y: !a, w: !a) {
  %y = gyre.convert %a : !a -> !a
  %n = gyre.convert %y : !a -> !gyre.tensor<E x 4 x f16>
  %w = gyre.convert %n : !gyre.tensor<E x 4 x f16> -> !a
  gyre.return %y, %w : !a, !a
}
