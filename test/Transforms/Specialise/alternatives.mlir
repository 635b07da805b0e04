// RUN: gyre-opt %s --gyre-specialise="set=R=0" | FileCheck %s --check-prefix=PLAIN
// RUN: gyre-opt %s --gyre-specialise="set=R=2,L=0" | FileCheck %s --check-prefix=SCALAR
// RUN: gyre-opt %s --gyre-specialise="set=R=2,L=3" | FileCheck %s --check-prefix=FULL

// The functions of the alternative that holds stand where it stood; those of the spec are kept.

// PLAIN: gyre.func @before(
// PLAIN-NEXT: gyre.return
// PLAIN: gyre.func @f(%x: !gyre.tensor<E x f32>)
// PLAIN: gyre.derive @df = vjp @f wrt (x as gx)
// PLAIN: gyre.func @after(
// PLAIN-NOT: gyre.func
// PLAIN-NOT: gyre.alternative

// SCALAR: gyre.func @before(
// SCALAR: gyre.func @f(%x: !gyre.tensor<E x 1 x f32>)
// SCALAR: gyre.func @after(
// SCALAR-NOT: gyre.func

// FULL: gyre.func @before(
// FULL: gyre.func @f(%x: !gyre.tensor<E x 2 x f32>, %y: !gyre.tensor<E x 3 x f32>)
// FULL: gyre.func @after(
// FULL-NOT: gyre.func

gyre.spec @f {
  gyre.param "R" in [0, 8]
  gyre.param "L" in [0, 8] default 1
  gyre.func @before(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
    gyre.return %x : !gyre.tensor<E x f32>
  }
  gyre.alternative where R == 0 {
    gyre.func @f(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
      gyre.return %x : !gyre.tensor<E x f32>
    }
    gyre.derive @df = vjp @f wrt (x as gx)
  }
  gyre.alternative where R > 0 and L < 1 {
    gyre.func @f(%x: !gyre.tensor<E x L+1 x f32>) -> (y: !gyre.tensor<E x L+1 x f32>) {
      gyre.return %x : !gyre.tensor<E x L+1 x f32>
    }
  }
  gyre.alternative where 2*R >= 2 and L >= 1 and L <= 8*R {
    gyre.func @f(%x: !gyre.tensor<E x R x f32>, %y: !gyre.tensor<E x L x f32>) -> (z: !gyre.tensor<E x L x f32>) {
      gyre.return %y : !gyre.tensor<E x L x f32>
    }
  }
  gyre.func @after(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
    gyre.return %x : !gyre.tensor<E x f32>
  }
}
