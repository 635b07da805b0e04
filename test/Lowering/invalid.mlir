// RUN: gyre-opt %s --gyre-lower-plain --split-input-file --verify-diagnostics

// expected-error@+1 {{[lower-op] expected specialised functions, got a spec}}
gyre.spec @s {
  gyre.func @f(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
    gyre.return %x : !gyre.tensor<E x f32>
  }
}

// -----

gyre.func @f(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
  %y = gyre.silu %x : !gyre.tensor<E x f32>
  gyre.return %y : !gyre.tensor<E x f32>
}
// expected-error@+1 {{[lower-op] expected functions, got a derivative}}
gyre.derive @g = vjp @f wrt (x)

// -----

gyre.func @named(%z: !gyre.tensor<1 x E x 4 x f32>) -> (v: !gyre.tensor<1 x E x 4 x f32>) {
  // expected-error@+1 {{[lower-op] expected a primitive of the algebra (gyre-specialise and gyre-decompose leave no other), got gyre.gated_activation}}
  %v = gyre.gated_activation %z degree 0 channels 4 : !gyre.tensor<1 x E x 4 x f32>
  gyre.return %v : !gyre.tensor<1 x E x 4 x f32>
}

// -----

// expected-error@+1 {{[lower-element-type] expected f64, f32, f16, bf16, i1, i8, i16, i32 or i64, got '!gyre.elem<act>'}}
gyre.func @parametric(%x: !gyre.tensor<E x act>) -> (y: !gyre.tensor<E x act>) {
  gyre.return %x : !gyre.tensor<E x act>
}

// -----

gyre.func @comprehension(%x: !gyre.tensor<4 x f32>) -> (y: !gyre.tensor<4 x f32>) {
  // expected-error@+1 {{[lower-relation] expected an evaluated relation}}
  %y = gyre.contract %x[i] -> [j] with (j = 4) over {(i = a, j = a) : a in [0, 2]} : !gyre.tensor<4 x f32>
  gyre.return %y : !gyre.tensor<4 x f32>
}

// -----

// The ends of 4096 rows of 4097 cells: the block between them has one row of cells too many.
gyre.func @cells(%x: !gyre.tensor<f32>) -> (y: !gyre.tensor<N x 4100 x f32>) {
  // expected-error@+1 {{[lower-relation-cells] expected tuples within a block of at most 16777216 cells of the result, got more}}
  %y = gyre.contract %x[] -> [i, j] with (i = N, j = 4100) over [i, j] {(0, 4096), (4095, 0)} : !gyre.tensor<f32>
  gyre.return %y : !gyre.tensor<N x 4100 x f32>
}

// -----

gyre.func @no_such_size(%x: !gyre.tensor<2*E x f32>) -> (y: !gyre.tensor<2*E x f32>) {
  // expected-error@+1 {{[lower-size-unbound] expected an argument or result of @no_such_size with dimension E, got none}}
  %y = gyre.silu %x : !gyre.tensor<2*E x f32>
  gyre.return %y : !gyre.tensor<2*E x f32>
}

// -----

gyre.func @no_such_bound(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<2 x f32>) {
  // expected-error@+1 {{[lower-size-unbound] expected an argument or result of @no_such_bound with dimension Q, got none}}
  %y = gyre.slice %x axis 0 from Q size 2 : !gyre.tensor<E x f32>
  gyre.return %y : !gyre.tensor<2 x f32>
}
