// RUN: gyre-opt %s --gyre-fuse -verify-diagnostics -split-input-file

gyre.func @op(%x: !gyre.tensor<E x 4 x f32>) -> (y: !gyre.tensor<E x 2 x f32>) {
  // expected-error @+1 {{[fuse-op] expected gathers, segment sums, contracts and elementwise ops, got gyre.slice}}
  %y = gyre.slice %x axis 1 from 0 size 2 : !gyre.tensor<E x 4 x f32>
  gyre.return %y : !gyre.tensor<E x 2 x f32>
}

// -----

gyre.func @slots(%x: !gyre.tensor<E x 4 x f32>) -> (y: !gyre.tensor<f32>, s: !gyre.tensor<i8>) {
  %x4 = gyre.contract %x[e, i] -> [i] : !gyre.tensor<E x 4 x f32>
  // expected-error @+1 {{[fuse-op] expected gathers, segment sums, contracts and elementwise ops, got gyre.max_slot}}
  %y, %s = gyre.max_slot %x4 axis 0 : !gyre.tensor<4 x f32> -> !gyre.tensor<f32>, !gyre.tensor<i8>
  gyre.return %y, %s : !gyre.tensor<f32>, !gyre.tensor<i8>
}

// -----

// expected-error @+1 {{[fuse-rows] expected values with one dimension of runtime size at most, got '!gyre.tensor<N x E x f32>'}}
gyre.func @two_dimensions(%x: !gyre.tensor<N x E x f32>) -> (y: !gyre.tensor<N x E x f32>) {
  gyre.return %x : !gyre.tensor<N x E x f32>
}

// -----

// expected-error @+1 {{[fuse-rows] expected dimensions that are constants or one runtime size, got 2*E in '!gyre.tensor<2*E x f32>'}}
gyre.func @computed_size(%x: !gyre.tensor<2*E x f32>) -> (y: !gyre.tensor<2*E x f32>) {
  gyre.return %x : !gyre.tensor<2*E x f32>
}

// -----

gyre.func @outer_product(%x: !gyre.tensor<N x f32>, %y: !gyre.tensor<E x f32>) -> (z: !gyre.tensor<f32>) {
  // expected-error @+1 {{[fuse-rows] expected a contract over one axis of runtime size at most, got 2}}
  %z = gyre.contract %x[n], %y[e] -> [] : !gyre.tensor<N x f32>, !gyre.tensor<E x f32>
  gyre.return %z : !gyre.tensor<f32>
}

// -----

gyre.func @listed_rows(%x: !gyre.tensor<N x f32>) -> (z: !gyre.tensor<2 x f32>) {
  // expected-error @+1 {{[fuse-rows] expected a relation over axes of constant sizes, got axis `n`}}
  %z = gyre.contract %x[n] -> [i] with (i = 2) over [i, n] {(0, 2), (1, 0)} : !gyre.tensor<N x f32>
  gyre.return %z : !gyre.tensor<2 x f32>
}

// -----

gyre.func @padded(%x: !gyre.tensor<N x f32>, %m: !gyre.map<[e: E] to N, padded>) -> (y: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[fuse-map] expected a map of one axis without pads, from one runtime size to another, got '!gyre.map<[e: E] to N, padded>'}}
  %y = gyre.gather %x over %m axis 0 : !gyre.tensor<N x f32>, !gyre.map<[e: E] to N, padded>
  gyre.return %y : !gyre.tensor<E x f32>
}

// -----

gyre.func @two_axes(%x: !gyre.tensor<4 x E x f32>, %m: !gyre.map<[k: 4, e: E] to N>) -> (y: !gyre.tensor<N x f32>) {
  // expected-error @+1 {{[fuse-map] expected a map of one axis without pads, from one runtime size to another, got '!gyre.map<[k: 4, e: E] to N>'}}
  %y = gyre.segment_sum %x over %m axis 0 : !gyre.tensor<4 x E x f32>, !gyre.map<[k: 4, e: E] to N>
  gyre.return %y : !gyre.tensor<N x f32>
}

// -----

gyre.func @grouped_rows(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[fuse-rows] expected a dimension of its own for axis `e`, got a group}}
  %y = gyre.contract %x[(e, c)] -> [e] with (e = E, c = 1) : !gyre.tensor<E x f32>
  gyre.return %y : !gyre.tensor<E x f32>
}
