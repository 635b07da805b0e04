// RUN: gyre-opt %s --gyre-specialise="spec=c" --split-input-file -verify-diagnostics

// expected-error @below {{[specialise-spec] expected the name of a spec (@a, @b), got `c`}}
module {
  gyre.spec @a {
  }
  gyre.spec @b {
  }
}

// -----

// expected-error @below {{[specialise-spec] expected a gyre.spec in the module, got none}}
module {
  gyre.func @f(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
    gyre.return %x : !gyre.tensor<E x f32>
  }
}
