// RUN: gyre-opt %s --gyre-plain-loops | FileCheck %s

// CHECK-LABEL: func.func @slice__body
// CHECK: scf.for %[[n:.*]] = %c0 to
// CHECK-NEXT: scf.for %[[c:.*]] = %c0 to %c3 step
// CHECK-NEXT: %[[FROM:.*]] = arith.addi %[[c]], %c2
// CHECK-NEXT: %[[VALUE:.*]] = memref.load %{{.*}}[%[[n]], %[[FROM]]]
// CHECK-NEXT: memref.store %[[VALUE]], %{{.*}}[%[[n]], %[[c]]]
gyre.func @slice(%x: !gyre.tensor<N x 6 x f32>) -> (y: !gyre.tensor<N x 3 x f32>) {
  %y = gyre.slice %x axis 1 from 2 size 3 : !gyre.tensor<N x 6 x f32>
  gyre.return %y : !gyre.tensor<N x 3 x f32>
}

// The values, then zeros after them; none before where none are asked for.
// CHECK-LABEL: func.func @pad__body
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: scf.for %[[n:.*]] = %c0 to
// CHECK-NEXT: scf.for %[[c:.*]] = %c0 to %c3 step
// CHECK-NEXT: %[[VALUE:.*]] = memref.load %{{.*}}[%[[n]], %[[c]]]
// CHECK-NEXT: memref.store %[[VALUE]], %{{.*}}[%[[n]], %[[c]]]
// CHECK: scf.for %[[n2:.*]] = %c0 to
// CHECK-NEXT: scf.for %[[c2:.*]] = %c0 to %c2 step
// CHECK-NEXT: %[[AFTER:.*]] = arith.addi %[[c2]], %c3
// CHECK-NEXT: memref.store %[[ZERO]], %{{.*}}[%[[n2]], %[[AFTER]]]
// CHECK-NOT: scf.for
// CHECK: return
gyre.func @pad(%x: !gyre.tensor<N x 3 x f32>) -> (y: !gyre.tensor<N x 5 x f32>) {
  %y = gyre.pad %x axis 1 low 0 high 2 : !gyre.tensor<N x 3 x f32>
  gyre.return %y : !gyre.tensor<N x 5 x f32>
}

// CHECK-LABEL: func.func @concat__body
// CHECK-SAME: %[[N:[^:]*]]: index, %[[E:[^:]*]]: index, %{{[^:]*}}: memref<?xi8>
// CHECK: scf.for %[[n:.*]] = %c0 to %[[N]]
// CHECK-NEXT: %[[VALUE:.*]] = memref.load %{{.*}}[%[[n]]]
// CHECK-NEXT: memref.store %[[VALUE]], %{{.*}}[%[[n]]]
// CHECK: scf.for %[[e:.*]] = %c0 to %[[E]]
// CHECK-NEXT: %[[VALUE2:.*]] = memref.load %{{.*}}[%[[e]]]
// CHECK-NEXT: %[[AFTER:.*]] = arith.addi %[[e]], %[[N]]
// CHECK-NEXT: memref.store %[[VALUE2]], %{{.*}}[%[[AFTER]]]
gyre.func @concat(%x: !gyre.tensor<N x f32>, %z: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E + N x f32>) {
  %y = gyre.concat %x, %z axis 0 : !gyre.tensor<N x f32>, !gyre.tensor<E x f32>
  gyre.return %y : !gyre.tensor<E + N x f32>
}
