// RUN: gyre-opt %s --gyre-fuse -verify-diagnostics -split-input-file

!z = !gyre.tensor<2 x E x 4 x f32>

gyre.func @sugar(%z: !z) -> (v: !z) {
  // expected-error @+1 {{[fuse-op] expected a primitive of the algebra (gyre-specialise and gyre-decompose leave no other), got gyre.gated_activation}}
  %v = gyre.gated_activation %z degree 0 channels 4 : !z
  gyre.return %v : !z
}
