// RUN: gyre-opt %s --gyre-decompose --split-input-file | FileCheck %s

// L = 2 (docs/operators.md 1.4): rows read coefficients [0, 2, 6, 1, 5, 3, 7] of degrees [0, 1, 2, 1, 2, 1, 2],
// each from all columns of its degree.

// CHECK-LABEL: gyre.func @degree_two
// CHECK: %[[Y:.*]] = gyre.contract %wigner[e, k, d], %x[e, d, c] -> [e, r, c] with (r = 7) over [r, k, d]
// CHECK-SAME: {(0, 0, 0),
// CHECK-SAME:  (1, 2, 1), (1, 2, 2), (1, 2, 3),
// CHECK-SAME:  (2, 6, 4), (2, 6, 5), (2, 6, 6), (2, 6, 7), (2, 6, 8),
// CHECK-SAME:  (3, 1, 1), (3, 1, 2), (3, 1, 3),
// CHECK-SAME:  (4, 5, 4), (4, 5, 5), (4, 5, 6), (4, 5, 7), (4, 5, 8),
// CHECK-SAME:  (5, 3, 1), (5, 3, 2), (5, 3, 3),
// CHECK-SAME:  (6, 7, 4), (6, 7, 5), (6, 7, 6), (6, 7, 7), (6, 7, 8)} : !gyre.tensor<E x 9 x 9 x f32>, !gyre.tensor<E x 9 x C x f32>
// CHECK-NEXT: gyre.return %[[Y]]
gyre.func @degree_two(%x: !gyre.tensor<E x 9 x C x f32>, %wigner: !gyre.tensor<E x 9 x 9 x f32>) -> (y: !gyre.tensor<E x 7 x C x f32>) {
  %y = gyre.rotate %x by %wigner degree 2 : !gyre.tensor<E x 9 x C x f32>, !gyre.tensor<E x 9 x 9 x f32>
  gyre.return %y : !gyre.tensor<E x 7 x C x f32>
}

// CHECK-LABEL: gyre.func @degree_zero
// CHECK: gyre.contract %wigner[e, k, d], %x[e, d, c] -> [e, r, c] with (r = 1) over [r, k, d] {(0, 0, 0)} :
gyre.func @degree_zero(%x: !gyre.tensor<E x 1 x C x f32>, %wigner: !gyre.tensor<E x 1 x 1 x f32>) -> (y: !gyre.tensor<E x 1 x C x f32>) {
  %y = gyre.rotate %x by %wigner degree 0 : !gyre.tensor<E x 1 x C x f32>, !gyre.tensor<E x 1 x 1 x f32>
  gyre.return %y : !gyre.tensor<E x 1 x C x f32>
}

// Packed: row and column of an entry are its position.

// CHECK-LABEL: gyre.func @packed
// CHECK: %[[Y:.*]] = gyre.contract %wigner[e, p], %x[e, d, c] -> [e, r, c] with (r = 7) over [r, p, d]
// CHECK-SAME: {(0, 0, 0),
// CHECK-SAME:  (1, 4, 1), (1, 5, 2), (1, 6, 3),
// CHECK-SAME:  (2, 15, 4), (2, 16, 5), (2, 17, 6), (2, 18, 7), (2, 19, 8),
// CHECK-SAME:  (3, 1, 1), (3, 2, 2), (3, 3, 3),
// CHECK-SAME:  (4, 10, 4), (4, 11, 5), (4, 12, 6), (4, 13, 7), (4, 14, 8),
// CHECK-SAME:  (5, 7, 1), (5, 8, 2), (5, 9, 3),
// CHECK-SAME:  (6, 20, 4), (6, 21, 5), (6, 22, 6), (6, 23, 7), (6, 24, 8)} : !gyre.tensor<E x 25 x f32>, !gyre.tensor<E x 9 x C x f32>
// CHECK-NEXT: gyre.return %[[Y]]
gyre.func @packed(%x: !gyre.tensor<E x 9 x C x f32>, %wigner: !gyre.tensor<E x 25 x f32>) -> (y: !gyre.tensor<E x 7 x C x f32>) {
  %y = gyre.rotate %x by %wigner degree 2 : !gyre.tensor<E x 9 x C x f32>, !gyre.tensor<E x 25 x f32>
  gyre.return %y : !gyre.tensor<E x 7 x C x f32>
}

// -----

// A degree that is not known yet.

gyre.spec @symbolic {
  gyre.param "L" in [0, 8]
  // CHECK-LABEL: gyre.func @symbolic
  // CHECK: gyre.contract %wigner[e, k, d], %x[e, d, c] -> [e, r, c] with (r = 3*L + 1) over
  // CHECK-SAME: {(r = l, k = l*l + l, d = l*l + j) : l in [0, L], j in [0, 2*l]
  // CHECK-SAME: | (r = L + l, k = l*l + l - 1, d = l*l + j) : l in [1, L], j in [0, 2*l]
  // CHECK-SAME: | (r = 2*L + l, k = l*l + l + 1, d = l*l + j) : l in [1, L], j in [0, 2*l]} :
  gyre.func @symbolic(%x: !gyre.tensor<E x (L+1)*(L+1) x C x f32>, %wigner: !gyre.tensor<E x (L+1)*(L+1) x (L+1)*(L+1) x f32>)
      -> (y: !gyre.tensor<E x 3*L+1 x C x f32>) {
    %y = gyre.rotate %x by %wigner degree L : !gyre.tensor<E x (L+1)*(L+1) x C x f32>, !gyre.tensor<E x (L+1)*(L+1) x (L+1)*(L+1) x f32>
    gyre.return %y : !gyre.tensor<E x 3*L+1 x C x f32>
  }
}

// -----

// Iterators do not hide parameters.

gyre.spec @names {
  gyre.param "l" in [0, 8]
  gyre.param "j" in [0, 8]
  // CHECK-LABEL: gyre.func @names
  // CHECK: over {(r = l_, k = l_*l_ + l_, d = l_*l_ + j_) : l_ in [0, j + l], j_ in [0, 2*l_]
  // CHECK-SAME: | (r = j + l + l_,
  gyre.func @names(%x: !gyre.tensor<E x (l+j+1)*(l+j+1) x C x f32>, %wigner: !gyre.tensor<E x (l+j+1)*(l+j+1) x (l+j+1)*(l+j+1) x f32>)
      -> (y: !gyre.tensor<E x 3*l + 3*j + 1 x C x f32>) {
    %y = gyre.rotate %x by %wigner degree l + j : !gyre.tensor<E x (l+j+1)*(l+j+1) x C x f32>, !gyre.tensor<E x (l+j+1)*(l+j+1) x (l+j+1)*(l+j+1) x f32>
    gyre.return %y : !gyre.tensor<E x 3*l + 3*j + 1 x C x f32>
  }
}
