// RUN: %roundtrip %s | FileCheck %s

// CHECK-LABEL: gyre.func @layers
gyre.func @layers(%u: !gyre.tensor<E x C x f32>, %w: !gyre.tensor<T x C x C x f32>, %b: !gyre.tensor<T x C x f32>)
    -> (y: !gyre.tensor<E x C x f32>, all: !gyre.tensor<T x E x f32>) {
  // CHECK: %[[Y:.*]]:2 = gyre.repeat T carry (%[[U:.*]] = %u : !gyre.tensor<E x C x f32>) slice (%[[W:.*]] = %w : !gyre.tensor<T x C x C x f32>, %{{.*}} = %b : !gyre.tensor<T x C x f32>) -> (!gyre.tensor<E x C x f32>, !gyre.tensor<T x E x f32>) {
  // CHECK-NEXT: %[[V:.*]] = gyre.contract %[[U]][e, c], %[[W]][c, d] -> [e, d]
  // CHECK: gyre.yield %[[V]], %{{.*}} : !gyre.tensor<E x C x f32>, !gyre.tensor<E x f32>
  %y:2 = gyre.repeat T carry (%a = %u : !gyre.tensor<E x C x f32>)
      slice (%m = %w : !gyre.tensor<T x C x C x f32>, %n = %b : !gyre.tensor<T x C x f32>)
      -> (!gyre.tensor<E x C x f32>, !gyre.tensor<T x E x f32>) {
    %v = gyre.contract %a[e, c], %m[c, d] -> [e, d] : !gyre.tensor<E x C x f32>, !gyre.tensor<C x C x f32>
    %z = gyre.contract %v[e, c], %n[c] -> [e] : !gyre.tensor<E x C x f32>, !gyre.tensor<C x f32>
    gyre.yield %v, %z : !gyre.tensor<E x C x f32>, !gyre.tensor<E x f32>
  }
  // CHECK: gyre.return %[[Y]]#0, %[[Y]]#1
  gyre.return %y#0, %y#1 : !gyre.tensor<E x C x f32>, !gyre.tensor<T x E x f32>
}

// CHECK-LABEL: gyre.func @parts
gyre.func @parts(%u: !gyre.tensor<E x f32>, %w: !gyre.tensor<5 x E x f32>) {
  // Nothing carried, more rows than runs.
  // CHECK: gyre.repeat 3 slice (%[[W:.*]] = %w : !gyre.tensor<5 x E x f32>) -> (!gyre.tensor<3 x E x f32>) attributes {note = "kept"} {
  // CHECK-NEXT: gyre.yield %[[W]] : !gyre.tensor<E x f32>
  %0 = gyre.repeat 3 slice (%a = %w : !gyre.tensor<5 x E x f32>) -> (!gyre.tensor<3 x E x f32>) attributes {note = "kept"} {
    gyre.yield %a : !gyre.tensor<E x f32>
  }
  // No run at all; values of the function may be used.
  // CHECK: gyre.repeat 0 carry (%{{.*}} = %u : !gyre.tensor<E x f32>) -> (!gyre.tensor<E x f32>) {
  // CHECK-NEXT: gyre.yield {note = "kept"} %u : !gyre.tensor<E x f32>
  %1 = gyre.repeat 0 carry (%a = %u : !gyre.tensor<E x f32>) -> (!gyre.tensor<E x f32>) {
    gyre.yield {note = "kept"} %u : !gyre.tensor<E x f32>
  }
  // CHECK: gyre.repeat 2 -> () {
  // CHECK-NEXT: gyre.yield
  gyre.repeat 2 -> () {
    gyre.yield
  }
  gyre.return
}
