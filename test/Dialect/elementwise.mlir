// RUN: %roundtrip %s | FileCheck %s

// CHECK-LABEL: gyre.func @unary
gyre.func @unary(%x: !gyre.tensor<E x 3*L + 1 x act>, %s: !gyre.tensor<f64>) {
  // CHECK: gyre.sigmoid %x : !gyre.tensor<E x 3*L + 1 x act>
  %0 = gyre.sigmoid %x : !gyre.tensor<E x 3*L + 1 x act>
  // CHECK: gyre.silu %x : !gyre.tensor<E x 3*L + 1 x act>
  %1 = gyre.silu %x : !gyre.tensor<E x 3*L + 1 x act>
  // CHECK: gyre.stop_gradient %s {note = "kept"} : !gyre.tensor<f64>
  %2 = gyre.stop_gradient %s {note = "kept"} : !gyre.tensor<f64>
  gyre.return
}

// CHECK-LABEL: gyre.func @select
gyre.func @select(%c: !gyre.tensor<E x i1>, %a: !gyre.tensor<E x act>, %b: !gyre.tensor<E x act>, %i: !gyre.tensor<E x i8>) {
  // CHECK: gyre.select %c, %a, %b : !gyre.tensor<E x i1>, !gyre.tensor<E x act>
  %0 = gyre.select %c, %a, %b : !gyre.tensor<E x i1>, !gyre.tensor<E x act>
  // CHECK: gyre.select %c, %i, %i : !gyre.tensor<E x i1>, !gyre.tensor<E x i8>
  %1 = gyre.select %c, %i, %i : !gyre.tensor<E x i1>, !gyre.tensor<E x i8>
  gyre.return
}

// CHECK-LABEL: gyre.func @convert
gyre.func @convert(%x: !gyre.tensor<E x 3*L + 1 x act>, %s: !gyre.tensor<f64>) {
  // CHECK: gyre.convert %x : !gyre.tensor<E x 3*L + 1 x act> -> !gyre.tensor<E x 3*L + 1 x f32>
  %0 = gyre.convert %x : !gyre.tensor<E x 3*L + 1 x act> -> !gyre.tensor<E x 3*L + 1 x f32>
  // CHECK: gyre.convert %s {note = "kept"} : !gyre.tensor<f64> -> !gyre.tensor<f64>
  %1 = gyre.convert %s {note = "kept"} : !gyre.tensor<f64> -> !gyre.tensor<f64>
  gyre.return
}

// CHECK-LABEL: gyre.func @constant
gyre.func @constant(%x: !gyre.tensor<E x act>) {
  // CHECK: gyre.constant 1.000000e+00 : !gyre.tensor<E x act>
  %0 = gyre.constant 1.0 : !gyre.tensor<E x act>
  // CHECK: gyre.constant -2.500000e-01 {note = "kept"} : !gyre.tensor<f64>
  %1 = gyre.constant -0.25 {note = "kept"} : !gyre.tensor<f64>
  // CHECK: gyre.constant -0.000000e+00 : !gyre.tensor<f64>
  %2 = gyre.constant -0.0 : !gyre.tensor<f64>
  // All digits of a number are kept.
  // CHECK: gyre.constant 0.33333333333333331 : !gyre.tensor<f64>
  %3 = gyre.constant 0.33333333333333331 : !gyre.tensor<f64>
  // Infinities and NaNs have no decimal form.
  // CHECK: gyre.constant 0xFFF0000000000000 : !gyre.tensor<f32>
  %4 = gyre.constant 0xFFF0000000000000 : !gyre.tensor<f32>
  // CHECK: gyre.constant 0x7FF8000000000000 : !gyre.tensor<f32>
  %5 = gyre.constant 0x7FF8000000000000 : !gyre.tensor<f32>
  gyre.return
}
