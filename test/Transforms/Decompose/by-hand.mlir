// Named ops are nothing but these contracts: written by hand, they are the same IR.

// RUN: gyre-opt %s --gyre-specialise="set=L=2,R=2,named=1" --gyre-decompose > %t.named
// RUN: gyre-opt %s --gyre-decompose --gyre-specialise="set=L=2,R=2,named=1" | diff %t.named -
// RUN: gyre-opt %s --gyre-specialise="set=L=2,R=2,named=0" --gyre-decompose | sed "s/named = 0/named = 1/" | diff %t.named -
// RUN: gyre-opt %s --gyre-decompose --gyre-specialise="set=L=2,R=2,named=0" | sed "s/named = 0/named = 1/" | diff %t.named -
// RUN: FileCheck %s --input-file=%t.named

// RUN: gyre-opt %s --gyre-specialise="set=L=0,R=1,named=1" --gyre-decompose > %t.zero
// RUN: gyre-opt %s --gyre-decompose --gyre-specialise="set=L=0,R=1,named=1" | diff %t.zero -
// RUN: gyre-opt %s --gyre-specialise="set=L=0,R=1,named=0" --gyre-decompose | sed "s/named = 0/named = 1/" | diff %t.zero -

// CHECK: gyre.func @rotate
// CHECK-NOT: gyre.rotate
// CHECK: gyre.func @degree_mix
// CHECK-NOT: gyre.degree_mix
// CHECK: gyre.func @gated_activation
// CHECK-NOT: gyre.gated_activation

!x = !gyre.tensor<E x (L+1)*(L+1) x C x f32>
!wigner = !gyre.tensor<E x (L+1)*(L+1) x (L+1)*(L+1) x f32>
!y = !gyre.tensor<E x 3*L+1 x C x f32>
!radial = !gyre.tensor<E x L+1 x C x f32>
!kernel = !gyre.tensor<E x ((L+1)*(L+1) + L*L)*R x f32>
!basis = !gyre.tensor<R x C x f32>
!z = !gyre.tensor<F x E x (3*L+1)*C x f32>
!gate = !gyre.tensor<F x C x L*C x f32>
!s = !gyre.tensor<F x E x C x f32>
!q = !gyre.tensor<F x E x L*C x f32>

gyre.spec @by_hand {
  gyre.param "L" in [0, 8]
  gyre.param "R" in [1, 8]
  gyre.param "C" in [1, 8] default 4
  gyre.param "named" in [0, 1]

  gyre.alternative where named == 1 {
    gyre.func @rotate(%x: !x, %wigner: !wigner) -> (y: !y) {
      %y = gyre.rotate %x by %wigner degree L : !x, !wigner
      gyre.return %y : !y
    }
    gyre.func @degree_mix(%x: !y, %radial: !radial, %kernel: !kernel, %basis: !basis) -> (y: !y) {
      %m = gyre.degree_mix %x by %radial degree L : !y, !radial
      %y = gyre.degree_mix %m by %kernel basis %basis degree L : !y, !kernel, !basis
      gyre.return %y : !y
    }
    gyre.func @gated_activation(%z: !z, %gate: !gate) -> (v: !z) {
      %v = gyre.gated_activation %z gate %gate degree L channels C : !z, !gate
      gyre.return %v : !z
    }
  }

  gyre.alternative where named == 0 {
    gyre.func @rotate(%x: !x, %wigner: !wigner) -> (y: !y) {
      %y = gyre.contract %wigner[e, k, d], %x[e, d, c] -> [e, r, c] with (r = 3*L + 1) over
          {(r = l, k = l*l + l, d = l*l + j) : l in [0, L], j in [0, 2*l]
           | (r = L + l, k = l*l + l - 1, d = l*l + j) : l in [1, L], j in [0, 2*l]
           | (r = 2*L + l, k = l*l + l + 1, d = l*l + j) : l in [1, L], j in [0, 2*l]} : !wigner, !x
      gyre.return %y : !y
    }
    gyre.func @degree_mix(%x: !y, %radial: !radial, %kernel: !kernel, %basis: !basis) -> (y: !y) {
      %m = gyre.contract %radial[e, l, c], %x[e, r, c] -> [e, r, c] over
          {(l = l, r = l) : l in [0, L] | (l = l, r = L + l) : l in [1, L] | (l = l, r = 2*L + l) : l in [1, L]} : !radial, !y
      %y = gyre.contract %kernel[e, (s, p)], %basis[p, c], %m[e, i, c] -> [e, o, c] with (s = (L+1)*(L+1) + L*L, o = 3*L + 1) over
          {(s = i*(L + 1) + o, i = i, o = o) : i in [0, L], o in [0, L]
           | (s = (L + 1)*(L + 1) + (i - 1)*L + o - 1, i = L + i, o = L + o) : i in [1, L], o in [1, L]
           | (s = (L + 1)*(L + 1) + (i - 1)*L + o - 1, i = 2*L + i, o = 2*L + o) : i in [1, L], o in [1, L]} : !kernel, !basis, !y
      gyre.return %y : !y
    }
    gyre.func @gated_activation(%z: !z, %gate: !gate) -> (v: !z) {
      %s = gyre.contract %z[f, e, (r, c)] -> [f, e, c] with (r = 3*L + 1, c = C) over {(r = 0)} : !z
      %q = gyre.contract %s[f, e, c], %gate[f, c, g] -> [f, e, g] : !s, !gate
      %sigma = gyre.sigmoid %q : !q
      %gated = gyre.contract %z[f, e, (r, c)], %sigma[f, e, (g, c)] -> [f, e, (r, c)] with (r = 3*L + 1, c = C, g = L) over
          {(r = l, g = l - 1) : l in [1, L] | (r = L + l, g = l - 1) : l in [1, L] | (r = 2*L + l, g = l - 1) : l in [1, L]} : !z, !q
      %silu = gyre.silu %s : !s
      %rows = gyre.contract %silu[f, e, c] -> [f, e, (r, c)] with (r = 3*L + 1) over {(r = 0)} : !s
      %v = arith.addf %rows, %gated : !z
      gyre.return %v : !z
    }
  }
}
