// Where the axes of a kernel's body are, and how many cells go where.
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule=target=cuda | FileCheck %s --check-prefixes=CHECK,CUDA

!y = !gyre.tensor<E x 4 x 128 x f32>
!z = !gyre.tensor<E x 4 x f32>

// Channels lie along lanes: 64 bytes are a vector of the CPU, 16 bytes one of a thread's loads.
// CHECK-LABEL: gyre.func @channels
// CPU: gyre.kernel {{.*}} schedule <places [unrolled, lane], vector 16, lanes 1, workers 256, span 32, teams 1>
// CUDA: gyre.kernel {{.*}} schedule <places [unrolled, lane], vector 4, lanes 32, workers 2640, span 16, teams 1 warps 20>
gyre.func @channels(%y: !y, %w: !z) -> (a: !y) {
  %a = gyre.contract %y[e, k, c], %w[e, k] -> [e, k, c] : !y, !z
  gyre.return %a : !y
}

// A dimension that some op splits is several axes: rows, groups, channels of a group.
// CHECK-LABEL: gyre.func @groups
// CPU: schedule <places [unrolled, unrolled, lane], vector 16, lanes 1,
// CUDA: schedule <places [unrolled, unrolled, lane], vector 1, lanes 32,
gyre.func @groups(%y: !gyre.tensor<E x 3 x 64 x f32>) -> (a: !gyre.tensor<2 x E x 96 x f32>) {
  %a = gyre.contract %y[e, r, (f, c)] -> [f, e, (r, c)] with (f = 2, c = 32) : !gyre.tensor<E x 3 x 64 x f32>
  gyre.return %a : !gyre.tensor<2 x E x 96 x f32>
}

// Axes that all values have in one order lie along lanes together.
// CHECK-LABEL: gyre.func @two_axes
// CPU: schedule <places [lane, lane], vector 16, lanes 1,
// CUDA: schedule <places [lane, lane], vector 4, lanes 128, workers 660, span 16, teams 1 warps 20>
gyre.func @two_axes(%y: !y) -> (a: !y) {
  %a = math.exp %y : !y
  gyre.return %a : !y
}

// More cells than a block has threads for are in several blocks, of which there are fewer workers.
// CHECK-LABEL: gyre.func @several_blocks
// CPU: schedule <places [lane, lane], vector 16, lanes 1,
// CUDA: schedule <places [lane, lane], vector 4, lanes 1568, workers 75, span 16, teams 1 warps 20>
gyre.func @several_blocks(%y: !gyre.tensor<E x 49 x 128 x f32>) -> (a: !gyre.tensor<E x 49 x 128 x f32>) {
  %a = math.exp %y : !gyre.tensor<E x 49 x 128 x f32>
  gyre.return %a : !gyre.tensor<E x 49 x 128 x f32>
}

// Axes that a relation ties do not.
// CHECK-LABEL: gyre.func @tied
// CPU: schedule <places [unrolled, unrolled], vector 1, lanes 1,
// CUDA: schedule <places [unrolled, unrolled], vector 1, lanes 32,
gyre.func @tied(%y: !z) -> (a: !z) {
  %a = gyre.contract %y[e, k] -> [e, r] with (r = 4) over [r, k] {(0, 1), (2, 2)} : !z
  gyre.return %a : !z
}

// Nor does an axis of which a product takes two cells: it would meet itself in one lane only.
// CHECK-LABEL: gyre.func @twice
// CHECK: schedule <places [unrolled],
gyre.func @twice(%x: !z, %y: !z) -> (a: !z, s: !gyre.tensor<E x f32>) {
  %a = arith.addf %x, %y : !z
  %s = gyre.contract %x[e, i], %y[e, j] -> [e] : !z, !z
  gyre.return %a, %s : !z, !gyre.tensor<E x f32>
}

// Without axes there are no places.
// CHECK-LABEL: gyre.func @scalars
// CHECK: schedule <vector 1,
gyre.func @scalars(%y: !gyre.tensor<E x f32>) -> (a: !gyre.tensor<E x f32>) {
  %a = math.exp %y : !gyre.tensor<E x f32>
  gyre.return %a : !gyre.tensor<E x f32>
}

// What goes on with a sum over the lanes has all of them in one vector of the CPU.
// CHECK-LABEL: gyre.func @norm
// CPU: schedule <places [lane], vector 24, lanes 1,
// CUDA: schedule <places [lane], vector 1, lanes 32,
gyre.func @norm(%y: !gyre.tensor<E x 24 x f32>) -> (a: !gyre.tensor<E x 24 x f32>) {
  %n = gyre.contract %y[e, c], %y[e, c] -> [e] : !gyre.tensor<E x 24 x f32>, !gyre.tensor<E x 24 x f32>
  %r = math.rsqrt %n : !gyre.tensor<E x f32>
  %a = gyre.contract %y[e, c], %r[e] -> [e, c] : !gyre.tensor<E x 24 x f32>, !gyre.tensor<E x f32>
  gyre.return %a : !gyre.tensor<E x 24 x f32>
}

// A vector of the CPU lies along one axis.
// CHECK-LABEL: gyre.func @norm_of_two_axes
// CPU: schedule <places [unrolled, lane], vector 8, lanes 1,
// CUDA: schedule <places [lane, lane], vector 1, lanes 32,
gyre.func @norm_of_two_axes(%y: !gyre.tensor<E x 4 x 8 x f32>) -> (a: !gyre.tensor<E x 4 x 8 x f32>) {
  %n = gyre.contract %y[e, k, c], %y[e, k, c] -> [e] : !gyre.tensor<E x 4 x 8 x f32>, !gyre.tensor<E x 4 x 8 x f32>
  %r = math.rsqrt %n : !gyre.tensor<E x f32>
  %a = gyre.contract %y[e, k, c], %r[e] -> [e, k, c] : !gyre.tensor<E x 4 x 8 x f32>, !gyre.tensor<E x f32>
  gyre.return %a : !gyre.tensor<E x 4 x 8 x f32>
}

// Cells of 8 bytes: half as many.
// CHECK-LABEL: gyre.func @double
// CPU: schedule <places [lane], vector 8, lanes 1,
// CUDA: schedule <places [lane], vector 2, lanes 32,
gyre.func @double(%y: !gyre.tensor<E x 64 x f64>) -> (a: !gyre.tensor<E x 64 x f64>) {
  %a = math.exp %y : !gyre.tensor<E x 64 x f64>
  gyre.return %a : !gyre.tensor<E x 64 x f64>
}

// The threads of a block do not hold all of two axes, and what is summed over lanes is not in several blocks.
// CHECK-LABEL: gyre.func @wide
// CPU: schedule <places [unrolled, lane], vector
// CUDA: schedule <places [unrolled, lane], vector 2, lanes 160,
gyre.func @wide(%y: !gyre.tensor<E x 25 x 258 x f32>) -> (a: !gyre.tensor<E x 25 x 258 x f32>) {
  %n = gyre.contract %y[e, k, c] -> [e] : !gyre.tensor<E x 25 x 258 x f32>
  %a = gyre.contract %y[e, k, c], %n[e] -> [e, k, c] : !gyre.tensor<E x 25 x 258 x f32>, !gyre.tensor<E x f32>
  gyre.return %a : !gyre.tensor<E x 25 x 258 x f32>
}

// Nor do they in vectors of one cell, which would leave fewer threads without any.
// CHECK-LABEL: gyre.func @narrow
// CUDA: schedule <places [lane, lane], vector 4, lanes 640,
gyre.func @narrow(%y: !gyre.tensor<E x 25 x 100 x f32>) -> (a: !gyre.tensor<E x 25 x 100 x f32>) {
  %a = math.exp %y : !gyre.tensor<E x 25 x 100 x f32>
  gyre.return %a : !gyre.tensor<E x 25 x 100 x f32>
}
