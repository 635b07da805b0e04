// RUN: gyre-opt %s -verify-diagnostics -split-input-file

// Comprehensions.

// expected-error @+1 {{[relation-axes] expected at least one axis, got none}}
module attributes {test.no_axis = #gyre.relation<{()}>} {}

// -----

// expected-error @+1 {{expected '('}}
module attributes {test.no_piece = #gyre.relation<{}>} {}

// -----

// expected-error @+1 {{[relation-axes] expected each axis of the relation once, got `r`}}
module attributes {test.axis_twice = #gyre.relation<{(r = 0, r = 1)}>} {}

// -----

// expected-error @+1 {{[relation-axes] expected each axis of the relation once, got `k`}}
module attributes {test.other_axis = #gyre.relation<{(r = 0) | (k = 0)}>} {}

// -----

// expected-error @+1 {{[relation-axes] expected an index for each axis in each piece, got none for `k`}}
module attributes {test.missing_axis = #gyre.relation<{(r = 0, k = 0) | (r = 1)}>} {}

// -----

// expected-error @+1 {{[relation-axes] expected an index for each axis in each piece, got none for `r`}}
module attributes {test.empty_piece = #gyre.relation<{(r = 0) | ()}>} {}

// -----

// expected-error @+1 {{[relation-iterator] expected iterators of different names, got two of name `l`}}
module attributes {test.iterator_twice = #gyre.relation<{(r = l) : l in [0, 2], l in [0, 3]}>} {}

// -----

// expected-error @+1 {{[number-syntax] expected a number with a decimal point, got `2`}}
module attributes {test.integer_coefficient = #gyre.relation<{(r = 0) * 2}>} {}

// -----

// expected-error @+1 {{[relation-coefficient] expected a finite number, got INF}}
module attributes {test.infinite = #gyre.relation<{(r = 0) * 0x7FF0000000000000}>} {}

// -----

// expected-error @+1 {{[relation-coefficient] expected a finite f64, got 1.000000e+00 : f32}}
module attributes {test.narrow = #gyre.piece<[<0>], 1.0 : f32>} {}

// -----

// expected-error @+1 {{[relation-iterator] expected iterators of different names, got two of name `l`}}
module attributes {test.piece = #gyre.piece<[<l>], 1.0 : f64, [<"l", <0>, <1>>, <"l", <0>, <2>>]>} {}

// -----

// expected-error @+1 {{expected 'in'}}
module attributes {test.no_in = #gyre.relation<{(r = l) : l = 2}>} {}

// -----

// expected-error @+1 {{expected ','}}
module attributes {test.no_upper = #gyre.relation<{(r = l) : l in [2]}>} {}

// -----

// expected-error @+1 {{expected '}'}}
module attributes {test.unclosed = #gyre.relation<{(r = 0) (r = 1)}>} {}

// -----

// Tuples.

// expected-error @+1 {{[tuples-size] expected 2 indices in a tuple, got 1}}
module attributes {test.short = #gyre.tuples<[r, k] {(0, 0), (1)}>} {}

// -----

// expected-error @+1 {{[tuples-size] expected 2 indices in a tuple, got 3}}
module attributes {test.long = #gyre.tuples<[r, k] {(0, 0, 0)}>} {}

// -----

// expected-error @+1 {{[tuples-size] expected 1 indices in a tuple, got 0}}
module attributes {test.empty_tuple = #gyre.tuples<[r] {()}>} {}

// -----

// expected-error @+1 {{expected valid keyword}}
module attributes {test.no_axis = #gyre.tuples<[] {}>} {}

// -----

// expected-error @+1 {{[relation-coefficient] expected a finite number, got nan}}
module attributes {test.nan = #gyre.tuples<[r] {(0) * 0x7FF8000000000000}>} {}

// -----

// Two finite coefficients of one tuple.
// expected-error @+1 {{[relation-coefficient] expected a finite number, got INF}}
module attributes {test.sum = #gyre.tuples<[r] {(0) * 1.0e308, (0) * 1.0e308}>} {}

// -----

// expected-error @+1 {{integer value too large}}
module attributes {test.index = #gyre.tuples<[r] {(9223372036854775808)}>} {}

// -----

// Conditions.

// expected-error @+1 {{[condition-comparison] expected one of ==, >=, <=, >, <, got `!=`}}
module attributes {test.comparison = #gyre.condition<<L>, "!=", <1>>} {}

// -----

// expected-error @+2 {{expected ::gyre::Precision to be one of: ieee, tf32x3, bf16x3, bf16x6, fp16x3, tf32, bf16, fp16, fp64}}
// expected-error @+1 {{failed to parse Gyre_PrecisionAttr parameter 'value' which is to be a `::gyre::Precision`}}
module attributes {test.precision = #gyre<precision f32>} {}
