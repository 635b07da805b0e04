// RUN: gyre-opt %s -verify-diagnostics -split-input-file

!x = !gyre.tensor<N x 4 x f32>
!y = !gyre.tensor<E x 4 x f32>
!row = !gyre.tensor<4 x f32>

gyre.func @kernel_owner_rows(%y: !y, %m: !gyre.map<[e: E, k: 2] to N>) -> (x: !x) {
  // expected-error @+1 {{[kernel-owner] expected an owner of E references, got 2*E}}
  %x = gyre.kernel over E by %m : !gyre.map<[e: E, k: 2] to N> deliver [#gyre.delivery<segment 0>] : !x {
    %0 = gyre.row %y axis 0 : !y
    gyre.deliver %0 : !row
  }
  gyre.return %x : !x
}

// -----

!x = !gyre.tensor<N x 4 x f32>
!y = !gyre.tensor<E x 4 x f32>
!row = !gyre.tensor<4 x f32>

gyre.func @kernel_owner_none(%y: !y) -> (x: !x) {
  // expected-error @+1 {{[kernel-owner] expected an owner, to deliver segments of, got none}}
  %x = gyre.kernel over E deliver [#gyre.delivery<segment 0>] : !x {
    %0 = gyre.row %y axis 0 : !y
    gyre.deliver %0 : !row
  }
  gyre.return %x : !x
}

// -----

!y = !gyre.tensor<E x 4 x f32>

gyre.func @kernel_delivery_end(%y: !y) -> (x: !y) {
  // expected-error @+1 {{[kernel-delivery] expected gyre.deliver at the end, got llvm.unreachable}}
  %x = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !y {
    llvm.unreachable
  }
  gyre.return %x : !y
}

// -----

!y = !gyre.tensor<E x 4 x f32>
!row = !gyre.tensor<4 x f32>

gyre.func @kernel_delivery_count(%y: !y) -> (x: !y) {
  // expected-error @+1 {{[kernel-delivery] expected a delivery and a result for each of 2 values, got 2 deliveries and 1 results}}
  %x = gyre.kernel over E deliver [#gyre.delivery<row 0>, #gyre.delivery<row 0>] : !y {
    %0 = gyre.row %y axis 0 : !y
    gyre.deliver %0, %0 : !row, !row
  }
  gyre.return %x : !y
}

// -----

!y = !gyre.tensor<E x 4 x f32>
!row = !gyre.tensor<4 x f32>

gyre.func @kernel_delivery_missing(%y: !y) -> (x: !y) {
  // expected-error @+1 {{[kernel-delivery] expected a delivery and a result for each of 1 values, got 0 deliveries and 1 results}}
  %x = gyre.kernel over E deliver [] : !y {
    %0 = gyre.row %y axis 0 : !y
    gyre.deliver %0 : !row
  }
  gyre.return %x : !y
}

// -----

gyre.func @kernel_delivery_none() {
  // expected-error @+1 {{[kernel-delivery] expected a value to deliver, got none}}
  "gyre.kernel"() <{rows = #gyre.poly<E>, deliveries = [], operandSegmentSizes = array<i32: 0>}> ({
    gyre.deliver
  }) : () -> ()
  gyre.return
}

// -----

!y = !gyre.tensor<E x 4 x f32>
!row = !gyre.tensor<4 x f32>

gyre.func @kernel_result(%y: !y) -> (x: !gyre.tensor<4 x E x f32>) {
  // expected-error @+1 {{[kernel-result] expected result 0 to be '!gyre.tensor<E x 4 x f32>', got '!gyre.tensor<4 x E x f32>'}}
  %x = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !gyre.tensor<4 x E x f32> {
    %0 = gyre.row %y axis 0 : !y
    gyre.deliver %0 : !row
  }
  gyre.return %x : !gyre.tensor<4 x E x f32>
}

// -----

!x = !gyre.tensor<N x 4 x f32>
!y = !gyre.tensor<E x 4 x f32>
!row = !gyre.tensor<4 x f32>
!m = !gyre.map<[e: E] to N>

gyre.func @kernel_result_segment(%y: !y, %m: !m) -> (x: !y) {
  // expected-error @+1 {{[kernel-result] expected result 0 to be '!gyre.tensor<N x 4 x f32>', got '!gyre.tensor<E x 4 x f32>'}}
  %x = gyre.kernel over E by %m : !m deliver [#gyre.delivery<segment 0>] : !y {
    %0 = gyre.row %y axis 0 : !y
    gyre.deliver %0 : !row
  }
  gyre.return %x : !y
}

// -----

!y = !gyre.tensor<E x 4 x f32>
!row = !gyre.tensor<4 x f32>

gyre.func @kernel_result_axis(%y: !y) -> (x: !y) {
  // expected-error @+1 {{[kernel-result] expected a delivery that fits '!gyre.tensor<4 x f32>', got #gyre.delivery<row 2>}}
  %x = gyre.kernel over E deliver [#gyre.delivery<row 2>] : !y {
    %0 = gyre.row %y axis 0 : !y
    gyre.deliver %0 : !row
  }
  gyre.return %x : !y
}

// -----

!y = !gyre.tensor<E x 4 x f32>
!row = !gyre.tensor<4 x f32>

gyre.func @kernel_result_negative(%y: !y) -> (x: !y) {
  // expected-error @+1 {{[kernel-result] expected a delivery that fits '!gyre.tensor<4 x f32>', got #gyre.delivery<row -1>}}
  %x = gyre.kernel over E deliver [#gyre.delivery<row -1>] : !y {
    %0 = gyre.row %y axis 0 : !y
    gyre.deliver %0 : !row
  }
  gyre.return %x : !y
}

// -----

!y = !gyre.tensor<E x 4 x f32>
!row = !gyre.tensor<4 x f32>

gyre.func @kernel_result_total(%y: !y) -> (x: !row) {
  // expected-error @+1 {{[kernel-result] expected a delivery that fits '!gyre.tensor<4 x f32>', got #gyre.delivery<total 1>}}
  %x = gyre.kernel over E deliver [#gyre.delivery<total 1>] : !row {
    %0 = gyre.row %y axis 0 : !y
    gyre.deliver %0 : !row
  }
  gyre.return %x : !row
}

// -----

!y = !gyre.tensor<E x 4 x f32>
!row = !gyre.tensor<4 x f32>

gyre.func @row_axis(%y: !y) -> (x: !y) {
  %x = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !y {
    // expected-error @+1 {{[row-axis] expected an axis in [0, 2), got 2}}
    %0 = gyre.row %y axis 2 : !y
    gyre.deliver %0 : !row
  }
  gyre.return %x : !y
}

// -----

!y = !gyre.tensor<E x 4 x f32>
!row = !gyre.tensor<E x f32>

gyre.func @row_size(%y: !y) -> (x: !gyre.tensor<E x E x f32>) {
  %x = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !gyre.tensor<E x E x f32> {
    // expected-error @+1 {{[row-size] expected dimension 1 to be E, got 4}}
    %0 = gyre.row %y axis 1 : !y
    gyre.deliver %0 : !row
  }
  gyre.return %x : !gyre.tensor<E x E x f32>
}

// -----

!y = !gyre.tensor<E x 4 x f32>
!row = !gyre.tensor<4 x f32>
!m = !gyre.map<[e: E] to N>

gyre.func @row_size_target(%y: !y, %m: !m) -> (x: !y) {
  %x = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !y {
    // expected-error @+1 {{[row-size] expected dimension 0 to be N, got E}}
    %0 = gyre.row %y axis 0 over %m : !y, !m
    gyre.deliver %0 : !row
  }
  gyre.return %x : !y
}

// -----

!x = !gyre.tensor<N x 4 x f32>
!y = !gyre.tensor<E x 4 x f32>
!row = !gyre.tensor<4 x f32>
!m = !gyre.map<[e: M] to N>

gyre.func @row_size_map(%x: !x, %m: !m) -> (y: !y) {
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !y {
    // expected-error @+1 {{[row-size] expected a map of E references, got '!gyre.map<[e: M] to N>'}}
    %0 = gyre.row %x axis 0 over %m : !x, !m
    gyre.deliver %0 : !row
  }
  gyre.return %y : !y
}

// -----

!y = !gyre.tensor<E x 4 x f32>

gyre.func @row_outside(%y: !y) {
  // expected-error @+1 {{'gyre.row' op expects parent op 'gyre.kernel'}}
  %0 = gyre.row %y axis 0 : !y
  gyre.return
}

// -----

gyre.func @deliver_outside() {
  // expected-error @+1 {{'gyre.deliver' op expects parent op to be one of 'gyre.kernel, gyre.cells'}}
  gyre.deliver
}

// -----

// expected-error @+1 {{[schedule-number] expected positive numbers, got 0}}
module attributes {test.schedule = #gyre.schedule<vector 0, lanes 1, workers 1, span 1, teams 1>} {}

// -----

// expected-error @+1 {{[schedule-number] expected positive numbers, got -1}}
module attributes {test.schedule = #gyre.schedule<vector 1, lanes 1, workers 1, span 1, teams -1>} {}

// -----

// expected-error @+1 {{[schedule-number] expected positive numbers, got 0}}
module attributes {test.schedule = #gyre.schedule<vector 1, lanes 1, workers 1, span 1, teams 1 warps 0>} {}

// -----

// expected-error @+1 {{[schedule-number] expected 0 or more vectors alive, got -2}}
module attributes {test.schedule = #gyre.schedule<vector 1, lanes 1, workers 1, span 1, teams 1 alive -2>} {}

// -----

// expected-error @+1 {{[schedule-number] expected 0 or more rows of a heavy node, got -3}}
module attributes {test.schedule = #gyre.schedule<vector 1, lanes 1, workers 1, span 1, teams 1 heavy -3>} {}

// -----

gyre.func @cells_end(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[cells-delivery] expected gyre.deliver at the end, got llvm.unreachable}}
  %y = gyre.cells : !gyre.tensor<E x f32> {
    llvm.unreachable
  }
  gyre.return %y : !gyre.tensor<E x f32>
}

// -----

gyre.func @cells_nothing() {
  // expected-error @+1 {{[cells-delivery] expected a value to deliver, got none}}
  "gyre.cells"() ({
    gyre.deliver
  }) : () -> ()
  gyre.return
}

// -----

gyre.func @cells_type(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<N x f32>) {
  // expected-error @+1 {{[cells-delivery] expected results of the types '!gyre.tensor<E x f32>', got '!gyre.tensor<N x f32>'}}
  %y = gyre.cells : !gyre.tensor<N x f32> {
    gyre.deliver %x : !gyre.tensor<E x f32>
  }
  gyre.return %y : !gyre.tensor<N x f32>
}

// -----

gyre.func @no_parts(%x: !gyre.tensor<E x 2 x f32>) -> (y: !gyre.tensor<2 x f32>) {
  // expected-error @+1 {{[cells-parts] expected a positive number of parts, got 0}}
  %y = gyre.cells parts 0 : !gyre.tensor<2 x f32> {
    %0 = gyre.contract %x[e, i] -> [i] : !gyre.tensor<E x 2 x f32>
    gyre.deliver %0 : !gyre.tensor<2 x f32>
  }
  gyre.return %y : !gyre.tensor<2 x f32>
}

// -----

gyre.func @parts_of_nothing(%x: !gyre.tensor<E x 2 x f32>) -> (y: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[cells-parts] expected one value, a contract that sums an axis of runtime size, to be cut into parts, got others}}
  %y = gyre.cells parts 2 : !gyre.tensor<E x f32> {
    %0 = gyre.contract %x[e, i] -> [e] : !gyre.tensor<E x 2 x f32>
    gyre.deliver %0 : !gyre.tensor<E x f32>
  }
  gyre.return %y : !gyre.tensor<E x f32>
}

// -----

// expected-error @+1 {{[tile-number] expected positive numbers, got 0}}
module attributes {test.tile = #gyre.tile<block 128 x 64 depth 16, thread 8 x 8, stages 0 warps 16>} {}

// -----

// expected-error @+1 {{[tile-number] expected two to 8 stages, got 1}}
module attributes {test.tile = #gyre.tile<block 128 x 64 depth 16, thread 8 x 8, stages 1 warps 16>} {}

// -----

// expected-error @+1 {{[tile-number] expected two to 8 stages, got 1000000000}}
module attributes {test.tile = #gyre.tile<block 128 x 64 depth 16, thread 8 x 8, stages 1000000000 warps 16>} {}

// -----

// expected-error @+1 {{[tile-number] expected a depth of at most 256, got 4611686018427387904}}
module attributes {test.tile = #gyre.tile<block 128 x 64 depth 4611686018427387904, thread 8 x 8, stages 2 warps 16>} {}

// -----

// expected-error @+1 {{[tile-number] expected at most 512 cells of a thread, got 1024 x 4}}
module attributes {test.tile = #gyre.tile<block 8192 x 64 depth 16, thread 1024 x 4, stages 2 warps 16>} {}

// -----

// expected-error @+1 {{[tile-number] expected a depth and a thread's rows and columns in fours, got 6}}
module attributes {test.tile = #gyre.tile<block 128 x 64 depth 6, thread 8 x 8, stages 3 warps 16>} {}

// -----

// expected-error @+1 {{[tile-threads] expected threads that share 100 x 64 cells evenly, got 8 x 8 each}}
module attributes {test.tile = #gyre.tile<block 100 x 64 depth 16, thread 8 x 8, stages 3 warps 16>} {}

// -----

// expected-error @+1 {{[tile-threads] expected whole warps, at most 1024 threads, got 16}}
module attributes {test.tile = #gyre.tile<block 32 x 32 depth 16, thread 8 x 8, stages 3 warps 16>} {}

// -----

// expected-error @+1 {{[tile-warpgroups] expected whole warpgroups, of whose threads each has 2 rows and a quarter of the block's columns, and 3 stages or more, got 4 x 16 of 128 x 64 in 3}}
module attributes {test.tile = #gyre.tile<block 128 x 64 depth 32, thread 4 x 16, stages 3 warps 16 warpgroups true>} {}

// -----

// expected-error @+1 {{[tile-warpgroups] expected whole warpgroups, of whose threads each has 2 rows and a quarter of the block's columns, and 3 stages or more, got 2 x 16 of 64 x 64 in 2}}
module attributes {test.tile = #gyre.tile<block 64 x 64 depth 32, thread 2 x 16, stages 2 warps 16 warpgroups true>} {}

// -----

// expected-error @+1 {{[tile-warpgroups] expected whole warpgroups, of whose threads each has 2 rows and a quarter of the block's columns, and 3 stages or more, got 2 x 16 of 32 x 64 in 3}}
module attributes {test.tile = #gyre.tile<block 32 x 64 depth 32, thread 2 x 16, stages 3 warps 16 warpgroups true>} {}

// -----

// expected-error @+1 {{[tile-warpgroups] expected at most 256 columns and a depth in 32s, got 272 and 32}}
module attributes {test.tile = #gyre.tile<block 64 x 272 depth 32, thread 2 x 68, stages 3 warps 8 warpgroups true>} {}

// -----

// expected-error @+1 {{[tile-warpgroups] expected at most 256 columns and a depth in 32s, got 64 and 48}}
module attributes {test.tile = #gyre.tile<block 64 x 64 depth 48, thread 2 x 16, stages 3 warps 16 warpgroups true>} {}
