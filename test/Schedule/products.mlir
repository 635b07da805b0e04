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

// What a block is added to within the sum is no array beside it: of a sum of two blocks, and of a function of one.
// CHECK-LABEL: gyre.func @two_blocks
// CHECK: gyre.cells :
// CHECK-NOT: tile
// CHECK-LABEL: gyre.func @function_of_block
// CHECK: gyre.cells :
// CHECK-NOT: tile
// CHECK-LABEL: gyre.func @end
// REMARK: products.mlir:[[@LINE+3]]:{{[0-9]+}}: remark: product of matrices without tiles
gyre.func @two_blocks(%u: !u, %x: !u, %h: !y, %w: !w) -> (y: !y) {
  %0 = gyre.contract %u[e, i], %w[i, o] -> [e, (c, o)] with (c = 4) over [c] {(1)} : !u, !w
  %1 = gyre.contract %x[e, i], %w[i, o] -> [e, (c, o)] with (c = 4) over [c] {(2)} : !u, !w
  %2 = arith.addf %0, %1 : !y
  %3 = arith.addf %h, %2 : !y
  gyre.return %3 : !y
}
// REMARK: products.mlir:[[@LINE+2]]:{{[0-9]+}}: remark: product of matrices without tiles
gyre.func @function_of_block(%u: !u, %h: !y, %w: !w) -> (y: !y) {
  %0 = gyre.contract %u[e, i], %w[i, o] -> [e, (c, o)] with (c = 4) over [c] {(2)} : !u, !w
  %1 = math.exp %0 : !y
  %2 = arith.addf %h, %1 : !y
  gyre.return %2 : !y
}
gyre.func @end(%u: !u) -> (y: !u) {
  gyre.return %u : !u
}
