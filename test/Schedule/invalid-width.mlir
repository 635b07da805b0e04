// RUN: gyre-opt %s --gyre-fuse --gyre-schedule=target=cuda -verify-diagnostics

!y = !gyre.tensor<E x 4095 x f32>

gyre.func @width(%y: !y) -> (a: !y) {
  // expected-error @+1 {{[schedule-width] expected cells along one axis that the 1024 threads of a block hold, of 1 each, got 4095}}
  %a = math.exp %y : !y
  gyre.return %a : !y
}
