// RUN: %roundtrip %s | FileCheck %s

// Attributes by themselves, where no op's text form hides theirs.

// CHECK: #gyre.poly<L*L + 2*L + 1>
module attributes {test.poly_square = #gyre.poly<(L+1)*(L+1)>} {}

// Monomials by descending degree, then by name; equal ones merged, zero ones dropped.
// CHECK: #gyre.poly<C*F*L - 3*C*F + L*L - 7>
module attributes {test.poly_order = #gyre.poly<-7 + L*L + L*F*C - F*C*3 + 0*N>} {}
// CHECK: #gyre.poly<0>
module attributes {test.poly_zero = #gyre.poly<(a - b)*(a + b) - a*a + b*b>} {}
// CHECK: #gyre.poly<-L>
module attributes {test.poly_minus = #gyre.poly<---L>} {}
// CHECK: #gyre.poly<-9223372036854775807>
module attributes {test.poly_extreme = #gyre.poly<-9223372036854775807>} {}
// CHECK: #gyre.poly<9223372036854775807*N + 1>
module attributes {test.poly_large = #gyre.poly<1 + 9223372036854775807*N>} {}
// CHECK: #gyre.poly<6>
module attributes {test.poly_constant = #gyre.poly<((2))*(1 + (2))>} {}

// CHECK: #gyre.axis<e: 3*L + 1>
module attributes {test.axis = #gyre.axis<e: 1 + 3*L>} {}
// CHECK: #gyre.range<"l", <0>, <L - 1>>
module attributes {test.range = #gyre.range<"l", <0>, <L - 1>>} {}
// CHECK: #gyre.piece<[<l>, <l*l>], -1.500000e+00 : f64, [<"l", <0>, <L>>]>
module attributes {test.piece_ranges = #gyre.piece<[<l>, <l*l>], -1.5 : f64, [<"l", <0>, <L>>]>} {}
// CHECK: #gyre.piece<[<0>], 1.000000e+00 : f64>
module attributes {test.piece_one = #gyre.piece<[<0>], 1.0 : f64>} {}

// The first piece orders the axes; a coefficient of 1 is not written.
// CHECK: #gyre.relation<{(r = l, k = l*l + l, d = l*l + j) : l in [0, L], j in [0, 2*l] | (r = 0, k = 1, d = 2) * -1.000000e+00}>
module attributes {test.relation = #gyre.relation<{(r = l, k = l*l + l, d = l*l + j) * 1.0 : l in [0, L], j in [0, 2*l] | (d = 2, r = 0, k = 1) * -1.0}>} {}

// Sorted; equal tuples merged; zero coefficients dropped.
// CHECK: #gyre.tuples<[r, k] {(-1, 4), (0, 0) * -2.500000e-01, (0, 1) * 3.000000e+00}>
module attributes {test.tuples_canonical = #gyre.tuples<[r, k] {(0, 1), (2, 2) * 0.0, (0, 0) * -0.25, (1, 1), (-1, 4), (0, 1) * 2.0, (1, 1) * -1.0}>} {}
// CHECK: #gyre.tuples<[r] {}>
module attributes {test.tuples_empty = #gyre.tuples<[r] {}>} {}
// A coefficient that takes all digits.
// CHECK: #gyre.tuples<[r] {(0) * 0.1234567890123456{{[0-9]*}}}>
module attributes {test.tuples_digits = #gyre.tuples<[r] {(0) * 0.1234567890123456789}>} {}
// CHECK: #gyre.tuples<[r] {(-9), (2), (10)}>
module attributes {test.tuples_order = #gyre.tuples<[r] {(10), (2), (-9)}>} {}

// CHECK: #gyre.condition<<L>, ">=", <1>>
module attributes {test.condition = #gyre.condition<<L>, ">=", <1>>} {}
// CHECK: #gyre<precision bf16x3>
module attributes {test.precision = #gyre<precision bf16x3>} {}

// CHECK: #gyre.entry_operand<"x", !gyre.tensor<f32>>
module attributes {test.entry_operand = #gyre.entry_operand<"x", !gyre.tensor<f32>>} {}
// CHECK: #gyre.entry_operand<"x", !gyre.tensor<f32>, compact align 16>
module attributes {test.entry_operand = #gyre.entry_operand<"x", !gyre.tensor<f32>, compact align 16>} {}
// CHECK: #gyre.entry_operand<"x", !gyre.tensor<f32>, compact>
module attributes {test.entry_operand = #gyre.entry_operand<"x", !gyre.tensor<f32>, compact align 0>} {}
// CHECK: #gyre.entry_operand<"x", !gyre.tensor<f32>, align 8>
module attributes {test.entry_operand = #gyre.entry_operand<"x", !gyre.tensor<f32>, align 8>} {}
// CHECK: #gyre.entry_buffer<8, <E>>
module attributes {test.entry_buffer = #gyre.entry_buffer<8, <E>>} {}
