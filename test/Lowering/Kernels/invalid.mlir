// RUN: gyre-opt %s --gyre-lower-kernels -verify-diagnostics -split-input-file

gyre.func @op(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[lower-kernel-op] expected kernels only (gyre-fuse makes them), got math.exp}}
  %y = math.exp %x : !gyre.tensor<E x f32>
  gyre.return %y : !gyre.tensor<E x f32>
}

// -----

gyre.func @halves(%x: !gyre.tensor<E x f16>) -> (y: !gyre.tensor<E x f16>) {
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !gyre.tensor<E x f16> {
    %0 = gyre.row %x axis 0 : !gyre.tensor<E x f16>
    // expected-error @+1 {{[lower-kernel-type] expected values of f16 or bf16 that are converted (gyre-widen-halves does it), got '!gyre.tensor<f16>'}}
    %1 = math.exp %0 : !gyre.tensor<f16>
    gyre.deliver %1 : !gyre.tensor<f16>
  }
  gyre.return %y : !gyre.tensor<E x f16>
}

// -----

gyre.func @halves_of_cells(%x: !gyre.tensor<E x f16>) -> (y: !gyre.tensor<E x f16>) {
  %y = gyre.cells : !gyre.tensor<E x f16> {
    // expected-error @+1 {{[lower-kernel-type] expected values of f16 or bf16 that are converted (gyre-widen-halves does it), got '!gyre.tensor<E x f16>'}}
    %0 = math.exp %x : !gyre.tensor<E x f16>
    gyre.deliver %0 : !gyre.tensor<E x f16>
  }
  gyre.return %y : !gyre.tensor<E x f16>
}

// -----

gyre.func @sum_of_halves(%x: !gyre.tensor<E x f16>) -> (y: !gyre.tensor<f16>) {
  // expected-error @+1 {{[lower-kernel-type] expected results of f64 or f32, or rows of f16 or bf16, got '!gyre.tensor<f16>'}}
  %y = gyre.kernel over E deliver [#gyre.delivery<total 0>] : !gyre.tensor<f16> {
    %0 = gyre.row %x axis 0 : !gyre.tensor<E x f16>
    gyre.deliver %0 : !gyre.tensor<f16>
  }
  gyre.return %y : !gyre.tensor<f16>
}

// -----

!e = !gyre.tensor<E x f32>

gyre.func @mask(%x: !e, %mask: !gyre.tensor<E x i1>) -> (y: !e) {
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <vector 1, lanes 1, workers 1, span 1, teams 1> : !e {
    %0 = gyre.row %x axis 0 : !e
    // expected-error @+1 {{[lower-kernel-type] expected values of f64, f32, f16 or bf16, got '!gyre.tensor<i1>'}}
    %1 = gyre.row %mask axis 0 : !gyre.tensor<E x i1>
    %2 = gyre.select %1, %0, %0 : !gyre.tensor<i1>, !gyre.tensor<f32>
    gyre.deliver %2 : !gyre.tensor<f32>
  }
  gyre.return %y : !e
}

// -----

!e = !gyre.tensor<E x f32>

gyre.func @accumulator(%x: !e) -> (y: !e) {
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <vector 1, lanes 1, workers 1, span 1, teams 1> : !e {
    %0 = gyre.row %x axis 0 : !e
    // expected-error @+1 {{[lower-kernel-type] expected an accumulator of the values' type, got 'f64'}}
    %1 = gyre.contract %0[] -> [] acc f64 : !gyre.tensor<f32>
    gyre.deliver %1 : !gyre.tensor<f32>
  }
  gyre.return %y : !e
}

// -----

!e = !gyre.tensor<E x f32>

gyre.func @no_schedule(%x: !e) -> (y: !e) {
  // expected-error @+1 {{[lower-kernel-schedule] expected a schedule (gyre-schedule gives one), got none}}
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !e {
    %0 = gyre.row %x axis 0 : !e
    gyre.deliver %0 : !gyre.tensor<f32>
  }
  gyre.return %y : !e
}

// -----

!e = !gyre.tensor<E x 4 x f32>

gyre.func @places(%x: !e) -> (y: !e) {
  // expected-error @+1 {{[lower-kernel-schedule] expected a place for each of 1 axes, got 2}}
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <places [lane, lane], vector 1, lanes 1, workers 1, span 1, teams 1> : !e {
    %0 = gyre.row %x axis 0 : !e
    gyre.deliver %0 : !gyre.tensor<4 x f32>
  }
  gyre.return %y : !e
}

// -----

!e = !gyre.tensor<E x 4 x f32>

gyre.func @lanes_of_some(%x: !e, %v: !gyre.tensor<8 x f32>) -> (y: !gyre.tensor<E x 4 x 8 x f32>) {
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <places [lane, lane], vector 1, lanes 1, workers 1, span 1, teams 1> : !gyre.tensor<E x 4 x 8 x f32> {
    // expected-error @+1 {{[schedule-lanes] expected values with all lane axes, in their order, or none of them, got 1 of 2 in '!gyre.tensor<4 x f32>'}}
    %0 = gyre.row %x axis 0 : !e
    %1 = gyre.contract %0[i], %v[j] -> [i, j] : !gyre.tensor<4 x f32>, !gyre.tensor<8 x f32>
    gyre.deliver %1 : !gyre.tensor<4 x 8 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 4 x 8 x f32>
}

// -----

!e = !gyre.tensor<E x 4 x f32>

// Of values from outside the kernel, too.
// expected-error @+1 {{[schedule-lanes] expected values with all lane axes, in their order, or none of them, got 1 of 2 in '!gyre.tensor<8 x f32>'}}
gyre.func @lanes_outside(%x: !gyre.tensor<E x f32>, %v: !gyre.tensor<8 x f32>) -> (y: !gyre.tensor<E x 4 x 8 x f32>) {
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <places [lane, lane], vector 1, lanes 1, workers 1, span 1, teams 1> : !gyre.tensor<E x 4 x 8 x f32> {
    %0 = gyre.row %x axis 0 : !gyre.tensor<E x f32>
    %1 = gyre.contract %0[], %v[j] -> [i, j] with (i = 4) : !gyre.tensor<f32>, !gyre.tensor<8 x f32>
    gyre.deliver %1 : !gyre.tensor<4 x 8 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 4 x 8 x f32>
}

// -----

!e = !gyre.tensor<E x 4 x f32>

gyre.func @lanes_tied(%x: !e) -> (y: !e) {
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <places [lane, unrolled], vector 1, lanes 1, workers 1, span 1, teams 1> : !e {
    %0 = gyre.row %x axis 0 : !e
    // expected-error @+1 {{[schedule-lanes] expected lane axes that no relation ties and that stand once in each contract, got others}}
    %1 = gyre.contract %0[i] -> [j] with (j = 4) over [i, j] {(0, 1)} : !gyre.tensor<4 x f32>
    gyre.deliver %1 : !gyre.tensor<4 x f32>
  }
  gyre.return %y : !e
}

// -----

!e = !gyre.tensor<E x 4 x f32>

gyre.func @lanes_twice(%x: !e) -> (y: !gyre.tensor<E x f32>) {
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <places [lane], vector 1, lanes 1, workers 1, span 1, teams 1> : !gyre.tensor<E x f32> {
    %0 = gyre.row %x axis 0 : !e
    // expected-error @+1 {{[schedule-lanes] expected lane axes that no relation ties and that stand once in each contract, got others}}
    %1 = gyre.contract %0[i], %0[j] -> [] : !gyre.tensor<4 x f32>, !gyre.tensor<4 x f32>
    gyre.deliver %1 : !gyre.tensor<f32>
  }
  gyre.return %y : !gyre.tensor<E x f32>
}

// -----

!e = !gyre.tensor<E x 8 x f32>
!v = !gyre.tensor<8 x f32>

gyre.func @sum_of_some_lanes(%x: !e) -> (y: !e) {
  // expected-error @+1 {{[lower-kernel-schedule] expected one vector along one lane axis, for a body that goes on with a sum over lanes, got #gyre.schedule<places [lane], vector 4, lanes 1, workers 1, span 1, teams 1>}}
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <places [lane], vector 4, lanes 1, workers 1, span 1, teams 1> : !e {
    %0 = gyre.row %x axis 0 : !e
    %1 = gyre.contract %0[i] -> [] : !v
    %2 = gyre.contract %0[i], %1[] -> [i] : !v, !gyre.tensor<f32>
    gyre.deliver %2 : !v
  }
  gyre.return %y : !e
}

// -----

gyre.func @parts(%x: !gyre.tensor<E x 8 x f32>) -> (y: !gyre.tensor<E x 8 x f32>) {
  // expected-error @+1 {{[lower-kernel-schedule] expected no limit of vectors alive for the CPU, got #gyre.schedule<places [lane], vector 8, lanes 1, workers 1, span 1, teams 1 alive 3>}}
  %y = gyre.kernel over E deliver [#gyre.delivery<row 0>] schedule <places [lane], vector 8, lanes 1, workers 1, span 1, teams 1 alive 3> : !gyre.tensor<E x 8 x f32> {
    %0 = gyre.row %x axis 0 : !gyre.tensor<E x 8 x f32>
    gyre.deliver %0 : !gyre.tensor<8 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 8 x f32>
}

// -----

gyre.func @comprehension(%x: !gyre.tensor<E x 64 x f32>) -> (y: !gyre.tensor<E x 40 x f32>) {
  %y = gyre.cells : !gyre.tensor<E x 40 x f32> {
    // expected-error @+1 {{[lower-relation] expected an evaluated relation (gyre-specialise evaluates it), got a comprehension}}
    %0 = gyre.contract %x[e, c] -> [e, k] with (k = 40) over {(k = 7)} : !gyre.tensor<E x 64 x f32>
    gyre.deliver %0 : !gyre.tensor<E x 40 x f32>
  }
  gyre.return %y : !gyre.tensor<E x 40 x f32>
}

// -----

!m = !gyre.map<[e: E] to N>

gyre.func @nodes_on_a_cpu(%x: !gyre.tensor<E x 8 x f32>, %m: !m) -> (y: !gyre.tensor<N x 8 x f32>) {
  // expected-error @+1 {{[lower-kernel-schedule] expected ranges of rows for the CPU, got #gyre.schedule<places [lane], vector 1, lanes 1, workers 1, span 1, teams 1 heavy 8>}}
  %y = gyre.kernel over E by %m : !m deliver [#gyre.delivery<segment 0>] schedule <places [lane], vector 1, lanes 1, workers 1, span 1, teams 1 heavy 8> : !gyre.tensor<N x 8 x f32> {
    %0 = gyre.row %x axis 0 : !gyre.tensor<E x 8 x f32>
    gyre.deliver %0 : !gyre.tensor<8 x f32>
  }
  gyre.return %y : !gyre.tensor<N x 8 x f32>
}
