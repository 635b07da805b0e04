// With a limit of vectors alive, the cells that a kernel delivers are computed by several kernels.
// RUN: gyre-opt %s --gyre-lower-kernels=target=cuda --cse -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --check-prefix=HOST --input-file=%t

!m = !gyre.map<[e: E] to N>
!y = !gyre.tensor<E x 4 x 32 x f32>
!n = !gyre.tensor<N x 4 x 32 x f32>

// Of four sums over the rows of a node each kernel has two; a cell of a row is alive beside them. What
// workers share is combined once, at last.
// CHECK-LABEL: gpu.func @gyre_sums_0(
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f32, f32, i32, i32, i32, i32, i32, i32, i32, i32, i32)
// CHECK-COUNT-2: nvvm.cp.async.shared.global
// CHECK-COUNT-2: llvm.load volatile {{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK: scf.yield {{.*}} : f32, f32, i32, i32, i32, i32, i32, i32, i32, i32, i32
// CHECK-LABEL: gpu.func @gyre_sums_1(
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f32, f32, i32, i32, i32, i32, i32, i32, i32, i32, i32)
// CHECK-COUNT-2: nvvm.cp.async.shared.global
// CHECK-COUNT-2: llvm.load volatile {{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> f32
// CHECK: scf.yield {{.*}} : f32, f32, i32, i32, i32, i32, i32, i32, i32, i32, i32
// CHECK-LABEL: gpu.func @gyre_sums_1_nodes(
// CHECK-NOT: gpu.func

// The buffers are those of one kernel: two partial rows for each of three workers.
// HOST-LABEL: func.func @sums__body
// HOST-SAME: workspace[<4, <768>>]
// HOST: gpu.launch_func @gyre_device::@gyre_sums_0 blocks
// HOST: gpu.launch_func @gyre_device::@gyre_sums_1 blocks
// HOST: gpu.launch_func @gyre_device::@gyre_sums_1_nodes blocks
// HOST-NOT: gpu.launch_func
gyre.func @sums(%y: !y, %m: !m) -> (n: !n) {
  %n = gyre.kernel over E by %m : !m deliver [#gyre.delivery<segment 0>]
      schedule <places [unrolled, lane], vector 1, lanes 32, workers 3, span 1, teams 1 alive 3> : !n {
    %0 = gyre.row %y axis 0 : !y
    gyre.deliver %0 : !gyre.tensor<4 x 32 x f32>
  }
  gyre.return %n : !n
}
