// Products by warpgroups: those of 16 steps of depth are begun, and waited for while the next ones are prepared.
// RUN: gyre-opt %s --gyre-lower-kernels=target=cuda --cse | FileCheck %s

// Columns are packed as matrices of eight columns and 16 bytes of depth: words of a thread are 32 apart.
// CHECK-LABEL: gpu.func @gyre_fp16x3_cells_0_columns(
// CHECK-NOT: vector<2xi32>
// CHECK: llvm.getelementptr %{{.*}}[32] : (!llvm.ptr) -> !llvm.ptr, i32
// CHECK-NOT: vector<2xi32>
// CHECK: gpu.return
// A thread has two rows, of which it splits eight numbers for each statement. Of the three products two are summed apart. What was copied
// is seen by matrix units behind a fence.
// CHECK-LABEL: gpu.func @gyre_fp16x3_cells_0(
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK: nvvm.cp.async.wait.group 1
// CHECK-NEXT: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT: gpu.barrier
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-COUNT-8: nvvm.convert.f32x2.to.f16x2
// CHECK-NOT: nvvm.convert
// CHECK: scf.for %{{.*}} = %c0_i32 to %c64_i32 step %c32_i32
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;\0Aadd.s64 $64, $137, 32;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$32,
// CHECK-SAME: $63}, {$129, $130, $131, $132}, $64, $138, 1, 1, 0;\0Aadd.s64 $64, $137, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$32,
// CHECK-SAME: $63}, {$133, $134, $135, $136}, $64, $138, 1, 1, 0;\0Aadd.s64 $64, $137, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0,
// CHECK-SAME: $31}, {$129, $130, $131, $132}, $64, $138, 1, 1, 0;\0Awgmma.commit_group.sync.aligned;"
// CHECK-COUNT-8: nvvm.convert.f32x2.to.f16x2
// CHECK-NOT: nvvm.convert
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;"
// CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;
// CHECK: nvvm.cp.async.wait.group 0
// CHECK-NEXT: nvvm.fence.proxy
// CHECK-NEXT: gpu.barrier
// CHECK: nvvm.cp.async.commit.group
// CHECK-COUNT-8: nvvm.convert.f32x2.to.f16x2
// CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;"
// CHECK-NOT: llvm.inline_asm
// CHECK: scf.yield
// CHECK-COUNT-32: arith.mulf
// CHECK: gpu.return
gyre.func @fp16x3(%u: !gyre.tensor<E x 64 x f32>, %w: !gyre.tensor<64 x 64 x f32>) -> (y: !gyre.tensor<E x 64 x f32>) {
  %y = gyre.cells tile <block 64 x 64 depth 32, thread 2 x 16, stages 3 warps 16 warpgroups true> : !gyre.tensor<E x 64 x f32> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision fp16x3 : !gyre.tensor<E x 64 x f32>, !gyre.tensor<64 x 64 x f32>
    gyre.deliver %0 : !gyre.tensor<E x 64 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 64 x f32>
}

// In tf32 a statement has two products of 8 steps of depth for each 16, here of two such. Of more than 320 steps those of each slab are
// added, rounded, to others.
// CHECK-LABEL: gpu.func @gyre_tf32_cells_0(
// CHECK: scf.for %{{.*}} = %c0_i32 to %c384_i32 step %c32_i32
// CHECK: "wgmma.fence.sync.aligned;\0Aadd.s64 $16, $49, 0;\0Awgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32 {$0,
// CHECK-SAME: $15}, {$33, $34, $35, $36}, $16, $51, 1, 1;\0Aadd.s64 $16, $49, 16;\0Awgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32 {$0,
// CHECK-SAME: $15}, {$37, $38, $39, $40}, $16, $50, 1, 1;
// CHECK: gpu.barrier
// CHECK: "wgmma.wait_group.sync.aligned 0;"
// CHECK-COUNT-16: arith.addf
// CHECK: scf.yield
// CHECK-NOT: scf.for
// CHECK: gpu.return
gyre.func @tf32(%u: !gyre.tensor<E x 384 x f32>, %w: !gyre.tensor<384 x 32 x f32>) -> (y: !gyre.tensor<E x 32 x f32>) {
  %y = gyre.cells tile <block 64 x 32 depth 32, thread 2 x 8, stages 3 warps 16 warpgroups true> : !gyre.tensor<E x 32 x f32> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision tf32 : !gyre.tensor<E x 384 x f32>, !gyre.tensor<384 x 32 x f32>
    gyre.deliver %0 : !gyre.tensor<E x 32 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 32 x f32>
}

// Of long sums of two parts the matrix units add what corrects, of all of a slab, and then the main products, to the same registers,
// beginning with nothing each time: both are added to others, rounded. Words that are in use are not defined meanwhile.
// CHECK-LABEL: gpu.func @gyre_long_cells_0(
// CHECK: scf.for %{{.*}} = %c0_i32 to %c704_i32 step %c32_i32
// CHECK-NOT: nvvm.convert
// CHECK: "wgmma.fence.sync.aligned;\0Aadd.s64 $16, $49, 32;\0Awgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {$0,
// CHECK-SAME: $15}, {$33, $34, $35, $36}, $16, $51, 1, 1, 0;
// CHECK-SAME: $15}, {$37, $38, $39, $40}, $16, $50, 1, 1, 0;
// CHECK-SAME: $15}, {$41, $42, $43, $44}, $16, $50, 1, 1, 0;
// CHECK-SAME: $15}, {$45, $46, $47, $48}, $16, $50, 1, 1, 0;\0Awgmma.commit_group.sync.aligned;"
// CHECK: gpu.barrier
// CHECK-NOT: nvvm.convert
// CHECK: "wgmma.wait_group.sync.aligned 0;"
// CHECK-COUNT-16: arith.mulf
// CHECK: "wgmma.fence.sync.aligned;\0Aadd.s64 $16, $41, 0;\0Awgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {$0,
// CHECK-SAME: $15}, {$33, $34, $35, $36}, $16, $43, 1, 1, 0;
// CHECK-SAME: $15}, {$37, $38, $39, $40}, $16, $42, 1, 1, 0;\0Awgmma.commit_group.sync.aligned;"
// CHECK-NOT: nvvm.convert
// CHECK: "wgmma.wait_group.sync.aligned 0;"
// CHECK-COUNT-16: arith.addf
// CHECK-COUNT-16: nvvm.convert.f32x2.to.f16x2
// CHECK: scf.yield
// CHECK: gpu.return
gyre.func @long(%u: !gyre.tensor<E x 704 x f32>, %w: !gyre.tensor<704 x 32 x f32>) -> (y: !gyre.tensor<E x 32 x f32>) {
  %y = gyre.cells tile <block 64 x 32 depth 32, thread 2 x 8, stages 3 warps 16 warpgroups true> : !gyre.tensor<E x 32 x f32> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision fp16x3 : !gyre.tensor<E x 704 x f32>, !gyre.tensor<704 x 32 x f32>
    gyre.deliver %0 : !gyre.tensor<E x 32 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 32 x f32>
}

// What the cells of a row are added to is loaded before any of them is stored, and sums are finished, which frees the registers of what
// corrects them.
// CHECK-LABEL: gpu.func @gyre_addend_cells_0(
// CHECK: "// sums are finished"
// CHECK: scf.if
// CHECK-NOT: llvm.store
// CHECK-COUNT-4: llvm.load %{{.*}} invariant {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-NOT: llvm.load
// CHECK-COUNT-4: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
// CHECK: gpu.return
gyre.func @addend(%u: !gyre.tensor<E x 64 x f32>, %w: !gyre.tensor<64 x 64 x f32>, %x: !gyre.tensor<E x 64 x f32>) -> (y: !gyre.tensor<E x 64 x f32>) {
  %y = gyre.cells tile <block 64 x 64 depth 32, thread 2 x 16, stages 3 warps 16 warpgroups true> : !gyre.tensor<E x 64 x f32> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision fp16x3 : !gyre.tensor<E x 64 x f32>, !gyre.tensor<64 x 64 x f32>
    %1 = arith.addf %x, %0 : !gyre.tensor<E x 64 x f32>
    gyre.deliver %1 : !gyre.tensor<E x 64 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 64 x f32>
}
