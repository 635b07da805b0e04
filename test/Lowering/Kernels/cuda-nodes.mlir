// A worker for each node, and two for each range of rows, which have rows of heavy nodes only.
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule=target=cuda --gyre-lower-kernels=target=cuda --cse -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --check-prefix=HOST --input-file=%t

!m = !gyre.map<[e: E] to N>
!x = !gyre.tensor<N x 16 x 192 x f32>
!y = !gyre.tensor<E x 16 x 192 x f32>

// One loop over the rows of a node; no search for it. Three blocks have parts of a row.
// CHECK-LABEL: gpu.func @gyre_sum_0(
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK: arith.remui %{{.*}}, %c3_i64
// CHECK: %[[WORK:.*]]:5 = scf.if
// CHECK: arith.cmpi sgt
// CHECK: } else {
// CHECK: arith.cmpi sle
// CHECK: scf.if %[[WORK]]#4
// CHECK-COUNT-1: scf.for {{.*}} = %[[WORK]]#1 to %[[WORK]]#2
// CHECK: nvvm.cp.async.wait.group
// CHECK-NOT: scf.for
// CHECK-NOT: scf.while
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
// CHECK: gpu.return

// What is left are the sums of heavy nodes: those of more rows than a range.
// CHECK-LABEL: gpu.func @gyre_sum_0_nodes(
// CHECK: %[[HEAVY:.*]] = arith.cmpi sgt, %{{.*}}, %[[SPAN:.*]] : i64
// CHECK: scf.if %[[HEAVY]]
// CHECK: gpu.return

// Ranges have 64 rows, twice the mean, or as many as make 1024 of them.
// HOST-LABEL: func.func @sum__body
// HOST-SAME: workspace[<4, <6291456>>]
// HOST-DAG: %[[C64:.*]] = arith.constant 64 : i64
// HOST-DAG: %[[MEAN:.*]] = arith.ceildivsi %{{.*}}, %{{.*}}
// HOST: arith.maxsi %{{.*}}, %[[C64]]
// HOST: gpu.launch_func @gyre_device::@gyre_sum_0 blocks
// HOST: gpu.launch_func @gyre_device::@gyre_sum_0_nodes blocks
gyre.func @sum(%y: !y, %m: !m) -> (x: !x) {
  %0 = gyre.segment_sum %y over %m axis 0 : !y, !m
  gyre.return %0 : !x
}
