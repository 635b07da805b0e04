// RUN: gyre-opt %s --gyre-lower-kernels=target=cuda -verify-diagnostics -split-input-file

gyre.func @half_a_warp(%x: !gyre.tensor<E x 8 x f32>) -> (y: !gyre.tensor<E x 8 x f32>) {
  // expected-error @+1 {{[lower-kernel-schedule] expected lanes of whole warps, teams of one warp or one team, and vectors of up to 16 bytes that divide the innermost lane axis and hold all cells, got #gyre.schedule<places [lane], vector 1, lanes 16, workers 1, span 1, teams 1>}}
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <places [lane], vector 1, lanes 16, workers 1, span 1, teams 1> : !gyre.tensor<E x 8 x f32> {
    %0 = gyre.row %x axis 0 : !gyre.tensor<E x 8 x f32>
    gyre.deliver %0 : !gyre.tensor<8 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 8 x f32>
}

// -----

gyre.func @too_many_threads(%x: !gyre.tensor<E x 8 x f32>) -> (y: !gyre.tensor<E x 8 x f32>) {
  // expected-error @+1 {{[lower-kernel-schedule] expected lanes of whole warps, teams of one warp or one team, and vectors of up to 16 bytes that divide the innermost lane axis and hold all cells, got #gyre.schedule<places [lane], vector 1, lanes 32, workers 1, span 1, teams 33>}}
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <places [lane], vector 1, lanes 32, workers 1, span 1, teams 33> : !gyre.tensor<E x 8 x f32> {
    %0 = gyre.row %x axis 0 : !gyre.tensor<E x 8 x f32>
    gyre.deliver %0 : !gyre.tensor<8 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 8 x f32>
}

// -----

gyre.func @teams_of_two_warps(%x: !gyre.tensor<E x 8 x f32>) -> (y: !gyre.tensor<E x 8 x f32>) {
  // expected-error @+1 {{[lower-kernel-schedule] expected lanes of whole warps, teams of one warp or one team, and vectors of up to 16 bytes that divide the innermost lane axis and hold all cells, got #gyre.schedule<places [lane], vector 1, lanes 64, workers 1, span 1, teams 2>}}
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <places [lane], vector 1, lanes 64, workers 1, span 1, teams 2> : !gyre.tensor<E x 8 x f32> {
    %0 = gyre.row %x axis 0 : !gyre.tensor<E x 8 x f32>
    gyre.deliver %0 : !gyre.tensor<8 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 8 x f32>
}

// -----

gyre.func @wide_vector(%x: !gyre.tensor<E x 8 x f32>) -> (y: !gyre.tensor<E x 8 x f32>) {
  // expected-error @+1 {{[lower-kernel-schedule] expected lanes of whole warps, teams of one warp or one team, and vectors of up to 16 bytes that divide the innermost lane axis and hold all cells, got #gyre.schedule<places [lane], vector 8, lanes 32, workers 1, span 1, teams 1>}}
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <places [lane], vector 8, lanes 32, workers 1, span 1, teams 1> : !gyre.tensor<E x 8 x f32> {
    %0 = gyre.row %x axis 0 : !gyre.tensor<E x 8 x f32>
    gyre.deliver %0 : !gyre.tensor<8 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 8 x f32>
}

// -----

gyre.func @vector_of_three(%x: !gyre.tensor<E x 9 x f32>) -> (y: !gyre.tensor<E x 9 x f32>) {
  // expected-error @+1 {{[lower-kernel-schedule] expected lanes of whole warps, teams of one warp or one team, and vectors of up to 16 bytes that divide the innermost lane axis and hold all cells, got #gyre.schedule<places [lane], vector 3, lanes 32, workers 1, span 1, teams 1>}}
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <places [lane], vector 3, lanes 32, workers 1, span 1, teams 1> : !gyre.tensor<E x 9 x f32> {
    %0 = gyre.row %x axis 0 : !gyre.tensor<E x 9 x f32>
    gyre.deliver %0 : !gyre.tensor<9 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 9 x f32>
}

// -----

gyre.func @unaligned_rows(%x: !gyre.tensor<E x 7 x f32>) -> (y: !gyre.tensor<E x 7 x f32>) {
  // expected-error @+1 {{[lower-kernel-schedule] expected lanes of whole warps, teams of one warp or one team, and vectors of up to 16 bytes that divide the innermost lane axis and hold all cells, got #gyre.schedule<places [lane], vector 2, lanes 32, workers 1, span 1, teams 1>}}
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <places [lane], vector 2, lanes 32, workers 1, span 1, teams 1> : !gyre.tensor<E x 7 x f32> {
    %0 = gyre.row %x axis 0 : !gyre.tensor<E x 7 x f32>
    gyre.deliver %0 : !gyre.tensor<7 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 7 x f32>
}

// -----

gyre.func @too_few_lanes(%x: !gyre.tensor<E x 33 x f32>) -> (y: !gyre.tensor<E x 33 x f32>) {
  // expected-error @+1 {{[lower-kernel-schedule] expected lanes of whole warps, teams of one warp or one team, and vectors of up to 16 bytes that divide the innermost lane axis and hold all cells, got #gyre.schedule<places [lane], vector 1, lanes 32, workers 1, span 1, teams 1>}}
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <places [lane], vector 1, lanes 32, workers 1, span 1, teams 1> : !gyre.tensor<E x 33 x f32> {
    %0 = gyre.row %x axis 0 : !gyre.tensor<E x 33 x f32>
    gyre.deliver %0 : !gyre.tensor<33 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 33 x f32>
}

// -----

gyre.func @tile_of_none(%x: !gyre.tensor<E x 8 x f32>) -> (y: !gyre.tensor<E x 8 x f32>) {
  // expected-error @+1 {{[lower-kernel-tile] expected products of matrices for a tile, got others}}
  %y = gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16> : !gyre.tensor<E x 8 x f32> {
    %0 = math.exp %x : !gyre.tensor<E x 8 x f32>
    gyre.deliver %0 : !gyre.tensor<E x 8 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 8 x f32>
}

// -----

gyre.func @tile_of_warps(%u: !gyre.tensor<E x 64 x f32>, %w: !gyre.tensor<64 x 64 x f32>) -> (y: !gyre.tensor<E x 64 x f32>) {
  // expected-error @+1 {{[lower-kernel-tile] expected a tile of whole warps of 8 x 4 threads, each of a multiple of 8 columns, and a depth that is a multiple of 16, for matrix units, got #gyre.tile<block 64 x 64 depth 8, thread 8 x 4, stages 3 warps 16>}}
  %y = gyre.cells tile <block 64 x 64 depth 8, thread 8 x 4, stages 3 warps 16> : !gyre.tensor<E x 64 x f32> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision tf32 : !gyre.tensor<E x 64 x f32>, !gyre.tensor<64 x 64 x f32>
    gyre.deliver %0 : !gyre.tensor<E x 64 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 64 x f32>
}

// -----

gyre.func @sums_of_several_blocks(%x: !gyre.tensor<E x 4096 x f32>) -> (y: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[lower-kernel-schedule] expected at most 1024 lanes, those of one block, for a body that sums over them or writes what they share, got #gyre.schedule<places [lane], vector 1, lanes 4096, workers 1, span 1, teams 1>}}
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <places [lane], vector 1, lanes 4096, workers 1, span 1, teams 1> : !gyre.tensor<E x f32> {
    %0 = gyre.row %x axis 0 : !gyre.tensor<E x 4096 x f32>
    %1 = gyre.contract %0[c] -> [] : !gyre.tensor<4096 x f32>
    gyre.deliver %1 : !gyre.tensor<f32>
  }
  gyre.return %y : !gyre.tensor<E x f32>
}

// -----

gyre.func @rows_of_nodes(%x: !gyre.tensor<E x 8 x f32>) -> (y: !gyre.tensor<E x 8 x f32>) {
  // expected-error @+1 {{[lower-kernel-schedule] expected sums of nodes only where each node has a worker, got #gyre.schedule<places [lane], vector 1, lanes 32, workers 1, span 1, teams 1 heavy 8>}}
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <places [lane], vector 1, lanes 32, workers 1, span 1, teams 1 heavy 8> : !gyre.tensor<E x 8 x f32> {
    %0 = gyre.row %x axis 0 : !gyre.tensor<E x 8 x f32>
    gyre.deliver %0 : !gyre.tensor<8 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 8 x f32>
}

// -----

!m = !gyre.map<[e: E] to N>

gyre.func @sums_over_blocks(%x: !gyre.tensor<E x 512 x f32>, %m: !m) -> (y: !gyre.tensor<N x f32>) {
  // expected-error @+1 {{[lower-kernel-schedule] expected at most 256 lanes, those of one block, for a body that sums over them or writes what they share, got #gyre.schedule<places [lane], vector 1, lanes 512, workers 1, span 1, teams 1 heavy 8>}}
  %y = gyre.kernel over E by %m : !m deliver [#gyre.delivery<segment 0>] schedule <places [lane], vector 1, lanes 512, workers 1, span 1, teams 1 heavy 8> : !gyre.tensor<N x f32> {
    %0 = gyre.row %x axis 0 : !gyre.tensor<E x 512 x f32>
    %1 = gyre.contract %0[c] -> [] : !gyre.tensor<512 x f32>
    gyre.deliver %1 : !gyre.tensor<f32>
  }
  gyre.return %y : !gyre.tensor<N x f32>
}

// -----

gyre.func @tile_of_warpgroups(%u: !gyre.tensor<B x 128 x 64 x f32>, %w: !gyre.tensor<B x 64 x 64 x f32>) -> (y: !gyre.tensor<B x 128 x 64 x f32>) {
  // expected-error @+1 {{[lower-kernel-tile] expected products on matrix units whose columns are the same for all rows, for warpgroups, got others}}
  %y = gyre.cells tile <block 64 x 64 depth 32, thread 2 x 16, stages 3 warps 16 warpgroups true> : !gyre.tensor<B x 128 x 64 x f32> {
    %0 = gyre.contract %u[b, e, i], %w[b, i, o] -> [b, e, o] precision fp16x3 : !gyre.tensor<B x 128 x 64 x f32>, !gyre.tensor<B x 64 x 64 x f32>
    gyre.deliver %0 : !gyre.tensor<B x 128 x 64 x f32>
  }
  gyre.return %y : !gyre.tensor<B x 128 x 64 x f32>
}

// -----

// A block beside a product's that is multiplied, as the product is, comes of none.
gyre.func @multiplied_beside(%u: !gyre.tensor<E x 64 x f32>, %w: !gyre.tensor<64 x 64 x f32>, %z: !gyre.tensor<E x 128 x f32>) -> (y: !gyre.tensor<E x 128 x f32>) {
  // expected-error @below {{[lower-kernel-tile] expected products of matrices for a tile, got others}}
  %y = gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16> : !gyre.tensor<E x 128 x f32> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !gyre.tensor<E x 64 x f32>, !gyre.tensor<64 x 64 x f32>
    %1 = gyre.concat %0, %u axis 1 : !gyre.tensor<E x 64 x f32>, !gyre.tensor<E x 64 x f32>
    %2 = gyre.contract %1[e, d], %z[e, d] -> [e, d] : !gyre.tensor<E x 128 x f32>, !gyre.tensor<E x 128 x f32>
    gyre.deliver %2 : !gyre.tensor<E x 128 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 128 x f32>
}

// -----

// A term whose columns are no others' is not packed.
gyre.func @terms_of_warpgroups(%u: !gyre.tensor<E x 128 x f32>, %w: !gyre.tensor<128 x 64 x f32>, %a: !gyre.tensor<E x N x f32>, %c: !gyre.tensor<N x 64 x f32>) -> (y: !gyre.tensor<E x 64 x f32>) {
  // expected-error @+1 {{[lower-kernel-tile] expected products on matrix units whose columns are the same for all rows, for warpgroups, got others}}
  %y = gyre.cells tile <block 64 x 64 depth 32, thread 2 x 16, stages 3 warps 16 warpgroups true> : !gyre.tensor<E x 64 x f32> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision fp16x3 : !gyre.tensor<E x 128 x f32>, !gyre.tensor<128 x 64 x f32>
    %1 = gyre.contract %a[e, i], %c[i, o] -> [e, o] precision fp16x3 : !gyre.tensor<E x N x f32>, !gyre.tensor<N x 64 x f32>
    %2 = arith.addf %0, %1 : !gyre.tensor<E x 64 x f32>
    gyre.deliver %2 : !gyre.tensor<E x 64 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 64 x f32>
}

// -----

gyre.func @no_terms(%u: !gyre.tensor<E x 0 x f32>, %w: !gyre.tensor<0 x 64 x f32>) -> (y: !gyre.tensor<E x 64 x f32>) {
  // expected-error @+1 {{[lower-kernel-tile] expected a product of at least one column and one term for matrix units, got none}}
  %y = gyre.cells tile <block 64 x 64 depth 32, thread 4 x 16, stages 3 warps 16> : !gyre.tensor<E x 64 x f32> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] precision fp16x3 : !gyre.tensor<E x 0 x f32>, !gyre.tensor<0 x 64 x f32>
    gyre.deliver %0 : !gyre.tensor<E x 64 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 64 x f32>
}

// -----

gyre.func @large_tile(%u: !gyre.tensor<E x 256 x f32>, %w: !gyre.tensor<256 x 64 x f32>) -> (y: !gyre.tensor<E x 64 x f32>) {
  // expected-error @+1 {{[lower-kernel-tile] expected at most 232448 bytes of shared memory, got 401408 of #gyre.tile<block 128 x 64 depth 128, thread 8 x 8, stages 4 warps 16>}}
  %y = gyre.cells tile <block 128 x 64 depth 128, thread 8 x 8, stages 4 warps 16> : !gyre.tensor<E x 64 x f32> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !gyre.tensor<E x 256 x f32>, !gyre.tensor<256 x 64 x f32>
    gyre.deliver %0 : !gyre.tensor<E x 64 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 64 x f32>
}
