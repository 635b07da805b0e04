// Long sums of few cells are cut into parts, and results that share no lanes are apart.
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule=target=cuda | FileCheck %s --check-prefixes=CHECK,CUDA

!u = !gyre.tensor<E x 64 x f32>
!v = !gyre.tensor<E x 32 x f32>
!w = !gyre.tensor<64 x 32 x f32>

// For a GPU a block has many cells, too, and reads rows once for all of them.
// CHECK-LABEL: gyre.func @gradient
// CPU: gyre.cells parts 2 :
// CUDA: gyre.cells parts 1024 tile <block 64 x 32 depth 16, thread 4 x 8, stages 3 warps 16> :
gyre.func @gradient(%u: !u, %g: !v) -> (gw: !w) {
  %gw = gyre.contract %u[e, i], %g[e, o] -> [i, o] : !u, !v
  gyre.return %gw : !w
}

// So few would not fill one: each has a thread.
// CHECK-LABEL: gyre.func @few_cells
// CPU: gyre.cells parts 29 :
// CUDA: gyre.cells parts 1024 :
gyre.func @few_cells(%u: !gyre.tensor<E x 12 x f32>, %g: !gyre.tensor<E x 12 x f32>) -> (gw: !gyre.tensor<12 x 12 x f32>) {
  %gw = gyre.contract %u[e, i], %g[e, o] -> [i, o] : !gyre.tensor<E x 12 x f32>, !gyre.tensor<E x 12 x f32>
  gyre.return %gw : !gyre.tensor<12 x 12 x f32>
}

// There are cells enough; for a GPU they are computed a tile at a time.
// CHECK-LABEL: gyre.func @product
// CPU: gyre.cells :
// CUDA: gyre.cells tile <block 128 x 32 depth 32, thread 8 x 8, stages 2 warps 16> :
gyre.func @product(%u: !u, %w: !w) -> (y: !v) {
  %y = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !u, !w
  gyre.return %y : !v
}

// Along the lanes of one result the other has nothing: each has its own kernel, and its own lanes.
// CHECK-LABEL: gyre.func @unrelated
// CHECK-COUNT-2: gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <places [lane],
// CHECK-NOT: gyre.kernel
// CHECK: gyre.return
gyre.func @unrelated(%x: !u, %y: !gyre.tensor<E x 96 x f32>) -> (a: !u, b: !gyre.tensor<E x 96 x f32>) {
  %a = math.exp %x : !u
  %b = math.exp %y : !gyre.tensor<E x 96 x f32>
  gyre.return %a, %b : !u, !gyre.tensor<E x 96 x f32>
}

// So it is where the other has one cell, of many.
// CHECK-LABEL: gyre.func @unrelated_sum
// CHECK-COUNT-2: gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <places [lane],
// CHECK-NOT: gyre.kernel
// CHECK: gyre.return
gyre.func @unrelated_sum(%x: !u, %y: !gyre.tensor<E x 96 x f32>) -> (a: !u, b: !gyre.tensor<E x f32>) {
  %a = math.exp %x : !u
  %b = gyre.contract %y[e, c], %y[e, c] -> [e] : !gyre.tensor<E x 96 x f32>, !gyre.tensor<E x 96 x f32>
  gyre.return %a, %b : !u, !gyre.tensor<E x f32>
}
