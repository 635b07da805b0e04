// RUN: gyre-opt %s --gyre-specialise="set=L=2" | FileCheck %s
// RUN: gyre-opt %s --gyre-specialise="set=L=0" | FileCheck %s --check-prefix=ZERO

gyre.spec @relations {
  gyre.param "L" in [0, 8]

  // The ranges nest: a later one may name an earlier iterator.
  // CHECK-LABEL: gyre.func @nested
  // CHECK: gyre.contract %x[e, a], %w[b] -> [e, b] over [a, b] {(0, 0), (1, 2), (3, 4), (4, 4), (5, 4)} :
  // ZERO-LABEL: gyre.func @nested
  // ZERO: gyre.contract %x[e, a], %w[b] -> [e, b] over [a, b] {(0, 0)} :
  gyre.func @nested(%x: !gyre.tensor<E x 6*L+1 x f32>, %w: !gyre.tensor<2*L+1 x f32>) -> (y: !gyre.tensor<E x 2*L+1 x f32>) {
    %y = gyre.contract %x[e, a], %w[b] -> [e, b] over {(a = l*l - l + j, b = 2*l) : l in [1, L], j in [1, l] | (a = 0, b = 0) | (a = 5, b = 2*L) : l in [1, L - 1]}
        : !gyre.tensor<E x 6*L+1 x f32>, !gyre.tensor<2*L+1 x f32>
    gyre.return %y : !gyre.tensor<E x 2*L+1 x f32>
  }

  // Tuples that occur twice add up, those that add up to zero are gone, and all are sorted.
  // CHECK-LABEL: gyre.func @merged
  // CHECK: gyre.contract %x[e, a] -> [e, b] with (b = 5) over [b, a] {(0, 2), (1, 0) * 3.5{{0*e?[+0]*}}, (1, 1) * -1.0{{0*e?[+0]*}}} :
  // ZERO-LABEL: gyre.func @merged
  // ZERO: gyre.contract %x[e, a] -> [e, b] with (b = 5) over [b, a] {(0, 2), (1, 0) * 2.5{{0*e?[+0]*}}, (1, 1) * -1.0{{0*e?[+0]*}}} :
  gyre.func @merged(%x: !gyre.tensor<E x 3 x f32>) -> (y: !gyre.tensor<E x 5 x f32>) {
    %y = gyre.contract %x[e, a] -> [e, b] with (b = 5) over
        {(b = 1, a = 1) * -1.0 | (b = 1, a = 0) * 2.5 | (b = 0, a = 2) | (b = 4, a = 0) | (a = 0, b = 4) * -1.0 | (b = 1, a = 0) * 0.5 : l in [1, L]}
        : !gyre.tensor<E x 3 x f32>
    gyre.return %y : !gyre.tensor<E x 5 x f32>
  }

  // An iterator hides the parameter of its name, but not in its own bounds.
  // CHECK-LABEL: gyre.func @hidden
  // CHECK: gyre.contract %x[a] -> [] over [a] {(0), (1), (2)} :
  // ZERO-LABEL: gyre.func @hidden
  // ZERO: gyre.contract %x[a] -> [] over [a] {(0)} :
  gyre.func @hidden(%x: !gyre.tensor<L+1 x f32>) -> (y: !gyre.tensor<f32>) {
    %y = gyre.contract %x[a] -> [] over {(a = L) : L in [0, L]} : !gyre.tensor<L+1 x f32>
    gyre.return %y : !gyre.tensor<f32>
  }

  // A range that is empty whatever the others are leaves no tuple, and no time is spent on those.
  // CHECK-LABEL: gyre.func @without_values
  // CHECK: gyre.contract %x[a] -> [] over [a] {} :
  gyre.func @without_values(%x: !gyre.tensor<L+1 x f32>) -> (y: !gyre.tensor<f32>) {
    %y = gyre.contract %x[a] -> [] over {(a = 0) : i in [1, 1000000000], j in [1, 1000000000], k in [L + 1, L]} : !gyre.tensor<L+1 x f32>
    gyre.return %y : !gyre.tensor<f32>
  }

  // A relation without tuples is one: the result is all zeros.
  // CHECK-LABEL: gyre.func @empty
  // CHECK: gyre.contract %x[a] -> [b] with (b = 2) over [a, b] {} :
  // ZERO-LABEL: gyre.func @empty
  // ZERO: gyre.contract %x[a] -> [b] with (b = 0) over [a, b] {} :
  gyre.func @empty(%x: !gyre.tensor<L+1 x f32>) -> (y: !gyre.tensor<L x f32>) {
    %y = gyre.contract %x[a] -> [b] with (b = L) over {(a = l, b = l) : l in [1, 0]} : !gyre.tensor<L+1 x f32>
    gyre.return %y : !gyre.tensor<L x f32>
  }

  // One that is listed already stays.
  // CHECK-LABEL: gyre.func @listed
  // CHECK: gyre.contract %x[a] -> [] over [a] {(0) * 2.0{{0*e?[+0]*}}} :
  gyre.func @listed(%x: !gyre.tensor<L+1 x f32>) -> (y: !gyre.tensor<f32>) {
    %y = gyre.contract %x[a] -> [] over [a] {(0) * 2.0} : !gyre.tensor<L+1 x f32>
    gyre.return %y : !gyre.tensor<f32>
  }
}
