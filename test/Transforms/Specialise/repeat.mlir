// RUN: gyre-opt %s --gyre-specialise="set=T=3" | FileCheck %s --check-prefixes=CHECK,THREE
// RUN: gyre-opt %s --gyre-specialise="set=T=1" | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: gyre-opt %s --gyre-specialise="set=T=0" | FileCheck %s --check-prefixes=CHECK,NONE

!u = !gyre.tensor<E x C x f32>
!us = !gyre.tensor<T x E x C x f32>
!w = !gyre.tensor<C x C x f32>
!ws = !gyre.tensor<T+1 x C x C x f32>

gyre.spec @layers {
  gyre.param "T" in [0, 8]
  gyre.param "C" in [1, 64] default 4

  // A carried value, a slice a layer, and a stacked result; the stack of one layer needs no concat.

  // CHECK-LABEL: gyre.func @layers(
  // CHECK-NOT: gyre.repeat

  // THREE: %[[W0:.*]] = gyre.contract %w[t, a0, a1] -> [a0, a1] over [t] {(0)} : !gyre.tensor<4 x 4 x 4 x f32>
  // THREE-NEXT: %[[Z0:.*]] = gyre.contract %u0[e, i], %[[W0]][i, o] -> [e, o]
  // THREE-NEXT: %[[U1:.*]] = gyre.silu %[[Z0]]
  // THREE-NEXT: %[[W1:.*]] = gyre.contract %w[t, a0, a1] -> [a0, a1] over [t] {(1)}
  // THREE-NEXT: %[[Z1:.*]] = gyre.contract %[[U1]][e, i], %[[W1]][i, o] -> [e, o]
  // THREE-NEXT: %[[U2:.*]] = gyre.silu %[[Z1]]
  // THREE-NEXT: %[[W2:.*]] = gyre.contract %w[t, a0, a1] -> [a0, a1] over [t] {(2)}
  // THREE-NEXT: %[[Z2:.*]] = gyre.contract %[[U2]][e, i], %[[W2]][i, o] -> [e, o]
  // THREE-NEXT: %[[U3:.*]] = gyre.silu %[[Z2]]
  // THREE-NEXT: %[[R0:.*]] = gyre.contract %[[Z0]][a0, a1] -> [t, a0, a1] with (t = 1) : !gyre.tensor<E x 4 x f32>
  // THREE-NEXT: %[[R1:.*]] = gyre.contract %[[Z1]][a0, a1] -> [t, a0, a1] with (t = 1)
  // THREE-NEXT: %[[R2:.*]] = gyre.contract %[[Z2]][a0, a1] -> [t, a0, a1] with (t = 1)
  // THREE-NEXT: %[[ZS:.*]] = gyre.concat %[[R0]], %[[R1]], %[[R2]] axis 0
  // THREE-NEXT: gyre.return %[[U3]], %[[ZS]] : !gyre.tensor<E x 4 x f32>, !gyre.tensor<3 x E x 4 x f32>

  // ONE: %[[W0:.*]] = gyre.contract %w[t, a0, a1] -> [a0, a1] over [t] {(0)} : !gyre.tensor<2 x 4 x 4 x f32>
  // ONE-NEXT: %[[Z0:.*]] = gyre.contract %u0[e, i], %[[W0]][i, o] -> [e, o]
  // ONE-NEXT: %[[U1:.*]] = gyre.silu %[[Z0]]
  // ONE-NEXT: %[[ZS:.*]] = gyre.contract %[[Z0]][a0, a1] -> [t, a0, a1] with (t = 1)
  // ONE-NEXT: gyre.return %[[U1]], %[[ZS]] : !gyre.tensor<E x 4 x f32>, !gyre.tensor<1 x E x 4 x f32>

  // NONE: %[[ZS:.*]] = gyre.constant 0.0{{.*}} : {{.*}}<0 x E x 4 x f32>
  // NONE-NEXT: gyre.return %u0, %[[ZS]] : !gyre.tensor<E x 4 x f32>, !gyre.tensor<0 x E x 4 x f32>
  gyre.func @layers(%u0: !u, %w: !ws) -> (u: !u, z_all: !us) {
    %u, %z_all = gyre.repeat T carry (%v = %u0 : !u) slice (%m = %w : !ws) -> (!u, !us) {
      %z = gyre.contract %v[e, i], %m[i, o] -> [e, o] : !u, !w
      %next = gyre.silu %z : !u
      gyre.yield %next, %z : !u, !u
    }
    gyre.return %u, %z_all : !u, !us
  }

  // Carried values may change places, and values from outside are used as they are.
  // CHECK-LABEL: gyre.func @swapped(
  // THREE: gyre.return %b, %a
  // ONE: gyre.return %b, %a
  // NONE: gyre.return %a, %b
  gyre.func @swapped(%a: !u, %b: !u) -> (c: !u, d: !u) {
    %c, %d = gyre.repeat T carry (%p = %a : !u, %q = %b : !u) -> (!u, !u) {
      gyre.yield %q, %p : !u, !u
    }
    gyre.return %c, %d : !u, !u
  }

  // Stacks of scalars, with nothing carried; and layers that yield nothing.
  // CHECK-LABEL: gyre.func @scalars(
  // THREE: gyre.concat
  // THREE-SAME: <1 x f32>, {{.*}}<1 x f32>, {{.*}}<1 x f32>
  // NONE: gyre.constant 0.0{{.*}} : {{.*}}<0 x f32>
  gyre.func @scalars(%a: !gyre.tensor<T x f32>) -> (b: !gyre.tensor<T x f32>) {
    %b = gyre.repeat T slice (%s = %a : !gyre.tensor<T x f32>) -> (!gyre.tensor<T x f32>) {
      %c = arith.negf %s : !gyre.tensor<f32>
      gyre.yield %c : !gyre.tensor<f32>
    }
    gyre.repeat T -> () {
      gyre.yield
    }
    gyre.return %b : !gyre.tensor<T x f32>
  }

  // Layers within layers: T of 2.
  // CHECK-LABEL: gyre.func @nested(
  // THREE-COUNT-6: gyre.silu
  // ONE-COUNT-2: gyre.silu
  // CHECK-NOT: gyre.silu
  // CHECK: gyre.return
  gyre.func @nested(%a: !u) -> (b: !u) {
    %b = gyre.repeat T carry (%p = %a : !u) -> (!u) {
      %c = gyre.repeat 2 carry (%q = %p : !u) -> (!u) {
        %d = gyre.silu %q : !u
        gyre.yield %d : !u
      }
      gyre.yield %c : !u
    }
    gyre.return %b : !u
  }

  // Named ops in layers are unrolled with them.
  // CHECK-LABEL: gyre.func @named(
  // THREE-COUNT-3: gyre.gated_activation
  // ONE-COUNT-1: gyre.gated_activation
  // CHECK-NOT: gyre.gated_activation
  // CHECK: gyre.return
  gyre.func @named(%a: !gyre.tensor<F x E x C x f32>) -> (b: !gyre.tensor<F x E x C x f32>) {
    %b = gyre.repeat T carry (%p = %a : !gyre.tensor<F x E x C x f32>) -> (!gyre.tensor<F x E x C x f32>) {
      %c = gyre.gated_activation %p degree 0 channels C : !gyre.tensor<F x E x C x f32>
      gyre.yield %c : !gyre.tensor<F x E x C x f32>
    }
    gyre.return %b : !gyre.tensor<F x E x C x f32>
  }
}
