// RUN: gyre-opt %s --gyre-specialise="spec=b set=C=2" | FileCheck %s
// RUN: gyre-opt %s --gyre-specialise="spec=b set=C=2" --gyre-specialise | FileCheck %s

// One spec is chosen, the others are dropped, functions outside are kept as they are.

// CHECK: module attributes {gyre.params = {C = 2 : i64}, gyre.spec = "b"} {
// CHECK-NEXT: gyre.func @outside(%x: !gyre.tensor<E x C x f32>)
// CHECK-NEXT: gyre.contract %x[e, c] -> [e] over {(c = i) : i in [0, 1]}
// CHECK-NOT: gyre.func @a
// CHECK: gyre.func @b(%x: !gyre.tensor<E x 2 x f32>)
// CHECK-NOT: gyre.spec

gyre.func @outside(%x: !gyre.tensor<E x C x f32>) -> (y: !gyre.tensor<E x f32>) {
  %y = gyre.contract %x[e, c] -> [e] over {(c = i) : i in [0, 1]} : !gyre.tensor<E x C x f32>
  gyre.return %y : !gyre.tensor<E x f32>
}
gyre.spec @a {
  gyre.param "C" in [4, 4]
  gyre.func @a(%x: !gyre.tensor<E x C x f32>) -> (y: !gyre.tensor<E x C x f32>) {
    gyre.return %x : !gyre.tensor<E x C x f32>
  }
}
gyre.spec @b {
  gyre.param "C" in [1, 2]
  gyre.func @b(%x: !gyre.tensor<E x C x f32>) -> (y: !gyre.tensor<E x C x f32>) {
    gyre.return %x : !gyre.tensor<E x C x f32>
  }
}
