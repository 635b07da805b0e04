// RUN: gyre-opt %s -verify-diagnostics -split-input-file

gyre.func @max_slot_axis(%v: !gyre.tensor<K x M x f32>) {
  // expected-error @+1 {{[max-slot-axis] expected an axis in [0, 2), got 2}}
  %y, %s = gyre.max_slot %v axis 2 : !gyre.tensor<K x M x f32> -> !gyre.tensor<K x f32>, !gyre.tensor<K x i8>
  gyre.return
}

// -----

gyre.func @max_slot_scalar(%v: !gyre.tensor<f32>) {
  // expected-error @+1 {{[max-slot-axis] expected an axis in [0, 0), got 0}}
  %y, %s = gyre.max_slot %v axis 0 : !gyre.tensor<f32> -> !gyre.tensor<f32>, !gyre.tensor<i8>
  gyre.return
}

// -----

gyre.func @max_slot_map(%v: !gyre.tensor<M x K x f32>, %m: !gyre.map<[k: K, n: M] to N>) {
  // expected-error @+1 {{[max-slot-axis] expected the axes of '!gyre.map<[k: K, n: M] to N>' at dimension 0, got '!gyre.tensor<M x K x f32>'}}
  %y, %s = gyre.max_slot %v axis 0 over %m[k] : !gyre.tensor<M x K x f32>, !gyre.map<[k: K, n: M] to N>
      -> !gyre.tensor<M x f32>, !gyre.tensor<M x i8>
  gyre.return
}

// -----

gyre.func @max_slot_map_huge(%v: !gyre.tensor<K x M x f32>, %m: !gyre.map<[k: K, n: M] to N>) {
  // expected-error @+1 {{[max-slot-axis] expected the axes of '!gyre.map<[k: K, n: M] to N>' at dimension 9223372036854775807, got '!gyre.tensor<K x M x f32>'}}
  %y, %s = gyre.max_slot %v axis 9223372036854775807 over %m[k] : !gyre.tensor<K x M x f32>, !gyre.map<[k: K, n: M] to N>
      -> !gyre.tensor<M x f32>, !gyre.tensor<M x i8>
  gyre.return
}

// -----

gyre.func @max_slot_map_axis(%v: !gyre.tensor<K x M x f32>, %m: !gyre.map<[k: K, n: M] to N>) {
  // expected-error @+1 {{[max-slot-map-axis] expected an axis of '!gyre.map<[k: K, n: M] to N>', got `q`}}
  %y, %s = gyre.max_slot %v axis 0 over %m[q] : !gyre.tensor<K x M x f32>, !gyre.map<[k: K, n: M] to N>
      -> !gyre.tensor<M x f32>, !gyre.tensor<M x i8>
  gyre.return
}

// -----

gyre.func @max_slot_only_map(%v: !gyre.tensor<E x f32>, %m: !gyre.map<[e: E] to N>) {
  // expected-error @+1 {{[max-slot-map-axis] expected a map together with the name of an axis of it, got only the map}}
  %y, %s = "gyre.max_slot"(%v, %m) <{axis = 0 : i64}> : (!gyre.tensor<E x f32>, !gyre.map<[e: E] to N>) -> (!gyre.tensor<f32>, !gyre.tensor<i8>)
  gyre.return
}

// -----

gyre.func @max_slot_only_name(%v: !gyre.tensor<E x f32>) {
  // expected-error @+1 {{[max-slot-map-axis] expected a map together with the name of an axis of it, got only the name}}
  %y, %s = "gyre.max_slot"(%v) <{axis = 0 : i64, map_axis = "e"}> : (!gyre.tensor<E x f32>) -> (!gyre.tensor<f32>, !gyre.tensor<i8>)
  gyre.return
}

// -----

gyre.func @max_slot_shape(%v: !gyre.tensor<K x M x f32>) {
  // expected-error @+1 {{[max-slot-shape] expected '!gyre.tensor<M x f32>' and slots of its sizes, got '!gyre.tensor<K x f32>' and '!gyre.tensor<M x i8>'}}
  %y, %s = gyre.max_slot %v axis 0 : !gyre.tensor<K x M x f32> -> !gyre.tensor<K x f32>, !gyre.tensor<M x i8>
  gyre.return
}

// -----

gyre.func @max_slot_shape_slot(%v: !gyre.tensor<K x M x f32>) {
  // expected-error @+1 {{[max-slot-shape] expected '!gyre.tensor<M x f32>' and slots of its sizes, got '!gyre.tensor<M x f32>' and '!gyre.tensor<K x i8>'}}
  %y, %s = gyre.max_slot %v axis 0 : !gyre.tensor<K x M x f32> -> !gyre.tensor<M x f32>, !gyre.tensor<K x i8>
  gyre.return
}

// -----

gyre.func @max_slot_width(%v: !gyre.tensor<257 x f32>) {
  // expected-error @+1 {{[max-slot-width] expected an integer type that holds 257 slots, got 'i8'}}
  %y, %s = gyre.max_slot %v axis 0 : !gyre.tensor<257 x f32> -> !gyre.tensor<f32>, !gyre.tensor<i8>
  gyre.return
}

// -----

gyre.func @max_slot_float(%v: !gyre.tensor<4 x f32>) {
  // expected-error @+1 {{'gyre.max_slot' op result #1 must be gyre tensor of an integer type, but got '!gyre.tensor<f32>'}}
  %y, %s = gyre.max_slot %v axis 0 : !gyre.tensor<4 x f32> -> !gyre.tensor<f32>, !gyre.tensor<f32>
  gyre.return
}

// -----

gyre.func @select_slot_axis(%v: !gyre.tensor<K x f32>, %s: !gyre.tensor<i8>) {
  // expected-error @+1 {{[select-slot-axis] expected an axis in [0, 1), got 1}}
  %y = gyre.select_slot %v at %s axis 1 : !gyre.tensor<K x f32>, !gyre.tensor<i8>
  gyre.return
}

// -----

gyre.func @select_slot_shape(%v: !gyre.tensor<K x M x f32>, %s: !gyre.tensor<K x i8>) {
  // expected-error @+1 {{[select-slot-shape] expected slots of the sizes of '!gyre.tensor<M x f32>', got '!gyre.tensor<K x i8>'}}
  %y = gyre.select_slot %v at %s axis 0 : !gyre.tensor<K x M x f32>, !gyre.tensor<K x i8>
  gyre.return
}

// -----

gyre.func @select_slot_type(%v: !gyre.tensor<K x f32>, %s: !gyre.tensor<f32>) {
  // expected-error @+1 {{'gyre.select_slot' op operand #1 must be gyre tensor of an integer type, but got '!gyre.tensor<f32>'}}
  %y = gyre.select_slot %v at %s axis 0 : !gyre.tensor<K x f32>, !gyre.tensor<f32>
  gyre.return
}

// -----

gyre.func @spread_slot_axis(%g: !gyre.tensor<M x f32>, %s: !gyre.tensor<M x i8>) {
  // expected-error @+1 {{[spread-slot-axis] expected an axis in [0, 1], got 2}}
  %y = gyre.spread_slot %g at %s axis 2 size K : !gyre.tensor<M x f32>, !gyre.tensor<M x i8>
  gyre.return
}

// -----

gyre.func @spread_slot_shape(%g: !gyre.tensor<M x f32>, %s: !gyre.tensor<N x i8>) {
  // expected-error @+1 {{[spread-slot-shape] expected slots of the sizes of '!gyre.tensor<M x f32>', got '!gyre.tensor<N x i8>'}}
  %y = gyre.spread_slot %g at %s axis 0 size K : !gyre.tensor<M x f32>, !gyre.tensor<N x i8>
  gyre.return
}

// -----

gyre.func @spread_slot_size(%g: !gyre.tensor<M x f32>, %s: !gyre.tensor<M x i8>) {
  // expected-error @+1 {{[spread-slot-size] expected a size of at least 0, got -3}}
  %y = gyre.spread_slot %g at %s axis 0 size -3 : !gyre.tensor<M x f32>, !gyre.tensor<M x i8>
  gyre.return
}
