// What rows of teams of threads read and write beside what is copied ahead.
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule=target=cuda --gyre-lower-kernels=target=cuda --cse | FileCheck %s

!m = !gyre.map<[e: E] to N>
!x = !gyre.tensor<N x 80 x 32 x f32>
!y = !gyre.tensor<E x 64 x f32>

// Sums over lanes go to cells that lie E rows apart where an axis comes before that of the rows: each thread
// keeps its own offset, and how many times E is added.
// CHECK-LABEL: gpu.func @gyre_far_0(
// CHECK-SAME: %[[E:arg0]]: i64
// CHECK: nvvm.shfl.sync bfly
// CHECK: %[[FIXED:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: %[[TIMES:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK-NEXT: %[[FAR:.*]] = arith.muli %[[TIMES]], %[[E]] : i64
// CHECK-NEXT: %[[PLACE:.*]] = arith.addi %[[FIXED]], %[[FAR]] : i64
// CHECK-NEXT: %[[CELL:.*]] = llvm.getelementptr %{{.*}}[%[[PLACE]]]
// CHECK-NEXT: llvm.store %{{.*}}, %[[CELL]] : f32, !llvm.ptr
// CHECK: gpu.return
gyre.func @far(%z: !gyre.tensor<2 x E x 3 x 64 x f32>, %y: !gyre.tensor<2 x E x 64 x f32>) -> (w: !gyre.tensor<2 x E x 3 x f32>) {
  %w = gyre.contract %z[f, e, k, c], %y[f, e, c] -> [f, e, k] : !gyre.tensor<2 x E x 3 x 64 x f32>, !gyre.tensor<2 x E x 64 x f32>
  gyre.return %w : !gyre.tensor<2 x E x 3 x f32>
}

// A row of which nothing goes into most cells is cleared as a whole first, two stores for 40 cells by 32
// threads and no loop, and all threads wait for that.
// CHECK-LABEL: gpu.func @gyre_cleared_0(
// CHECK: scf.for
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NOT: scf.for
// CHECK-COUNT-2: llvm.store %[[ZERO]], %{{.*}} : f32, !llvm.ptr
// CHECK-NOT: llvm.store %[[ZERO]]
// CHECK-NOT: scf.for
// CHECK: nvvm.bar.warp.sync
// CHECK: gpu.return
gyre.func @cleared(%z: !y, %y: !y) -> (w: !gyre.tensor<E x 40 x f32>) {
  %w = gyre.contract %z[e, c], %y[e, c] -> [e, k] with (k = 40) over [k] {(7)} : !y, !y
  gyre.return %w : !gyre.tensor<E x 40 x f32>
}

// So is one of halves: what is zero in f32 is zero in them.
// CHECK-LABEL: gpu.func @gyre_rounded_0(
// CHECK: scf.for
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : bf16
// CHECK-COUNT-2: llvm.store %[[ZERO]], %{{.*}} : bf16, !llvm.ptr
// CHECK-COUNT-1: llvm.store %{{.*}} : bf16, !llvm.ptr
// CHECK-NOT: llvm.store
// CHECK: gpu.return
gyre.func @rounded(%z: !y, %y: !y) -> (w: !gyre.tensor<E x 40 x bf16>) {
  %s = gyre.contract %z[e, c], %y[e, c] -> [e, k] with (k = 40) over [k] {(7)} : !y, !y
  %w = gyre.convert %s : !gyre.tensor<E x 40 x f32> -> !gyre.tensor<E x 40 x bf16>
  gyre.return %w : !gyre.tensor<E x 40 x bf16>
}

// Where little is computed, and rows are long, seven are on their way while one is added.
// CHECK-LABEL: gpu.func @gyre_streamed_0(
// CHECK-COUNT-7: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
// CHECK: scf.for
// CHECK-NEXT: nvvm.cp.async.wait.group 6
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
// CHECK-NOT: nvvm.cp.async.shared.global
// CHECK: gpu.return
gyre.func @streamed(%y: !gyre.tensor<E x 1024 x f32>, %m: !m) -> (n: !gyre.tensor<N x 1024 x f32>) {
  %n = gyre.segment_sum %y over %m axis 0 : !gyre.tensor<E x 1024 x f32>, !m
  gyre.return %n : !gyre.tensor<N x 1024 x f32>
}

// Rows of more cells than a block has threads for are shared by blocks, here 7 of 224 threads with 4 cells each.
// CHECK-LABEL: gpu.func @gyre_shared_0(
// CHECK-SAME: known_block_size = array<i32: 224, 1, 1>
// CHECK: %[[SEVEN:.*]] = arith.constant 7 : i64
// CHECK: %[[SHARE:.*]] = arith.remui %{{.*}}, %[[SEVEN]] : i64
// CHECK: %[[CELLS:.*]] = arith.constant 896 : i64
// CHECK: arith.muli %[[SHARE]], %[[CELLS]] : i64
// CHECK: gpu.return
gyre.func @shared(%y: !gyre.tensor<E x 6272 x f32>, %m: !m) -> (n: !gyre.tensor<N x 6272 x f32>) {
  %n = gyre.segment_sum %y over %m axis 0 : !gyre.tensor<E x 6272 x f32>, !m
  gyre.return %n : !gyre.tensor<N x 6272 x f32>
}

// Shared memory has no room for all cells of the owner's node: the others are loaded in each row, and no
// optimiser may load them once for all rows of the node. What is copied comes back from shared memory.
// CHECK-LABEL: gpu.func @gyre_owned_0(
// CHECK: scf.for
// CHECK: llvm.load volatile %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK-COUNT-24: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NOT: llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: gpu.return
gyre.func @owned(%x: !x, %w: !gyre.tensor<E x 80 x f32>, %m: !m) -> (z: !gyre.tensor<E x 32 x f32>) {
  %0 = gyre.gather %x over %m axis 0 : !x, !m
  %z = gyre.contract %w[e, k], %0[e, k, c] -> [e, c] : !gyre.tensor<E x 80 x f32>, !gyre.tensor<E x 80 x 32 x f32>
  gyre.return %z : !gyre.tensor<E x 32 x f32>
}
