// Where values are kept: results in place, others in buffers of the workspace.
// RUN: gyre-opt %s --gyre-plain-loops | FileCheck %s

!t = !gyre.tensor<N x 4 x f32>
!h = !gyre.tensor<N x bf16>

// Each buffer starts at a multiple of 64 bytes. The buffer of %a is free, and used again, once %b
// is computed; no op writes where it reads.
// CHECK-LABEL: func.func @chain__body
// CHECK-SAME: workspace[<4, <4*N>>, <4, <4*N>>, <2, <N>>]
// CHECK-DAG: %[[X16:.*]] = arith.muli %[[N:.*]], %c16
// CHECK-DAG: %[[PLUS:.*]] = arith.addi %[[X16]], %c63
// CHECK-DAG: %[[SECOND:.*]] = arith.andi %[[PLUS]], %c-64
// CHECK-DAG: %[[THIRD:.*]] = arith.addi %[[SECOND]], %[[SECOND]]
// CHECK-DAG: %[[A:.*]] = memref.view %[[W:.*]][%c0][%[[N]]] : memref<?xi8> to memref<?x4xf32>
// CHECK-DAG: %[[B:.*]] = memref.view %[[W]][%[[SECOND]]][%[[N]]] : memref<?xi8> to memref<?x4xf32>
// CHECK-DAG: %[[H:.*]] = memref.view %[[W]][%[[THIRD]]][%[[N]]] : memref<?xi8> to memref<?xi16>
// CHECK: math.exp
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK: memref.load %[[A]]
// CHECK: memref.store %{{.*}}, %[[B]]
// CHECK: memref.load %[[B]]
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK: memref.load %[[A]]
// CHECK: memref.store %{{.*}}, %arg2
gyre.func @chain(%x: !t, %z: !h) -> (y: !t, u: !h) {
  %a = math.exp %x : !t
  %b = math.exp %a : !t
  %c = math.exp %b : !t
  %d = math.exp %c : !t
  %g = math.exp %z : !h
  %u = math.exp %g : !h
  gyre.return %d, %u : !t, !h
}

// An op that returns a value again reads it from the result. Values returned twice are copied, and
// so are arguments.
// CHECK-LABEL: func.func @returned__body
// CHECK-SAME: (%[[X:[^:]*]]: memref<?x4xf32, {{[^>]*>>}}, %[[A:[^:]*]]: memref<?x4xf32, {{[^>]*>>}}, %[[B:[^:]*]]: memref<?x4xf32, {{[^>]*>>}}, %[[C:[^:]*]]: memref<?x4xf32, {{[^>]*>>}}, %[[D:[^:]*]]: memref<?x4xf32
// CHECK-NOT: workspace
// CHECK-NOT: memref.view
// CHECK: arith.negf
// CHECK: memref.store %{{.*}}, %[[A]]
// CHECK: memref.load %[[A]]
// CHECK: math.exp
// CHECK: memref.store %{{.*}}, %[[D]]
// CHECK: %[[AGAIN:.*]] = memref.load %[[A]]
// CHECK: memref.store %[[AGAIN]], %[[B]]
// CHECK: %[[SAME:.*]] = memref.load %[[X]]
// CHECK: memref.store %[[SAME]], %[[C]]
// CHECK: return
gyre.func @returned(%x: !t) -> (a: !t, b: !t, c: !t, d: !t) {
  %a = arith.negf %x : !t
  %d = math.exp %a : !t
  gyre.return %a, %a, %x, %d : !t, !t, !t, !t
}

// Sizes that a call could make negative are buffers without bytes: the runtime refuses the call.
// CHECK-LABEL: func.func @required__body
// CHECK-SAME: sizes["N"]
// CHECK-SAME: workspace[<0, <N - 8>>, <0, <N - 3>>]
// CHECK-NOT: memref.view
// CHECK: return
gyre.func @required(%x: !gyre.tensor<N x f32>) -> (y: !gyre.tensor<3 x f32>, z: !gyre.tensor<2 x f32>) {
  %y = gyre.slice %x axis 0 from 5 size 3 : !gyre.tensor<N x f32>
  %z = gyre.contract %x[n] -> [i] with (i = 2) over [i, n] {(0, 2), (1, 0)} : !gyre.tensor<N x f32>
  gyre.return %y, %z : !gyre.tensor<3 x f32>, !gyre.tensor<2 x f32>
}

// The order of the sizes: as the operands name them.
// CHECK-LABEL: func.func @sizes__body
// CHECK-SAME: sizes["E", "M", "N", "K"]
gyre.func @sizes(%x: !gyre.tensor<2*E + M x f32>, %m: !gyre.map<[e: E, k: M] to N>, %k: !gyre.tensor<K x N x f32>) -> (y: !gyre.tensor<K x N x f32>) {
  gyre.return %k : !gyre.tensor<K x N x f32>
}
