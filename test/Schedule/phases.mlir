// Where more vectors would be alive than fit the registers of a GPU's threads, what a kernel delivers is computed in phases.
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule=target=cuda 2>&1 | FileCheck %s
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule=target=cuda --gyre-print-program 2>&1 | FileCheck %s --check-prefix=PROGRAM
// The CPU computes all at once.
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule | FileCheck %s --check-prefix=CPU

!x = !gyre.tensor<E x 8 x 128 x f32>
!w = !gyre.tensor<E x 8 x 80 x f32>

// At once a cell of %x would go to 80 sums, all of them alive; of vectors of four cells 37 fit the registers.
// CHECK-NOT: remark
// CHECK-LABEL: gyre.func @projected
// CHECK-COUNT-1: gyre.kernel {{.*}} vector 4, lanes 32, workers 1056, span 16, teams 1 warps 8 alive 37>
// CHECK-NOT: gyre.kernel
// PROGRAM: program projected
// PROGRAM: cells {{.*}} {{3[0-9]}} vectors alive
// PROGRAM-NOT: {{^ *}}kernel
// CPU-LABEL: gyre.func @projected
// CPU: gyre.kernel {{.*}} teams 1>
gyre.func @projected(%x: !x, %w: !w, %z: !gyre.tensor<E x 128 x f32>) -> (v: !gyre.tensor<E x 80 x f32>) {
  %u = gyre.contract %w[e, k, l], %x[e, k, c] -> [e, l, c] : !w, !x
  %v = gyre.contract %u[e, l, c], %z[e, c] -> [e, l] : !gyre.tensor<E x 80 x 128 x f32>, !gyre.tensor<E x 128 x f32>
  gyre.return %v : !gyre.tensor<E x 80 x f32>
}
