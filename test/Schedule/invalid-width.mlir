// RUN: gyre-opt %s --gyre-fuse --gyre-schedule=target=cuda -verify-diagnostics

!y = !gyre.tensor<E x 4095 x f32>
!sums = !gyre.tensor<E x f32>

gyre.func @width(%y: !y) -> (a: !sums) {
  // expected-error @+1 {{[schedule-width] expected cells along one axis that the 1024 threads of a block hold, of 1 each, got 4095}}
  %a = gyre.contract %y[e, c] -> [e] : !y
  gyre.return %a : !sums
}
