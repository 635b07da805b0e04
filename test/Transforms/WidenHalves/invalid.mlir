// RUN: gyre-opt %s --gyre-widen-halves -verify-diagnostics

gyre.func @narrow(%x: !gyre.tensor<E x f16>) -> (s: !gyre.tensor<f16>) {
  // expected-error @+1 {{[widen-accumulator] expected an accumulator of f32 or f64, got 'f16'}}
  %s = gyre.contract %x[e] -> [] acc f16 : !gyre.tensor<E x f16>
  gyre.return %s : !gyre.tensor<f16>
}
