// Products of matrices get tiles where these are filled, and what is copied is used often.
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule=target=cuda | FileCheck %s
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule | FileCheck %s --check-prefix=CPU

// CPU-COUNT-17: gyre.cells {{(parts [0-9]+ )?}}:
// CPU-NOT: tile
// CPU-NOT: gyre.cells

!u = !gyre.tensor<E x 256 x f32>
!w = !gyre.tensor<256 x 384 x f32>

// Long sums have fewer warps, with more registers each.
// CHECK-LABEL: gyre.func @product
// CHECK: gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 12> :
gyre.func @product(%u: !u, %w: !w) -> (y: !gyre.tensor<E x 384 x f32>) {
  %y = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !u, !w
  gyre.return %y : !gyre.tensor<E x 384 x f32>
}

// CHECK-LABEL: gyre.func @short
// CHECK: gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> :
gyre.func @short(%u: !gyre.tensor<E x 192 x f32>, %w: !gyre.tensor<192 x 384 x f32>) -> (y: !gyre.tensor<E x 384 x f32>) {
  %y = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !gyre.tensor<E x 192 x f32>, !gyre.tensor<192 x 384 x f32>
  gyre.return %y : !gyre.tensor<E x 384 x f32>
}

// A number of 64 bits takes two registers.
// CHECK-LABEL: gyre.func @doubles
// CHECK: gyre.cells tile <block 64 x 64 depth 8, thread 8 x 4, stages 3 warps 16> :
gyre.func @doubles(%u: !gyre.tensor<E x 64 x f64>, %w: !gyre.tensor<64 x 64 x f64>) -> (y: !gyre.tensor<E x 64 x f64>) {
  %y = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !gyre.tensor<E x 64 x f64>, !gyre.tensor<64 x 64 x f64>
  gyre.return %y : !gyre.tensor<E x 64 x f64>
}

// Matrix units: where columns are the same for all rows, and packed before, a warp has all columns of the tile; else it
// has 64 x 32 cells, or 32 x 32 where there are few rows.
// CHECK-LABEL: gyre.func @matrix_units
// CHECK: gyre.cells tile <block 128 x 64 depth 32, thread 4 x 16, stages 2 warps 16> :
// CHECK-NEXT: precision fp16x3
gyre.func @matrix_units(%u: !u, %w: !w) -> (y: !gyre.tensor<E x 384 x f32>) {
  %y = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision fp16x3 : !u, !w
  gyre.return %y : !gyre.tensor<E x 384 x f32>
}

// CHECK-LABEL: gyre.func @own_columns
// CHECK: gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 4 warps 12> :
gyre.func @own_columns(%u: !gyre.tensor<B x 128 x 64 x f32>, %w: !gyre.tensor<B x 64 x 64 x f32>) -> (y: !gyre.tensor<B x 128 x 64 x f32>) {
  %y = gyre.contract %u[b, e, i], %w[b, i, o] -> [b, e, o] precision fp16x3 : !gyre.tensor<B x 128 x 64 x f32>, !gyre.tensor<B x 64 x 64 x f32>
  gyre.return %y : !gyre.tensor<B x 128 x 64 x f32>
}

// CHECK-LABEL: gyre.func @few_rows
// CHECK: gyre.cells parts {{[0-9]+}} tile <block 64 x 64 depth 32, thread 4 x 8, stages 2 warps 12> :
gyre.func @few_rows(%u: !gyre.tensor<E x 64 x f32>, %g: !gyre.tensor<E x 64 x f32>) -> (gw: !gyre.tensor<64 x 64 x f32>) {
  %gw = gyre.contract %u[e, i], %g[e, o] -> [i, o] precision tf32 : !gyre.tensor<E x 64 x f32>, !gyre.tensor<E x 64 x f32>
  gyre.return %gw : !gyre.tensor<64 x 64 x f32>
}

// What is summed in 64 bits is more exact than any mode of theirs.
// CHECK-LABEL: gyre.func @double_modes
// CHECK: gyre.cells tile <block 64 x 64 depth 8, thread 8 x 4, stages 3 warps 16> :
gyre.func @double_modes(%u: !gyre.tensor<E x 64 x f64>, %w: !gyre.tensor<64 x 64 x f64>) -> (y: !gyre.tensor<E x 64 x f64>) {
  %y = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision fp16x3 : !gyre.tensor<E x 64 x f64>, !gyre.tensor<64 x 64 x f64>
  gyre.return %y : !gyre.tensor<E x 64 x f64>
}

// Halves of a row, each with weights of its own.
// CHECK-LABEL: gyre.func @halves
// CHECK: gyre.cells tile
// CHECK-COUNT-2: gyre.contract
// CHECK: gyre.concat
gyre.func @halves(%u: !u, %a: !gyre.tensor<128 x 128 x f32>, %b: !gyre.tensor<128 x 128 x f32>) -> (y: !u) {
  %0 = gyre.slice %u axis 1 from 0 size 128 : !u
  %1 = gyre.slice %u axis 1 from 128 size 128 : !u
  %2 = gyre.contract %0[e, i], %a[i, o] -> [e, o] : !gyre.tensor<E x 128 x f32>, !gyre.tensor<128 x 128 x f32>
  %3 = gyre.contract %1[e, i], %b[i, o] -> [e, o] : !gyre.tensor<E x 128 x f32>, !gyre.tensor<128 x 128 x f32>
  %y = gyre.concat %2, %3 axis 1 : !gyre.tensor<E x 128 x f32>, !gyre.tensor<E x 128 x f32>
  gyre.return %y : !u
}

// The sum over rows is cut: 2 x 6 tiles, and 44 parts of each.
// CHECK-LABEL: gyre.func @gradient
// CHECK: gyre.cells parts 44 tile <block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16> :
gyre.func @gradient(%u: !u, %g: !gyre.tensor<E x 384 x f32>) -> (gw: !w) {
  %gw = gyre.contract %u[e, i], %g[e, o] -> [i, o] : !u, !gyre.tensor<E x 384 x f32>
  gyre.return %gw : !w
}

// Few cells, of each batch their own: a block has all of one, and reads no number twice.
// CHECK-LABEL: gyre.func @few_cells
// CHECK: gyre.cells parts 330 tile <block 32 x 96 depth 16, thread 4 x 8, stages 3 warps 16> :
gyre.func @few_cells(%u: !gyre.tensor<2 x E x 32 x f32>, %g: !gyre.tensor<2 x E x 96 x f32>) -> (gw: !gyre.tensor<2 x 32 x 96 x f32>) {
  %gw = gyre.contract %u[f, e, i], %g[f, e, o] -> [f, i, o] : !gyre.tensor<2 x E x 32 x f32>, !gyre.tensor<2 x E x 96 x f32>
  gyre.return %gw : !gyre.tensor<2 x 32 x 96 x f32>
}

// CHECK-LABEL: gyre.func @few_cells_of_matrix_units
// CHECK: gyre.cells parts 264 tile <block 32 x 96 depth 32, thread 4 x 8, stages 2 warps 12> :
gyre.func @few_cells_of_matrix_units(%u: !gyre.tensor<2 x E x 32 x f32>, %g: !gyre.tensor<2 x E x 96 x f32>) -> (gw: !gyre.tensor<2 x 32 x 96 x f32>) {
  %gw = gyre.contract %u[f, e, i], %g[f, e, o] -> [f, i, o] precision fp16x3 : !gyre.tensor<2 x E x 32 x f32>, !gyre.tensor<2 x E x 96 x f32>
  gyre.return %gw : !gyre.tensor<2 x 32 x 96 x f32>
}

// CHECK-LABEL: gyre.func @few_doubles
// CHECK: gyre.cells parts 660 tile <block 32 x 96 depth 8, thread 8 x 4, stages 3 warps 16> :
gyre.func @few_doubles(%u: !gyre.tensor<E x 32 x f64>, %g: !gyre.tensor<E x 96 x f64>) -> (gw: !gyre.tensor<32 x 96 x f64>) {
  %gw = gyre.contract %u[e, i], %g[e, o] -> [i, o] : !gyre.tensor<E x 32 x f64>, !gyre.tensor<E x 96 x f64>
  gyre.return %gw : !gyre.tensor<32 x 96 x f64>
}

// The fewest cells for which copies pay: a tile in which they are a quarter.
// CHECK-LABEL: gyre.func @fewest_cells
// CHECK: gyre.cells parts 1024 tile <block 32 x 32 depth 16, thread 4 x 4, stages 3 warps 16> :
gyre.func @fewest_cells(%u: !gyre.tensor<E x 16 x f32>, %g: !gyre.tensor<E x 17 x f32>) -> (gw: !gyre.tensor<16 x 17 x f32>) {
  %gw = gyre.contract %u[e, i], %g[e, o] -> [i, o] : !gyre.tensor<E x 16 x f32>, !gyre.tensor<E x 17 x f32>
  gyre.return %gw : !gyre.tensor<16 x 17 x f32>
}

// A third row of tiles would be mostly empty.
// CHECK-LABEL: gyre.func @thirds
// CHECK: gyre.cells parts 88 tile <block 96 x 64 depth 32, thread 4 x 8, stages 2 warps 12> :
gyre.func @thirds(%u: !gyre.tensor<E x 192 x f32>, %g: !gyre.tensor<E x 192 x f32>) -> (gw: !gyre.tensor<192 x 192 x f32>) {
  %gw = gyre.contract %u[e, i], %g[e, o] -> [i, o] precision fp16x3 : !gyre.tensor<E x 192 x f32>, !gyre.tensor<E x 192 x f32>
  gyre.return %gw : !gyre.tensor<192 x 192 x f32>
}

// Neighbours are gathered where they are copied.
// CHECK-LABEL: gyre.func @convolution
// CHECK: gyre.cells tile
// CHECK-NEXT: gyre.gather
// CHECK-NEXT: gyre.contract
gyre.func @convolution(%x: !gyre.tensor<B x 16 x N x f32>, %w: !gyre.tensor<32 x 16 x 9 x f32>, %m: !gyre.map<[k: 9, n: M] to N, padded>) -> (y: !gyre.tensor<B x 32 x M x f32>) {
  %0 = gyre.gather %x over %m axis 2 : !gyre.tensor<B x 16 x N x f32>, !gyre.map<[k: 9, n: M] to N, padded>
  %y = gyre.contract %0[b, c, k, n], %w[o, c, k] -> [b, o, n] : !gyre.tensor<B x 16 x 9 x M x f32>, !gyre.tensor<32 x 16 x 9 x f32>
  gyre.return %y : !gyre.tensor<B x 32 x M x f32>
}

// A sum whose cells are some of the result's, as the gradient of one layer's weights: 2 x 4 tiles.
// CHECK-LABEL: gyre.func @one_of_two
// CHECK: gyre.cells parts 66 tile
gyre.func @one_of_two(%u: !u, %g: !u) -> (gw: !gyre.tensor<2 x 256 x 256 x f32>) {
  %gw = gyre.contract %u[e, i], %g[e, o] -> [t, i, o] with (t = 2) over [t] {(1)} : !u, !u
  gyre.return %gw : !gyre.tensor<2 x 256 x 256 x f32>
}

// Not: sums of few terms; a relation with a choice.
// CHECK-NOT: gyre.cells tile
// CHECK-NOT: gyre.cells parts {{[0-9]+}} tile
gyre.func @thin(%u: !gyre.tensor<E x 4 x f32>, %w: !gyre.tensor<4 x 128 x f32>) -> (y: !gyre.tensor<E x 128 x f32>) {
  %y = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !gyre.tensor<E x 4 x f32>, !gyre.tensor<4 x 128 x f32>
  gyre.return %y : !gyre.tensor<E x 128 x f32>
}

gyre.func @tied(%u: !gyre.tensor<E x 2 x 64 x f32>, %w: !gyre.tensor<2 x 64 x 64 x f32>) -> (y: !gyre.tensor<E x 2 x 64 x f32>) {
  %y = gyre.contract %u[e, r, i], %w[s, i, o] -> [e, r, o] over [r, s] {(0, 1), (1, 0)} : !gyre.tensor<E x 2 x 64 x f32>, !gyre.tensor<2 x 64 x 64 x f32>
  gyre.return %y : !gyre.tensor<E x 2 x 64 x f32>
}
