// RUN: gyre-opt %s --gyre-set-precision=precision=tf32x3 | FileCheck %s
// RUN: not gyre-opt %s --gyre-set-precision=precision=fast 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not gyre-opt %s --gyre-set-precision 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: [set-precision] expected one of ieee, tf32x3, bf16x3, bf16x6, fp16x3, tf32, bf16, fp16, fp64, got

!u = !gyre.tensor<E x 4 x f32>
!w = !gyre.tensor<4 x 4 x f32>

// CHECK-LABEL: gyre.func @f
// CHECK: gyre.contract %u[e, i], %w[i, o] -> [e, o] precision tf32x3 :
// CHECK: gyre.contract %{{.*}}[e, i], %w[i, o] -> [e, o] precision ieee :
// CHECK: gyre.contract %{{.*}}[e, i], %w[i, o] -> [e, o] precision bf16 :
gyre.func @f(%u: !u, %w: !w) -> (y: !u) {
  %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !u, !w
  %1 = gyre.contract %0[e, i], %w[i, o] -> [e, o] precision ieee : !u, !w
  %2 = gyre.contract %1[e, i], %w[i, o] -> [e, o] precision bf16 : !u, !w
  gyre.return %2 : !u
}
