// Kernels of cells: a loop over cells, or a thread for each; parts first, then their sums.
// RUN: gyre-opt %s --gyre-lower-kernels --cse | FileCheck %s --check-prefix=CPU
// RUN: gyre-opt %s --gyre-lower-kernels=target=cuda --cse | FileCheck %s --check-prefix=CUDA

!u = !gyre.tensor<E x 64 x f32>
!v = !gyre.tensor<E x 32 x f32>
!w = !gyre.tensor<64 x 32 x f32>

// A part of a cell sums a range of rows; the ranges of a cell are added in their order.
// CPU-LABEL: llvm.func internal unnamed_addr @gyre_gradient_cells_0(
// CPU: %[[CELL:.*]] = arith.remui %{{.*}}, %{{.*}} : i64
// CPU: %[[WIDTH:.*]] = arith.ceildivsi %{{.*}}, %c4_i64
// CPU: %[[LO:.*]] = arith.muli %{{.*}}, %[[WIDTH]]
// CPU: %[[END:.*]] = arith.addi %[[LO]], %[[WIDTH]]
// CPU: %[[HI:.*]] = arith.minsi %[[END]],
// CPU: scf.for %{{.*}} = %[[LO]] to %[[HI]] step %{{.*}} iter_args
// CPU-COUNT-2: llvm.load {{.*}} -> f32
// CPU: arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f32
// CPU-NEXT: arith.addf %{{.*}}, %{{.*}} fastmath<contract> : f32
// CPU-LABEL: llvm.func internal unnamed_addr @gyre_gradient_cells_0_sums(
// CPU: scf.for %{{.*}} = %c0_i64 to %c4_i64
// CPU: llvm.store
// CUDA-LABEL: gpu.func @gyre_gradient_cells_0(
// CUDA: scf.if
// CUDA: scf.for
// CUDA-LABEL: gpu.func @gyre_gradient_cells_0_sums(
// CUDA: scf.for %{{.*}} = %c0_i64 to %c4_i64
gyre.func @gradient(%u: !u, %g: !v) -> (gw: !w) {
  %gw = gyre.cells parts 4 : !w {
    %0 = gyre.contract %u[e, i], %g[e, o] -> [i, o] : !u, !v
    gyre.deliver %0 : !w
  }
  gyre.return %gw : !w
}

// A padded reference reads nothing.
// CPU-LABEL: llvm.func internal unnamed_addr @gyre_padded_cells_0(
// CPU: %[[NODE:.*]] = arith.extui
// CPU: %[[REAL:.*]] = arith.cmpi ult, %[[NODE]],
// CPU: scf.if %[[REAL]] -> (f32)
// CPU-NOT: scf.if
// CPU: llvm.return
gyre.func @padded(%x: !gyre.tensor<B x N x f32>, %m: !gyre.map<[e: E] to N, padded>) -> (y: !gyre.tensor<B x E x f32>) {
  %y = gyre.cells : !gyre.tensor<B x E x f32> {
    %0 = gyre.gather %x over %m axis 1 : !gyre.tensor<B x N x f32>, !gyre.map<[e: E] to N, padded>
    gyre.deliver %0 : !gyre.tensor<B x E x f32>
  }
  gyre.return %y : !gyre.tensor<B x E x f32>
}

// What two ops use is computed once.
// CPU-LABEL: llvm.func internal unnamed_addr @gyre_shared_cells_0(
// CPU-COUNT-1: math.exp
// CPU-NOT: math.exp
// CPU: llvm.return
gyre.func @shared(%x: !gyre.tensor<B x N x f32>) -> (y: !gyre.tensor<B x N x f32>) {
  %y = gyre.cells : !gyre.tensor<B x N x f32> {
    %0 = math.exp %x : !gyre.tensor<B x N x f32>
    %1 = math.sin %0 : !gyre.tensor<B x N x f32>
    %2 = arith.mulf %0, %1 : !gyre.tensor<B x N x f32>
    gyre.deliver %2 : !gyre.tensor<B x N x f32>
  }
  gyre.return %y : !gyre.tensor<B x N x f32>
}

// Results of other sizes are counted by themselves: those of one size together.
// CPU-LABEL: llvm.func internal unnamed_addr @gyre_sizes_cells_0(
// CPU: math.exp
// CPU: math.sin
// CPU: llvm.return
// CPU-LABEL: llvm.func internal unnamed_addr @gyre_sizes_cells_0_1(
// CPU: arith.addf
// CPU-NOT: math.
// CPU: llvm.return
gyre.func @sizes(%x: !gyre.tensor<B x N x f32>) -> (y: !gyre.tensor<B x N x f32>, z: !gyre.tensor<B x f32>, w: !gyre.tensor<B x N x f32>) {
  %y, %z, %w = gyre.cells : !gyre.tensor<B x N x f32>, !gyre.tensor<B x f32>, !gyre.tensor<B x N x f32> {
    %0 = math.exp %x : !gyre.tensor<B x N x f32>
    %1 = gyre.contract %x[b, n] -> [b] : !gyre.tensor<B x N x f32>
    %2 = math.sin %x : !gyre.tensor<B x N x f32>
    gyre.deliver %0, %1, %2 : !gyre.tensor<B x N x f32>, !gyre.tensor<B x f32>, !gyre.tensor<B x N x f32>
  }
  gyre.return %y, %z, %w : !gyre.tensor<B x N x f32>, !gyre.tensor<B x f32>, !gyre.tensor<B x N x f32>
}
