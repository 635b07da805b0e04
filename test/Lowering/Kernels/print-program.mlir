// Programs of kernels for people to read, on stderr; the module is left as it was.
// RUN: gyre-opt %s --gyre-print-program -o %t 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
// RUN: gyre-opt %s | diff - %t
// RUN: not gyre-opt %S/../../Schedule/split.mlir --gyre-fuse --gyre-print-program 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: [lower-kernel-schedule] expected a schedule (gyre-schedule gives one), got none

!m = !gyre.map<[e: E] to N>
!x = !gyre.tensor<N x 4 x f64>
!e = !gyre.tensor<3 x E x 4 x f64>

//      CHECK:program two_kernels
// CHECK-NEXT:  kernel 0 over E by dst
// CHECK-NEXT:    reads      w, a[:, row], x[src[row]]
// CHECK-NEXT:    axes       3 unrolled, 4 lane
// CHECK-NEXT:    cells      7 read, 8 terms of sums, 4 vectors alive
// CHECK-NEXT:    lanes      2 of 2 cells
// CHECK-NEXT:    workers    up to 8, of 16 rows or more, 4 a block
// CHECK-NEXT:    delivers   0.0 segment 0, t total 0, 0.2 row 1
// CHECK-NEXT:  kernel 1 over N
// CHECK-NEXT:    reads      0.0[row]
// CHECK-NEXT:    axes       4 lane
// CHECK-NEXT:    cells      1 read, 0 terms of sums, 2 vectors alive
// CHECK-NEXT:    lanes      1 of 4 cells
// CHECK-NEXT:    workers    up to 1, of 1 rows or more, 1 a block
// CHECK-NEXT:    delivers   y row 0
// CHECK-NEXT:  workspace
// CHECK-NEXT:    4*N elements of 8 bytes: 0.0
// CHECK-NEXT:    12*E elements of 8 bytes: 0.2
// CHECK-NEXT:    64 elements of 8 bytes: partial rows of 0.0
// CHECK-NEXT:    32 elements of 8 bytes: partial rows of t
gyre.func @two_kernels(%x: !x, %a: !e, %w: !gyre.tensor<3 x f64>, %src: !m, %dst: !m)
    -> (y: !x, t: !gyre.tensor<4 x f64>) {
  %0:3 = gyre.kernel over E by %dst : !m
      deliver [#gyre.delivery<segment 0>, #gyre.delivery<total 0>, #gyre.delivery<row 1>]
      schedule <places [unrolled, lane], vector 2, lanes 2, workers 8, span 16, teams 4>
      : !x, !gyre.tensor<4 x f64>, !e {
    %a0 = gyre.row %a axis 1 : !e
    %x0 = gyre.row %x axis 0 over %src : !x, !m
    %b = gyre.contract %w[k], %a0[k, c] -> [c] : !gyre.tensor<3 x f64>, !gyre.tensor<3 x 4 x f64>
    %c = gyre.contract %w[k], %x0[c] -> [k, c] : !gyre.tensor<3 x f64>, !gyre.tensor<4 x f64>
    %d = arith.addf %b, %x0 : !gyre.tensor<4 x f64>
    gyre.deliver %d, %x0, %c : !gyre.tensor<4 x f64>, !gyre.tensor<4 x f64>, !gyre.tensor<3 x 4 x f64>
  }
  %1 = gyre.kernel over N deliver [#gyre.delivery<row 0>]
      schedule <places [lane], vector 4, lanes 1, workers 1, span 1, teams 1> : !x {
    %r = gyre.row %0#0 axis 0 : !x
    %s = math.exp %r : !gyre.tensor<4 x f64>
    gyre.deliver %s : !gyre.tensor<4 x f64>
  }
  gyre.return %1, %0#1 : !x, !gyre.tensor<4 x f64>
}

// A program without kernels, and one that needs no workspace.
//      CHECK:program nothing
// CHECK-NEXT:program rows
// CHECK-NEXT:  kernel 0 over N
//      CHECK:    delivers   y row 0
// CHECK-NOT:workspace
gyre.func @nothing() {
  gyre.return
}
gyre.func @rows(%x: !x) -> (y: !x) {
  %0 = gyre.kernel over N deliver [#gyre.delivery<row 0>]
      schedule <places [lane], vector 4, lanes 1, workers 1, span 1, teams 1> : !x {
    %r = gyre.row %x axis 0 : !x
    gyre.deliver %r : !gyre.tensor<4 x f64>
  }
  gyre.return %0 : !x
}

// Kernels of cells have no rows: each cell of what they deliver is computed by itself.
// CHECK:program weights
// CHECK-NEXT:  kernel 0 of cells
// CHECK-NEXT:    reads      u, g
// CHECK-NEXT:    computes   gyre.contract
// CHECK-NEXT:    parts      4
// CHECK-NEXT:    delivers   gw
// CHECK-NEXT:  workspace
// CHECK-NEXT:    32 elements of 4 bytes: parts of gw
gyre.func @weights(%u: !gyre.tensor<E x 2 x f32>, %g: !gyre.tensor<E x 4 x f32>) -> (gw: !gyre.tensor<2 x 4 x f32>) {
  %gw = gyre.cells parts 4 : !gyre.tensor<2 x 4 x f32> {
    %0 = gyre.contract %u[e, i], %g[e, o] -> [i, o] : !gyre.tensor<E x 2 x f32>, !gyre.tensor<E x 4 x f32>
    gyre.deliver %0 : !gyre.tensor<2 x 4 x f32>
  }
  gyre.return %gw : !gyre.tensor<2 x 4 x f32>
}

// A product on matrix units, and another one on none.
// CHECK:program modes
// CHECK:    tile       128 x 64 of depth 32, a thread 4 x 8, 3 stages
// CHECK-NEXT:    precision  fp16x3 on matrix units
// CHECK-NEXT:    delivers   y
// CHECK:    computes   gyre.contract
// CHECK-NEXT:    precision  tf32 as ieee
// CHECK-NEXT:    delivers   z
gyre.func @modes(%u: !gyre.tensor<E x 64 x f32>, %w: !gyre.tensor<64 x 64 x f32>) -> (y: !gyre.tensor<E x 64 x f32>, z: !gyre.tensor<E x 64 x f32>) {
  %y = gyre.cells tile <block 128 x 64 depth 32, thread 4 x 8, stages 3 warps 16> : !gyre.tensor<E x 64 x f32> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision fp16x3 : !gyre.tensor<E x 64 x f32>, !gyre.tensor<64 x 64 x f32>
    gyre.deliver %0 : !gyre.tensor<E x 64 x f32>
  }
  %z = gyre.cells : !gyre.tensor<E x 64 x f32> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision tf32 : !gyre.tensor<E x 64 x f32>, !gyre.tensor<64 x 64 x f32>
    gyre.deliver %0 : !gyre.tensor<E x 64 x f32>
  }
  gyre.return %y, %z : !gyre.tensor<E x 64 x f32>, !gyre.tensor<E x 64 x f32>
}

// A product on tiles.
// CHECK:program product
// CHECK-NEXT:  kernel 0 of cells
// CHECK-NEXT:    reads      w, u
// CHECK-NEXT:    computes   gyre.contract
// CHECK-NEXT:    tile       128 x 64 of depth 16, a thread 8 x 8, 3 stages
// CHECK-NEXT:    delivers   y
gyre.func @product(%u: !gyre.tensor<E x 256 x f32>, %w: !gyre.tensor<256 x 192 x f32>) -> (y: !gyre.tensor<E x 192 x f32>) {
  %y = gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16> : !gyre.tensor<E x 192 x f32> {
    %0 = gyre.contract %w[i, o], %u[e, i] -> [e, o] : !gyre.tensor<256 x 192 x f32>, !gyre.tensor<E x 256 x f32>
    gyre.deliver %0 : !gyre.tensor<E x 192 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 192 x f32>
}
