// gyrec is the registered pipelines and nothing else.
// RUN: gyrec %s --spec s --set C=3 --derive f_bwd --lowering=plain --emit=mlir > %t.gyrec
// RUN: gyre-opt %s --gyre-algebra="spec=s set=C=3 derive=f_bwd" --gyre-plain-loops > %t.gyre-opt
// RUN: diff %t.gyrec %t.gyre-opt
// RUN: FileCheck %s --input-file %t.gyrec
// CHECK: module attributes {gyre.params = {C = 3 : i64}, gyre.spec = "s"}
// CHECK: func.func @f_bwd__body
// CHECK-NOT: func.func

// RUN: gyrec %s --spec s --set C=3 --emit=mlir > %t.gyrec
// RUN: gyre-opt %s --gyre-algebra="spec=s set=C=3" --gyre-fused-loops | diff %t.gyrec -
// RUN: gyrec %s --spec s --set C=3 --target=cuda --emit=mlir > %t.gyrec
// RUN: gyre-opt %s --gyre-algebra="spec=s set=C=3" --gyre-device-loops | diff %t.gyrec -

// From a file of functions that are specialised already.
// RUN: gyre-opt %s --gyre-specialise="spec=s set=C=3" -o %t.specialised
// RUN: gyrec %t.specialised --lowering=plain --emit=mlir > %t.gyrec
// RUN: gyre-opt %t.specialised --gyre-algebra=specialised --gyre-plain-loops | diff %t.gyrec -

// All of a road.
// RUN: gyre-opt %s --gyre-pipeline="spec=s set=C=3 lowering=plain" | FileCheck %s --check-prefix=ALL
// RUN: gyre-opt %t.specialised --gyre-pipeline="specialised lowering=plain" | FileCheck %s --check-prefix=ALL
// ALL-NOT: gyre_parallel_for
// ALL-DAG: llvm.func @f(
// ALL-DAG: llvm.func @f_bwd(
// RUN: gyre-opt %s --gyre-pipeline="spec=s set=C=3 derive=f_bwd" | FileCheck %s --check-prefix=FUSED
// FUSED-NOT: llvm.func @f(
// FUSED: llvm.func @gyre_parallel_for
// FUSED: llvm.func @f_bwd(
// RUN: gyre-opt %s --gyre-pipeline="spec=s set=C=3 derive=f target=cuda arch=compute_80 toolkit=/nonexistent" | FileCheck %s --check-prefix=CUDA
// CUDA-DAG: compute_80
// CUDA-DAG: llvm.func @gyre_rt_launch
// CUDA-DAG: llvm.func @f(
// RUN: not gyre-opt %s --gyre-pipeline="spec=s set=C=3 target=tpu" 2>&1 | FileCheck %s --check-prefix=TPU
// TPU: error: [fuse-target] expected cpu or cuda, got tpu

gyre.spec @other {
  gyre.func @f() {
    gyre.return
  }
}

gyre.spec @s {
  gyre.param "C" in [1, 64]
  gyre.func @f(%x: !gyre.tensor<E x C x f32>) -> (y: !gyre.tensor<E x C x f32>) {
    %y = arith.mulf %x, %x : !gyre.tensor<E x C x f32>
    gyre.return %y : !gyre.tensor<E x C x f32>
  }
  gyre.derive @f_bwd = vjp @f wrt (x)
}
