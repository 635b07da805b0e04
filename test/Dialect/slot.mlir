// RUN: %roundtrip %s | FileCheck %s

// CHECK-LABEL: gyre.func @max_slot
gyre.func @max_slot(%v: !gyre.tensor<B x K x M x f32>, %knn: !gyre.map<[k: K, n: M] to N, padded>)
    -> (a: !gyre.tensor<B x M x f32>, b: !gyre.tensor<B x K x f32>, c: !gyre.tensor<B x M x f32>) {
  // CHECK: %{{.*}}, %{{.*}} = gyre.max_slot %v axis 1 : !gyre.tensor<B x K x M x f32> -> !gyre.tensor<B x M x f32>, !gyre.tensor<B x M x i8>
  %a, %i = gyre.max_slot %v axis 1 : !gyre.tensor<B x K x M x f32> -> !gyre.tensor<B x M x f32>, !gyre.tensor<B x M x i8>
  // CHECK: %{{.*}}, %{{.*}} = gyre.max_slot %v axis 1 over %knn[n] : !gyre.tensor<B x K x M x f32>, !gyre.map<[k: K, n: M] to N, padded> -> !gyre.tensor<B x K x f32>, !gyre.tensor<B x K x i32>
  %b, %j = gyre.max_slot %v axis 1 over %knn[n] : !gyre.tensor<B x K x M x f32>, !gyre.map<[k: K, n: M] to N, padded>
      -> !gyre.tensor<B x K x f32>, !gyre.tensor<B x K x i32>
  // CHECK: gyre.max_slot %v axis 1 over %knn[k] {note = "kept"} :
  %c, %k = gyre.max_slot %v axis 1 over %knn[k] {note = "kept"} : !gyre.tensor<B x K x M x f32>, !gyre.map<[k: K, n: M] to N, padded>
      -> !gyre.tensor<B x M x f32>, !gyre.tensor<B x M x i64>
  gyre.return %a, %b, %c : !gyre.tensor<B x M x f32>, !gyre.tensor<B x K x f32>, !gyre.tensor<B x M x f32>
}

// As many slots as the type counts.
// CHECK-LABEL: gyre.func @full_width
gyre.func @full_width(%v: !gyre.tensor<256 x f32>, %w: !gyre.tensor<2 x f32>) {
  // CHECK: gyre.max_slot %v axis 0 : !gyre.tensor<256 x f32> -> !gyre.tensor<f32>, !gyre.tensor<i8>
  %a, %i = gyre.max_slot %v axis 0 : !gyre.tensor<256 x f32> -> !gyre.tensor<f32>, !gyre.tensor<i8>
  // CHECK: gyre.max_slot %w axis 0 : !gyre.tensor<2 x f32> -> !gyre.tensor<f32>, !gyre.tensor<i1>
  %b, %j = gyre.max_slot %w axis 0 : !gyre.tensor<2 x f32> -> !gyre.tensor<f32>, !gyre.tensor<i1>
  gyre.return
}

// CHECK-LABEL: gyre.func @slots
gyre.func @slots(%v: !gyre.tensor<B x K x M x act>, %s: !gyre.tensor<B x M x i8>) -> (y: !gyre.tensor<B x M x 2*K x act>) {
  // CHECK: %[[G:.*]] = gyre.select_slot %v at %s axis 1 : !gyre.tensor<B x K x M x act>, !gyre.tensor<B x M x i8>
  %g = gyre.select_slot %v at %s axis 1 : !gyre.tensor<B x K x M x act>, !gyre.tensor<B x M x i8>
  // A new dimension may come last.
  // CHECK: %[[Y:.*]] = gyre.spread_slot %[[G]] at %s axis 2 size 2*K : !gyre.tensor<B x M x act>, !gyre.tensor<B x M x i8>
  %y = gyre.spread_slot %g at %s axis 2 size K + K : !gyre.tensor<B x M x act>, !gyre.tensor<B x M x i8>
  // CHECK: gyre.return %[[Y]] : !gyre.tensor<B x M x 2*K x act>
  gyre.return %y : !gyre.tensor<B x M x 2*K x act>
}
