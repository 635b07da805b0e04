// Each constraint of gyre.derive that gyre-differentiate checks.
// RUN: gyre-opt %s --gyre-differentiate --split-input-file --verify-diagnostics

!x = !gyre.tensor<N x f32>
gyre.func @f(%x: !x) -> (y: !x) {
  gyre.return %x : !x
}
// expected-error @below {{[derive-primal] expected the name of a function or of a derivative of the same scope, got @g}}
gyre.derive @b = vjp @g wrt (x)

// -----

// expected-error @below {{[derive-cycle] expected a primal that does not depend on this derivative, got @b}}
// expected-note @below {{@a derives @b}}
gyre.derive @a = vjp @b wrt (x)
// expected-note @below {{@b derives @a}}
gyre.derive @b = vjp @a wrt (x)

// -----

!x = !gyre.tensor<N x f32>
gyre.func @f(%x: !x) -> (y: !x) {
  gyre.return %x : !x
}
// expected-error @below {{[derive-argument] expected arguments of @f in `wrt` (`x`), got `z`}}
gyre.derive @b = vjp @f wrt (z)

// -----

!x = !gyre.tensor<N x f32>
gyre.func @f(%x: !x) -> (y: !x) {
  gyre.return %x : !x
}
// expected-error @below {{[derive-argument] expected arguments of @f in `without` (`x`), got `z`}}
gyre.derive @b = vjp @f wrt (x) without (z)

// -----

!x = !gyre.tensor<N x f32>
gyre.func @f(%x: !x) -> (y: !x) {
  gyre.return %x : !x
}
// expected-error @below {{[derive-result] expected results of @f in `given` (`y`), got `x`}}
gyre.derive @b = vjp @f wrt (x) given (x)

// -----

!x = !gyre.tensor<N x f32>
!m = !gyre.map<[e: E] to N>
gyre.func @f(%x: !x, %m: !m) -> (y: !gyre.tensor<E x f32>) {
  %y = gyre.gather %x over %m axis 0 : !x, !m
  gyre.return %y : !gyre.tensor<E x f32>
}
// expected-error @below {{[derive-not-differentiable] expected argument `m` of @f to be a tensor of a floating-point type, got '!gyre.map<[e: E] to N>'}}
gyre.derive @b = vjp @f wrt (m)

// -----

!x = !gyre.tensor<N x 3 x f32>
gyre.func @f(%x: !x) -> (y: !gyre.tensor<N x f32>, slot: !gyre.tensor<N x i8>) {
  %y, %slot = gyre.max_slot %x axis 1 : !x -> !gyre.tensor<N x f32>, !gyre.tensor<N x i8>
  gyre.return %y, %slot : !gyre.tensor<N x f32>, !gyre.tensor<N x i8>
}
// expected-error @below {{[derive-not-differentiable] expected result `slot` of @f to be a tensor of a floating-point type, got '!gyre.tensor<N x i8>'}}
gyre.derive @b = vjp @f wrt (x) given (slot)

// -----

!x = !gyre.tensor<N x f32>
gyre.func @f(%x: !x) -> (y: !x) {
  // expected-note @below {{used here}}
  %y = gyre.repeat 2 carry (%u = %x : !x) -> (!x) {
    %v = arith.mulf %u, %u : !x
    gyre.yield %v : !x
  }
  gyre.return %y : !x
}
// expected-error @below {{[derive-not-differentiable] expected ops that have a derivative between the arguments and the results, got gyre.repeat}}
gyre.derive @b = vjp @f wrt (x)

// -----

!x = !gyre.tensor<N x f32>
gyre.func @f(%x: !x, %gy: !x) -> (y: !x) {
  %y = arith.mulf %x, %gy : !x
  gyre.return %y : !x
}
// expected-error @below {{[derive-name-clash] expected arguments of different names, got two of name `gy`; rename it with `as`, or in @f}}
gyre.derive @b = vjp @f wrt (x)

// -----

!x = !gyre.tensor<N x f32>
gyre.func @f(%x: !x) -> (y: !x) {
  %y = arith.mulf %x, %x : !x
  gyre.return %y : !x
}
// expected-note @below {{argument `x` is needed}}
// expected-error @below {{[derive-missing] expected each value that the derivative needs to be saved, or to be recomputed or recovered from what is; got one that is not}}
gyre.derive @b = vjp @f wrt (x) saves (y) without (x)

// -----

!x = !gyre.tensor<N x f32>
gyre.func @f(%x: !x) -> (y: !x) {
  gyre.return %x : !x
}
// expected-error @below {{[derive-contradiction] expected an argument in `exact` or in `without`, got `x` in both}}
gyre.derive @b = vjp @f wrt (x) exact (x) without (x)

// -----

gyre.func @f(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
  %y = math.sin %x : !gyre.tensor<E x f32>
  gyre.return %y : !gyre.tensor<E x f32>
}
// Of results only saved ones are exact.
// expected-error @below {{[derive-argument] expected arguments of @f in `exact` (`x`), got `y`}}
gyre.derive @b = vjp @f wrt (x) exact (y)

// -----

gyre.func @f(%x: !gyre.tensor<E x f32>, %m: !gyre.map<[e: E] to N>) -> (y: !gyre.tensor<N x f32>) {
  %y = gyre.segment_sum %x over %m axis 0 : !gyre.tensor<E x f32>, !gyre.map<[e: E] to N>
  %z = arith.addf %y, %y : !gyre.tensor<N x f32>
  gyre.return %z : !gyre.tensor<N x f32>
}
gyre.derive @b = vjp @f wrt (x as gx) given (y as gy) without (x)
// `without` an argument is not one that was not needed.
// expected-error @below {{[derive-argument] expected arguments of @b in `wrt` (`m`, `gy`), got `x`}}
gyre.derive @b2 = vjp @b wrt (x as dx) given (gx as hx)

// -----

gyre.func @f(%x: !gyre.tensor<E x f32>, %m: !gyre.map<[e: E] to N>, %n: !gyre.tensor<N x f32>) -> (y: !gyre.tensor<E x f32>) {
  %y = arith.addf %x, %x : !gyre.tensor<E x f32>
  gyre.return %y : !gyre.tensor<E x f32>
}
gyre.derive @b = vjp @f wrt (x as gx) given (y as gy)
// expected-error @below {{[derive-not-differentiable] expected argument `m` of @b to be a tensor of a floating-point type, got '!gyre.map<[e: E] to N>'}}
gyre.derive @b2 = vjp @b wrt (m as dm) given (gx as hx)

// -----

gyre.func @f(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>, q: !gyre.tensor<E x f32>) {
  %q = math.exp %x : !gyre.tensor<E x f32>
  // expected-note @below {{this value is needed}}
  %r = math.tanh %q : !gyre.tensor<E x f32>
  %s = math.sin %r : !gyre.tensor<E x f32>
  %y = math.exp %s : !gyre.tensor<E x f32>
  gyre.return %y, %q : !gyre.tensor<E x f32>, !gyre.tensor<E x f32>
}
// Nothing is recomputed from a saved result that is exact, nor is that one.
// expected-error @below {{[derive-missing] expected each value that the derivative needs to be saved, or to be recomputed or recovered from what is; got one that is not}}
gyre.derive @b = vjp @f wrt (x) given (y) saves (q) exact (q)
