// RUN: gyre-opt %s --gyre-schedule -verify-diagnostics -split-input-file

!y = !gyre.tensor<E x 6 x f32>
!z = !gyre.tensor<E x 6 x 6 x f32>
!row = !gyre.tensor<6 x f32>

gyre.func @axes(%y: !y) -> (a: !gyre.tensor<E x 2 x 3 x f32>, b: !gyre.tensor<E x 4 x 9 x f32>) {
  %a, %b = gyre.kernel over E deliver [#gyre.delivery<row 0>, #gyre.delivery<row 0>] : !gyre.tensor<E x 2 x 3 x f32>, !gyre.tensor<E x 4 x 9 x f32> {
    %0 = gyre.row %y axis 0 : !y
    %1 = gyre.contract %0[(i, j)] -> [i, j] with (i = 2, j = 3) : !row
    %2 = gyre.contract %0[i], %0[j] -> [(i, j)] : !row, !row
    // expected-error @+1 {{[schedule-axes] expected dimensions that split into the same axes wherever they are used, got others}}
    %3 = gyre.contract %2[(i, j)] -> [i, j] with (i = 4, j = 9) : !gyre.tensor<36 x f32>
    gyre.deliver %1, %3 : !gyre.tensor<2 x 3 x f32>, !gyre.tensor<4 x 9 x f32>
  }
  gyre.return %a, %b : !gyre.tensor<E x 2 x 3 x f32>, !gyre.tensor<E x 4 x 9 x f32>
}

// -----

!y = !gyre.tensor<E x 6 x f32>

gyre.func @sizes(%y: !y) -> (a: !y) {
  %a = gyre.kernel over E deliver [#gyre.delivery<total 0>] : !y {
    // expected-error @+1 {{[schedule-axes] expected values of constant sizes in a kernel's body, got '!gyre.tensor<E x 6 x f32>'}}
    %0 = math.exp %y : !y
    gyre.deliver %0 : !y
  }
  gyre.return %a : !y
}

// -----

!y = !gyre.tensor<E x 400 x f32>
!yy = !gyre.tensor<E x 400 x 400 x f32>

gyre.func @products(%x: !y, %y: !y) -> (a: !yy) {
  %a = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !yy {
    %0 = gyre.row %x axis 0 : !y
    // expected-error @+1 {{[schedule-size] expected a body of at most 100000 products and delivered cells, got more}}
    %1 = gyre.contract %0[i], %0[j] -> [i, j] : !gyre.tensor<400 x f32>, !gyre.tensor<400 x f32>
    gyre.deliver %1 : !gyre.tensor<400 x 400 x f32>
  }
  gyre.return %a : !yy
}

// -----

// Nobody waits for the cells of a body that is far too large.
!y = !gyre.tensor<E x 4294967296 x f32>
!yy = !gyre.tensor<E x 4294967296 x 4294967295 x f32>

gyre.func @many(%x: !y) -> (a: !yy) {
  %a = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !yy {
    %0 = gyre.row %x axis 0 : !y
    // expected-error @+1 {{[schedule-size] expected a body of at most 100000 products and delivered cells, got more}}
    %1 = gyre.contract %0[i] -> [i, j] with (j = 4294967295) over [i] {(0)} : !gyre.tensor<4294967296 x f32>
    gyre.deliver %1 : !gyre.tensor<4294967296 x 4294967295 x f32>
  }
  gyre.return %a : !yy
}

// -----

!x = !gyre.tensor<E x 2 x 100000 x f32>
!y = !gyre.tensor<E x 100000 x 2 x f32>

gyre.func @cells(%x: !x) -> (a: !x, b: !y) {
  // expected-error @+1 {{[schedule-size] expected a body of at most 100000 products and delivered cells, got more}}
  %a, %b = gyre.kernel over E deliver [#gyre.delivery<row 0>, #gyre.delivery<row 0>] : !x, !y {
    %0 = gyre.row %x axis 0 : !x
    %1 = gyre.contract %0[i, j] -> [j, i] over [i, j] {(0, 0)} : !gyre.tensor<2 x 100000 x f32>
    gyre.deliver %0, %1 : !gyre.tensor<2 x 100000 x f32>, !gyre.tensor<100000 x 2 x f32>
  }
  gyre.return %a, %b : !x, !y
}

// -----

!y = !gyre.tensor<E x 64 x f32>

gyre.func @comprehension(%y: !y) -> (a: !gyre.tensor<E x 40 x f32>) {
  %a = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !gyre.tensor<E x 40 x f32> {
    %0 = gyre.row %y axis 0 : !y
    // expected-error @+1 {{[schedule-relation] expected an evaluated relation (gyre-specialise evaluates it), got a comprehension}}
    %1 = gyre.contract %0[c] -> [k] with (k = 40) over {(k = 7)} : !gyre.tensor<64 x f32>
    gyre.deliver %1 : !gyre.tensor<40 x f32>
  }
  gyre.return %a : !gyre.tensor<E x 40 x f32>
}
