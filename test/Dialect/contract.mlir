// RUN: %roundtrip %s | FileCheck %s

// CHECK-LABEL: gyre.func @einsum
gyre.func @einsum(%a: !gyre.tensor<E x 4 x 16 x f32>, %b: !gyre.tensor<E x 16 x C x f32>, %s: !gyre.tensor<E x f32>)
    -> (y: !gyre.tensor<E x 4 x C x f32>) {
  // CHECK: %{{.*}} = gyre.contract %a[e, k, d], %b[e, d, c], %s[e] -> [e, k, c] : !gyre.tensor<E x 4 x 16 x f32>, !gyre.tensor<E x 16 x C x f32>, !gyre.tensor<E x f32>
  %y = gyre.contract %a[e, k, d], %b[e, d, c], %s[e] -> [e, k, c]
      : !gyre.tensor<E x 4 x 16 x f32>, !gyre.tensor<E x 16 x C x f32>, !gyre.tensor<E x f32>
  gyre.return %y : !gyre.tensor<E x 4 x C x f32>
}

// One operand: reductions, transposes, broadcasts.
// CHECK-LABEL: gyre.func @one_operand
gyre.func @one_operand(%a: !gyre.tensor<E x C x f32>)
    -> (sum: !gyre.tensor<f32>, turned: !gyre.tensor<C x E x f32>, wide: !gyre.tensor<E x 3*L + 1 x C x f32>) {
  // CHECK: gyre.contract %a[e, c] -> [] : !gyre.tensor<E x C x f32>
  %sum = gyre.contract %a[e, c] -> [] : !gyre.tensor<E x C x f32>
  // CHECK: gyre.contract %a[e, c] -> [c, e] : !gyre.tensor<E x C x f32>
  %turned = gyre.contract %a[e, c] -> [c, e] : !gyre.tensor<E x C x f32>
  // CHECK: gyre.contract %a[e, c] -> [e, r, c] with (r = 3*L + 1) : !gyre.tensor<E x C x f32>
  %wide = gyre.contract %a[e, c] -> [e, r, c] with (r = 1 + 3*L) : !gyre.tensor<E x C x f32>
  gyre.return %sum, %turned, %wide : !gyre.tensor<f32>, !gyre.tensor<C x E x f32>, !gyre.tensor<E x 3*L + 1 x C x f32>
}

// A scalar operand has an empty subscript.
// CHECK-LABEL: gyre.func @scalar
gyre.func @scalar(%a: !gyre.tensor<E x f32>, %s: !gyre.tensor<f32>) -> (y: !gyre.tensor<E x f32>) {
  // CHECK: gyre.contract %s[], %a[e] -> [e] : !gyre.tensor<f32>, !gyre.tensor<E x f32>
  %y = gyre.contract %s[], %a[e] -> [e] : !gyre.tensor<f32>, !gyre.tensor<E x f32>
  gyre.return %y : !gyre.tensor<E x f32>
}

// Sizes of axes that stand in groups only are written, those of others are not.
// CHECK-LABEL: gyre.func @groups
gyre.func @groups(%a: !gyre.tensor<E x C*F x f32>, %w: !gyre.tensor<F x D x C x f32>)
    -> (y: !gyre.tensor<E x F x C x f32>, z: !gyre.tensor<D*E x F x f32>) {
  // CHECK: gyre.contract %a[e, (f, c)] -> [e, f, c] with (f = F, c = C) : !gyre.tensor<E x C*F x f32>
  %y = gyre.contract %a[e, (f, c)] -> [e, f, c] with (c = C, f = F) : !gyre.tensor<E x F*C x f32>
  // CHECK: gyre.contract %a[e, (f, c)], %w[f, d, c] -> [(e, d), f] : !gyre.tensor<E x C*F x f32>, !gyre.tensor<F x D x C x f32>
  %z = gyre.contract %a[e, (f, c)], %w[f, d, c] -> [(e, d), f] : !gyre.tensor<E x F*C x f32>, !gyre.tensor<F x D x C x f32>
  // A group of one axis is that axis.
  // CHECK: gyre.contract %w[f, d, c] -> [f, d, c] : !gyre.tensor<F x D x C x f32>
  %u = gyre.contract %w[(f), (d), c] -> [f, (d), c] : !gyre.tensor<F x D x C x f32>
  gyre.return %y, %z : !gyre.tensor<E x F x C x f32>, !gyre.tensor<D*E x F x f32>
}

// CHECK-LABEL: gyre.func @relations
gyre.func @relations(%w: !gyre.tensor<E x (L+1)*(L+1) x (L+1)*(L+1) x f32>, %x: !gyre.tensor<E x (L+1)*(L+1) x C x f32>,
                     %v: !gyre.tensor<E x 4 x f32>)
    -> (y: !gyre.tensor<E x 3*L + 1 x C x f32>, z: !gyre.tensor<E x 3 x f32>) {
  // CHECK: gyre.contract %w[e, k, d], %x[e, d, c] -> [e, r, c] with (r = 3*L + 1)
  // CHECK-SAME: over {(r = l, k = l*l + l, d = l*l + j) : l in [0, L], j in [0, 2*l] | (r = L + m, k = m*m + m - 1, d = m*m + j) * -1.000000e+00 : m in [1, L], j in [0, 2*m]}
  // CHECK-SAME: : !gyre.tensor<E x L*L + 2*L + 1 x L*L + 2*L + 1 x f32>, !gyre.tensor<E x L*L + 2*L + 1 x C x f32>
  %y = gyre.contract %w[e, k, d], %x[e, d, c] -> [e, r, c] with (r = 3*L + 1)
      over {(r = l, k = l*l + l, d = l*l + j) : l in [0, L], j in [0, 2*l] |
            (d = m*m + j, k = m*m + m - 1, r = L + m) * -1.0 : m in [1, L], j in [0, 2*m]}
      : !gyre.tensor<E x (L+1)*(L+1) x (L+1)*(L+1) x f32>, !gyre.tensor<E x (L+1)*(L+1) x C x f32>
  // CHECK: gyre.contract %v[e, i] -> [e, o] with (o = 3) over [i, o] {(0, 2) * 5.000000e-01, (3, 0)} : !gyre.tensor<E x 4 x f32>
  %z = gyre.contract %v[e, i] -> [e, o] with (o = 3) over [i, o] {(3, 0), (0, 2) * 0.25, (0, 2) * 0.25} : !gyre.tensor<E x 4 x f32>
  // An empty relation reads nothing and writes zeros.
  // CHECK: gyre.contract %v[e, i] -> [e, o] with (o = 3) over [i, o] {} : !gyre.tensor<E x 4 x f32>
  %none = gyre.contract %v[e, i] -> [e, o] with (o = 3) over [i, o] {} : !gyre.tensor<E x 4 x f32>
  gyre.return %y, %z : !gyre.tensor<E x 3*L + 1 x C x f32>, !gyre.tensor<E x 3 x f32>
}

// CHECK-LABEL: gyre.func @precisions
gyre.func @precisions(%h: !gyre.tensor<M x K x f16>, %p: !gyre.tensor<M x K x act>, %d: !gyre.tensor<M x K x f64>) {
  // CHECK: -> [m] acc f32 : !gyre.tensor<M x K x f16>
  %0 = gyre.contract %h[m, k] -> [m] acc f32 : !gyre.tensor<M x K x f16>
  // CHECK: -> [m] acc f16 precision fp16 : !gyre.tensor<M x K x f16>
  %1 = gyre.contract %h[m, k] -> [m] acc f16 precision fp16 : !gyre.tensor<M x K x f16>
  // CHECK: -> [m] acc !gyre.elem<acc> precision tf32x3 : !gyre.tensor<M x K x act>
  %2 = gyre.contract %p[m, k] -> [m] acc !gyre.elem<acc> precision tf32x3 : !gyre.tensor<M x K x act>
  // CHECK: -> [m] acc f32 : !gyre.tensor<M x K x act>
  %3 = gyre.contract %p[m, k] -> [m] acc f32 : !gyre.tensor<M x K x act>
  // The default is written where it was: a derivative, or the command line, would choose another.
  // CHECK: -> [m] precision ieee : !gyre.tensor<M x K x f64>
  %4 = gyre.contract %d[m, k] -> [m] precision ieee : !gyre.tensor<M x K x f64>
  // CHECK: -> [m] precision bf16x3 {note = "kept"} :
  %5 = gyre.contract %d[m, k] -> [m] precision bf16x3 {note = "kept"} : !gyre.tensor<M x K x f64>
  // CHECK: precision bf16x6 :
  %6 = gyre.contract %d[m, k] -> [m] precision bf16x6 : !gyre.tensor<M x K x f64>
  // CHECK: precision fp16x3 :
  %7 = gyre.contract %d[m, k] -> [m] precision fp16x3 : !gyre.tensor<M x K x f64>
  // CHECK: precision tf32 :
  %8 = gyre.contract %d[m, k] -> [m] precision tf32 : !gyre.tensor<M x K x f64>
  // CHECK: precision bf16 :
  %9 = gyre.contract %d[m, k] -> [m] precision bf16 : !gyre.tensor<M x K x f64>
  // CHECK: precision fp64 :
  %10 = gyre.contract %d[m, k] -> [m] precision fp64 : !gyre.tensor<M x K x f64>
  gyre.return
}
