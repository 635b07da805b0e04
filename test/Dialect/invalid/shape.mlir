// RUN: gyre-opt %s -verify-diagnostics -split-input-file

gyre.func @slice_axis(%x: !gyre.tensor<E x 4 x f32>) {
  // expected-error @+1 {{[slice-axis] expected an axis in [0, 2), got 2}}
  %y = gyre.slice %x axis 2 from 0 size 1 : !gyre.tensor<E x 4 x f32>
  gyre.return
}

// -----

gyre.func @slice_axis_negative(%x: !gyre.tensor<E x 4 x f32>) {
  // expected-error @+1 {{[slice-axis] expected an axis in [0, 2), got -1}}
  %y = gyre.slice %x axis -1 from 0 size 1 : !gyre.tensor<E x 4 x f32>
  gyre.return
}

// -----

gyre.func @slice_size_negative(%x: !gyre.tensor<E x 4 x f32>) {
  // expected-error @+1 {{[slice-range] expected positions within [0, 4), got -1 from 2}}
  %y = gyre.slice %x axis 1 from 2 size -1 : !gyre.tensor<E x 4 x f32>
  gyre.return
}

// -----

gyre.func @slice_range(%x: !gyre.tensor<E x 4 x f32>) {
  // expected-error @+1 {{[slice-range] expected positions within [0, 4), got 3 from 2}}
  %y = gyre.slice %x axis 1 from 2 size 3 : !gyre.tensor<E x 4 x f32>
  gyre.return
}

// -----

gyre.func @slice_from_negative(%x: !gyre.tensor<E x 4 x f32>) {
  // expected-error @+1 {{[slice-range] expected positions within [0, E), got E - 1 from -1}}
  %y = gyre.slice %x axis 0 from -1 size E - 1 : !gyre.tensor<E x 4 x f32>
  gyre.return
}

// -----

// Whatever L is, this is one too many.
gyre.func @slice_range_symbolic(%x: !gyre.tensor<3*L + 1 x f32>) {
  // expected-error @+1 {{[slice-range] expected positions within [0, 3*L + 1), got 2*L + 1 from L + 1}}
  %y = gyre.slice %x axis 0 from L + 1 size 2*L + 1 : !gyre.tensor<3*L + 1 x f32>
  gyre.return
}

// -----

gyre.func @slice_overflow(%x: !gyre.tensor<4 x f32>) {
  // expected-error @+1 {{[slice-range] expected positions within [0, 4), got 9223372036854775807 from 9223372036854775807}}
  %y = gyre.slice %x axis 0 from 9223372036854775807 size 9223372036854775807 : !gyre.tensor<4 x f32>
  gyre.return
}

// -----

gyre.func @slice_element(%x: !gyre.tensor<4 x i8>) {
  // expected-error @+1 {{'gyre.slice' op operand #0 must be gyre tensor of a floating-point type, but got '!gyre.tensor<4 x i8>'}}
  %y = gyre.slice %x axis 0 from 0 size 4 : !gyre.tensor<4 x i8>
  gyre.return
}

// -----

gyre.func @slice_operand(%x: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{[tensor-operand] expected a gyre tensor, got '!gyre.map<[e: E] to N>'}}
  %y = gyre.slice %x axis 0 from 0 size 4 : !gyre.map<[e: E] to N>
  gyre.return
}

// -----

gyre.func @pad_axis(%x: !gyre.tensor<f32>) {
  // expected-error @+1 {{[pad-axis] expected an axis in [0, 0), got 0}}
  %y = gyre.pad %x axis 0 low 1 high 1 : !gyre.tensor<f32>
  gyre.return
}

// -----

gyre.func @pad_amount_low(%x: !gyre.tensor<4 x f32>) {
  // expected-error @+1 {{[pad-amount] expected amounts of at least 0, got -1 and L}}
  %y = gyre.pad %x axis 0 low -1 high L : !gyre.tensor<4 x f32>
  gyre.return
}

// -----

gyre.func @pad_amount_high(%x: !gyre.tensor<4 x f32>) {
  // expected-error @+1 {{[pad-amount] expected amounts of at least 0, got 0 and -2}}
  %y = gyre.pad %x axis 0 low 0 high 1 - 3 : !gyre.tensor<4 x f32>
  gyre.return
}

// -----

gyre.func @pad_overflow(%x: !gyre.tensor<4 x f32>) {
  // expected-error @+1 {{[tensor-size] expected sizes of at least 0, got overflow}}
  %y = gyre.pad %x axis 0 low 9223372036854775807 high 0 : !gyre.tensor<4 x f32>
  gyre.return
}

// -----

gyre.func @concat_axis(%x: !gyre.tensor<4 x f32>) {
  // expected-error @+1 {{[concat-axis] expected an axis in [0, 1), got 1}}
  %y = gyre.concat %x, %x axis 1 : !gyre.tensor<4 x f32>, !gyre.tensor<4 x f32>
  gyre.return
}

// -----

gyre.func @concat_shape(%x: !gyre.tensor<E x 4 x f32>, %y: !gyre.tensor<N x 4 x f32>) {
  // expected-error @+1 {{[concat-shape] expected operands that agree but in dimension 1, got '!gyre.tensor<E x 4 x f32>' and '!gyre.tensor<N x 4 x f32>'}}
  %z = gyre.concat %x, %y axis 1 : !gyre.tensor<E x 4 x f32>, !gyre.tensor<N x 4 x f32>
  gyre.return
}

// -----

gyre.func @concat_rank(%x: !gyre.tensor<E x f32>, %y: !gyre.tensor<E x 4 x f32>) {
  // expected-error @+1 {{[concat-shape] expected operands that agree but in dimension 0, got '!gyre.tensor<E x f32>' and '!gyre.tensor<E x 4 x f32>'}}
  %z = gyre.concat %x, %y axis 0 : !gyre.tensor<E x f32>, !gyre.tensor<E x 4 x f32>
  gyre.return
}

// -----

gyre.func @concat_element(%x: !gyre.tensor<E x f32>, %y: !gyre.tensor<E x f64>) {
  // expected-error @+1 {{[concat-shape] expected operands that agree but in dimension 0, got '!gyre.tensor<E x f32>' and '!gyre.tensor<E x f64>'}}
  %z = gyre.concat %x, %y axis 0 : !gyre.tensor<E x f32>, !gyre.tensor<E x f64>
  gyre.return
}

// -----

gyre.func @concat_operand(%m: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{[tensor-operand] expected a gyre tensor, got '!gyre.map<[e: E] to N>'}}
  %z = gyre.concat %m axis 0 : !gyre.map<[e: E] to N>
  gyre.return
}

// -----

gyre.func @concat_operands() {
  // expected-error @+1 {{[concat-operands] expected at least one operand, got none}}
  %z = "gyre.concat"() <{axis = 0 : i64}> : () -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @generic_kind(%x: !gyre.tensor<4 x f32>) {
  // expected-error @+1 {{Invalid attribute `from` in property conversion: 0 : i64}}
  %y = "gyre.slice"(%x) <{axis = 0 : i64, from = 0 : i64, size = #gyre.poly<1>}> : (!gyre.tensor<4 x f32>) -> !gyre.tensor<1 x f32>
  gyre.return
}

// -----

// The axis is looked at before the dimension that it names.
gyre.func @generic_slice_axis(%x: !gyre.tensor<4 x f32>) {
  // expected-error @+1 {{[slice-axis] expected an axis in [0, 1), got 3}}
  %y = "gyre.slice"(%x) <{axis = 3 : i64, from = #gyre.poly<0>, size = #gyre.poly<1>}> : (!gyre.tensor<4 x f32>) -> !gyre.tensor<1 x f32>
  gyre.return
}
