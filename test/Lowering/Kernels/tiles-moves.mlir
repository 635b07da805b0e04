// Cells of products whose index is taken apart on their way to the result.
// RUN: gyre-opt %s --gyre-lower-kernels=target=cuda --cse | FileCheck %s

!u = !gyre.tensor<E x 64 x f32>
!w = !gyre.tensor<64 x 64 x f32>

// Axes change their order, too: neighbours stay neighbours where the innermost axis has whole vectors.
// CHECK-LABEL: gpu.func @gyre_taken_apart_cells_0(
// CHECK-COUNT-16: llvm.store %{{[^ ]*}}, %{{[^ ]*}} {alignment = 16 : i64} : vector<4xf32>
// CHECK-NOT: llvm.store
// CHECK: gpu.return
// CHECK-LABEL: gpu.func @gyre_taken_odd_cells_0(
// CHECK-COUNT-64: llvm.store %{{[^ ]*}}, %{{[^ ]*}} {alignment = {{4|8}} : i64} : f32
// CHECK-NOT: llvm.store
// CHECK: gpu.return
gyre.func @taken_apart(%u: !u, %w: !w) -> (y: !gyre.tensor<8 x E x 8 x f32>) {
  %y = gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16> : !gyre.tensor<8 x E x 8 x f32> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !u, !w
    %1 = gyre.contract %0[e, (m, c)] -> [m, e, c] with (m = 8, c = 8) : !u
    gyre.deliver %1 : !gyre.tensor<8 x E x 8 x f32>
  }
  gyre.return %y : !gyre.tensor<8 x E x 8 x f32>
}
gyre.func @taken_odd(%u: !u, %w: !w) -> (y: !gyre.tensor<32 x E x 2 x f32>) {
  %y = gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16> : !gyre.tensor<32 x E x 2 x f32> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !u, !w
    %1 = gyre.contract %0[e, (m, c)] -> [m, e, c] with (m = 32, c = 2) : !u
    gyre.deliver %1 : !gyre.tensor<32 x E x 2 x f32>
  }
  gyre.return %y : !gyre.tensor<32 x E x 2 x f32>
}

// A block beside tiles moves as these do.
// CHECK-LABEL: gpu.func @gyre_moved_beside_cells_0_beside_0(
// CHECK-COUNT-4: llvm.store %{{.*}} : f32, !llvm.ptr
// CHECK-NOT: llvm.store
// CHECK: gpu.return
// CHECK-LABEL: gpu.func @gyre_moved_beside_cells_0(
// CHECK-COUNT-16: llvm.store %{{[^ ]*}}, %{{[^ ]*}} {alignment = 16 : i64} : vector<4xf32>
// CHECK-NOT: llvm.store
// CHECK: gpu.return
gyre.func @moved_beside(%u: !u, %w: !w) -> (y: !gyre.tensor<2 x E x 64 x f32>) {
  %y = gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16> : !gyre.tensor<2 x E x 64 x f32> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !u, !w
    %1 = gyre.concat %0, %u axis 1 : !u, !u
    %2 = gyre.contract %1[e, (m, c)] -> [m, e, c] with (m = 2, c = 64) : !gyre.tensor<E x 128 x f32>
    gyre.deliver %2 : !gyre.tensor<2 x E x 64 x f32>
  }
  gyre.return %y : !gyre.tensor<2 x E x 64 x f32>
}
