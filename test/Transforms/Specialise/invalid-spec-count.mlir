// RUN: gyre-opt %s --gyre-specialise="set=L=3" --split-input-file -verify-diagnostics

// expected-error @below {{[specialise-spec] expected the name of a spec (@a, @b), got none}}
module {
  gyre.spec @a {
    gyre.param "L" in [0, 8]
  }
  gyre.spec @b {
    gyre.param "L" in [0, 8]
  }
}

// -----

// expected-error @below {{[specialise-spec] expected a gyre.spec in the module, got none}}
module {
  gyre.func @f(%x: !gyre.tensor<E x L x f32>) -> (y: !gyre.tensor<E x L x f32>) {
    gyre.return %x : !gyre.tensor<E x L x f32>
  }
}
