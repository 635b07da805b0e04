// RUN: gyre-opt %s --gyre-specialise="set=L=4000000000" --split-input-file -verify-diagnostics

// Relations that would not end soon.

gyre.spec @tuples {
  gyre.param "L" in [0, 4000000000]
  gyre.func @f(%x: !gyre.tensor<E x L+1 x f32>) -> (y: !gyre.tensor<E x f32>) {
    // expected-error @below {{[specialise-relation-size] expected a relation that is listed in at most 1048576 steps, got one that takes more}}
    %s = gyre.contract %x[e, c] -> [e] over {(c = l) : l in [0, L]} : !gyre.tensor<E x L+1 x f32>
    gyre.return %s : !gyre.tensor<E x f32>
  }
}

// -----

// Not even where it has no tuples, unless a range is empty whatever the others are.
gyre.spec @iterations {
  gyre.param "L" in [0, 4000000000]
  gyre.func @f(%x: !gyre.tensor<E x L+1 x f32>) -> (y: !gyre.tensor<E x f32>) {
    // expected-error @below {{[specialise-relation-size] expected a relation that is listed in at most 1048576 steps, got one that takes more}}
    %s = gyre.contract %x[e, c] -> [e] over {(c = j) : i in [0, 9999], l in [0, 9999], j in [i + 1, i]} : !gyre.tensor<E x L+1 x f32>
    gyre.return %s : !gyre.tensor<E x f32>
  }
}

// -----

gyre.spec @all_integers {
  gyre.param "L" in [0, 4000000000]
  gyre.func @f(%x: !gyre.tensor<E x L+1 x f32>) -> (y: !gyre.tensor<E x f32>) {
    // expected-error @below {{[specialise-relation-size] expected a relation that is listed in at most 1048576 steps, got one that takes more}}
    %s = gyre.contract %x[e, c] -> [e] over {(c = l) : l in [-9000000000000000000, 9000000000000000000]} : !gyre.tensor<E x L+1 x f32>
    gyre.return %s : !gyre.tensor<E x f32>
  }
}

// -----

gyre.spec @index {
  gyre.param "L" in [0, 4000000000]
  gyre.func @f(%x: !gyre.tensor<E x 1 x f32>) -> (y: !gyre.tensor<E x f32>) {
    // expected-error @below {{[specialise-relation-size] expected indices and bounds that fit in 64 bits}}
    %s = gyre.contract %x[e, c] -> [e] over {(c = l*l*l) : l in [L, L]} : !gyre.tensor<E x 1 x f32>
    gyre.return %s : !gyre.tensor<E x f32>
  }
}

// -----

gyre.spec @bound {
  gyre.param "L" in [0, 4000000000]
  gyre.func @f(%x: !gyre.tensor<E x 1 x f32>) -> (y: !gyre.tensor<E x f32>) {
    // expected-error @below {{[specialise-relation-size] expected indices and bounds that fit in 64 bits, got L*L*L}}
    %s = gyre.contract %x[e, c] -> [e] over {(c = l) : l in [0, L*L*L]} : !gyre.tensor<E x 1 x f32>
    gyre.return %s : !gyre.tensor<E x f32>
  }
}

// -----

gyre.spec @coefficient {
  gyre.param "L" in [0, 4000000000]
  gyre.func @f(%x: !gyre.tensor<E x 1 x f32>) -> (y: !gyre.tensor<E x f32>) {
    // expected-error @below {{[relation-coefficient] expected coefficients of equal tuples with a finite sum, got}}
    %s = gyre.contract %x[e, c] -> [e] over {(c = 0) * 1.0e308 : l in [1, 2]} : !gyre.tensor<E x 1 x f32>
    gyre.return %s : !gyre.tensor<E x f32>
  }
}

// -----

// A degree is a compile-time number.
gyre.spec @degree {
  gyre.param "L" in [0, 4000000000]
  gyre.func @f(%d: !gyre.tensor<D x f32>, %x: !gyre.tensor<E x (D+1)*(D+1) x C x f32>, %w: !gyre.tensor<E x (D+1)*(D+1) x (D+1)*(D+1) x f32>)
      -> (y: !gyre.tensor<E x 3*D+1 x C x f32>) {
    // expected-error @below {{[specialise-relation] expected a size made of parameters, got D}}
    %y = gyre.rotate %x by %w degree D : !gyre.tensor<E x (D+1)*(D+1) x C x f32>, !gyre.tensor<E x (D+1)*(D+1) x (D+1)*(D+1) x f32>
    gyre.return %y : !gyre.tensor<E x 3*D+1 x C x f32>
  }
}

// -----

// So are layers, and of few ops in all.
gyre.spec @layers {
  gyre.param "L" in [0, 4000000000]
  gyre.func @f(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
    // expected-error @below {{[specialise-repeat] expected layers of at most 1048576 ops, got 4000000000 layers of 3}}
    %y = gyre.repeat L carry (%z = %x : !gyre.tensor<E x f32>) -> (!gyre.tensor<E x f32>) {
      %s = gyre.silu %z : !gyre.tensor<E x f32>
      gyre.yield %s : !gyre.tensor<E x f32>
    }
    gyre.return %y : !gyre.tensor<E x f32>
  }
}

// -----

gyre.spec @layers_of_layers {
  gyre.param "L" in [0, 4000000000]
  gyre.func @f(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
    // expected-error @below {{[specialise-repeat] expected layers of at most 1048576 ops, got 2000 layers of}}
    %y = gyre.repeat 2000 carry (%z = %x : !gyre.tensor<E x f32>) -> (!gyre.tensor<E x f32>) {
      %w = gyre.repeat 1000 carry (%v = %z : !gyre.tensor<E x f32>) -> (!gyre.tensor<E x f32>) {
        %s = gyre.silu %v : !gyre.tensor<E x f32>
        gyre.yield %s : !gyre.tensor<E x f32>
      }
      gyre.yield %w : !gyre.tensor<E x f32>
    }
    gyre.return %y : !gyre.tensor<E x f32>
  }
}

// -----

gyre.spec @integers {
  gyre.param "L" in [0, 4000000000]
  gyre.func @f(%x: !gyre.tensor<E x f32>, %k: !gyre.tensor<2 x E x i8>) -> (y: !gyre.tensor<E x f32>) {
    // expected-error @below {{[specialise-repeat] expected sliced and stacked values of a floating-point type, got '!gyre.tensor<2 x E x i8>'}}
    gyre.repeat 2 slice (%i = %k : !gyre.tensor<2 x E x i8>) -> () {
      gyre.yield
    }
    gyre.return %x : !gyre.tensor<E x f32>
  }
}
