// RUN: gyre-opt %s --gyre-decompose --split-input-file -verify-diagnostics

gyre.func @tuple_range(%x: !gyre.tensor<3 x f32>) -> (y: !gyre.tensor<f32>) {
  // expected-error @below {{[contract-tuple-range] expected indices of axis `a` in [0, 3), got 3}}
  %y = gyre.contract %x[a] -> [] over {(a = l) : l in [0, 3]} : !gyre.tensor<3 x f32>
  gyre.return %y : !gyre.tensor<f32>
}

// -----

gyre.func @size(%x: !gyre.tensor<3 x f32>) -> (y: !gyre.tensor<f32>) {
  // expected-error @below {{[specialise-relation-size] expected a relation that is listed in at most 1048576 steps, got one that takes more}}
  %y = gyre.contract %x[a] -> [] over {(a = l) : l in [0, 99999999999]} : !gyre.tensor<3 x f32>
  gyre.return %y : !gyre.tensor<f32>
}

// -----

gyre.func @degree(%x: !gyre.tensor<E x 1000000*1000000 x C x f32>, %w: !gyre.tensor<E x 1000000*1000000 x 1000000*1000000 x f32>) -> (y: !gyre.tensor<E x 2999998 x C x f32>) {
  // expected-error @below {{[specialise-relation-size] expected a relation that is listed in at most 1048576 steps, got one that takes more}}
  %y = gyre.rotate %x by %w degree 999999 : !gyre.tensor<E x 1000000*1000000 x C x f32>, !gyre.tensor<E x 1000000*1000000 x 1000000*1000000 x f32>
  gyre.return %y : !gyre.tensor<E x 2999998 x C x f32>
}
