// Products that are a block of what is delivered: with what they are added to they have tiles; where they are multiplied by it, so that cells
// beside them are not zero, a remark says that they have none.
// RUN: gyre-opt %s --gyre-fuse=target=cuda --gyre-schedule=target=cuda 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK <%t

!u = !gyre.tensor<E x 64 x f32>
!w = !gyre.tensor<64 x 64 x f32>
!y = !gyre.tensor<E x 256 x f32>

// CHECK-LABEL: gyre.func @added
// CHECK-COUNT-1: gyre.cells tile
// CHECK-NOT: gyre.cells
// REMARK-NOT: {{[0-9]}}: remark:
gyre.func @added(%u: !u, %h: !y, %w: !w) -> (y: !y) {
  %0 = gyre.contract %u[e, i], %w[i, o] -> [e, (c, o)] with (c = 4) over [c] {(2)} : !u, !w
  %1 = arith.addf %0, %h : !y
  gyre.return %1 : !y
}

// CHECK-LABEL: gyre.func @multiplied
// CHECK-COUNT-1: gyre.cells :
// CHECK-NOT: gyre.cells
// REMARK: products.mlir:[[@LINE+2]]:{{[0-9]+}}: remark: product of matrices without tiles: a thread for each cell of what is computed from it
gyre.func @multiplied(%u: !u, %h: !y, %w: !w) -> (y: !y) {
  %0 = gyre.contract %u[e, i], %w[i, o] -> [e, (c, o)] with (c = 4) over [c] {(2)} : !u, !w
  %1 = arith.mulf %0, %h : !y
  gyre.return %1 : !y
}

// What is computed of a value that has blocks beside a product's is computed of all of it: the product's kernel ends before.
// CHECK-LABEL: gyre.func @of_joined
// CHECK-COUNT-1: gyre.cells tile
// CHECK: gyre.cells :
// CHECK: gyre.kernel over E
// CHECK-NOT: gyre.cells
// REMARK-NOT: {{[0-9]}}: remark:
gyre.func @of_joined(%u: !u, %w: !w, %x: !u, %z: !gyre.tensor<E x 128 x f32>) -> (y: !gyre.tensor<E x 128 x f32>, t: !u) {
  %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !u, !w
  %s = gyre.sigmoid %0 : !u
  %t = arith.mulf %0, %x : !u
  %1 = gyre.concat %s, %x axis 1 : !u, !u
  %2 = arith.mulf %1, %z : !gyre.tensor<E x 128 x f32>
  gyre.return %2, %t : !gyre.tensor<E x 128 x f32>, !u
}
