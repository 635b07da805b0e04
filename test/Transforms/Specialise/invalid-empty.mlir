// RUN: gyre-opt %s --gyre-specialise="set=L=1" --split-input-file --verify-diagnostics

// expected-error @below {{[specialise-function] expected a function in the spec, or in its alternative that holds, got none}}
gyre.spec @empty {
  gyre.param "L" in [0, 8]
}

// -----

// expected-error @below {{[specialise-function] expected a function in the spec, or in its alternative that holds, got none}}
gyre.spec @empty_alternative {
  gyre.param "L" in [0, 8]
  gyre.alternative where L == 0 {
    gyre.func @f(%x: !gyre.tensor<f32>) -> (y: !gyre.tensor<f32>) {
      gyre.return %x : !gyre.tensor<f32>
    }
  }
  gyre.alternative where L >= 1 {
  }
}
