// RUN: gyre-opt %s --gyre-plain-loops | FileCheck %s

// Tuples are tables: where the tuples of each cell of the result start, the indices of the axes
// that are summed, the coefficients. A row without tuples, 1, is an empty range: an exact zero.
// CHECK: memref.global "private" constant @[[$STARTS:.*]] : memref<4xi64> = dense<[0, 1, 1, 3]>
// CHECK: memref.global "private" constant @[[$INDICES:.*]] : memref<6xi64> = dense<[0, 0, 1, 1, 1, 2]>
// CHECK: memref.global "private" constant @[[$COEFS:.*]] : memref<3xf32> = dense<[1.000000e+00, 1.000000e+00, -5.000000e-01]>

// CHECK-LABEL: func.func @related__body
// CHECK-SAME: %[[W:.*]]: memref<?x3x3xf32, strided<[?, ?, ?], offset: ?>>, %[[X:.*]]: memref<?x3x?xf32, strided<[?, ?, ?], offset: ?>>, %[[Y:.*]]: memref<?x3x?xf32, strided<[?, ?, ?], offset: ?>>, %[[E:.*]]: index, %[[C:.*]]: index, %{{.*}}: memref<?xi8>)
// CHECK-DAG: %[[START:.*]] = memref.get_global @[[$STARTS]]
// CHECK-DAG: %[[INDEX:.*]] = memref.get_global @[[$INDICES]]
// CHECK-DAG: %[[COEF:.*]] = memref.get_global @[[$COEFS]]
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: scf.for %[[e:.*]] = %{{.*}} to %[[E]] step
// CHECK-NEXT: scf.for %[[r:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT: scf.for %[[c:.*]] = %{{.*}} to %[[C]] step
// CHECK-NEXT: memref.load %[[START]][%[[r]]]
// CHECK-NEXT: %[[FIRST:.*]] = arith.index_cast
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[r]]
// CHECK-NEXT: memref.load %[[START]][%[[NEXT]]]
// CHECK-NEXT: %[[LAST:.*]] = arith.index_cast
// CHECK-NEXT: %[[SUM:.*]] = scf.for %[[t:.*]] = %[[FIRST]] to %[[LAST]] step %{{.*}} iter_args(%[[PARTIAL:.*]] = %[[ZERO]]) -> (f32)
// CHECK: memref.load %[[INDEX]]
// CHECK-NEXT: %[[k:.*]] = arith.index_cast
// CHECK: memref.load %[[INDEX]]
// CHECK-NEXT: %[[d:.*]] = arith.index_cast
// The coefficient, then the operands from left to right; one product, one sum, no fma.
// CHECK-NEXT: %[[A:.*]] = memref.load %[[COEF]][%[[t]]]
// CHECK-NEXT: %[[B:.*]] = memref.load %[[W]][%[[e]], %[[k]], %[[d]]]
// CHECK-NEXT: %[[AB:.*]] = arith.mulf %[[A]], %[[B]] : f32
// CHECK-NEXT: %[[D:.*]] = memref.load %[[X]][%[[e]], %[[d]], %[[c]]]
// CHECK-NEXT: %[[ABD:.*]] = arith.mulf %[[AB]], %[[D]] : f32
// CHECK-NEXT: %[[NEW:.*]] = arith.addf %[[PARTIAL]], %[[ABD]] : f32
// CHECK-NEXT: scf.yield %[[NEW]]
// CHECK: memref.store %[[SUM]], %[[Y]][%[[e]], %[[r]], %[[c]]]
gyre.func @related(%w: !gyre.tensor<E x 3 x 3 x f32>, %x: !gyre.tensor<E x 3 x C x f32>) -> (y: !gyre.tensor<E x 3 x C x f32>) {
  %y = gyre.contract %w[e, k, d], %x[e, d, c] -> [e, r, c] with (r = 3) over [r, k, d] {(0, 0, 0), (2, 1, 1), (2, 1, 2) * -0.5}
    : !gyre.tensor<E x 3 x 3 x f32>, !gyre.tensor<E x 3 x C x f32>
  gyre.return %y : !gyre.tensor<E x 3 x C x f32>
}

// Axes of runtime size: the table has rows 5 and 6 by columns 0 to 2, and a last, empty cell for all
// other places.
// CHECK-LABEL: func.func @runtime__body
// CHECK-DAG: %[[EMPTY:.*]] = arith.constant 6 : index
// CHECK-DAG: %[[COLUMNS:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[ROWS:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[TABLE:.*]] = memref.get_global @{{.*}} : memref<8xi64>
// CHECK: scf.for %[[n:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT: scf.for %[[j:.*]] = %{{.*}} to %[[COLUMNS]]
// CHECK-NEXT: %[[ROW:.*]] = arith.subi %[[n]], %c5
// CHECK-NEXT: %[[INSIDE:.*]] = arith.cmpi ult, %[[ROW]], %[[ROWS]]
// CHECK-NEXT: %[[BASE:.*]] = arith.muli %[[ROW]], %[[COLUMNS]]
// CHECK-NEXT: %[[PLACE:.*]] = arith.addi %[[BASE]], %[[j]]
// CHECK-NEXT: %[[CELL:.*]] = arith.select %[[INSIDE]], %[[PLACE]], %[[EMPTY]]
// CHECK-NEXT: memref.load %[[TABLE]][%[[CELL]]]
gyre.func @runtime(%x: !gyre.tensor<f32>) -> (y: !gyre.tensor<N x 3 x f32>) {
  %y = gyre.contract %x[] -> [n, j] with (n = N, j = 3) over [n, j] {(5, 2), (6, 0)} : !gyre.tensor<f32>
  gyre.return %y : !gyre.tensor<N x 3 x f32>
}

// Free axes: the summed one of runtime size outside, the static one inside; a group is one index.
// CHECK-LABEL: func.func @groups__body
// CHECK-SAME: %[[X:[^:]*]]: memref<?x6xf64
// CHECK-SAME: %[[N:[^:]*]]: index, %{{[^:]*}}: memref<?xi8>)
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : index
// CHECK: scf.for %[[c:.*]] = %{{.*}} to %[[THREE]]
// CHECK-NEXT: %[[OUTER:.*]] = scf.for %[[n:.*]] = %{{.*}} to %[[N]] step %{{.*}} iter_args
// CHECK-NEXT: %[[INNER:.*]] = scf.for %[[f:.*]] = %{{.*}} to %[[TWO]] step %{{.*}} iter_args
// CHECK-NEXT: %[[ROW:.*]] = arith.muli %[[f]], %[[THREE]]
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[ROW]], %[[c]]
// CHECK-NEXT: %[[VALUE:.*]] = memref.load %[[X]][%[[n]], %[[AT]]]
// CHECK-NEXT: arith.addf %{{.*}}, %[[VALUE]] : f64
gyre.func @groups(%x: !gyre.tensor<N x 6 x f64>) -> (y: !gyre.tensor<3 x f64>) {
  %y = gyre.contract %x[n, (f, c)] -> [c] with (f = 2, c = 3) : !gyre.tensor<N x 6 x f64>
  gyre.return %y : !gyre.tensor<3 x f64>
}

// Nothing to sum: a product, or a broadcast.
// CHECK-LABEL: func.func @spread__body
// CHECK-NOT: iter_args
// CHECK: %[[VALUE:.*]] = memref.load
// CHECK-NEXT: memref.store %[[VALUE]]
gyre.func @spread(%x: !gyre.tensor<N x f32>) -> (y: !gyre.tensor<N x 4 x f32>) {
  %y = gyre.contract %x[n] -> [n, c] with (c = 4) : !gyre.tensor<N x f32>
  gyre.return %y : !gyre.tensor<N x 4 x f32>
}

// One coefficient of all tuples is a constant, a relation of none a zero.
// CHECK-LABEL: func.func @coefficients__body
// CHECK: %[[MINUS:.*]] = arith.constant -1.000000e+00 : f32
// CHECK: scf.for
// CHECK: arith.mulf %{{.*}}, %[[MINUS]] : f32
// CHECK: scf.for
// CHECK-NEXT: memref.store %cst
gyre.func @coefficients(%x: !gyre.tensor<N x 3 x f32>) -> (y: !gyre.tensor<N x f32>, z: !gyre.tensor<N x f32>) {
  %y = gyre.contract %x[n, k] -> [n] over [k] {(0) * -1.0, (2) * -1.0} : !gyre.tensor<N x 3 x f32>
  %z = gyre.contract %x[n, k] -> [n] over [k] {} : !gyre.tensor<N x 3 x f32>
  gyre.return %y, %z : !gyre.tensor<N x f32>, !gyre.tensor<N x f32>
}

// Halves are i16 in memory, summed in f32 and rounded once.
// CHECK-LABEL: func.func @half__body
// CHECK-SAME: memref<?xi16, strided<[?], offset: ?>>, %{{[^:]*}}: memref<i16, strided<[], offset: ?>>
// CHECK: %[[SUM:.*]] = scf.for {{.*}} -> (f32)
// CHECK: arith.bitcast %{{.*}} : i16 to bf16
// CHECK-NEXT: arith.extf %{{.*}} : bf16 to f32
// CHECK: arith.truncf %[[SUM]] : f32 to bf16
// CHECK-NEXT: arith.bitcast %{{.*}} : bf16 to i16
gyre.func @half(%x: !gyre.tensor<N x bf16>) -> (y: !gyre.tensor<bf16>) {
  %y = gyre.contract %x[n] -> [] : !gyre.tensor<N x bf16>
  gyre.return %y : !gyre.tensor<bf16>
}

// An accumulator that is asked for: wider, or as narrow as the operands.
// CHECK-LABEL: func.func @accumulators__body
// CHECK: -> (f64)
// CHECK: arith.truncf %{{.*}} : f64 to f32
// CHECK: -> (f64)
// CHECK: -> (f32)
// CHECK: %[[NEW:.*]] = arith.addf
// CHECK-NEXT: %[[ROUNDED:.*]] = arith.truncf %[[NEW]] : f32 to f16
// CHECK-NEXT: arith.extf %[[ROUNDED]]
gyre.func @accumulators(%x: !gyre.tensor<N x f32>, %h: !gyre.tensor<N x f16>)
    -> (a: !gyre.tensor<f32>, b: !gyre.tensor<f32>, c: !gyre.tensor<f16>) {
  %a = gyre.contract %x[n] -> [] acc f64 : !gyre.tensor<N x f32>
  %b = gyre.contract %x[n] -> [] precision fp64 : !gyre.tensor<N x f32>
  %c = gyre.contract %h[n] -> [] acc f16 : !gyre.tensor<N x f16>
  gyre.return %a, %b, %c : !gyre.tensor<f32>, !gyre.tensor<f32>, !gyre.tensor<f16>
}
