// RUN: gyre-opt %s -verify-diagnostics -split-input-file

gyre.func @gather_axis_negative(%x: !gyre.tensor<N x f32>, %m: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{[gather-axis] expected an axis in [0, 1), got -1}}
  %y = gyre.gather %x over %m axis -1 : !gyre.tensor<N x f32>, !gyre.map<[e: E] to N>
  gyre.return
}

// -----

gyre.func @gather_axis_large(%x: !gyre.tensor<N x f32>, %m: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{[gather-axis] expected an axis in [0, 1), got 1}}
  %y = gyre.gather %x over %m axis 1 : !gyre.tensor<N x f32>, !gyre.map<[e: E] to N>
  gyre.return
}

// -----

gyre.func @gather_target(%x: !gyre.tensor<E x N x f32>, %m: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{[gather-target] expected dimension 0 to be the map's target size N, got E}}
  %y = gyre.gather %x over %m axis 0 : !gyre.tensor<E x N x f32>, !gyre.map<[e: E] to N>
  gyre.return
}

// -----

gyre.func @gather_scalar(%x: !gyre.tensor<f32>, %m: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{[gather-axis] expected an axis in [0, 0), got 0}}
  %y = gyre.gather %x over %m axis 0 : !gyre.tensor<f32>, !gyre.map<[e: E] to N>
  gyre.return
}

// -----

gyre.func @gather_operand(%x: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{[tensor-operand] expected a gyre tensor, got '!gyre.map<[e: E] to N>'}}
  %y = gyre.gather %x over %x axis 0 : !gyre.map<[e: E] to N>, !gyre.map<[e: E] to N>
  gyre.return
}

// -----

gyre.func @gather_map(%x: !gyre.tensor<N x f32>) {
  // expected-error @+1 {{[map-operand] expected a gyre map, got '!gyre.tensor<N x f32>'}}
  %y = gyre.gather %x over %x axis 0 : !gyre.tensor<N x f32>, !gyre.tensor<N x f32>
  gyre.return
}

// -----

gyre.func @gather_large_axis(%x: !gyre.tensor<N x f32>, %m: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{integer value too large}}
  %y = gyre.gather %x over %m axis 18446744073709551616 : !gyre.tensor<N x f32>, !gyre.map<[e: E] to N>
  gyre.return
}

// -----

gyre.func @segment_sum_axis(%x: !gyre.tensor<E x M x f32>, %m: !gyre.map<[k: M, e: E] to N>) {
  // expected-error @+1 {{[segment-sum-axis] expected the axes of '!gyre.map<[k: M, e: E] to N>' at dimension 0, got '!gyre.tensor<E x M x f32>'}}
  %y = gyre.segment_sum %x over %m axis 0 : !gyre.tensor<E x M x f32>, !gyre.map<[k: M, e: E] to N>
  gyre.return
}

// -----

gyre.func @segment_sum_axis_large(%x: !gyre.tensor<M x E x f32>, %m: !gyre.map<[k: M, e: E] to N>) {
  // expected-error @+1 {{[segment-sum-axis] expected the axes of '!gyre.map<[k: M, e: E] to N>' at dimension 1, got '!gyre.tensor<M x E x f32>'}}
  %y = gyre.segment_sum %x over %m axis 1 : !gyre.tensor<M x E x f32>, !gyre.map<[k: M, e: E] to N>
  gyre.return
}

// -----

gyre.func @segment_sum_axis_huge(%x: !gyre.tensor<E x f32>, %m: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{[segment-sum-axis] expected the axes of '!gyre.map<[e: E] to N>' at dimension 9223372036854775807, got '!gyre.tensor<E x f32>'}}
  %y = gyre.segment_sum %x over %m axis 9223372036854775807 : !gyre.tensor<E x f32>, !gyre.map<[e: E] to N>
  gyre.return
}

// -----

gyre.func @segment_sum_element(%x: !gyre.tensor<E x i32>, %m: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{'gyre.segment_sum' op operand #0 must be gyre tensor of a floating-point type, but got '!gyre.tensor<E x i32>'}}
  %y = gyre.segment_sum %x over %m axis 0 : !gyre.tensor<E x i32>, !gyre.map<[e: E] to N>
  gyre.return
}

// -----

gyre.func @valid_shape(%m: !gyre.map<[k: K, n: M] to N, padded>) {
  // expected-error @+1 {{[valid-shape] expected the axes of '!gyre.map<[k: K, n: M] to N, padded>', got '!gyre.tensor<M x K x f32>'}}
  %y = gyre.valid %m : !gyre.map<[k: K, n: M] to N, padded> -> !gyre.tensor<M x K x f32>
  gyre.return
}

// -----

gyre.func @valid_element(%m: !gyre.map<[e: E] to N, padded>) {
  // expected-error @+1 {{'gyre.valid' op result #0 must be gyre tensor of a floating-point type, but got '!gyre.tensor<E x i1>'}}
  %y = gyre.valid %m : !gyre.map<[e: E] to N, padded> -> !gyre.tensor<E x i1>
  gyre.return
}

// -----

gyre.func @generic_result(%x: !gyre.tensor<N x f32>, %m: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{[result-type] expected '!gyre.tensor<E x f32>', got '!gyre.tensor<N x f32>'}}
  %y = "gyre.gather"(%x, %m) <{axis = 0 : i64}> : (!gyre.tensor<N x f32>, !gyre.map<[e: E] to N>) -> !gyre.tensor<N x f32>
  gyre.return
}

// -----

gyre.func @generic_no_axis(%x: !gyre.tensor<N x f32>, %m: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{'gyre.gather' op requires attribute 'axis'}}
  %y = "gyre.gather"(%x, %m) : (!gyre.tensor<N x f32>, !gyre.map<[e: E] to N>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @generic_axis_kind(%x: !gyre.tensor<N x f32>, %m: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{Invalid attribute `axis` in property conversion: "0"}}
  %y = "gyre.gather"(%x, %m) <{axis = "0"}> : (!gyre.tensor<N x f32>, !gyre.map<[e: E] to N>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @generic_axis_width(%x: !gyre.tensor<N x f32>, %m: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{'gyre.gather' op attribute 'axis' failed to satisfy constraint: 64-bit signless integer attribute}}
  %y = "gyre.gather"(%x, %m) <{axis = 0 : i32}> : (!gyre.tensor<N x f32>, !gyre.map<[e: E] to N>) -> !gyre.tensor<E x f32>
  gyre.return
}

// -----

gyre.func @generic_operand_count(%x: !gyre.tensor<N x f32>) {
  // expected-error @+1 {{'gyre.gather' op expected 2 operands, but found 1}}
  %y = "gyre.gather"(%x) <{axis = 0 : i64}> : (!gyre.tensor<N x f32>) -> !gyre.tensor<E x f32>
  gyre.return
}
