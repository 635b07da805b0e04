// Kernels as parallel loops of workers on SIMD lanes.
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule --gyre-lower-kernels --cse -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --check-prefix=HOST --input-file=%t
// The same input gives the same text.
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule --gyre-lower-kernels --cse | diff - %t

!m = !gyre.map<[e: E] to N>
!x = !gyre.tensor<N x 2 x 64 x f32>
!w = !gyre.tensor<E x 3 x 2 x f32>
!y = !gyre.tensor<E x 2 x 64 x f32>
!z = !gyre.tensor<E x 3 x 64 x f32>
!n = !gyre.tensor<N x 3 x 64 x f32>

// No array of the edges is in the workspace: only two partial rows of 3 x 64 cells of each of at
// most 256 workers. One loop over the workers, in the version for the processor, and one over the
// nodes that combines their rows.
// HOST-LABEL: func.func @convolution__body
// HOST-SAME: results[<"n", !gyre.tensor<N x 3 x 64 x f32>, compact>] workspace[<4, <98304>>]
// HOST: %[[EVEN:.*]] = arith.ceildivsi %[[E:.*]], %c256_i64
// HOST: %[[ROWS:.*]] = arith.maxsi %[[EVEN]], %c32_i64
// HOST: %[[WORKERS:.*]] = arith.ceildivsi %[[E]], %[[ROWS]]
// HOST: %[[ANY:.*]] = llvm.mlir.addressof @gyre_convolution_0 :
// HOST: %[[LEVEL:.*]] = llvm.call @gyre_rt_cpu_level()
// HOST: %[[HAS3:.*]] = arith.cmpi sge, %[[LEVEL]], %c3_i32
// HOST: %[[V3:.*]] = llvm.mlir.addressof @gyre_convolution_0_v3
// HOST: %[[UP3:.*]] = arith.select %[[HAS3]], %[[V3]], %[[ANY]]
// HOST: %[[HAS4:.*]] = arith.cmpi sge, %[[LEVEL]], %c4_i32
// HOST: %[[V4:.*]] = llvm.mlir.addressof @gyre_convolution_0_v4
// HOST: %[[TASK:.*]] = arith.select %[[HAS4]], %[[V4]], %[[UP3]]
// HOST: llvm.call @gyre_parallel_for(%[[WORKERS]], %{{.*}}, %[[TASK]], %{{.*}})
// HOST: %[[NODES:.*]] = llvm.mlir.addressof @gyre_convolution_0_nodes
// HOST: llvm.call @gyre_parallel_for(%{{.*}}, %{{.*}}, %[[NODES]], %{{.*}})
// HOST-NOT: gyre_parallel_for
// HOST: return

// A node's row of x is read in vectors of 64 bytes, once for the three sums that it goes into;
// cells of w are scalars for all lanes. Each sum goes on from the vector in the node's row.
// The best version has the code, the others name it.
// CHECK-LABEL: llvm.func internal unnamed_addr @gyre_convolution_0_v4(
// CHECK: memset
// CHECK: %[[X:.*]] = llvm.load %{{.*}} invariant {{.*}} -> vector<16xf32>
// CHECK-COUNT-3: llvm.load %{{.*}} : !llvm.ptr -> vector<16xf32>
// CHECK: %[[X2:.*]] = llvm.load %{{.*}} invariant {{.*}} -> vector<16xf32>
// CHECK-NOT: -> vector<16xf32>
// CHECK-COUNT-3: llvm.store %{{.*}} : vector<16xf32>, !llvm.ptr
// CHECK-NOT: llvm.store
// CHECK: llvm.return
// CHECK: llvm.func unnamed_addr @gyre_convolution_0_v3({{.*}}) attributes {gyre.version_of = @gyre_convolution_0_v4, target_cpu = "x86-64-v3"}
// CHECK: llvm.func unnamed_addr @gyre_convolution_0({{.*}}) attributes {gyre.version_of = @gyre_convolution_0_v4}
gyre.func @convolution(%x: !x, %w: !w, %src: !m, %dst: !m) -> (n: !n) {
  %0 = gyre.gather %x over %src axis 0 : !x, !m
  %1 = gyre.contract %w[e, k, d], %0[e, d, c] -> [e, k, c] : !w, !y
  %2 = gyre.segment_sum %1 over %dst axis 0 : !z, !m
  gyre.return %2 : !n
}

// A value between two kernels is in the workspace; without sums over rows there is nothing to
// combine.
// HOST-LABEL: func.func @two_stages__body
// HOST-SAME: workspace[<4, <128*N>>]
// HOST: llvm.mlir.addressof @gyre_two_stages_0
// HOST: llvm.call @gyre_parallel_for
// HOST: llvm.mlir.addressof @gyre_two_stages_1
// HOST: llvm.call @gyre_parallel_for
// HOST-NOT: gyre_parallel_for
// HOST: return
gyre.func @two_stages(%x: !x, %m: !m) -> (y: !y) {
  %0 = math.exp %x : !x
  %1 = gyre.gather %0 over %m axis 0 : !x, !m
  gyre.return %1 : !y
}

// Cells that nothing goes into are zeros, and cells that no tuple names are not read.
// CHECK-LABEL: llvm.func internal unnamed_addr @gyre_unlisted_0_v4(
// CHECK-COUNT-1: llvm.load %{{.*}} -> vector<16xf32>
// CHECK-NOT: -> vector<16xf32>
// CHECK: %[[ZERO:.*]] = vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK: llvm.store %[[ZERO]], {{.*}} : vector<16xf32>, !llvm.ptr
// CHECK: llvm.return
gyre.func @unlisted(%y: !y) -> (z: !y) {
  %z = gyre.contract %y[e, i, c] -> [e, j, c] with (j = 2) over [i, j] {(1, 0)} : !y
  gyre.return %z : !y
}

// The parts of a total are a row of each worker.
// HOST-LABEL: func.func @total__body
// HOST-SAME: workspace[<4, <32768>>]
// HOST: llvm.mlir.addressof @gyre_total_0_totals
gyre.func @total(%y: !y) -> (t: !gyre.tensor<2 x 64 x f32>) {
  %t = gyre.contract %y[e, i, c] -> [i, c] : !y
  gyre.return %t : !gyre.tensor<2 x 64 x f32>
}
