// Values that a kernel of cells only puts one after the other are written there at once.
// RUN: gyre-opt %s --gyre-print-program 2>&1 >/dev/null | FileCheck %s
// RUN: gyre-opt %s --gyre-lower-kernels=target=cuda --cse | FileCheck %s --check-prefix=CODE

!x = !gyre.tensor<E x 4 x f32>
!all = !gyre.tensor<2 x E x 4 x f32>
!one = !gyre.tensor<1 x E x 4 x f32>

// There is no kernel for the stack, and the second value begins where the first one ends.
// CHECK-LABEL: program stacked
// CHECK: kernel 1 of cells, whose parts are there
// CHECK-NOT: workspace
// CODE-NOT: gpu.func @gyre_stacked_cells_0
// CODE-LABEL: func.func @stacked__body
// CODE: %[[CELLS:.*]] = arith.muli %c4_i64, %{{.*}} : i64
// CODE: %[[SECOND:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CODE: gpu.launch_func
// CODE-NOT: gpu.launch_func
// CODE: return
gyre.func @stacked(%x: !x) -> (all: !all) {
  %0:2 = gyre.kernel over E deliver [#gyre.delivery<row 0>, #gyre.delivery<row 0>]
      schedule <places [lane], vector 4, lanes 32, workers 8, span 16, teams 1> : !x, !x {
    %1 = gyre.row %x axis 0 : !x
    %2 = math.exp %1 : !gyre.tensor<4 x f32>
    %3 = math.sin %1 : !gyre.tensor<4 x f32>
    gyre.deliver %2, %3 : !gyre.tensor<4 x f32>, !gyre.tensor<4 x f32>
  }
  %all = gyre.cells : !all {
    %1 = gyre.contract %0#0[e, c] -> [t, e, c] with (t = 1) : !x
    %2 = gyre.contract %0#1[e, c] -> [t, e, c] with (t = 1) : !x
    %3 = gyre.concat %1, %2 axis 0 : !one, !one
    gyre.deliver %3 : !all
  }
  gyre.return %all : !all
}

// Not what is returned itself, nor an argument.
// CHECK-LABEL: program returned
// CHECK: kernel 1 of cells
// CHECK-NOT: there
// CHECK: program
gyre.func @returned(%x: !x) -> (all: !all, y: !x) {
  %0 = gyre.kernel over E deliver [#gyre.delivery<row 0>]
      schedule <places [lane], vector 4, lanes 32, workers 8, span 16, teams 1> : !x {
    %1 = gyre.row %x axis 0 : !x
    %2 = math.exp %1 : !gyre.tensor<4 x f32>
    gyre.deliver %2 : !gyre.tensor<4 x f32>
  }
  %all = gyre.cells : !all {
    %1 = gyre.contract %0[e, c] -> [t, e, c] with (t = 1) : !x
    %2 = gyre.contract %x[e, c] -> [t, e, c] with (t = 1) : !x
    %3 = gyre.concat %1, %2 axis 0 : !one, !one
    gyre.deliver %3 : !all
  }
  gyre.return %all, %0 : !all, !x
}

// Nor parts of each row, nor what would begin where vectors do not, nor cells in another order.
// CHECK-LABEL: of_rows
// CHECK-NOT: there
gyre.func @of_rows(%x: !x) -> (y: !gyre.tensor<E x 8 x f32>) {
  %0:2 = gyre.kernel over E deliver [#gyre.delivery<row 0>, #gyre.delivery<row 0>]
      schedule <places [lane], vector 4, lanes 32, workers 8, span 16, teams 1> : !x, !x {
    %1 = gyre.row %x axis 0 : !x
    %2 = math.exp %1 : !gyre.tensor<4 x f32>
    gyre.deliver %1, %2 : !gyre.tensor<4 x f32>, !gyre.tensor<4 x f32>
  }
  %y = gyre.cells : !gyre.tensor<E x 8 x f32> {
    %1 = gyre.concat %0#0, %0#1 axis 1 : !x, !x
    gyre.deliver %1 : !gyre.tensor<E x 8 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 8 x f32>
}

gyre.func @unaligned(%x: !gyre.tensor<E x 3 x f32>) -> (y: !gyre.tensor<2*E x 3 x f32>) {
  %0:2 = gyre.kernel over E deliver [#gyre.delivery<row 0>, #gyre.delivery<row 0>]
      schedule <places [lane], vector 1, lanes 32, workers 8, span 16, teams 1> : !gyre.tensor<E x 3 x f32>, !gyre.tensor<E x 3 x f32> {
    %1 = gyre.row %x axis 0 : !gyre.tensor<E x 3 x f32>
    %2 = math.exp %1 : !gyre.tensor<3 x f32>
    gyre.deliver %1, %2 : !gyre.tensor<3 x f32>, !gyre.tensor<3 x f32>
  }
  %y = gyre.cells : !gyre.tensor<2*E x 3 x f32> {
    %1 = gyre.concat %0#0, %0#1 axis 0 : !gyre.tensor<E x 3 x f32>, !gyre.tensor<E x 3 x f32>
    gyre.deliver %1 : !gyre.tensor<2*E x 3 x f32>
  }
  gyre.return %y : !gyre.tensor<2*E x 3 x f32>
}

gyre.func @transposed(%x: !x) -> (y: !gyre.tensor<4 x E x f32>) {
  %0 = gyre.kernel over E deliver [#gyre.delivery<row 0>]
      schedule <places [lane], vector 4, lanes 32, workers 8, span 16, teams 1> : !x {
    %1 = gyre.row %x axis 0 : !x
    %2 = math.exp %1 : !gyre.tensor<4 x f32>
    gyre.deliver %2 : !gyre.tensor<4 x f32>
  }
  %y = gyre.cells : !gyre.tensor<4 x E x f32> {
    %1 = gyre.contract %0[e, c] -> [c, e] : !x
    gyre.deliver %1 : !gyre.tensor<4 x E x f32>
  }
  gyre.return %y : !gyre.tensor<4 x E x f32>
}

// A part of an array without gaps is no kernel, either.
// CHECK-LABEL: program part
// CHECK: kernel 0 of cells, whose parts are there
// CHECK-NOT: workspace
// CODE-LABEL: func.func @part__body
// CODE: %[[SECOND:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CODE: gpu.launch_func
// CODE-NOT: gpu.launch_func
// CODE: return
gyre.func @part(%all: !all) -> (y: !x) {
  %0 = gyre.cells : !one {
    %1 = gyre.slice %all axis 0 from 1 size 1 : !all
    gyre.deliver %1 : !one
  }
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>]
      schedule <places [lane], vector 4, lanes 32, workers 8, span 16, teams 1> : !x {
    %1 = gyre.row %0 axis 1 : !one
    %2 = gyre.contract %1[t, c] -> [c] with (t = 1) : !gyre.tensor<1 x 4 x f32>
    %3 = math.exp %2 : !gyre.tensor<4 x f32>
    gyre.deliver %3 : !gyre.tensor<4 x f32>
  }
  gyre.return %y : !x
}

// Not one that is returned, nor a part of each row.
// CHECK-LABEL: program returned_part
// CHECK-NOT: there
gyre.func @returned_part(%all: !all) -> (y: !one) {
  %0 = gyre.cells : !one {
    %1 = gyre.slice %all axis 0 from 1 size 1 : !all
    gyre.deliver %1 : !one
  }
  gyre.return %0 : !one
}

gyre.func @part_of_rows(%x: !x) -> (y: !gyre.tensor<E x 2 x f32>) {
  %0 = gyre.cells : !gyre.tensor<E x 2 x f32> {
    %1 = gyre.slice %x axis 1 from 2 size 2 : !x
    gyre.deliver %1 : !gyre.tensor<E x 2 x f32>
  }
  %y = gyre.cells : !gyre.tensor<E x 2 x f32> {
    %1 = math.exp %0 : !gyre.tensor<E x 2 x f32>
    gyre.deliver %1 : !gyre.tensor<E x 2 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 2 x f32>
}

// Tiles that another kernel puts beside its own are written there: 64 columns later. No kernel copies them.
// CHECK-LABEL: program beside
// CHECK: kernel 1 of cells
// CHECK-NOT: workspace
// CODE-LABEL: func.func @beside__body
// CODE: %[[LATER:[0-9]+]] = llvm.getelementptr %{{[0-9]+}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CODE: gpu.launch_func{{ +}}@gyre_device::@gyre_beside_cells_0 {{.*}}%[[LATER]] : !llvm.ptr)
// CODE: gpu.launch_func{{ +}}@gyre_device::@gyre_beside_cells_1
// CODE-NOT: gpu.launch_func
// CODE: return
gyre.func @beside(%x: !gyre.tensor<E x 64 x f32>, %w: !gyre.tensor<64 x 64 x f32>) -> (y: !gyre.tensor<E x 128 x f32>) {
  %0 = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !gyre.tensor<E x 64 x f32> {
    %1 = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !gyre.tensor<E x 64 x f32>, !gyre.tensor<64 x 64 x f32>
    gyre.deliver %1 : !gyre.tensor<E x 64 x f32>
  }
  %y = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !gyre.tensor<E x 128 x f32> {
    %1 = gyre.contract %x[e, i], %w[o, i] -> [e, o] : !gyre.tensor<E x 64 x f32>, !gyre.tensor<64 x 64 x f32>
    %2 = gyre.concat %1, %0 axis 1 : !gyre.tensor<E x 64 x f32>, !gyre.tensor<E x 64 x f32>
    gyre.deliver %2 : !gyre.tensor<E x 128 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 128 x f32>
}

// Not where something else reads it: it is copied.
// CHECK-LABEL: program beside_again
// CHECK: workspace
// CODE-LABEL: func.func @beside_again__body
// CODE: gpu.launch_func{{ +}}@gyre_device::@gyre_beside_again_cells_0
// CODE: gpu.launch_func{{ +}}@gyre_device::@gyre_beside_again_cells_1_beside_0
// CODE-COUNT-2: gpu.launch_func
// CODE-NOT: gpu.launch_func
// CODE: return
gyre.func @beside_again(%x: !gyre.tensor<E x 64 x f32>, %w: !gyre.tensor<64 x 64 x f32>) -> (y: !gyre.tensor<E x 128 x f32>, z: !gyre.tensor<E x 64 x f32>) {
  %0 = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !gyre.tensor<E x 64 x f32> {
    %1 = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !gyre.tensor<E x 64 x f32>, !gyre.tensor<64 x 64 x f32>
    gyre.deliver %1 : !gyre.tensor<E x 64 x f32>
  }
  %y = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !gyre.tensor<E x 128 x f32> {
    %1 = gyre.contract %x[e, i], %w[o, i] -> [e, o] : !gyre.tensor<E x 64 x f32>, !gyre.tensor<64 x 64 x f32>
    %2 = gyre.concat %1, %0 axis 1 : !gyre.tensor<E x 64 x f32>, !gyre.tensor<E x 64 x f32>
    gyre.deliver %2 : !gyre.tensor<E x 128 x f32>
  }
  %z = gyre.cells : !gyre.tensor<E x 64 x f32> {
    %1 = math.exp %0 : !gyre.tensor<E x 64 x f32>
    gyre.deliver %1 : !gyre.tensor<E x 64 x f32>
  }
  gyre.return %y, %z : !gyre.tensor<E x 128 x f32>, !gyre.tensor<E x 64 x f32>
}

// Nor where a kernel has zeros beside its own tiles: these are written to all of the result first.
// CHECK-LABEL: program beside_zeros
// CHECK: workspace
// CODE-LABEL: func.func @beside_zeros__body
// CODE: gpu.launch_func{{ +}}@gyre_device::@gyre_beside_zeros_cells_0
// CODE: gpu.launch_func{{ +}}@gyre_device::@gyre_beside_zeros_cells_1_zeros
// CODE: gpu.launch_func{{ +}}@gyre_device::@gyre_beside_zeros_cells_1_beside_0
// CODE: return
gyre.func @beside_zeros(%x: !gyre.tensor<E x 64 x f32>, %w: !gyre.tensor<64 x 64 x f32>) -> (y: !gyre.tensor<E x 192 x f32>) {
  %0 = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !gyre.tensor<E x 64 x f32> {
    %1 = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !gyre.tensor<E x 64 x f32>, !gyre.tensor<64 x 64 x f32>
    gyre.deliver %1 : !gyre.tensor<E x 64 x f32>
  }
  %y = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !gyre.tensor<E x 192 x f32> {
    %1 = gyre.contract %x[e, i], %w[o, i] -> [e, o] : !gyre.tensor<E x 64 x f32>, !gyre.tensor<64 x 64 x f32>
    %2 = gyre.pad %1 axis 1 low 0 high 64 : !gyre.tensor<E x 64 x f32>
    %3 = gyre.concat %2, %0 axis 1 : !gyre.tensor<E x 128 x f32>, !gyre.tensor<E x 64 x f32>
    gyre.deliver %3 : !gyre.tensor<E x 192 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 192 x f32>
}

// Nor where cells that lie side by side by the writer's sizes do not in the array.
// CHECK-LABEL: program beside_columns
// CHECK: workspace
// CODE-LABEL: func.func @beside_columns__body
// CODE: gpu.launch_func{{ +}}@gyre_device::@gyre_beside_columns_cells_1_beside_0
// CODE: return
gyre.func @beside_columns(%x: !gyre.tensor<E x 64 x f32>, %w: !gyre.tensor<64 x 64 x f32>, %v: !gyre.tensor<64 x 64 x 7 x f32>) -> (y: !gyre.tensor<E x 64 x 8 x f32>) {
  %0 = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !gyre.tensor<E x 64 x 1 x f32> {
    %1 = gyre.contract %x[e, i], %w[i, o] -> [e, o, c] with (c = 1) over [c] {(0)} : !gyre.tensor<E x 64 x f32>, !gyre.tensor<64 x 64 x f32>
    gyre.deliver %1 : !gyre.tensor<E x 64 x 1 x f32>
  }
  %y = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !gyre.tensor<E x 64 x 8 x f32> {
    %1 = gyre.contract %x[e, i], %v[i, o, c] -> [e, o, c] : !gyre.tensor<E x 64 x f32>, !gyre.tensor<64 x 64 x 7 x f32>
    %2 = gyre.concat %1, %0 axis 2 : !gyre.tensor<E x 64 x 7 x f32>, !gyre.tensor<E x 64 x 1 x f32>
    gyre.deliver %2 : !gyre.tensor<E x 64 x 8 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 64 x 8 x f32>
}

// What tiles are added to last is in the array of the sum, if nothing else reads it later.
// CHECK-LABEL: program added
// CHECK: kernel 1 of cells
// CHECK-NOT: workspace
// CODE-LABEL: func.func @added__body
// CODE: %[[ADDEND:[0-9]+]] = llvm.getelementptr %[[SUM:[0-9]+]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CODE: gpu.launch_func{{ +}}@gyre_device::@gyre_added_cells_0 {{.*}} %[[ADDEND]] : !llvm.ptr)
// CODE: gpu.launch_func{{ +}}@gyre_device::@gyre_added_cells_1 {{.*}} %[[ADDEND]] : !llvm.ptr, {{.*}} %[[SUM]] : !llvm.ptr)
// CODE: return
!rows = !gyre.tensor<E x 64 x f32>
gyre.func @added(%x: !rows, %w: !gyre.tensor<64 x 64 x f32>) -> (y: !rows) {
  %0 = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !rows {
    %1 = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !rows, !gyre.tensor<64 x 64 x f32>
    gyre.deliver %1 : !rows
  }
  %y = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !rows {
    %1 = gyre.contract %x[e, i], %w[o, i] -> [e, o] : !rows, !gyre.tensor<64 x 64 x f32>
    %2 = arith.addf %1, %0 : !rows
    gyre.deliver %2 : !rows
  }
  gyre.return %y : !rows
}

// Not if the product reads it, too, or a later kernel.
// CHECK-LABEL: program added_product
// CHECK: workspace
// CHECK-NEXT: 64*E elements of 4 bytes: 0.0
// CHECK-NOT: elements
// CHECK-LABEL: program added_later
// CHECK: workspace
// CHECK-NEXT: 64*E elements of 4 bytes: 0.0
// CHECK-NOT: elements
gyre.func @added_product(%x: !rows, %w: !gyre.tensor<64 x 64 x f32>) -> (y: !rows) {
  %0 = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !rows {
    %1 = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !rows, !gyre.tensor<64 x 64 x f32>
    gyre.deliver %1 : !rows
  }
  %y = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !rows {
    %1 = gyre.contract %0[e, i], %w[o, i] -> [e, o] : !rows, !gyre.tensor<64 x 64 x f32>
    %2 = arith.addf %1, %0 : !rows
    gyre.deliver %2 : !rows
  }
  gyre.return %y : !rows
}
gyre.func @added_later(%x: !rows, %w: !gyre.tensor<64 x 64 x f32>) -> (y: !rows, z: !rows) {
  %0 = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !rows {
    %1 = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !rows, !gyre.tensor<64 x 64 x f32>
    gyre.deliver %1 : !rows
  }
  %y = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !rows {
    %1 = gyre.contract %x[e, i], %w[o, i] -> [e, o] : !rows, !gyre.tensor<64 x 64 x f32>
    %2 = arith.addf %1, %0 : !rows
    gyre.deliver %2 : !rows
  }
  %z = gyre.cells : !rows {
    %1 = math.exp %0 : !rows
    gyre.deliver %1 : !rows
  }
  gyre.return %y, %z : !rows, !rows
}

// Sums of sums are in one array, the last one's.
// CHECK-LABEL: program added_again
// CHECK-COUNT-2: of cells, in place
// CHECK-NOT: workspace
// CHECK-LABEL: program added_to_read
// CHECK-COUNT-1: of cells, in place
// CHECK: workspace
// CHECK-NEXT: 64*E elements of 4 bytes: 0.0
// CHECK-NOT: elements
gyre.func @added_again(%x: !rows, %w: !gyre.tensor<64 x 64 x f32>) -> (y: !rows) {
  %0 = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !rows {
    %1 = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !rows, !gyre.tensor<64 x 64 x f32>
    gyre.deliver %1 : !rows
  }
  %2 = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !rows {
    %1 = gyre.contract %x[e, i], %w[o, i] -> [e, o] : !rows, !gyre.tensor<64 x 64 x f32>
    %3 = arith.addf %1, %0 : !rows
    gyre.deliver %3 : !rows
  }
  %y = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !rows {
    %1 = gyre.contract %x[e, i], %w[o, i] -> [e, o] : !rows, !gyre.tensor<64 x 64 x f32>
    %3 = arith.addf %1, %2 : !rows
    gyre.deliver %3 : !rows
  }
  gyre.return %y : !rows
}

// The last one reads the first, too: that has an array of its own.
gyre.func @added_to_read(%x: !rows, %w: !gyre.tensor<64 x 64 x f32>) -> (y: !rows) {
  %0 = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !rows {
    %1 = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !rows, !gyre.tensor<64 x 64 x f32>
    gyre.deliver %1 : !rows
  }
  %2 = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !rows {
    %1 = gyre.contract %x[e, i], %w[o, i] -> [e, o] : !rows, !gyre.tensor<64 x 64 x f32>
    %3 = arith.addf %1, %0 : !rows
    gyre.deliver %3 : !rows
  }
  %y = gyre.cells tile <block 128 x 64 depth 32, thread 8 x 8, stages 2 warps 16> : !rows {
    %1 = gyre.contract %0[e, i], %w[o, i] -> [e, o] : !rows, !gyre.tensor<64 x 64 x f32>
    %3 = arith.addf %1, %2 : !rows
    gyre.deliver %3 : !rows
  }
  gyre.return %y : !rows
}

// Nor is a block written beside tiles where all of them move on: its rows begin at other places there.
// CHECK-LABEL: program beside_move
// CHECK: workspace
// CHECK-NEXT: 64*E elements of 4 bytes: 0.0
// CODE-LABEL: func.func @beside_move__body
// CODE: gpu.launch_func{{ +}}@gyre_device::@gyre_beside_move_cells_1_beside_0
// CODE: return
gyre.func @beside_move(%u: !rows, %w: !gyre.tensor<64 x 64 x f32>) -> (y: !gyre.tensor<2 x E x 64 x f32>) {
  %0 = gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16> : !rows {
    %1 = gyre.contract %u[e, i], %w[o, i] -> [e, o] : !rows, !gyre.tensor<64 x 64 x f32>
    gyre.deliver %1 : !rows
  }
  %y = gyre.cells tile <block 128 x 64 depth 16, thread 8 x 8, stages 3 warps 16> : !gyre.tensor<2 x E x 64 x f32> {
    %1 = gyre.contract %u[e, i], %w[i, o] -> [e, o] : !rows, !gyre.tensor<64 x 64 x f32>
    %2 = gyre.concat %1, %0 axis 1 : !rows, !rows
    %3 = gyre.contract %2[e, (m, c)] -> [m, e, c] with (m = 2, c = 64) : !gyre.tensor<E x 128 x f32>
    gyre.deliver %3 : !gyre.tensor<2 x E x 64 x f32>
  }
  gyre.return %y : !gyre.tensor<2 x E x 64 x f32>
}
