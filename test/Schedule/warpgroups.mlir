// Products that warpgroups multiply, where all that is compiled for has wgmma: of columns that all rows share, and of enough terms that
// matrix units bound them.
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule="target=cuda warpgroups=true" | FileCheck %s
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule=target=cuda | FileCheck %s --check-prefix=WARPS
// RUN: gyrec %s --target=cuda --arch=sm_90a,compute_90a --print-program 2>&1 | FileCheck %s --check-prefix=PROGRAM
// RUN: gyrec %s --target=cuda --arch=sm_90a,compute_80 --print-program 2>&1 | FileCheck %s --check-prefix=NONE

// WARPS-COUNT-8: stages {{[0-9]}} warps {{[0-9]+}}>
// WARPS-NOT: warpgroups

// PROGRAM: tile 64 x 128 of depth 32, a thread 2 x 32, 3 stages
// NONE-NOT: a thread 2 x
// NONE: tile 128 x 64
// NONE-NOT: a thread 2 x

// 384 columns are three times 128.
// CHECK-LABEL: gyre.func @product
// CHECK: gyre.cells tile <block 64 x 128 depth 32, thread 2 x 32, stages 3 warps 12 warpgroups true> :
gyre.func @product(%u: !gyre.tensor<E x 256 x f32>, %w: !gyre.tensor<256 x 384 x f32>) -> (y: !gyre.tensor<E x 384 x f32>) {
  %y = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision fp16x3 : !gyre.tensor<E x 256 x f32>, !gyre.tensor<256 x 384 x f32>
  gyre.return %y : !gyre.tensor<E x 384 x f32>
}

// 192 columns are twice 96. One part has no corrections, which leaves registers for more warps.
// CHECK-LABEL: gyre.func @one_part
// CHECK: gyre.cells tile <block 64 x 96 depth 32, thread 2 x 24, stages 3 warps 16 warpgroups true> :
gyre.func @one_part(%u: !gyre.tensor<E x 256 x f32>, %w: !gyre.tensor<256 x 192 x f32>) -> (y: !gyre.tensor<E x 192 x f32>) {
  %y = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision bf16 : !gyre.tensor<E x 256 x f32>, !gyre.tensor<256 x 192 x f32>
  gyre.return %y : !gyre.tensor<E x 192 x f32>
}

// Few terms: what follows bounds it.
// CHECK-LABEL: gyre.func @short
// CHECK: gyre.cells tile <block 128 x 64 depth 32, thread 4 x 16, stages 2 warps 16> :
gyre.func @short(%u: !gyre.tensor<E x 64 x f32>, %w: !gyre.tensor<64 x 192 x f32>) -> (y: !gyre.tensor<E x 192 x f32>) {
  %y = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision fp16x3 : !gyre.tensor<E x 64 x f32>, !gyre.tensor<64 x 192 x f32>
  gyre.return %y : !gyre.tensor<E x 192 x f32>
}

// More terms than may be added without a rounding, in two parts: sums take as many registers as those that are not.
// CHECK-LABEL: gyre.func @long
// CHECK: gyre.cells tile <block 64 x 128 depth 32, thread 2 x 32, stages 3 warps 12 warpgroups true> :
gyre.func @long(%u: !gyre.tensor<E x 1536 x f32>, %w: !gyre.tensor<1536 x 256 x f32>) -> (y: !gyre.tensor<E x 256 x f32>) {
  %y = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision fp16x3 : !gyre.tensor<E x 1536 x f32>, !gyre.tensor<1536 x 256 x f32>
  gyre.return %y : !gyre.tensor<E x 256 x f32>
}

// So they do of one part.
// CHECK-LABEL: gyre.func @long_one_part
// CHECK: gyre.cells tile <block 64 x 128 depth 32, thread 2 x 32, stages 3 warps 12 warpgroups true> :
gyre.func @long_one_part(%u: !gyre.tensor<E x 1536 x f32>, %w: !gyre.tensor<1536 x 256 x f32>) -> (y: !gyre.tensor<E x 256 x f32>) {
  %y = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision bf16 : !gyre.tensor<E x 1536 x f32>, !gyre.tensor<1536 x 256 x f32>
  gyre.return %y : !gyre.tensor<E x 256 x f32>
}

// Two products that are added up.
// CHECK-LABEL: gyre.func @two
// CHECK: gyre.cells tile <block 64 x 128 depth 32, thread 2 x 32, stages 3 warps 12 warpgroups true> :
gyre.func @two(%u: !gyre.tensor<E x 256 x f32>, %w: !gyre.tensor<256 x 384 x f32>, %v: !gyre.tensor<E x 128 x f32>, %x: !gyre.tensor<128 x 384 x f32>) -> (y: !gyre.tensor<E x 384 x f32>) {
  %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision fp16x3 : !gyre.tensor<E x 256 x f32>, !gyre.tensor<256 x 384 x f32>
  %1 = gyre.contract %v[e, i], %x[i, o] -> [e, o] precision fp16x3 : !gyre.tensor<E x 128 x f32>, !gyre.tensor<128 x 384 x f32>
  %y = arith.addf %0, %1 : !gyre.tensor<E x 384 x f32>
  gyre.return %y : !gyre.tensor<E x 384 x f32>
}

// Multiply-adds.
// CHECK-LABEL: gyre.func @ieee
// CHECK: gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 12> :
gyre.func @ieee(%u: !gyre.tensor<E x 256 x f32>, %w: !gyre.tensor<256 x 384 x f32>) -> (y: !gyre.tensor<E x 384 x f32>) {
  %y = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !gyre.tensor<E x 256 x f32>, !gyre.tensor<256 x 384 x f32>
  gyre.return %y : !gyre.tensor<E x 384 x f32>
}

// Columns of their own for each batch are not packed before.
// CHECK-LABEL: gyre.func @own_columns
// CHECK: gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 4 warps 12> :
gyre.func @own_columns(%u: !gyre.tensor<B x 128 x 128 x f32>, %w: !gyre.tensor<B x 128 x 64 x f32>) -> (y: !gyre.tensor<B x 128 x 64 x f32>) {
  %y = gyre.contract %u[b, e, i], %w[b, i, o] -> [b, e, o] precision fp16x3 : !gyre.tensor<B x 128 x 128 x f32>, !gyre.tensor<B x 128 x 64 x f32>
  gyre.return %y : !gyre.tensor<B x 128 x 64 x f32>
}
