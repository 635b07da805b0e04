// Products on matrix units: parts of numbers, and as many products of them as a mode has.
// RUN: gyre-opt %s --gyre-lower-kernels=target=cuda --cse | FileCheck %s

!u = !gyre.tensor<E x 64 x f32>
!w = !gyre.tensor<64 x 64 x f32>

// What is the same for all rows is split before, by a kernel of its own: four steps of depth of a column are two words of
// each part.
// CHECK-LABEL: gpu.func @gyre_fp16x3_cells_0_columns(
// CHECK-NOT: scf.for
// CHECK: %[[HEADS:.*]] = nvvm.convert.f32x2.to.f16x2 %{{.*}}, %[[X:.*]] {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xf16>
// CHECK: %[[HEAD:.*]] = vector.extract %[[HEADS]][0] : f16 from vector<2xf16>
// CHECK: %[[WIDE:.*]] = arith.extf %[[HEAD]] : f16 to f32
// CHECK: %[[REST:.*]] = arith.subf %[[X]], %[[WIDE]] : f32
// CHECK: %[[TAIL:.*]] = arith.mulf %[[REST]], %{{.*}} : f32
// CHECK: nvvm.convert.f32x2.to.f16x2 %{{.*}}, %[[TAIL]] {rnd
// CHECK-COUNT-2: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : vector<2xi32>
// CHECK-NOT: llvm.store
// CHECK: gpu.return
// A warp has two times 16 rows and four times 8 columns. In a loop of 16 steps of depth it splits its rows, and loads both
// parts of 8 columns, and again. Three products of each: a main one, which goes to the sums, and two that are summed apart. What is
// summed is multiplied by 2^-11 and added to the rest.
// CHECK-LABEL: gpu.func @gyre_fp16x3_cells_0(
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: scf.for %{{.*}} = %c0_i32 to %c32_i32 step %c16_i32
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK: nvvm.convert.f32x2.to.f16x2
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xi32>
// CHECK-NOT: nvvm.convert
// CHECK-COUNT-3: nvvm.mma.sync {{.*}} {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>}
// CHECK: %[[PART:.*]] = arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f32
// CHECK-NEXT: arith.addf %{{.*}}, %[[PART]] fastmath<contract> : f32
// CHECK-COUNT-3: nvvm.mma.sync
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xi32>
// CHECK-COUNT-18: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK-COUNT-8: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>
// CHECK-NOT: llvm.store
// CHECK: gpu.return
gyre.func @fp16x3(%u: !u, %w: !w) -> (y: !u) {
  %y = gyre.cells tile <block 128 x 64 depth 32, thread 4 x 8, stages 3 warps 16> : !u {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision fp16x3 : !u, !w
    gyre.deliver %0 : !u
  }
  gyre.return %y : !u
}

// Sums of many steps of depth are added in registers, rounded.
// CHECK-LABEL: gpu.func @gyre_deep_cells_0(
// CHECK: nvvm.mma.sync
// CHECK: %[[PART:.*]] = arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f32
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %{{.*}}, %[[PART]] fastmath<contract> : f32
// CHECK-NEXT: arith.addf %{{.*}}, %[[SUM]] : f32
// CHECK: gpu.return
gyre.func @deep(%u: !gyre.tensor<E x 1024 x f32>, %w: !gyre.tensor<1024 x 64 x f32>) -> (y: !u) {
  %y = gyre.cells tile <block 128 x 64 depth 32, thread 4 x 16, stages 2 warps 16> : !u {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision fp16x3 : !gyre.tensor<E x 1024 x f32>, !gyre.tensor<1024 x 64 x f32>
    gyre.deliver %0 : !u
  }
  gyre.return %y : !u
}

// Columns that are different for each row of a batch are split where they are multiplied.
// CHECK-LABEL: gpu.func @gyre_own_cells_0(
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK: gpu.barrier
// CHECK: nvvm.convert.f32x2.to.f16x2
// CHECK-COUNT-48: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>}
// CHECK-NOT: nvvm.mma.sync
// CHECK: gpu.return
gyre.func @own(%u: !gyre.tensor<B x 128 x 64 x f32>, %w: !gyre.tensor<B x 64 x 64 x f32>) -> (y: !gyre.tensor<B x 128 x 64 x f32>) {
  %y = gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 4 warps 12> : !gyre.tensor<B x 128 x 64 x f32> {
    %0 = gyre.contract %u[b, e, i], %w[b, i, o] -> [b, e, o] precision fp16x3 : !gyre.tensor<B x 128 x 64 x f32>, !gyre.tensor<B x 64 x 64 x f32>
    gyre.deliver %0 : !gyre.tensor<B x 128 x 64 x f32>
  }
  gyre.return %y : !gyre.tensor<B x 128 x 64 x f32>
}

// Where both operands lie along rows, and columns, a thread splits what it has copied, in place: of four steps of depth of four
// neighbours, of rows and of columns. Matrix units add to sums of two kinds, main ones and what corrects these, of 640 steps of depth at
// most; such sums are added up in shared memory.
// CHECK-LABEL: gpu.func @gyre_gradient_cells_0(
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK-COUNT-16: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
// CHECK: scf.for %{{.*}} to %{{.*}} step %c640_i64
// CHECK: scf.for %{{.*}} to %{{.*}} step %c32_i64
// CHECK: nvvm.cp.async.wait.group
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-COUNT-16: nvvm.convert.f32x2.to.f16x2
// CHECK-NOT: nvvm.convert
// CHECK-COUNT-4: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
// CHECK: nvvm.convert.f32x2.to.f16x2
// CHECK: gpu.barrier
// CHECK-NOT: nvvm.convert
// CHECK-COUNT-96: nvvm.mma.sync {{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>}
// CHECK-NOT: nvvm.mma.sync
// CHECK: scf.yield
// CHECK-COUNT-64: arith.mulf
// CHECK-COUNT-16: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK: gpu.return
gyre.func @gradient(%u: !gyre.tensor<E x 256 x f32>, %g: !gyre.tensor<E x 256 x f32>) -> (gw: !gyre.tensor<256 x 256 x f32>) {
  %gw = gyre.cells parts 66 tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 12> : !gyre.tensor<256 x 256 x f32> {
    %0 = gyre.contract %u[e, i], %g[e, o] -> [i, o] precision fp16x3 : !gyre.tensor<E x 256 x f32>, !gyre.tensor<E x 256 x f32>
    gyre.deliver %0 : !gyre.tensor<256 x 256 x f32>
  }
  gyre.return %gw : !gyre.tensor<256 x 256 x f32>
}

// Few steps of depth are added in registers. Numbers that are copied one at a time are split by each warp that reads them.
// CHECK-LABEL: gpu.func @gyre_few_steps_cells_0(
// CHECK-NOT: step %c640
// CHECK: vector<4xi32>, !llvm.ptr<3>
// CHECK: gpu.return
// CHECK-LABEL: gpu.func @gyre_few_steps_cells_1(
// CHECK-NOT: vector<4xi32>
// CHECK: gpu.barrier
// CHECK: nvvm.convert
// CHECK: gpu.return
gyre.func @few_steps(%u: !gyre.tensor<320 x 64 x f32>, %g: !gyre.tensor<320 x 64 x f32>, %v: !gyre.tensor<320 x 66 x f32>) -> (y: !w, z: !gyre.tensor<66 x 64 x f32>) {
  %y = gyre.cells tile <block 64 x 64 depth 16, thread 4 x 8, stages 4 warps 12> : !w {
    %0 = gyre.contract %u[e, i], %g[e, o] -> [i, o] precision bf16x3 : !gyre.tensor<320 x 64 x f32>, !gyre.tensor<320 x 64 x f32>
    gyre.deliver %0 : !w
  }
  %z = gyre.cells tile <block 64 x 64 depth 16, thread 4 x 8, stages 4 warps 12> : !gyre.tensor<66 x 64 x f32> {
    %0 = gyre.contract %v[e, i], %g[e, o] -> [i, o] precision bf16x3 : !gyre.tensor<320 x 66 x f32>, !gyre.tensor<320 x 64 x f32>
    gyre.deliver %0 : !gyre.tensor<66 x 64 x f32>
  }
  gyre.return %y, %z : !w, !gyre.tensor<66 x 64 x f32>
}

// Eight steps of depth are one instruction: 4 x 4 x 2 of these for 16.
// CHECK-LABEL: gpu.func @gyre_tf32_cells_0(
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK: nvvm.convert.float.to.tf32 %{{.*}} {rnd = #nvvm.fp_rnd_mode<rna>}
// CHECK-COUNT-32: nvvm.mma.sync {{.*}}tf32{{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 8>}
// CHECK-NOT: nvvm.mma.sync
// CHECK: gpu.return
gyre.func @tf32(%u: !u, %w: !w) -> (y: !u) {
  %y = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 3 warps 16> : !u {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision tf32 : !u, !w
    gyre.deliver %0 : !u
  }
  gyre.return %y : !u
}

// Six products of three parts each: 2 x 4 x 6.
// CHECK-LABEL: gpu.func @gyre_bf16x6_cells_0(
// CHECK-COUNT-48: nvvm.mma.sync {{.*}}bf16{{.*}}shape = #nvvm.shape<m = 16, n = 8, k = 16>}
// CHECK-NOT: nvvm.mma.sync
// CHECK: gpu.return
gyre.func @bf16x6(%u: !u, %w: !w) -> (y: !u) {
  %y = gyre.cells tile <block 128 x 64 depth 32, thread 4 x 8, stages 3 warps 16> : !u {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision bf16x6 : !u, !w
    gyre.deliver %0 : !u
  }
  gyre.return %y : !u
}

// What a mode is not for: sums in f64, and products without a tile.
// CHECK-LABEL: gpu.func @gyre_others_cells_0(
// CHECK-NOT: nvvm.mma.sync
// CHECK-LABEL: gpu.func @gyre_others_cells_1(
// CHECK-NOT: nvvm.mma.sync
gyre.func @others(%u: !gyre.tensor<E x 64 x f64>, %w: !gyre.tensor<64 x 64 x f64>, %v: !w, %x: !u) -> (y: !gyre.tensor<E x 64 x f64>, z: !u) {
  %y = gyre.cells tile <block 64 x 64 depth 8, thread 8 x 4, stages 3 warps 16> : !gyre.tensor<E x 64 x f64> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision tf32 : !gyre.tensor<E x 64 x f64>, !gyre.tensor<64 x 64 x f64>
    gyre.deliver %0 : !gyre.tensor<E x 64 x f64>
  }
  %z = gyre.cells : !u {
    %0 = gyre.contract %x[e, i], %v[i, o] -> [e, o] precision tf32 : !u, !w
    gyre.deliver %0 : !u
  }
  gyre.return %y, %z : !gyre.tensor<E x 64 x f64>, !u
}
