// RUN: gyre-opt %s --gyre-plain-loops | FileCheck %s

!knn = !gyre.map<[k: K, n: M] to N, padded>

// CHECK-LABEL: func.func @gather__body
// CHECK-SAME: %[[X:[^:]*]]: memref<2x?x3xf32, {{[^>]*>>}}, %[[INDEX:[^:]*]]: memref<?xi32>, %[[ORDER:[^:]*]]: memref<?xi32>, %[[PTR:[^:]*]]: memref<?xi32>, %[[Y:[^:]*]]: memref<2x?x?x3xf32
// CHECK-SAME: %[[N:[^:]*]]: index, %[[K:[^:]*]]: index, %[[M:[^:]*]]: index, %{{[^:]*}}: memref<?xi8>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: scf.for %[[a:.*]] =
// CHECK-NEXT: scf.for %[[k:.*]] = %{{.*}} to %[[K]]
// CHECK-NEXT: scf.for %[[m:.*]] = %{{.*}} to %[[M]]
// CHECK-NEXT: %[[ROW:.*]] = arith.muli %[[k]], %[[M]]
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[ROW]], %[[m]]
// CHECK-NEXT: memref.load %[[INDEX]][%[[AT]]]
// CHECK-NEXT: %[[NODE:.*]] = arith.index_cast
// CHECK-NEXT: %[[IS_NODE:.*]] = arith.cmpi ult, %[[NODE]], %[[N]]
// CHECK-NEXT: scf.if %[[IS_NODE]]
// CHECK-NEXT: scf.for %[[c:.*]] =
// CHECK-NEXT: %[[VALUE:.*]] = memref.load %[[X]][%[[a]], %[[NODE]], %[[c]]]
// CHECK-NEXT: memref.store %[[VALUE]], %[[Y]][%[[a]], %[[k]], %[[m]], %[[c]]]
// CHECK: else
// CHECK-NEXT: scf.for %[[c2:.*]] =
// CHECK-NEXT: memref.store %[[ZERO]], %[[Y]][%[[a]], %[[k]], %[[m]], %[[c2]]]
gyre.func @gather(%x: !gyre.tensor<2 x N x 3 x f32>, %knn: !knn) -> (y: !gyre.tensor<2 x K x M x 3 x f32>) {
  %y = gyre.gather %x over %knn axis 1 : !gyre.tensor<2 x N x 3 x f32>, !knn
  gyre.return %y : !gyre.tensor<2 x K x M x 3 x f32>
}

// The CSR lists no pads.
// CHECK-LABEL: func.func @segment_sum__body
// CHECK-SAME: %[[X:[^:]*]]: memref<?x?x3xf32, {{[^>]*>>}}, %[[INDEX:[^:]*]]: memref<?xi32>, %[[ORDER:[^:]*]]: memref<?xi32>, %[[PTR:[^:]*]]: memref<?xi32>, %[[Y:[^:]*]]: memref<?x3xf32
// CHECK-SAME: %[[K:[^:]*]]: index, %[[M:[^:]*]]: index, %[[N:[^:]*]]: index, %{{[^:]*}}: memref<?xi8>
// CHECK: scf.for %[[node:.*]] = %{{.*}} to %[[N]]
// CHECK-NEXT: memref.load %[[PTR]][%[[node]]]
// CHECK-NEXT: %[[FIRST:.*]] = arith.index_cast
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[node]]
// CHECK-NEXT: memref.load %[[PTR]][%[[NEXT]]]
// CHECK-NEXT: %[[LAST:.*]] = arith.index_cast
// CHECK-NEXT: scf.for %[[c:.*]] =
// CHECK-NEXT: %[[SUM:.*]] = scf.for %[[i:.*]] = %[[FIRST]] to %[[LAST]] step %{{.*}} iter_args(%[[PARTIAL:.*]] =
// CHECK-NEXT: memref.load %[[ORDER]][%[[i]]]
// CHECK-NEXT: %[[POSITION:.*]] = arith.index_cast
// CHECK-NEXT: %[[m:.*]] = arith.remui %[[POSITION]], %[[M]]
// CHECK-NEXT: %[[k:.*]] = arith.divui %[[POSITION]], %[[M]]
// CHECK-NEXT: %[[VALUE:.*]] = memref.load %[[X]][%[[k]], %[[m]], %[[c]]]
// CHECK-NEXT: arith.addf %[[PARTIAL]], %[[VALUE]]
// CHECK: memref.store %[[SUM]], %[[Y]][%[[node]], %[[c]]]
gyre.func @segment_sum(%x: !gyre.tensor<K x M x 3 x f32>, %knn: !knn) -> (y: !gyre.tensor<N x 3 x f32>) {
  %y = gyre.segment_sum %x over %knn axis 0 : !gyre.tensor<K x M x 3 x f32>, !knn
  gyre.return %y : !gyre.tensor<N x 3 x f32>
}

// A map without pads needs no test.
// CHECK-LABEL: func.func @plain__body
// CHECK-NOT: cmpi
// CHECK: return
gyre.func @plain(%x: !gyre.tensor<N x i64>, %src: !gyre.map<[e: E] to N>) -> (y: !gyre.tensor<E x i64>) {
  %y = gyre.gather %x over %src axis 0 : !gyre.tensor<N x i64>, !gyre.map<[e: E] to N>
  gyre.return %y : !gyre.tensor<E x i64>
}

// CHECK-LABEL: func.func @valid__body
// CHECK: %[[IS_NODE:.*]] = arith.cmpi ult
// CHECK-NEXT: %[[ONE:.*]] = arith.select %[[IS_NODE]], %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: arith.truncf %[[ONE]] : f32 to f16
gyre.func @valid(%knn: !knn) -> (y: !gyre.tensor<K x M x f16>) {
  %y = gyre.valid %knn : !knn -> !gyre.tensor<K x M x f16>
  gyre.return %y : !gyre.tensor<K x M x f16>
}
