// Kernels as gpu.funcs of teams of threads.
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule=target=cuda --gyre-lower-kernels=target=cuda --cse -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --check-prefix=HOST --input-file=%t
// The same input gives the same text.
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule=target=cuda --gyre-lower-kernels=target=cuda --cse | diff - %t

!m = !gyre.map<[e: E] to N>
!x = !gyre.tensor<N x 2 x 128 x f32>
!w = !gyre.tensor<E x 3 x 2 x f32>
!y = !gyre.tensor<E x 2 x 128 x f32>
!z = !gyre.tensor<E x 3 x 128 x f32>
!n = !gyre.tensor<N x 3 x 128 x f32>

// What the next three rows read is copied to shared memory: the cells of w a word a thread, the two rows of x
// 16 bytes a thread, which is what comes back from there; the six uses of w are two vectors. Sums over
// a node are in registers, and stored once for each node. With the sums go the next rows' numbers.
// CHECK-LABEL: gpu.func @gyre_convolution_0(
// CHECK-SAME: known_block_size = array<i32: 32, 1, 1>
// CHECK-COUNT-3: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.while
// CHECK: scf.while
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, i32, i32, i32, i32, i32, i32, i32, i32, i32)
// CHECK-NEXT: nvvm.cp.async.wait.group 2
// CHECK: nvvm.bar.warp.sync
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache
// CHECK-COUNT-2: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache
// CHECK-NEXT: nvvm.cp.async.commit.group
// CHECK: llvm.load volatile %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-COUNT-1: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK: llvm.load volatile %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-COUNT-1: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-NOT: llvm.load
// CHECK-NOT: llvm.store
// CHECK: scf.yield {{.*}} : vector<4xf32>, vector<4xf32>, vector<4xf32>, i32, i32, i32, i32, i32, i32, i32, i32, i32
// CHECK-COUNT-3: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
// CHECK-NOT: llvm.store
// CHECK: gpu.return
// CHECK: gpu.func @gyre_convolution_0_nodes(

// HOST-LABEL: func.func @convolution__body
// HOST-SAME: #gyre.entry<"convolution" on cuda
// HOST-SAME: workspace[<4, <2027520>>]
// HOST: gpu.launch_func @gyre_device::@gyre_convolution_0 blocks
// HOST: gpu.launch_func @gyre_device::@gyre_convolution_0_nodes blocks
// HOST-NOT: gpu.launch_func
// HOST: return
gyre.func @convolution(%x: !x, %w: !w, %src: !m, %dst: !m) -> (n: !n) {
  %0 = gyre.gather %x over %src axis 0 : !x, !m
  %1 = gyre.contract %w[e, k, d], %0[e, d, c] -> [e, k, c] : !w, !y
  %2 = gyre.segment_sum %1 over %dst axis 0 : !z, !m
  gyre.return %2 : !n
}

// Sums over the lanes of several cells are taken together, two of them as soon as they are there: for
// six cells 3 + 2 + 1 exchanges among halves, and one or two more for what is left over.
// CHECK-LABEL: gpu.func @gyre_dots_0(
// CHECK-COUNT-8: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync bfly
// CHECK-NOT: scf.if
// CHECK: llvm.store %{{.*}} : f32, !llvm.ptr
// CHECK: gpu.return
// HOST-LABEL: func.func @dots__body
// HOST-NOT: workspace
// HOST-COUNT-1: gpu.launch_func
// HOST-NOT: gpu.launch_func
// HOST: return
gyre.func @dots(%y: !y, %z: !z) -> (w: !w) {
  %w = gyre.contract %z[e, k, c], %y[e, d, c] -> [e, k, d] : !z, !y
  gyre.return %w : !w
}

// Threads without cells of their own do what the last thread with cells does.
// CHECK-LABEL: gpu.func @gyre_narrow_0(
// CHECK: %[[LAST:.*]] = arith.constant 6 : i64
// CHECK: arith.minsi %{{.*}}, %[[LAST]] : i64
// CHECK-COUNT-1: llvm.store %{{.*}} : f32, !llvm.ptr
// CHECK-NOT: llvm.store
// CHECK: gpu.return
gyre.func @narrow(%y: !gyre.tensor<E x 7 x f32>) -> (z: !gyre.tensor<E x 7 x f32>) {
  %z = math.exp %y : !gyre.tensor<E x 7 x f32>
  gyre.return %z : !gyre.tensor<E x 7 x f32>
}

// A total of two steps: the workers' parts, and their sum.
// HOST-LABEL: func.func @total__body
// HOST: gpu.launch_func @gyre_device::@gyre_total_0 blocks
// HOST: gpu.launch_func @gyre_device::@gyre_total_0_totals blocks
// HOST-NOT: gpu.launch_func
// HOST: return
gyre.func @total(%y: !y) -> (t: !gyre.tensor<2 x 128 x f32>) {
  %t = gyre.contract %y[e, i, c] -> [i, c] : !y
  gyre.return %t : !gyre.tensor<2 x 128 x f32>
}
