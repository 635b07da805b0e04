// Products of matrices on tiles: slabs of operands to shared memory, ahead of their use; sums in registers.
// RUN: gyre-opt %s --gyre-lower-kernels=target=cuda --cse | FileCheck %s

!u = !gyre.tensor<E x 64 x f32>
!w = !gyre.tensor<64 x 64 x f32>

// Two slabs are copied before the first is multiplied, 16 bytes at a time: four times by each thread for the
// rows, two times for the columns. The barrier keeps a slab until all threads have read it. Where a slab has
// more than eight steps of depth, it is a loop of eight: 512 products. 16 vectors of four cells are stored.
// CHECK-LABEL: gpu.func @gyre_product_cells_0(
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK-SAME: nvvm.minctasm = 4 : i32
// CHECK-COUNT-12: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
// CHECK-NOT: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 1
// CHECK-NEXT: gpu.barrier
// CHECK-COUNT-6: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
// CHECK-NOT: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK-COUNT-512: arith.mulf %{{.*}}, %{{.*}} fastmath<contract> : f32
// CHECK-NOT: arith.mulf
// CHECK: scf.yield
// CHECK: scf.yield
// CHECK-NOT: gpu.barrier
// CHECK-COUNT-16: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>
// CHECK-NOT: llvm.store
// CHECK: gpu.return
gyre.func @product(%u: !u, %w: !w) -> (y: !u) {
  %y = gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16> : !u {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !u, !w
    gyre.deliver %0 : !u
  }
  gyre.return %y : !u
}

// Odd sizes: a number at a time, none beyond the ends.
// CHECK-LABEL: gpu.func @gyre_odd_cells_0(
// CHECK: %[[BYTES:.*]] = arith.select %{{.*}}, %c4_i32, %c0_i32
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca, %[[BYTES]]
// CHECK-NOT: nvvm.cp.async.shared.global %{{.*}}, 16,
// CHECK: scf.if
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : f32
// CHECK: gpu.return
gyre.func @odd(%u: !gyre.tensor<E x 33 x f32>, %w: !gyre.tensor<33 x 35 x f32>) -> (y: !gyre.tensor<E x 35 x f32>) {
  %y = gyre.cells tile <block 64 x 32 depth 8, thread 8 x 8, stages 2 warps 8> : !gyre.tensor<E x 35 x f32> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !gyre.tensor<E x 33 x f32>, !gyre.tensor<33 x 35 x f32>
    gyre.deliver %0 : !gyre.tensor<E x 35 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 35 x f32>
}

// What is no array in strides is computed by the threads, and stored. The other operand is copied.
// CHECK-LABEL: gpu.func @gyre_gathered_cells_0(
// CHECK: scf.for
// CHECK: scf.if %{{.*}} -> (f32)
// CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
// CHECK: gpu.return
gyre.func @gathered(%x: !gyre.tensor<N x 64 x f32>, %m: !gyre.map<[e: E] to N, padded>, %w: !w) -> (y: !u) {
  %y = gyre.cells tile <block 64 x 64 depth 8, thread 8 x 8, stages 2 warps 8> : !u {
    %0 = gyre.gather %x over %m axis 0 : !gyre.tensor<N x 64 x f32>, !gyre.map<[e: E] to N, padded>
    %1 = gyre.contract %0[e, i], %w[i, o] -> [e, o] : !u, !w
    gyre.deliver %1 : !u
  }
  gyre.return %y : !u
}

// Pieces are ranges of a kernel's blocks. What none of them has is zero, and so is written first.
// CHECK-LABEL: gpu.func @gyre_pieces_cells_0_zeros(
// CHECK: llvm.store %cst, %{{.*}} : f32, !llvm.ptr
// CHECK-LABEL: gpu.func @gyre_pieces_cells_0(
// CHECK: scf.if
// CHECK: nvvm.cp.async.wait.group
// CHECK: } else {
// CHECK: nvvm.cp.async.wait.group
// CHECK: gpu.return
gyre.func @pieces(%u: !u, %a: !w, %b: !w) -> (y: !gyre.tensor<E x 192 x f32>) {
  %y = gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16> : !gyre.tensor<E x 192 x f32> {
    %0 = gyre.contract %u[e, i], %a[i, o] -> [e, o] : !u, !w
    %1 = gyre.contract %u[e, i], %b[o, i] -> [e, o] : !u, !w
    %2 = gyre.concat %0, %1 axis 1 : !u, !u
    %3 = gyre.pad %2 axis 1 low 64 high 0 : !gyre.tensor<E x 128 x f32>
    gyre.deliver %3 : !gyre.tensor<E x 192 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 192 x f32>
}

// The parts of a sum are tiles of their own, and added by a kernel for cells.
// CHECK-LABEL: gpu.func @gyre_gradient_cells_0(
// CHECK: arith.ceildivsi %{{.*}}, %c5_i64
// CHECK: gpu.return
// CHECK-LABEL: gpu.func @gyre_gradient_cells_0_sums(
// CHECK: scf.for %{{.*}} = %c0_i64 to %c5_i64
gyre.func @gradient(%u: !u, %g: !u) -> (gw: !w) {
  %gw = gyre.cells parts 5 tile <block 64 x 64 depth 8, thread 8 x 8, stages 2 warps 8> : !w {
    %0 = gyre.contract %u[e, i], %g[e, o] -> [i, o] : !u, !u
    gyre.deliver %0 : !w
  }
  gyre.return %gw : !w
}

// Of many parts each warp of a block adds some, and one of them what these are.
// CHECK-LABEL: gpu.func @gyre_many_parts_cells_0_sums(
// CHECK-SAME: known_block_size = array<i32: 192, 1, 1>
// CHECK: %[[WARP:.*]] = arith.divui %{{.*}}, %c32_i64
// CHECK: scf.if
// CHECK: %[[FIRST:.*]] = arith.muli %[[WARP]], %c50_i64
// CHECK: %[[LAST:.*]] = arith.addi %[[FIRST]], %c50_i64
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[LAST]]
// CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr<3>
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK-COUNT-6: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
// CHECK-NOT: llvm.load
// CHECK: gpu.return
gyre.func @many_parts(%u: !gyre.tensor<E x 32 x f32>, %g: !gyre.tensor<E x 96 x f32>) -> (gw: !gyre.tensor<32 x 96 x f32>) {
  %gw = gyre.cells parts 300 tile <block 32 x 96 depth 16, thread 4 x 8, stages 3 warps 16> : !gyre.tensor<32 x 96 x f32> {
    %0 = gyre.contract %u[e, i], %g[e, o] -> [i, o] : !gyre.tensor<E x 32 x f32>, !gyre.tensor<E x 96 x f32>
    gyre.deliver %0 : !gyre.tensor<32 x 96 x f32>
  }
  gyre.return %gw : !gyre.tensor<32 x 96 x f32>
}

// Parts of some cells of a result are counted as the product counts them, and the others are zero.
// CHECK-LABEL: gpu.func @gyre_some_cells_0_zeros(
// CHECK-LABEL: gpu.func @gyre_some_cells_0(
// CHECK-LABEL: gpu.func @gyre_some_cells_0_sums(
// CHECK: arith.constant 4096 : i64
// CHECK: arith.cmpi slt,
// CHECK: scf.for
// CHECK: arith.mulf %{{.*}}, %cst{{.*}} : f32
gyre.func @some(%u: !u, %g: !u) -> (gw: !gyre.tensor<3 x 64 x 64 x f32>) {
  %gw = gyre.cells parts 5 tile <block 64 x 64 depth 8, thread 8 x 8, stages 2 warps 8> : !gyre.tensor<3 x 64 x 64 x f32> {
    %0 = gyre.contract %u[e, i], %g[e, o] -> [t, i, o] with (t = 3) over [t] {(1) * 2.0} : !u, !u
    gyre.deliver %0 : !gyre.tensor<3 x 64 x 64 x f32>
  }
  gyre.return %gw : !gyre.tensor<3 x 64 x 64 x f32>
}

// What follows the product is computed from its sums.
// CHECK-LABEL: gpu.func @gyre_followed_cells_0(
// CHECK-COUNT-64: math.exp
// CHECK-NOT: math.exp
// CHECK: gpu.return
gyre.func @followed(%u: !u, %w: !w) -> (y: !u) {
  %y = gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16> : !u {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !u, !w
    %1 = math.exp %0 : !u
    %2 = arith.addf %1, %u : !u
    gyre.deliver %2 : !u
  }
  gyre.return %y : !u
}

// Two products are added to the same sums, one after the other; slabs of the second lie as those of the first do, whose array
// has its depth innermost, though its own has not.
// CHECK-LABEL: gpu.func @gyre_added_cells_0(
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
// CHECK: %[[S:.*]]:66 = scf.for
// CHECK: gpu.barrier
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca
// CHECK: %[[T:.*]]:66 = scf.for {{.*}}iter_args(%{{[^ ]*}} = %[[S]]#0, %{{[^ ]*}} = %[[S]]#1,
// CHECK-NOT: arith.addf %[[S]]#
// CHECK: gpu.return
gyre.func @added(%u: !u, %w: !w, %v: !gyre.tensor<64 x E x f32>, %x: !w) -> (y: !u) {
  %y = gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16> : !u {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !u, !w
    %1 = gyre.contract %v[i, e], %x[i, o] -> [e, o] : !gyre.tensor<64 x E x f32>, !w
    %2 = arith.addf %0, %1 : !u
    gyre.deliver %2 : !u
  }
  gyre.return %y : !u
}

// What is added to a block of rows that nothing else needs is written where these are; else they are
// copied first.
// CHECK-NOT: gyre_placed_cells_0_rest
// CHECK-LABEL: gpu.func @gyre_placed_cells_0(
// CHECK: llvm.load %{{[^ ]*}} {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: gpu.return
// CHECK-LABEL: gpu.func @gyre_copied_cells_0_rest(
// CHECK-LABEL: gpu.func @gyre_copied_cells_0(
gyre.func @placed(%u: !u, %w: !w) -> (y: !gyre.tensor<E x 128 x f32>) {
  %r = gyre.cells : !gyre.tensor<E x 128 x f32> {
    %0 = gyre.contract %u[e, i] -> [e, (t, i)] with (t = 2) : !u
    gyre.deliver %0 : !gyre.tensor<E x 128 x f32>
  }
  %y = gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16> : !gyre.tensor<E x 128 x f32> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !u, !w
    %1 = gyre.contract %0[e, o] -> [e, (t, o)] with (t = 2) over [t] {(1)} : !u
    %2 = arith.addf %r, %1 : !gyre.tensor<E x 128 x f32>
    gyre.deliver %2 : !gyre.tensor<E x 128 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 128 x f32>
}
gyre.func @copied(%u: !u, %w: !w, %r: !gyre.tensor<E x 128 x f32>) -> (y: !gyre.tensor<E x 128 x f32>) {
  %y = gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16> : !gyre.tensor<E x 128 x f32> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !u, !w
    %1 = gyre.contract %0[e, o] -> [e, (t, o)] with (t = 2) over [t] {(1)} : !u
    %2 = arith.addf %r, %1 : !gyre.tensor<E x 128 x f32>
    gyre.deliver %2 : !gyre.tensor<E x 128 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 128 x f32>
}

// Each cell of a product goes to several of the result, and a block beside these has none of it.
// Neighbours of the latter are read and written at once.
// CHECK-LABEL: gpu.func @gyre_gates_cells_0_beside_0(
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr -> f32
// CHECK: math.exp
// CHECK-COUNT-3: llvm.load %{{.*}} {alignment = {{4|8}} : i64} : !llvm.ptr -> f32
// CHECK-COUNT-4: llvm.store %{{.*}} : f32, !llvm.ptr
// CHECK-NOT: llvm.store
// CHECK: gpu.return
// CHECK-LABEL: gpu.func @gyre_gates_cells_0(
// CHECK-COUNT-48: llvm.store %{{[^ ]*}}, %{{[^ ]*}} {alignment = 16 : i64} : vector<4xf32>
// CHECK-NOT: llvm.store
// CHECK: gpu.return
gyre.func @gates(%z: !gyre.tensor<E x 256 x f32>, %u: !u, %w: !w) -> (y: !gyre.tensor<E x 256 x f32>) {
  %y = gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16> : !gyre.tensor<E x 256 x f32> {
    %0 = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !u, !w
    %1 = gyre.slice %z axis 1 from 64 size 192 : !gyre.tensor<E x 256 x f32>
    %2 = gyre.contract %1[e, (c, d)], %0[e, (g, d)] -> [e, (c, d)] with (c = 3, d = 64, g = 1) over [c, g] {(0, 0), (1, 0), (2, 0)} : !gyre.tensor<E x 192 x f32>, !u
    %3 = math.exp %u : !u
    %4 = gyre.concat %3, %2 axis 1 : !u, !gyre.tensor<E x 192 x f32>
    gyre.deliver %4 : !gyre.tensor<E x 256 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 256 x f32>
}

// CHECK-LABEL: func.func @pieces__body
// CHECK: gpu.launch_func @gyre_device::@gyre_pieces_cells_0_zeros
// CHECK: gpu.launch_func @gyre_device::@gyre_pieces_cells_0
// CHECK-NOT: gpu.launch_func
// CHECK: return
