// RUN: gyre-opt %s --gyre-widen-halves | FileCheck %s

!h = !gyre.tensor<E x f16>
!b = !gyre.tensor<E x bf16>
!f = !gyre.tensor<E x f32>

// Extended once, rounded once; what is f32 anyway stays as it is.
// CHECK-LABEL: gyre.func @once
// CHECK-SAME: (%x: !gyre.tensor<E x f16>, %y: !gyre.tensor<E x bf16>, %z: !gyre.tensor<E x f32>)
// CHECK-DAG: %[[X:.*]] = gyre.convert %x : !gyre.tensor<E x f16> -> !gyre.tensor<E x f32>
// CHECK-DAG: %[[Y:.*]] = gyre.convert %y : !gyre.tensor<E x bf16> -> !gyre.tensor<E x f32>
// CHECK: %[[P:.*]] = arith.mulf %[[X]], %[[X]] : !gyre.tensor<E x f32>
// CHECK-NEXT: %[[Q:.*]] = arith.addf %[[P]], %z : !gyre.tensor<E x f32>
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[Y]], %[[Y]] : !gyre.tensor<E x f32>
// CHECK-NEXT: %[[R:.*]] = gyre.convert %[[S]] : !gyre.tensor<E x f32> -> !gyre.tensor<E x bf16>
// CHECK-NEXT: gyre.return %[[Q]], %[[R]] :
gyre.func @once(%x: !h, %y: !b, %z: !f) -> (q: !f, r: !b) {
  %p = arith.mulf %x, %x : !h
  %w = gyre.convert %p : !h -> !f
  %q = arith.addf %w, %z : !f
  %r = arith.mulf %y, %y : !b
  gyre.return %q, %r : !f, !b
}

// A sum accumulates in f32, and is rounded once.
// CHECK-LABEL: gyre.func @sum
// CHECK: gyre.contract %{{.*}}[e] -> [] : !gyre.tensor<E x f32>
// CHECK-NEXT: gyre.convert %{{.*}} : !gyre.tensor<f32> -> !gyre.tensor<f16>
gyre.func @sum(%x: !h) -> (s: !gyre.tensor<f16>) {
  %s = gyre.contract %x[e] -> [] : !h
  gyre.return %s : !gyre.tensor<f16>
}
