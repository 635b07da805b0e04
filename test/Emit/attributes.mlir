// RUN: %roundtrip %s | FileCheck %s

// CHECK: #gyre.entry<"none">
// CHECK: #gyre.entry<"f" sizes["N", "E"] arguments[<"x", !gyre.tensor<N x 4 x bf16>>, <"m", !gyre.map<[e: E] to N, padded>>] results[<"x", !gyre.tensor<3*E + N x i1>>] workspace[<4, <4*E>>, <0, <E - 2>>]>
// CHECK: #gyre.entry<"g" on cuda sizes["E"] arguments[<"x", !gyre.tensor<E x f32>, compact align 16>]>
module attributes {
  gyre.a = #gyre.entry<"none">,
  gyre.b = #gyre.entry<"f" sizes ["N", "E"]
        arguments [<"x", !gyre.tensor<N x 4 x bf16>>, <"m", !gyre.map<[e: E] to N, padded>>]
        results [<"x", !gyre.tensor<3*E + N x i1>>] workspace [<4, <4*E>>, <0, <E - 2>>]>,
  gyre.c = #gyre.entry<"g" on cuda sizes ["E"] arguments [<"x", !gyre.tensor<E x f32>, compact align 16>]>
} {}
