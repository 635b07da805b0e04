// RUN: gyre-opt %s --gyre-specialise="set=L=3" --split-input-file -verify-diagnostics

// expected-error @below {{[specialise-alternative] expected one alternative to hold, got none for {L = 3 : i64}}}
gyre.spec @none {
  gyre.param "L" in [0, 8]
  gyre.alternative where L == 0 {
  }
  gyre.alternative where L > 0 and L < 3 {
  }
}

// -----

gyre.spec @two {
  gyre.param "L" in [0, 8]
  // expected-note @below {{the other one}}
  gyre.alternative where L >= 3 {
  }
  // expected-error @below {{[specialise-alternative] expected one alternative to hold, got two}}
  gyre.alternative where L <= 3 {
  }
}

// -----

gyre.spec @clash {
  gyre.param "L" in [0, 8]
  // expected-note @below {{the other one}}
  gyre.func @f(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
    gyre.return %x : !gyre.tensor<E x f32>
  }
  gyre.alternative where L >= 3 {
    // expected-error @below {{[specialise-name-clash] expected functions of different names, got two of name @f}}
    gyre.derive @f = vjp @g wrt (x as gx)
  }
}

// -----

// expected-note @below {{the other one}}
gyre.func @f(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
  gyre.return %x : !gyre.tensor<E x f32>
}
gyre.spec @f_spec {
  gyre.param "L" in [0, 8]
  // expected-error @below {{[specialise-name-clash] expected functions of different names, got two of name @f}}
  gyre.func @f(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
    gyre.return %x : !gyre.tensor<E x f32>
  }
}
