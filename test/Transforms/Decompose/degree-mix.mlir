// RUN: gyre-opt %s --gyre-decompose | FileCheck %s

// Without a basis each row is multiplied by the value of its degree.

// CHECK-LABEL: gyre.func @radial
// CHECK: gyre.contract %k[e, l, c], %x[e, r, c] -> [e, r, c] over [l, r]
// CHECK-SAME: {(0, 0), (1, 1), (1, 3), (1, 5), (2, 2), (2, 4), (2, 6)} : !gyre.tensor<E x 3 x C x f32>, !gyre.tensor<E x 7 x C x f32>
// CHECK-NEXT: gyre.return
gyre.func @radial(%x: !gyre.tensor<E x 7 x C x f32>, %k: !gyre.tensor<E x 3 x C x f32>) -> (y: !gyre.tensor<E x 7 x C x f32>) {
  %y = gyre.degree_mix %x by %k degree 2 : !gyre.tensor<E x 7 x C x f32>, !gyre.tensor<E x 3 x C x f32>
  gyre.return %y : !gyre.tensor<E x 7 x C x f32>
}

// CHECK-LABEL: gyre.func @radial_zero
// CHECK: gyre.contract %k[e, l, c], %x[e, r, c] -> [e, r, c] over [l, r] {(0, 0)} :
gyre.func @radial_zero(%x: !gyre.tensor<E x 1 x C x f32>, %k: !gyre.tensor<E x 1 x C x f32>) -> (y: !gyre.tensor<E x 1 x C x f32>) {
  %y = gyre.degree_mix %x by %k degree 0 : !gyre.tensor<E x 1 x C x f32>, !gyre.tensor<E x 1 x C x f32>
  gyre.return %y : !gyre.tensor<E x 1 x C x f32>
}

// With a basis, slots 0 to 8 are the block of order 0, input degree slowest; slots 9 to 12
// the block that orders -1 (rows 3, 4) and +1 (rows 5, 6) share.

// CHECK-LABEL: gyre.func @mixed
// CHECK: gyre.contract %k[e, (s, p)], %b[p, c], %x[e, i, c] -> [e, o, c] with (s = 13, o = 7) over [s, i, o]
// CHECK-SAME: {(0, 0, 0), (1, 0, 1), (2, 0, 2), (3, 1, 0), (4, 1, 1), (5, 1, 2), (6, 2, 0), (7, 2, 1), (8, 2, 2),
// CHECK-SAME:  (9, 3, 3), (9, 5, 5), (10, 3, 4), (10, 5, 6), (11, 4, 3), (11, 6, 5), (12, 4, 4), (12, 6, 6)}
// CHECK-SAME: : !gyre.tensor<E x 26 x f32>, !gyre.tensor<2 x C x f32>, !gyre.tensor<E x 7 x C x f32>
// CHECK-NEXT: gyre.return
gyre.func @mixed(%x: !gyre.tensor<E x 7 x C x f32>, %k: !gyre.tensor<E x 26 x f32>, %b: !gyre.tensor<2 x C x f32>) -> (y: !gyre.tensor<E x 7 x C x f32>) {
  %y = gyre.degree_mix %x by %k basis %b degree 2 : !gyre.tensor<E x 7 x C x f32>, !gyre.tensor<E x 26 x f32>, !gyre.tensor<2 x C x f32>
  gyre.return %y : !gyre.tensor<E x 7 x C x f32>
}

// CHECK-LABEL: gyre.func @mixed_one
// CHECK: gyre.contract %k[e, (s, p)], %b[p, c], %x[e, i, c] -> [e, o, c] with (s = 5, o = 4) over [s, i, o]
// CHECK-SAME: {(0, 0, 0), (1, 0, 1), (2, 1, 0), (3, 1, 1), (4, 2, 2), (4, 3, 3)} :
gyre.func @mixed_one(%x: !gyre.tensor<E x 4 x C x f32>, %k: !gyre.tensor<E x 5 x f32>, %b: !gyre.tensor<1 x C x f32>) -> (y: !gyre.tensor<E x 4 x C x f32>) {
  %y = gyre.degree_mix %x by %k basis %b degree 1 : !gyre.tensor<E x 4 x C x f32>, !gyre.tensor<E x 5 x f32>, !gyre.tensor<1 x C x f32>
  gyre.return %y : !gyre.tensor<E x 4 x C x f32>
}

// CHECK-LABEL: gyre.func @mixed_zero
// CHECK: gyre.contract %k[e, (s, p)], %b[p, c], %x[e, i, c] -> [e, o, c] with (s = 1, o = 1) over [s, i, o] {(0, 0, 0)} :
gyre.func @mixed_zero(%x: !gyre.tensor<E x 1 x C x f32>, %k: !gyre.tensor<E x 3 x f32>, %b: !gyre.tensor<3 x C x f32>) -> (y: !gyre.tensor<E x 1 x C x f32>) {
  %y = gyre.degree_mix %x by %k basis %b degree 0 : !gyre.tensor<E x 1 x C x f32>, !gyre.tensor<E x 3 x f32>, !gyre.tensor<3 x C x f32>
  gyre.return %y : !gyre.tensor<E x 1 x C x f32>
}

// Degree and rank that are not known yet.

gyre.spec @symbolic {
  gyre.param "L" in [0, 8]
  gyre.param "R" in [1, 8]
  // CHECK-LABEL: gyre.func @symbolic
  // CHECK: gyre.contract %k[e, (s, p)], %b[p, c], %x[e, i, c] -> [e, o, c] with (s = 2*L*L + 2*L + 1, o = 3*L + 1) over
  // CHECK-SAME: {(s = L*i + i + o, i = i, o = o) : i in [0, L], o in [0, L]
  // CHECK-SAME: | (s = L*L + L*i + L + o, i = L + i, o = L + o) : i in [1, L], o in [1, L]
  // CHECK-SAME: | (s = L*L + L*i + L + o, i = 2*L + i, o = 2*L + o) : i in [1, L], o in [1, L]} :
  gyre.func @symbolic(%x: !gyre.tensor<E x 3*L+1 x C x f32>, %k: !gyre.tensor<E x ((L+1)*(L+1) + L*L)*R x f32>, %b: !gyre.tensor<R x C x f32>)
      -> (y: !gyre.tensor<E x 3*L+1 x C x f32>) {
    %y = gyre.degree_mix %x by %k basis %b degree L : !gyre.tensor<E x 3*L+1 x C x f32>, !gyre.tensor<E x ((L+1)*(L+1) + L*L)*R x f32>, !gyre.tensor<R x C x f32>
    gyre.return %y : !gyre.tensor<E x 3*L+1 x C x f32>
  }
}
