// RUN: gyre-opt %s -verify-diagnostics -split-input-file

// expected-error @+1 {{[entry-size] expected each size of an operand or a buffer in `sizes`, got none of name "C"}}
module attributes {test.tensor = #gyre.entry<"f" sizes ["E"] arguments [<"x", !gyre.tensor<E x C x f32>>]>} {}

// -----

// expected-error @+1 {{[entry-size] expected each size of an operand or a buffer in `sizes`, got none of name "N"}}
module attributes {test.map = #gyre.entry<"f" sizes ["E"] arguments [<"m", !gyre.map<[e: E] to N>>]>} {}

// -----

// expected-error @+1 {{[entry-size] expected each size of an operand or a buffer in `sizes`, got none of name "E"}}
module attributes {test.buffer = #gyre.entry<"f" workspace [<4, <4*E>>]>} {}
