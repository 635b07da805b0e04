// RUN: gyre-opt %s --gyre-decompose | FileCheck %s

!z = !gyre.tensor<F x E x 7*C x f32>
!g = !gyre.tensor<F x C x 2*C x f32>

// The scalar chunk is row 0; row r of degree l is gated by group l - 1.

// CHECK-LABEL: gyre.func @gated
// CHECK: %[[S:.*]] = gyre.contract %z[f, e, (r, c)] -> [f, e, c] with (r = 7, c = C) over [r] {(0)} : !gyre.tensor<F x E x 7*C x f32>
// CHECK-NEXT: %[[Q:.*]] = gyre.contract %[[S]][f, e, c], %gate[f, c, g] -> [f, e, g] : !gyre.tensor<F x E x C x f32>, !gyre.tensor<F x C x 2*C x f32>
// CHECK-NEXT: %[[SIGMA:.*]] = gyre.sigmoid %[[Q]] : {{.*}}<F x E x 2*C x f32>
// CHECK-NEXT: %[[GATED:.*]] = gyre.contract %z[f, e, (r, c)], %[[SIGMA]][f, e, (g, c)] -> [f, e, (r, c)] with (r = 7, c = C, g = 2) over [r, g]
// CHECK-SAME: {(1, 0), (2, 1), (3, 0), (4, 1), (5, 0), (6, 1)} :
// CHECK-NEXT: %[[SILU:.*]] = gyre.silu %[[S]] : {{.*}}<F x E x C x f32>
// CHECK-NEXT: %[[ROWS:.*]] = gyre.contract %[[SILU]][f, e, c] -> [f, e, (r, c)] with (r = 7) over [r] {(0)} : !gyre.tensor<F x E x C x f32>
// CHECK-NEXT: %[[V:.*]] = arith.addf %[[ROWS]], %[[GATED]] : !gyre.tensor<F x E x 7*C x f32>
// CHECK-NEXT: gyre.return %[[V]]
gyre.func @gated(%z: !z, %gate: !g) -> (v: !z) {
  %v = gyre.gated_activation %z gate %gate degree 2 channels C : !z, !g
  gyre.return %v : !z
}

// CHECK-LABEL: gyre.func @scalars
// CHECK-NEXT: %[[V:.*]] = gyre.silu %z : {{.*}}<F x E x C x f32>
// CHECK-NEXT: gyre.return %[[V]]
gyre.func @scalars(%z: !gyre.tensor<F x E x C x f32>) -> (v: !gyre.tensor<F x E x C x f32>) {
  %v = gyre.gated_activation %z degree 0 channels C : !gyre.tensor<F x E x C x f32>
  gyre.return %v : !gyre.tensor<F x E x C x f32>
}

// A gate of no entries: the planes are empty.
// CHECK-LABEL: gyre.func @no_planes
// CHECK: gyre.contract %z[f, e, (r, c)], %{{.*}}[f, e, (g, c)] -> [f, e, (r, c)] with (r = 1, c = C, g = 0) over [r, g] {} :
gyre.func @no_planes(%z: !gyre.tensor<F x E x C x f32>, %gate: !gyre.tensor<F x C x 0 x f32>) -> (v: !gyre.tensor<F x E x C x f32>) {
  %v = gyre.gated_activation %z gate %gate degree 0 channels C : !gyre.tensor<F x E x C x f32>, !gyre.tensor<F x C x 0 x f32>
  gyre.return %v : !gyre.tensor<F x E x C x f32>
}
