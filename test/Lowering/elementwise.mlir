// RUN: gyre-opt %s --gyre-plain-loops | FileCheck %s

!t = !gyre.tensor<N x 3 x f32>
!h = !gyre.tensor<N x f16>

// CHECK-LABEL: func.func @add__body
// CHECK-SAME: (%[[X:[^:]*]]: memref<?x3xf32, {{[^>]*>>}}, %[[Z:[^:]*]]: memref<?x3xf32, {{[^>]*>>}}, %[[Y:[^:]*]]: memref<?x3xf32
// CHECK: scf.for %[[n:.*]] = %c0 to %[[N:.*]] step
// CHECK-NEXT: scf.for %[[c:.*]] = %c0 to %c3 step
// CHECK-NEXT: %[[A:.*]] = memref.load %[[X]][%[[n]], %[[c]]]
// CHECK-NEXT: %[[B:.*]] = memref.load %[[Z]][%[[n]], %[[c]]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK-NEXT: memref.store %[[SUM]], %[[Y]][%[[n]], %[[c]]]
gyre.func @add(%x: !t, %z: !t) -> (y: !t) {
  %y = arith.addf %x, %z : !t
  gyre.return %y : !t
}

// Attributes are the op's; a comparison gives an i1.
// CHECK-LABEL: func.func @compare__body
// CHECK: arith.cmpf uge, %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: memref.store %{{.*}} : memref<?xi1
gyre.func @compare(%x: !h, %z: !h) -> (y: !gyre.tensor<N x i1>) {
  %y = arith.cmpf uge, %x, %z : !h
  gyre.return %y : !gyre.tensor<N x i1>
}

// f16 is computed in f32 and rounded once.
// CHECK-LABEL: func.func @half__body
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK-NEXT: %[[EXP:.*]] = math.exp %{{.*}} : f32
// CHECK-NEXT: arith.truncf %[[EXP]] : f32 to f16
gyre.func @half(%x: !h) -> (y: !h) {
  %y = math.exp %x : !h
  gyre.return %y : !h
}

// exp of -|x| never overflows.
// CHECK-LABEL: func.func @silu__body
// CHECK: %[[X:.*]] = memref.load
// CHECK-NEXT: %[[MAGNITUDE:.*]] = math.absf %[[X]]
// CHECK-NEXT: %[[MINUS:.*]] = arith.negf %[[MAGNITUDE]]
// CHECK-NEXT: %[[T:.*]] = math.exp %[[MINUS]]
// CHECK-NEXT: %[[NEGATIVE:.*]] = arith.cmpf olt, %[[X]]
// CHECK-NEXT: %[[NUMERATOR:.*]] = arith.select %[[NEGATIVE]], %[[T]], %{{.*}} : f64
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[X]], %[[NUMERATOR]]
// CHECK-NEXT: %[[DENOMINATOR:.*]] = arith.addf %[[T]]
// CHECK-NEXT: arith.divf %[[PRODUCT]], %[[DENOMINATOR]]
gyre.func @silu(%x: !gyre.tensor<N x f64>) -> (y: !gyre.tensor<N x f64>) {
  %y = gyre.silu %x : !gyre.tensor<N x f64>
  gyre.return %y : !gyre.tensor<N x f64>
}

// A choice does no arithmetic, and 1/3 is rounded when compiled.
// CHECK-LABEL: func.func @choose__body
// CHECK: %[[THIRD:.*]] = arith.constant 13653 : i16
// CHECK: memref.store %[[THIRD]]
// CHECK: %[[C:.*]] = memref.load %{{.*}} : memref<?xi1
// CHECK-NEXT: %[[A:.*]] = memref.load %{{.*}} : memref<?xi16
// CHECK-NEXT: %[[B:.*]] = memref.load %{{.*}} : memref<?xi16
// CHECK-NEXT: %[[CHOSEN:.*]] = arith.select %[[C]], %[[A]], %[[B]] : i16
// CHECK-NEXT: memref.store %[[CHOSEN]]
gyre.func @choose(%c: !gyre.tensor<N x i1>, %x: !h) -> (y: !h) {
  %third = gyre.constant 0.333333333333333333 : !h
  %y = gyre.select %c, %third, %x : !gyre.tensor<N x i1>, !h
  gyre.return %y : !h
}

// Widened as it is loaded, rounded as it is stored, between f64 and f16 once.
// CHECK-LABEL: func.func @convert__body
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK-NEXT: memref.store %{{.*}} : memref<?xf32
// CHECK: arith.truncf %{{.*}} : f64 to f16
gyre.func @convert(%x: !h, %z: !gyre.tensor<N x f64>) -> (y: !gyre.tensor<N x f32>, w: !h) {
  %y = gyre.convert %x : !h -> !gyre.tensor<N x f32>
  %w = gyre.convert %z : !gyre.tensor<N x f64> -> !h
  gyre.return %y, %w : !gyre.tensor<N x f32>, !h
}
