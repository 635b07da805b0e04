// RUN: gyre-opt %s -verify-diagnostics -split-input-file

// Runtime sizes look alike to upstream traits: both of these have rank 1.
gyre.func @sigmoid(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[elementwise-type] expected a result of type '!gyre.tensor<E x f32>', got '!gyre.tensor<N x f32>'}}
  %y = "gyre.sigmoid"(%x) : (!gyre.tensor<E x f32>) -> !gyre.tensor<N x f32>
  gyre.return
}

// -----

gyre.func @silu(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[elementwise-type] expected a result of type '!gyre.tensor<E x f32>', got '!gyre.tensor<N x f32>'}}
  %y = "gyre.silu"(%x) : (!gyre.tensor<E x f32>) -> !gyre.tensor<N x f32>
  gyre.return
}

// -----

gyre.func @stop_gradient(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[elementwise-type] expected a result of type '!gyre.tensor<E x f32>', got '!gyre.tensor<N x f32>'}}
  %y = "gyre.stop_gradient"(%x) : (!gyre.tensor<E x f32>) -> !gyre.tensor<N x f32>
  gyre.return
}

// -----

gyre.func @rank(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{'gyre.silu' op requires the same type for all operands and results}}
  %y = "gyre.silu"(%x) : (!gyre.tensor<E x f32>) -> !gyre.tensor<f32>
  gyre.return
}

// -----

gyre.func @element(%x: !gyre.tensor<E x i32>) {
  // expected-error @+1 {{'gyre.silu' op operand #0 must be gyre tensor of a floating-point type, but got '!gyre.tensor<E x i32>'}}
  %y = gyre.silu %x : !gyre.tensor<E x i32>
  gyre.return
}

// -----

gyre.func @convert_shape(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[convert-shape] expected a result of the sizes of '!gyre.tensor<E x f32>', got '!gyre.tensor<N x f16>'}}
  %y = gyre.convert %x : !gyre.tensor<E x f32> -> !gyre.tensor<N x f16>
  gyre.return
}

// -----

gyre.func @convert_element(%x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{'gyre.convert' op result #0 must be gyre tensor of a floating-point type, but got '!gyre.tensor<E x i32>'}}
  %y = gyre.convert %x : !gyre.tensor<E x f32> -> !gyre.tensor<E x i32>
  gyre.return
}

// -----

gyre.func @select_shape(%c: !gyre.tensor<N x i1>, %x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[select-shape] expected a condition of the sizes of '!gyre.tensor<E x f32>', got '!gyre.tensor<N x i1>'}}
  %y = gyre.select %c, %x, %x : !gyre.tensor<N x i1>, !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @select_condition(%c: !gyre.tensor<E x i8>, %x: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{'gyre.select' op operand #0 must be gyre tensor of i1, but got '!gyre.tensor<E x i8>'}}
  %y = gyre.select %c, %x, %x : !gyre.tensor<E x i8>, !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @select_values(%c: !gyre.tensor<E x i1>, %x: !gyre.tensor<E x f32>, %y: !gyre.tensor<E x f64>) {
  // expected-error @+1 {{'gyre.select' op failed to verify that all of {on_true, on_false, result} have same type}}
  %z = "gyre.select"(%c, %x, %y) : (!gyre.tensor<E x i1>, !gyre.tensor<E x f32>, !gyre.tensor<E x f64>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @constant_element() {
  // expected-error @+1 {{'gyre.constant' op result #0 must be gyre tensor of a floating-point type, but got '!gyre.tensor<E x i32>'}}
  %z = gyre.constant 1.0 : !gyre.tensor<E x i32>
  gyre.return
}

// -----

gyre.func @constant_integer() {
  // expected-error @+1 {{[number-syntax] expected a number with a decimal point, got `-12`}}
  %z = gyre.constant -12 : !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @constant_word() {
  // expected-error @+1 {{[number-syntax] expected a number with a decimal point, got `one`}}
  %z = gyre.constant one : !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @constant_exponent() {
  // expected-error @+1 {{[number-syntax] expected a number with a decimal point, got `1e3`}}
  %z = gyre.constant 1e3 : !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @constant_type() {
  // expected-error @+1 {{'gyre.constant' op result #0 must be gyre tensor of a floating-point type, but got 'f32'}}
  %z = gyre.constant 1.0 : f32
  gyre.return
}

// -----

gyre.func @constant_attribute() {
  // expected-error @+1 {{'gyre.constant' op attribute 'value' failed to satisfy constraint: 64-bit float attribute}}
  %z = "gyre.constant"() <{value = 1.0 : f32}> : () -> !gyre.tensor<E x f32>
  gyre.return
}
