// RUN: %roundtrip %s | FileCheck %s

// CHECK-LABEL: gyre.func @tensors
// CHECK-SAME: %scalar: !gyre.tensor<f32>
// CHECK-SAME: %named: !gyre.tensor<E x f64>
// CHECK-SAME: %constant: !gyre.tensor<4 x 3 x f16>
// CHECK-SAME: %poly: !gyre.tensor<E x 3*L + 1 x C*F x bf16>
// CHECK-SAME: %paren: !gyre.tensor<L*L + 2*L + 1 x L*L + 2*L + 1 x f32>
// CHECK-SAME: %parameter: !gyre.tensor<E x act>
// CHECK-SAME: %bare: !gyre.tensor<act>
// CHECK-SAME: %spelled: !gyre.tensor<E x act>
// CHECK-SAME: %empty: !gyre.tensor<0 x N x f32>
// CHECK-SAME: %bits: !gyre.tensor<E x i1>
// CHECK-SAME: %bytes: !gyre.tensor<E x i8>
// CHECK-SAME: %shorts: !gyre.tensor<E x i16>
// CHECK-SAME: %words: !gyre.tensor<E x i32>
// CHECK-SAME: %longs: !gyre.tensor<E x i64>
gyre.func @tensors(
    %scalar: !gyre.tensor<f32>, %named: !gyre.tensor<E x f64>, %constant: !gyre.tensor<4 x 3 x f16>,
    %poly: !gyre.tensor<E x 1 + 3*L x F*C x bf16>, %paren: !gyre.tensor<(L+1)*(L+1) x (1+L)*(1+L) x f32>,
    %parameter: !gyre.tensor<E x act>, %bare: !gyre.tensor<act>, %spelled: !gyre.tensor<E x !gyre.elem<act>>,
    %empty: !gyre.tensor<0 x N x f32>, %bits: !gyre.tensor<E x i1>, %bytes: !gyre.tensor<E x i8>,
    %shorts: !gyre.tensor<E x i16>, %words: !gyre.tensor<E x i32>, %longs: !gyre.tensor<E x i64>) {
  gyre.return
}

// CHECK-LABEL: gyre.func @maps
// CHECK-SAME: %edges: !gyre.map<[e: E] to N>
// CHECK-SAME: %neighbours: !gyre.map<[k: K, n: Nout] to Nin, padded>
// CHECK-SAME: %fixed: !gyre.map<[i: 2*L + 1] to 0>
gyre.func @maps(%edges: !gyre.map<[e: E] to N>, %neighbours: !gyre.map<[k: K, n: Nout] to Nin, padded>,
                %fixed: !gyre.map<[i: L + L + 1] to 0>) {
  gyre.return
}

// CHECK-LABEL: module attributes {test.parameter = !gyre.elem<act>}
module attributes {test.parameter = !gyre.elem<act>} {}
