// RUN: gyre-opt %s --gyre-specialise="set=L=3,B=4000000000" --split-input-file -verify-diagnostics

// A size in a signature, a map, an op's result, a contract's axis: negative.

gyre.spec @signature {
  gyre.param "L" in [0, 8]
  gyre.param "B" in [0, 4000000000]
  // expected-error @below {{[specialise-size] expected a size of at least 0, got -1 for L - 4}}
  gyre.func @f(%x: !gyre.tensor<E x L-4 x f32>) -> (y: !gyre.tensor<E x L-4 x f32>) {
    gyre.return %x : !gyre.tensor<E x L-4 x f32>
  }
}

// -----

gyre.spec @map_target {
  gyre.param "L" in [0, 8]
  gyre.param "B" in [0, 4000000000]
  // expected-error @below {{[specialise-size] expected a size of at least 0, got -3 for -L}}
  gyre.func @f(%x: !gyre.tensor<E x f32>, %m: !gyre.map<[e: E] to -L>) -> (y: !gyre.tensor<E x f32>) {
    gyre.return %x : !gyre.tensor<E x f32>
  }
}

// -----

gyre.spec @map_axis {
  gyre.param "L" in [0, 8]
  gyre.param "B" in [0, 4000000000]
  // expected-error @below {{[specialise-size] expected a size of at least 0, got -1 for -L + 2}}
  gyre.func @f(%x: !gyre.tensor<E x f32>, %m: !gyre.map<[e: E, k: 2 - L] to N>) -> (y: !gyre.tensor<E x f32>) {
    gyre.return %x : !gyre.tensor<E x f32>
  }
}

// -----

gyre.spec @result {
  gyre.param "L" in [0, 8]
  gyre.param "B" in [0, 4000000000]
  gyre.func @f(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
    // expected-error @below {{[specialise-size] expected a size of at least 0, got -1 for L - 4}}
    %s = gyre.slice %x axis 0 from 0 size L-4 : !gyre.tensor<E x f32>
    gyre.return %x : !gyre.tensor<E x f32>
  }
}

// -----

// Two negative axes of a group multiply to a positive size.
gyre.spec @axes {
  gyre.param "L" in [0, 8]
  gyre.param "B" in [0, 4000000000]
  gyre.func @f(%x: !gyre.tensor<(L-4)*(L-5) x f32>) -> (y: !gyre.tensor<f32>) {
    // expected-error @below {{[specialise-size] expected a size of at least 0, got -1 for L - 4}}
    %s = gyre.contract %x[(a, b)] -> [] with (a = L-4, b = L-5) : !gyre.tensor<(L-4)*(L-5) x f32>
    gyre.return %s : !gyre.tensor<f32>
  }
}

// -----

gyre.spec @overflow {
  gyre.param "L" in [0, 8]
  gyre.param "B" in [0, 4000000000]
  // expected-error @below {{[specialise-size] expected a size that fits in 64 bits, got B*B*L}}
  gyre.func @f(%x: !gyre.tensor<E x B*B*L x f32>) -> (y: !gyre.tensor<E x B*B*L x f32>) {
    gyre.return %x : !gyre.tensor<E x B*B*L x f32>
  }
}

// -----

gyre.spec @overflow_in_condition {
  gyre.param "L" in [0, 8]
  gyre.param "B" in [0, 4000000000]
  // expected-error @below {{[specialise-size] expected a size that fits in 64 bits, got B*B}}
  gyre.alternative where B*B >= 0 {
  }
}

// -----

// What the verifiers find once sizes are constants is reported at its op.

gyre.spec @slice {
  gyre.param "L" in [0, 8]
  gyre.param "B" in [0, 4000000000]
  gyre.func @f(%x: !gyre.tensor<E x L x f32>) -> (y: !gyre.tensor<E x 3 x f32>) {
    // expected-error @below {{[slice-range] expected positions within [0, 3), got 3 from 1}}
    %s = gyre.slice %x axis 1 from 1 size 3 : !gyre.tensor<E x L x f32>
    gyre.return %s : !gyre.tensor<E x 3 x f32>
  }
}

// -----

gyre.spec @pad {
  gyre.param "L" in [0, 8]
  gyre.param "B" in [0, 4000000000]
  gyre.func @f(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E + L x f32>) {
    // expected-error @below {{[pad-amount] expected amounts of at least 0, got -1 and 4}}
    %s = gyre.pad %x axis 0 low 2 - L high 2*L - 2 : !gyre.tensor<E x f32>
    gyre.return %s : !gyre.tensor<E + L x f32>
  }
}

// -----

gyre.spec @tuples {
  gyre.param "L" in [0, 8]
  gyre.param "B" in [0, 4000000000]
  gyre.func @f(%x: !gyre.tensor<E x L x f32>) -> (y: !gyre.tensor<E x f32>) {
    // expected-error @below {{[contract-tuple-range] expected indices of axis `c` in [0, 3), got 3}}
    %s = gyre.contract %x[e, c] -> [e] over {(c = l) : l in [0, L]} : !gyre.tensor<E x L x f32>
    gyre.return %s : !gyre.tensor<E x f32>
  }
}

// -----

gyre.spec @layers {
  gyre.param "L" in [0, 8]
  gyre.param "B" in [0, 4000000000]
  gyre.func @f(%x: !gyre.tensor<L x f32>) -> (y: !gyre.tensor<f32>) {
    // expected-error @below {{[repeat-slice] expected a leading dimension of at least 4, got '!gyre.tensor<3 x f32>'}}
    gyre.repeat 4 slice (%s = %x : !gyre.tensor<L x f32>) -> () {
      gyre.yield
    }
    %y = gyre.contract %x[l] -> [] : !gyre.tensor<L x f32>
    gyre.return %y : !gyre.tensor<f32>
  }
}
