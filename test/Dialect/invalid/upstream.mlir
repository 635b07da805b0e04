// RUN: gyre-opt %s -verify-diagnostics -split-input-file

// Upstream ops see equal shapes where sizes have names; the function tells them apart.

gyre.func @binary(%x: !gyre.tensor<E x f32>, %y: !gyre.tensor<N x f32>) {
  // expected-error @+1 {{[func-elementwise-type] expected operands and results of the same named sizes, got '!gyre.tensor<E x f32>' and '!gyre.tensor<N x f32>'}}
  %z = "arith.addf"(%x, %y) : (!gyre.tensor<E x f32>, !gyre.tensor<N x f32>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @in_layer(%x: !gyre.tensor<E x f32>, %y: !gyre.tensor<N x f32>) {
  gyre.repeat 2 -> () {
    // expected-error @+1 {{[func-elementwise-type] expected operands and results of the same named sizes, got '!gyre.tensor<E x f32>' and '!gyre.tensor<N x f32>'}}
    %z = "arith.mulf"(%x, %y) : (!gyre.tensor<E x f32>, !gyre.tensor<N x f32>) -> !gyre.tensor<E x f32>
    gyre.yield
  }
  gyre.return
}

// -----

gyre.func @other_value() {
  // expected-error @+1 {{[func-op] expected an op of gyre or an elementwise one that it knows (arith.addf, subf, mulf, divf, negf, maximumf, minimumf, cmpf; math.exp, log, sqrt, rsqrt, tanh, sin, cos, absf, powf), got arith.constant}}
  %z = arith.constant 1.0 : f32
  gyre.return
}

// -----

// What upstream verifiers see, they say.

gyre.func @unary(%x: !gyre.tensor<E x C x act>) {
  // expected-error @+2 {{'math.exp' op failed to infer returned types}}
  // expected-error @+1 {{'math.exp' op inferred type(s) '!gyre.tensor<E x C x act>' are incompatible with return type(s) of operation '!gyre.tensor<C x E x act>'}}
  %z = "math.exp"(%x) : (!gyre.tensor<E x C x act>) -> !gyre.tensor<C x E x act>
  gyre.return
}

// -----

gyre.func @compare(%x: !gyre.tensor<E x f32>, %y: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{'arith.cmpf' op failed to verify that result type has i1 element type and same shape as operands}}
  %z = "arith.cmpf"(%x, %y) <{predicate = 4 : i64}> : (!gyre.tensor<E x f32>, !gyre.tensor<E x f32>) -> !gyre.tensor<N x i1>
  gyre.return
}

// -----

gyre.func @constant_size(%x: !gyre.tensor<4 x f32>, %y: !gyre.tensor<5 x f32>) {
  // expected-error @+1 {{'arith.addf' op requires the same type for all operands and results}}
  %z = "arith.addf"(%x, %y) : (!gyre.tensor<4 x f32>, !gyre.tensor<5 x f32>) -> !gyre.tensor<4 x f32>
  gyre.return
}

// -----

gyre.func @element(%x: !gyre.tensor<E x f32>, %y: !gyre.tensor<E x act>) {
  // expected-error @+1 {{'arith.mulf' op requires the same type for all operands and results}}
  %z = "arith.mulf"(%x, %y) : (!gyre.tensor<E x f32>, !gyre.tensor<E x act>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

// expected-note @+1 {{prior use here}}
gyre.func @element_pretty(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{use of value '%x' expects different type than prior uses: '!gyre.tensor<E x f64>' vs '!gyre.tensor<E x f32>'}}
  %z = arith.negf %x : !gyre.tensor<E x f64>
  gyre.return
}

// -----

gyre.func @integers(%x: !gyre.tensor<E x i32>) {
  // expected-error @+1 {{'math.exp' op operand #0 must be floating-point-like, but got '!gyre.tensor<E x i32>'}}
  %z = math.exp %x : !gyre.tensor<E x i32>
  gyre.return
}

// -----

gyre.func @select(%c: !gyre.tensor<E x i1>, %x: !gyre.tensor<E x f32>) {
  // `gyre.select` takes such a condition.
  // expected-error @+1 {{'arith.select' op expected condition to be a signless i1, but got '!gyre.tensor<E x i1>'}}
  %z = arith.select %c, %x, %x : !gyre.tensor<E x i1>, !gyre.tensor<E x f32>
  gyre.return
}
