// Modes of precision: of a contract, of a derivative, and from the command line where neither says anything.
// RUN: rm -rf %t && mkdir %t
// RUN: gyrec %s --target=cuda --print-program | FileCheck %s --check-prefixes=CHECK,SAID
// RUN: gyrec %s --target=cuda --print-program --precision=bf16x6 | FileCheck %s --check-prefixes=CHECK,GIVEN
// RUN: gyre-opt %s --gyre-algebra=precision=bf16x6 --gyre-device-loops -o %t/opt.mlir
// RUN: gyrec %s --target=cuda --emit=mlir --precision=bf16x6 | diff %t/opt.mlir -

// What has no place on matrix units is computed as in ieee: a sum for each row; all of it on a CPU.
// CHECK: program f
// CHECK: precision fp16x3 on matrix units
// SAID-NEXT: delivers
// SAID-NOT: precision
// GIVEN: precision bf16x6 on matrix units
// GIVEN: precision bf16x6 as ieee
// CHECK: program f_bwd
// CHECK: precision fp16x3 on matrix units
// SAID-NOT: precision {{(bf16x6|tf32)}}
// GIVEN-NOT: precision tf32
// CHECK: program f_train
// CHECK: precision tf32 as ieee
// CHECK: precision tf32 on matrix units
// CHECK-NOT: precision {{(bf16x6|fp16x3)}}
// CHECK: program f_train2
// CHECK: precision tf32
// CHECK-NOT: precision {{(bf16x6|fp16x3)}}

// RUN: gyrec %s --lowering=fused --print-program --precision=bf16x6 | FileCheck %s --check-prefix=CPU
// CPU-NOT: on matrix units
// CPU: precision fp16x3 as ieee
// CPU-NOT: on matrix units

// The same code on CPUs, whatever is said.
// RUN: gyrec %s --emit=mlir -o %t/ieee.mlir
// RUN: gyrec %s --emit=mlir --precision=tf32 | diff %t/ieee.mlir -
// RUN: gyrec %s --lowering=fused --emit=mlir -o %t/fused.mlir
// RUN: sed 's/ precision [a-z0-9]*//' %s | gyrec - --lowering=fused --emit=mlir | diff %t/fused.mlir -

// RUN: not gyrec %s --target=cuda --precision=fast -o %t/out 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: precision.mlir:[[#]]:1: error: [set-precision] expected one of ieee, {{.*}}, got fast

!u = !gyre.tensor<E x 96 x f32>
!w = !gyre.tensor<96 x 96 x f32>

gyre.spec @modes {
  gyre.func @f(%u: !u, %w: !w, %v: !w) -> (y: !u, total: !gyre.tensor<E x f32>) {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision fp16x3 : !u, !w
    %1 = math.exp %0 : !u
    %y = gyre.contract %1[e, i], %v[i, o] -> [e, o] : !u, !w
    %total = gyre.contract %y[e, i], %u[e, i] -> [e] : !u, !u
    gyre.return %y, %total : !u, !gyre.tensor<E x f32>
  }
  gyre.derive @f_bwd = vjp @f wrt (u) given (y)
  gyre.derive @f_train = vjp @f wrt (u, w, v) given (y, total) precision tf32
  gyre.derive @f_train2 = vjp @f_train wrt (gy as dgy, w as dw) given (gu as hu, gw as hw)
}
