// gyrec is the registered pipelines and nothing else.
// RUN: gyrec %s --set C=3 --derive f_bwd --emit=mlir > %t.gyrec
// RUN: gyre-opt %s --gyre-algebra="set=C=3 derive=f_bwd" --gyre-plain-loops > %t.gyre-opt
// RUN: diff %t.gyrec %t.gyre-opt
// RUN: FileCheck %s --input-file %t.gyrec
// CHECK: module attributes {gyre.params = {C = 3 : i64}, gyre.spec = "s"}
// CHECK: func.func @f_bwd__body
// CHECK-NOT: func.func

// RUN: gyre-opt %s --gyre-pipeline="set=C=3" | FileCheck %s --check-prefix=ALL
// ALL-DAG: llvm.func @f(
// ALL-DAG: llvm.func @f_bwd(

gyre.spec @s {
  gyre.param "C" in [1, 64]
  gyre.func @f(%x: !gyre.tensor<E x C x f32>) -> (y: !gyre.tensor<E x C x f32>) {
    %y = math.exp %x : !gyre.tensor<E x C x f32>
    gyre.return %y : !gyre.tensor<E x C x f32>
  }
  gyre.derive @f_bwd = vjp @f wrt (x)
}
