// RUN: gyre-opt %s -verify-diagnostics -split-input-file

// expected-error @+1 {{[entry-size] expected each size of an operand or a buffer in `sizes`, got none of name "C"}}
module attributes {test.tensor = #gyre.entry<"f" sizes ["E"] arguments [<"x", !gyre.tensor<E x C x f32>>]>} {}

// -----

// expected-error @+1 {{[entry-size] expected each size of an operand or a buffer in `sizes`, got none of name "N"}}
module attributes {test.map = #gyre.entry<"f" sizes ["E"] arguments [<"m", !gyre.map<[e: E] to N>>]>} {}

// -----

// expected-error @+1 {{[entry-size] expected each size of an operand or a buffer in `sizes`, got none of name "E"}}
module attributes {test.buffer = #gyre.entry<"f" workspace [<4, <4*E>>]>} {}

// -----

// expected-error @+1 {{[entry-layout] expected a power of two for the alignment of "x", got 12}}
module attributes {test.align = #gyre.entry_operand<"x", !gyre.tensor<f32>, align 12>} {}

// -----

// expected-error @+1 {{[entry-layout] expected a tensor for the layout of "m", got '!gyre.map<[e: E] to N>'}}
module attributes {test.map = #gyre.entry_operand<"m", !gyre.map<[e: E] to N>, compact>} {}

// -----

// expected-error @+1 {{expected 'align'}}
module attributes {test.layout = #gyre.entry_operand<"x", !gyre.tensor<f32>, dense>} {}
