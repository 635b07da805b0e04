// RUN: gyre-opt %s --gyre-plain-loops | FileCheck %s

!v = !gyre.tensor<K x M x f16>
!best = !gyre.tensor<M x f16>
!slot = !gyre.tensor<M x i8>

// Ties go to the lowest slot, NaN never wins, pads are skipped.
// CHECK-LABEL: func.func @max_slot__body
// CHECK-DAG: %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
// CHECK: scf.for %[[m:.*]] = %c0 to
// CHECK-NEXT: %[[BEST:.*]]:2 = scf.for %[[k:.*]] = %c0 to %{{.*}} iter_args(%[[MAX:.*]] = %[[LOWEST]], %[[AT:.*]] = %c0)
// CHECK-NEXT: memref.load %{{.*}}[%[[k]], %[[m]]]
// CHECK: %[[VALUE:.*]] = arith.extf
// CHECK-NEXT: %[[GREATER:.*]] = arith.cmpf ogt, %[[VALUE]], %[[MAX]]
// CHECK: %[[IS_NODE:.*]] = arith.cmpi ult
// CHECK-NEXT: %[[TAKEN:.*]] = arith.andi %[[GREATER]], %[[IS_NODE]]
// CHECK-NEXT: arith.select %[[TAKEN]], %[[VALUE]], %[[MAX]]
// CHECK-NEXT: arith.select %[[TAKEN]], %[[k]], %[[AT]]
// CHECK: arith.truncf %[[BEST]]#0 : f32 to f16
// CHECK: %[[SLOT:.*]] = arith.index_cast %[[BEST]]#1 : index to i8
// CHECK-NEXT: memref.store %[[SLOT]]
gyre.func @max_slot(%x: !v, %knn: !gyre.map<[k: K, m: M] to N, padded>) -> (y: !best, slot: !slot) {
  %y, %slot = gyre.max_slot %x axis 0 over %knn[k] : !v, !gyre.map<[k: K, m: M] to N, padded> -> !best, !slot
  gyre.return %y, %slot : !best, !slot
}

// Slots are unsigned, and one that does not exist is not read.
// CHECK-LABEL: func.func @select_slot__body
// CHECK-SAME: %[[K:[^:]*]]: index, %{{[^:]*}}: index, %{{[^:]*}}: memref<?xi8>
// CHECK: %[[SLOT:.*]] = arith.index_castui %{{.*}} : i8 to index
// CHECK-NEXT: %[[EXISTS:.*]] = arith.cmpi ult, %[[SLOT]], %[[K]]
// CHECK-NEXT: scf.if %[[EXISTS]] -> (i16)
// CHECK-NEXT: memref.load %{{.*}}[%[[SLOT]], %{{.*}}]
gyre.func @select_slot(%x: !v, %slot: !slot) -> (y: !best) {
  %y = gyre.select_slot %x at %slot axis 0 : !v, !slot
  gyre.return %y : !best
}

// CHECK-LABEL: func.func @spread_slot__body
// CHECK: scf.for %[[m:.*]] = %c0 to
// CHECK-NEXT: scf.for %[[k:.*]] = %c0 to %c200
// CHECK-NEXT: memref.load %{{.*}}[%[[m]]]
// CHECK-NEXT: %[[SLOT:.*]] = arith.index_castui
// CHECK-NEXT: %[[HERE:.*]] = arith.cmpi eq, %[[SLOT]], %[[k]]
// CHECK-NEXT: %[[G:.*]] = memref.load %{{.*}}[%[[m]]]
// CHECK-NEXT: %[[VALUE:.*]] = arith.select %[[HERE]], %[[G]], %{{.*}} : i16
// CHECK-NEXT: memref.store %[[VALUE]], %{{.*}}[%[[m]], %[[k]]]
gyre.func @spread_slot(%g: !best, %slot: !slot) -> (y: !gyre.tensor<M x 200 x f16>) {
  %y = gyre.spread_slot %g at %slot axis 1 size 200 : !best, !slot
  gyre.return %y : !gyre.tensor<M x 200 x f16>
}
