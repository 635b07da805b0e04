// Sums over rows come last, so that each is one delivery of a kernel.
// RUN: gyre-opt %s --gyre-fuse | FileCheck %s

!m = !gyre.map<[e: E] to N>
!x = !gyre.tensor<N x 4 x f32>
!y = !gyre.tensor<E x 4 x f32>
!v = !gyre.tensor<4 x f32>

// sum(a) + sum(b) - sum(c) = sum(a + b - c), also through chains and signs.
// CHECK-LABEL: gyre.func @segments
// CHECK-NEXT: %[[K:.*]] = gyre.kernel over E by %m : {{.*}} deliver [#gyre.delivery<segment 0>] :
// CHECK-DAG: %[[A:.*]] = gyre.row %a axis 0
// CHECK-DAG: %[[B:.*]] = gyre.row %b axis 0
// CHECK-DAG: %[[C:.*]] = gyre.row %c axis 0
// CHECK-DAG: %[[AB:.*]] = arith.addf %[[A]], %[[B]]
// CHECK-DAG: %[[MINUS:.*]] = arith.negf %[[C]]
// CHECK: %[[S:.*]] = arith.subf %[[AB]], %[[MINUS]]
// CHECK-NEXT: gyre.deliver %[[S]]
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[K]]
gyre.func @segments(%a: !y, %b: !y, %c: !y, %m: !m) -> (n: !x) {
  %0 = gyre.segment_sum %a over %m axis 0 : !y, !m
  %1 = gyre.segment_sum %b over %m axis 0 : !y, !m
  %2 = gyre.segment_sum %c over %m axis 0 : !y, !m
  %3 = arith.addf %0, %1 : !x
  %4 = arith.negf %2 : !x
  %5 = arith.subf %3, %4 : !x
  gyre.return %5 : !x
}

// CHECK-LABEL: gyre.func @totals
// CHECK-NEXT: %[[K:.*]] = gyre.kernel over E deliver [#gyre.delivery<total 0>] :
// CHECK: gyre.contract
// CHECK: arith.addf
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[K]]
gyre.func @totals(%a: !y, %b: !y) -> (t: !v) {
  %0 = gyre.contract %a[e, i], %b[e, i] -> [i] : !y, !y
  %1 = gyre.contract %b[e, i] -> [i] : !y
  %2 = arith.addf %0, %1 : !v
  gyre.return %2 : !v
}

// Sums over different maps, and what is not linear, stay where they are.
// CHECK-LABEL: gyre.func @apart
// CHECK-NEXT: %[[A:.*]] = gyre.kernel over E by %m : {{.*}} deliver [#gyre.delivery<segment 0>] :
// CHECK: %[[B:.*]] = gyre.kernel over E by %k : {{.*}} deliver [#gyre.delivery<segment 0>] :
// CHECK: %[[K:.*]] = gyre.kernel over N deliver [#gyre.delivery<row 0>] :
// CHECK-DAG: %[[AROW:.*]] = gyre.row %[[A]] axis 0
// CHECK-DAG: %[[BROW:.*]] = gyre.row %[[B]] axis 0
// CHECK: %[[S:.*]] = arith.addf %[[AROW]], %[[BROW]]
// CHECK: arith.mulf %[[S]], %[[AROW]]
// CHECK: gyre.return %[[K]]
gyre.func @apart(%a: !y, %b: !y, %m: !m, %k: !m) -> (n: !x) {
  %0 = gyre.segment_sum %a over %m axis 0 : !y, !m
  %1 = gyre.segment_sum %b over %k axis 0 : !y, !m
  %2 = arith.addf %0, %1 : !x
  %3 = arith.mulf %2, %0 : !x
  gyre.return %3 : !x
}

// A sum that is returned, too, is delivered by itself.
// CHECK-LABEL: gyre.func @also_returned
// CHECK-NEXT: %[[K:.*]]:2 = gyre.kernel over E by %m : {{.*}} deliver [#gyre.delivery<segment 0>, #gyre.delivery<segment 0>] :
// CHECK-DAG: %[[A:.*]] = gyre.row %a axis 0
// CHECK-DAG: %[[B:.*]] = gyre.row %b axis 0
// CHECK: %[[S:.*]] = arith.addf %[[A]], %[[B]]
// CHECK: gyre.deliver %[[A]], %[[S]] :
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[K]]#0, %[[K]]#1
gyre.func @also_returned(%a: !y, %b: !y, %m: !m) -> (n: !x, s: !x) {
  %0 = gyre.segment_sum %a over %m axis 0 : !y, !m
  %1 = gyre.segment_sum %b over %m axis 0 : !y, !m
  %2 = arith.addf %0, %1 : !x
  gyre.return %0, %2 : !x, !x
}
