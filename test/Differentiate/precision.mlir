// Contracts of derivatives have the precision of those that they come of; a declaration's own, where it has one.
// RUN: gyre-opt %s --gyre-differentiate | FileCheck %s

!u = !gyre.tensor<E x 4 x f32>
!w = !gyre.tensor<4 x 4 x f32>

gyre.func @f(%u: !u, %w: !w, %v: !w) -> (y: !u) {
  %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision fp16x3 : !u, !w
  %1 = math.exp %0 : !u
  %y = gyre.contract %1[e, i], %v[i, o] -> [e, o] : !u, !w
  gyre.return %y : !u
}

// Gradients of rows and of weights, and what is computed again.
// CHECK-LABEL: gyre.func @f_bwd(
// CHECK: gyre.contract %u[e, i], %w[i, o] -> [e, o] precision fp16x3 :
// CHECK: gyre.contract %gy[e, o], %v[i, o] -> [e, i] : !gyre.tensor
// CHECK: gyre.contract %{{.*}}[e, i], %gy[e, o] -> [i, o] : !gyre.tensor
// CHECK: gyre.contract %{{.*}}[e, o], %w[i, o] -> [e, i] precision fp16x3 :
// CHECK: gyre.contract %u[e, i], %{{.*}}[e, o] -> [i, o] precision fp16x3 :
// CHECK-NOT: gyre.contract
// CHECK: gyre.return
gyre.derive @f_bwd = vjp @f wrt (u, w, v) given (y)

// The second order of the same: two with each.
// CHECK-LABEL: gyre.func @f_bwd2(
// CHECK: gyre.contract {{.*}} precision fp16x3 :
// CHECK-NOT: precision tf32
// CHECK: gyre.return
gyre.derive @f_bwd2 = vjp @f_bwd wrt (gy as dgy, u as du, w as dw) given (gu as hu, gw as hw)

// CHECK-LABEL: gyre.func @f_fast(
// CHECK: gyre.contract %u[e, i], %w[i, o] -> [e, o] precision tf32 :
// CHECK-COUNT-4: gyre.contract {{.*}} precision tf32 :
// CHECK-NOT: gyre.contract
// CHECK: gyre.return
gyre.derive @f_fast = vjp @f wrt (u, w, v) given (y) precision tf32

// CHECK-LABEL: gyre.func @f_fast2(
// CHECK: gyre.contract
// CHECK-SAME: precision tf32 :
// CHECK-NOT: gyre.contract {{[^p]*}} :
// CHECK-NOT: fp16x3
// CHECK: gyre.return
gyre.derive @f_fast2 = vjp @f_fast wrt (gy as dgy, u as du, w as dw) given (gu as hu, gw as hw)
