// RUN: gyre-opt %s -verify-diagnostics -split-input-file

// expected-error @+1 {{[tensor-syntax] expected dimensions that are separated by ` x `, with spaces, got `4x3xf32`}}
gyre.func @unspaced_numbers(%x: !gyre.tensor<4x3xf32>)

// -----

// expected-error @+1 {{[tensor-syntax] expected dimensions that are separated by ` x `, with spaces, got `Nx3xf32`}}
gyre.func @unspaced_names(%x: !gyre.tensor<Nx3xf32>)

// -----

// expected-error @+1 {{[tensor-syntax] expected dimensions that are separated by ` x `, with spaces, got `4xN`}}
gyre.func @unspaced_first(%x: !gyre.tensor<4xN x f32>)

// -----

// expected-error @+1 {{[tensor-syntax] expected dimensions that are separated by ` x `, with spaces, got `Nxbf16`}}
gyre.func @unspaced_element(%x: !gyre.tensor<E x Nxbf16>)

// -----

// expected-error @+1 {{[tensor-syntax] expected dimensions that are separated by ` x `, with spaces, got `L + 1xf32`}}
gyre.func @unspaced_sum(%x: !gyre.tensor<L + 1xf32>)

// -----

// expected-error @+1 {{[tensor-syntax] expected ` x ` and an element type after the size L + 1}}
gyre.func @no_element(%x: !gyre.tensor<E x L + 1>)

// -----

// expected-error @+1 {{[tensor-syntax] expected ` x ` and an element type after the size N}}
gyre.func @no_separator(%x: !gyre.tensor<N f32>)

// -----

// expected-error @+1 {{[size-syntax] expected a size: an integer, a name or a parenthesis}}
gyre.func @nothing(%x: !gyre.tensor<>)

// -----

// expected-error @+1 {{[size-syntax] expected a size: an integer, a name or a parenthesis}}
gyre.func @dynamic(%x: !gyre.tensor<? x f32>)

// -----

// expected-error @+1 {{[size-syntax] expected a size, got `x`, which separates dimensions}}
gyre.func @two_separators(%x: !gyre.tensor<N x x f32>)

// -----

// expected-error @+1 {{[size-syntax] expected a size: an integer, a name or a parenthesis}}
gyre.func @no_element_after_separator(%x: !gyre.tensor<N x >)

// -----

// expected-error @+1 {{expected '>'}}
gyre.func @type_as_size(%x: !gyre.tensor<f32 x f32>)

// -----

// expected-error @+1 {{[tensor-size] expected sizes of at least 0, got -1}}
gyre.func @negative(%x: !gyre.tensor<N x -1 x f32>)

// -----

// expected-error @+1 {{[tensor-size] expected sizes of at least 0, got -3}}
gyre.func @negative_sum(%x: !gyre.tensor<(2 - 5) x f32>)

// -----

// expected-error @+1 {{[tensor-element] expected an element type of f64, f32, f16, bf16, i1, i8, i16, i32, i64 or a type parameter, got 'index'}}
gyre.func @index_element(%x: !gyre.tensor<N x index>)

// -----

// expected-error @+1 {{[tensor-element] expected an element type of f64, f32, f16, bf16, i1, i8, i16, i32, i64 or a type parameter, got 'f80'}}
gyre.func @wide_element(%x: !gyre.tensor<N x f80>)

// -----

// expected-error @+1 {{[tensor-element] expected an element type of f64, f32, f16, bf16, i1, i8, i16, i32, i64 or a type parameter, got 'ui8'}}
gyre.func @unsigned_element(%x: !gyre.tensor<N x ui8>)

// -----

// expected-error @+1 {{[tensor-element] expected an element type of f64, f32, f16, bf16, i1, i8, i16, i32, i64 or a type parameter, got 'i7'}}
gyre.func @odd_element(%x: !gyre.tensor<N x i7>)

// -----

// expected-error @+1 {{[tensor-element] expected an element type of f64, f32, f16, bf16, i1, i8, i16, i32, i64 or a type parameter, got '!gyre.tensor<f32>'}}
gyre.func @tensor_element(%x: !gyre.tensor<N x !gyre.tensor<f32>>)

// -----

// expected-error @+1 {{[name-syntax] expected a name of letters, digits and `_`, got `a.b`}}
gyre.func @element_name(%x: !gyre.tensor<N x !gyre.elem<a.b>>)

// -----

// expected-error @+1 {{[name-syntax] expected a name other than `x` and builtin types, got `x`}}
gyre.func @element_separator(%x: !gyre.tensor<N x !gyre.elem<x>>)

// -----

// As an element type, this would be printed as the builtin one.
// expected-error @+1 {{[name-syntax] expected a name other than `x` and builtin types, got `f32`}}
gyre.func @element_builtin(%x: !gyre.tensor<N x !gyre.elem<f32>>)

// -----

// expected-error @+1 {{[map-axes] expected at least one axis, got none}}
gyre.func @no_axis(%m: !gyre.map<[] to N>)

// -----

// expected-error @+1 {{[map-axes] expected axes of different names, got two of name `e`}}
gyre.func @axis_twice(%m: !gyre.map<[e: E, e: F] to N>)

// -----

// expected-error @+1 {{[map-size] expected sizes of at least 0, got -2}}
gyre.func @negative_axis(%m: !gyre.map<[e: E, k: 1 - 3] to N>)

// -----

// expected-error @+1 {{[map-size] expected sizes of at least 0, got -1}}
gyre.func @negative_target(%m: !gyre.map<[e: E] to -1>)

// -----

// expected-error @+1 {{expected 'to'}}
gyre.func @no_target(%m: !gyre.map<[e: E]>)

// -----

// expected-error @+1 {{expected 'padded'}}
gyre.func @unknown_flag(%m: !gyre.map<[e: E] to N, filled>)

// -----

// expected-error @+1 {{unknown  type `graph` in dialect `gyre`}}
gyre.func @unknown_type(%m: !gyre.graph<N>)
