// RUN: gyre-opt %s -verify-diagnostics -split-input-file

// Polynomials.

// expected-error @+1 {{[size-syntax] expected a size: an integer, a name or a parenthesis}}
module attributes {test.empty = #gyre.poly<>} {}

// -----

// expected-error @+1 {{[size-syntax] expected a size: an integer, a name or a parenthesis}}
module attributes {test.dangling_operator = #gyre.poly<L + >} {}

// -----

// expected-error @+1 {{[size-syntax] expected a size: an integer, a name or a parenthesis}}
module attributes {test.string = #gyre.poly<"L">} {}

// -----

// expected-error @+1 {{[size-syntax] expected a size, got `x`, which separates dimensions}}
module attributes {test.separator = #gyre.poly<2*x>} {}

// -----

// expected-error @+1 {{[size-syntax] expected a size, got `f32`, which is a type}}
module attributes {test.type = #gyre.poly<L + f32>} {}

// -----

// expected-error @+1 {{expected '>'}}
module attributes {test.division = #gyre.poly<L / 2>} {}

// -----

// expected-error @+1 {{expected '>'}}
module attributes {test.two_names = #gyre.poly<L M>} {}

// -----

// expected-error @+1 {{unbalanced '(' character in pretty dialect name}}
module attributes {test.unclosed = #gyre.poly<(L + 1>} {}

// -----

// expected-error @+1 {{expected ')'}}
module attributes {test.two_sums = #gyre.poly<(L M)>} {}

// -----

// A hexadecimal number is 0 and a name.
// expected-error @+1 {{expected '>'}}
module attributes {test.hexadecimal = #gyre.poly<0x10>} {}

// -----

// expected-error @+1 {{[name-syntax] expected a name of letters, digits and `_`, got `a.b`}}
module attributes {test.dotted_name = #gyre.poly<a.b>} {}

// -----

// expected-error @+1 {{[name-syntax] expected a name of letters, digits and `_`, got `a$`}}
module attributes {test.dollar_name = #gyre.poly<2 + a$>} {}

// -----

// expected-error @+1 {{integer value too large}}
module attributes {test.large_integer = #gyre.poly<9223372036854775808>} {}

// -----

// expected-error @+1 {{[size-overflow] expected coefficients that 64 bits hold and at most 512 monomials of degree at most 64, got a larger polynomial}}
module attributes {test.sum = #gyre.poly<9223372036854775807*N + N>} {}

// -----

// expected-error @+1 {{[size-overflow] expected coefficients that 64 bits hold and at most 512 monomials of degree at most 64, got a larger polynomial}}
module attributes {test.difference = #gyre.poly<-9223372036854775807 - 1>} {}

// -----

// A product that wraps around to 0 is no 0.
// expected-error @+1 {{[size-overflow] expected coefficients that 64 bits hold and at most 512 monomials of degree at most 64, got a larger polynomial}}
module attributes {test.product = #gyre.poly<4294967296*4294967296>} {}

// -----

// What is too large stays so, whatever follows.
// expected-error @+1 {{[size-overflow] expected coefficients that 64 bits hold and at most 512 monomials of degree at most 64, got a larger polynomial}}
module attributes {test.absorbed = #gyre.poly<0*(4294967296*4294967296*N) - 1>} {}

// -----

// expected-error @+1 {{[size-overflow] expected coefficients that 64 bits hold and at most 512 monomials of degree at most 64, got a larger polynomial}}
module attributes {test.degree = #gyre.poly<L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L*L>} {}

// -----

// 1287 monomials, were it multiplied out.
// expected-error @+1 {{[size-overflow] expected coefficients that 64 bits hold and at most 512 monomials of degree at most 64, got a larger polynomial}}
module attributes {test.monomials = #gyre.poly<(a+b+c+d+e+f+g+h+i)*(a+b+c+d+e+f+g+h+i)*(a+b+c+d+e+f+g+h+i)*(a+b+c+d+e+f+g+h+i)*(a+b+c+d+e+f+g+h+i)>} {}

// -----

// expected-error @+1 {{[size-syntax] expected at most 64 parentheses within one another, got more}}
module attributes {test.nesting = #gyre.poly<(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))>} {}

// -----

// Axes.

// expected-error @+1 {{expected ':'}}
module attributes {test.no_size = #gyre.axis<e>} {}

// -----

// expected-error @+1 {{[name-syntax] expected a name of letters, digits and `_`, got `e.f`}}
module attributes {test.axis_name = #gyre.axis<e.f: E>} {}

// -----

// expected-error @+1 {{expected valid keyword}}
module attributes {test.axis_number = #gyre.axis<1: E>} {}
