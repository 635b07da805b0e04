// RUN: %roundtrip %s | FileCheck %s

!src = !gyre.map<[e: E] to N>
!x = !gyre.tensor<N x 16 x f32>
!y = !gyre.tensor<E x 16 x f32>
!row = !gyre.tensor<16 x f32>

// CHECK-LABEL: gyre.func @owner
gyre.func @owner(%x: !x, %y: !y, %src: !src) -> (a: !x, b: !y, c: !row) {
  // CHECK: %[[K:.*]]:3 = gyre.kernel over E by %src : !gyre.map<[e: E] to N> deliver [#gyre.delivery<segment 0>, #gyre.delivery<row 0>, #gyre.delivery<total 0>] : !gyre.tensor<N x 16 x f32>, !gyre.tensor<E x 16 x f32>, !gyre.tensor<16 x f32> {
  // CHECK-NEXT: %[[Y:.*]] = gyre.row %y axis 0 : !gyre.tensor<E x 16 x f32>
  // CHECK-NEXT: %[[X:.*]] = gyre.row %x axis 0 over %src : !gyre.tensor<N x 16 x f32>, !gyre.map<[e: E] to N>
  // CHECK-NEXT: %[[P:.*]] = arith.mulf %[[Y]], %[[X]] : !gyre.tensor<16 x f32>
  // CHECK-NEXT: gyre.deliver %[[P]], %[[X]], %[[P]] : !gyre.tensor<16 x f32>, !gyre.tensor<16 x f32>, !gyre.tensor<16 x f32>
  // CHECK-NEXT: }
  %a, %b, %c = gyre.kernel over E by %src : !src
      deliver [#gyre.delivery<segment 0>, #gyre.delivery<row 0>, #gyre.delivery<total 0>] : !x, !y, !row {
    %0 = gyre.row %y axis 0 : !y
    %1 = gyre.row %x axis 0 over %src : !x, !src
    %2 = arith.mulf %0, %1 : !row
    gyre.deliver %2, %1, %2 : !row, !row, !row
  }
  // CHECK-NEXT: gyre.return %[[K]]#0, %[[K]]#1, %[[K]]#2
  gyre.return %a, %b, %c : !x, !y, !row
}

// Rows need no owner, nor be the first dimension; a schedule says how the kernel is carried out.
// CHECK-LABEL: gyre.func @rows
gyre.func @rows(%x: !gyre.tensor<2 x E x 4 x f32>) -> (y: !gyre.tensor<2 x 4 x E x f32>) {
  // CHECK: gyre.kernel over E deliver [#gyre.delivery<row 2>] schedule <places [unrolled, lane], vector 4, lanes 32, workers 1056, span 16, teams 4> {note = "kept"} : !gyre.tensor<2 x 4 x E x f32> {
  %y = gyre.kernel over E deliver [#gyre.delivery<row 2>]
      schedule <places [unrolled, lane], vector 4, lanes 32, workers 1056, span 16, teams 4>
      {note = "kept"} : !gyre.tensor<2 x 4 x E x f32> {
    // CHECK-NEXT: gyre.row %x axis 1 {note = "too"} : !gyre.tensor<2 x E x 4 x f32>
    %0 = gyre.row %x axis 1 {note = "too"} : !gyre.tensor<2 x E x 4 x f32>
    gyre.deliver %0 : !gyre.tensor<2 x 4 x f32>
  }
  gyre.return %y : !gyre.tensor<2 x 4 x E x f32>
}

// Values without rows are there as they are.
// CHECK-LABEL: gyre.func @whole
gyre.func @whole(%v: !row) -> (y: !row) {
  // CHECK: gyre.kernel over 2*E + 1 deliver [#gyre.delivery<total 0>] : !gyre.tensor<16 x f32> {
  // CHECK-NEXT: gyre.deliver %v : !gyre.tensor<16 x f32>
  %y = gyre.kernel over 2*E + 1 deliver [#gyre.delivery<total 0>] : !row {
    gyre.deliver %v : !row
  }
  gyre.return %y : !row
}

// Each cell by itself: values are whole. The sum of the second is cut into ranges.
// CHECK-LABEL: gyre.func @cells
gyre.func @cells(%x: !gyre.tensor<E x 16 x f32>) -> (y: !gyre.tensor<E x 2 x f32>, s: !row) {
  // CHECK: gyre.cells : !gyre.tensor<E x 2 x f32> {
  // CHECK-NEXT: gyre.slice %x axis 1 from 0 size 2
  // CHECK-NEXT: gyre.deliver %{{.*}} : !gyre.tensor<E x 2 x f32>
  %y = gyre.cells : !gyre.tensor<E x 2 x f32> {
    %0 = gyre.slice %x axis 1 from 0 size 2 : !gyre.tensor<E x 16 x f32>
    gyre.deliver %0 : !gyre.tensor<E x 2 x f32>
  }
  // CHECK: gyre.cells parts 64 : !gyre.tensor<16 x f32> {
  %s = gyre.cells parts 64 : !row {
    %0 = gyre.contract %x[e, i] -> [i] : !gyre.tensor<E x 16 x f32>
    gyre.deliver %0 : !row
  }
  gyre.return %y, %s : !gyre.tensor<E x 2 x f32>, !row
}

// Cells that are computed a block at a time, and a sum of them that is cut, too.
// CHECK-LABEL: gyre.func @tiles
gyre.func @tiles(%x: !gyre.tensor<E x 64 x f32>, %w: !gyre.tensor<64 x 64 x f32>)
    -> (y: !gyre.tensor<E x 64 x f32>, g: !gyre.tensor<64 x 64 x f32>) {
  // CHECK: gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16> : !gyre.tensor<E x 64 x f32> {
  %y = gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16> : !gyre.tensor<E x 64 x f32> {
    %0 = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !gyre.tensor<E x 64 x f32>, !gyre.tensor<64 x 64 x f32>
    gyre.deliver %0 : !gyre.tensor<E x 64 x f32>
  }
  // CHECK: gyre.cells parts 7 tile <block 64 x 64 depth 4, thread 4 x 8, stages 2 warps 8> : !gyre.tensor<64 x 64 x f32> {
  %g = gyre.cells parts 7 tile <block 64 x 64 depth 4, thread 4 x 8, stages 2 warps 8> : !gyre.tensor<64 x 64 x f32> {
    %0 = gyre.contract %x[e, i], %y[e, o] -> [i, o] : !gyre.tensor<E x 64 x f32>, !gyre.tensor<E x 64 x f32>
    gyre.deliver %0 : !gyre.tensor<64 x 64 x f32>
  }
  gyre.return %y, %g : !gyre.tensor<E x 64 x f32>, !gyre.tensor<64 x 64 x f32>
}

// The attributes by themselves.
// CHECK: #gyre.tile<block 64 x 32 depth 8, thread 8 x 4, stages 2 warps 12>
module attributes {test.tile = #gyre.tile<block 64 x 32 depth 8, thread 8 x 4, stages 2 warps 12>} {}
// CHECK: #gyre.delivery<segment 3>
module attributes {test.delivery = #gyre.delivery<segment 3>} {}
// CHECK: #gyre.schedule<vector 1, lanes 1, workers 1, span 1, teams 1>
module attributes {test.schedule = #gyre.schedule<vector 1, lanes 1, workers 1, span 1, teams 1>} {}
// CHECK: #gyre.schedule<places [lane, unrolled], vector 16, lanes 64, workers 256, span 32, teams 2>
module attributes {test.schedule = #gyre.schedule<places [lane, unrolled], vector 16, lanes 64, workers 256, span 32, teams 2>} {}
// CHECK: #gyre.schedule<places [lane], vector 4, lanes 96, workers 1024, span 16, teams 1 warps 32 heavy 64>
module attributes {test.schedule = #gyre.schedule<places [lane], vector 4, lanes 96, workers 1024, span 16, teams 1 warps 32 heavy 64>} {}
// CHECK: #gyre.tile<block 64 x 128 depth 32, thread 2 x 32, stages 3 warps 12 warpgroups true>
module attributes {test.tile = #gyre.tile<block 64 x 128 depth 32, thread 2 x 32, stages 3 warps 12 warpgroups true>} {}
