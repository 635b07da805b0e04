// A contract keeps what it says, in layers too; those that a named op becomes say nothing, until the command line does.
// RUN: gyre-opt %s --gyre-specialise=set=C=8 --gyre-decompose | FileCheck %s
// RUN: gyre-opt %s --gyre-algebra="set=C=8 precision=tf32" | FileCheck %s --check-prefix=GIVEN

// CHECK-COUNT-2: gyre.contract {{.*}} precision fp16x3 :
// CHECK-NOT: precision
// CHECK: gyre.contract
// CHECK-NOT: precision
// GIVEN-COUNT-2: precision fp16x3
// GIVEN-NOT: fp16x3
// GIVEN: precision tf32
// GIVEN-NOT: fp16x3

!z = !gyre.tensor<F x E x 4*C x f32>
!w = !gyre.tensor<2 x F x 4*C x 4*C x f32>
!one = !gyre.tensor<F x 4*C x 4*C x f32>
!g = !gyre.tensor<F x C x C x f32>

gyre.spec @layers {
  gyre.param "C" in [1, 64]
  gyre.func @layers(%z: !z, %w: !w, %g: !g) -> (y: !z) {
    %y = gyre.repeat 2 carry (%u = %z : !z) slice (%v = %w : !w) -> (!z) {
      %next = gyre.contract %u[f, e, i], %v[f, i, o] -> [f, e, o] precision fp16x3 : !z, !one
      gyre.yield %next : !z
    }
    %a = gyre.gated_activation %y gate %g degree 1 channels C : !z, !g
    gyre.return %a : !z
  }
}
