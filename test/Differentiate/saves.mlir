// What crosses from a function to its derivative: saved results, exact arguments, values recomputed
// or recovered by an additive inverse.
// RUN: gyre-opt %s --gyre-differentiate | FileCheck %s

!u = !gyre.tensor<E x 4 x f32>
!w = !gyre.tensor<4 x 4 x f32>

// Two residual layers: u1 = u0 + tanh(u0 w), u2 = u1 + tanh(u1 w).
gyre.func @stack(%u0: !u, %w: !w) -> (u2: !u, z0: !u, z1: !u) {
  %z0 = gyre.contract %u0[e, i], %w[i, o] -> [e, o] : !u, !w
  %a0 = math.tanh %z0 : !u
  %u1 = arith.addf %u0, %a0 : !u
  %z1 = gyre.contract %u1[e, i], %w[i, o] -> [e, o] : !u, !w
  %a1 = math.tanh %z1 : !u
  %u2 = arith.addf %u1, %a1 : !u
  gyre.return %u2, %z0, %z1 : !u, !u, !u
}

// Nothing is said: everything is computed again from the arguments.
// CHECK-LABEL: gyre.func @plain(
// CHECK-SAME: %u0: {{[^,]*}}, %w: {{[^,]*}}, %gu2: {{[^,]*}}) -> (gw:
// CHECK-COUNT-2: math.tanh
// CHECK-NOT: math.tanh
// CHECK: gyre.return
gyre.derive @plain = vjp @stack wrt (w) given (u2)

// The inner layer's input is recovered, u1 = u2 - tanh(z1); the bottom one is exact.
// CHECK-LABEL: gyre.func @recovered(
// CHECK-SAME: %u0: {{[^,]*}}, %w: {{[^,]*}}, %u2: {{[^,]*}}, %z0: {{[^,]*}}, %z1: {{[^,]*}}, %gu2: {{[^,]*}}) -> (gw:
// CHECK-NOT: arith.addf %u0
// CHECK: %[[A1:.*]] = math.tanh %z1
// CHECK-NEXT: %[[U1:.*]] = arith.subf %u2, %[[A1]]
// CHECK-NOT: arith.addf %u0
// CHECK: gyre.contract %[[U1]][e, i], %{{[^,]*}}[e, o] -> [i, o]
// CHECK: gyre.contract %u0[e, i], %{{[^,]*}}[e, o] -> [i, o]
// CHECK: gyre.return
gyre.derive @recovered = vjp @stack wrt (w) given (u2) saves (u2, z0, z1) exact (u0)

// Without the bottom input it is recovered too, u0 = u1 - tanh(z0).
// CHECK-LABEL: gyre.func @without(
// CHECK-SAME: %w: {{[^,]*}}, %u2: {{[^,]*}}, %z0: {{[^,]*}}, %z1: {{[^,]*}}, %gu2: {{[^,]*}}) -> (gw:
// CHECK-NEXT: %[[A0:.*]] = math.tanh %z0
// CHECK-NEXT: %[[A1:.*]] = math.tanh %z1
// CHECK-NEXT: %[[U1:.*]] = arith.subf %u2, %[[A1]]
// CHECK-NEXT: %[[U0:.*]] = arith.subf %[[U1]], %[[A0]]
// CHECK: gyre.contract %[[U0]][e, i], %{{[^,]*}}[e, o] -> [i, o]
// CHECK: gyre.return
gyre.derive @without = vjp @stack wrt (w) given (u2) saves (u2, z0, z1) without (u0)

// The derivative of a derivative differentiates what the first order computes: the recovery.
// CHECK-LABEL: gyre.func @second(
// CHECK-SAME: %w: {{[^,]*}}, %u2: {{[^,]*}}, %z0: {{[^,]*}}, %z1: {{[^,]*}}, %gu2: {{[^,]*}}, %hw: {{[^,]*}}) -> (du2: {{[^,]*}}, dz0:
// CHECK: arith.subf %u2
gyre.derive @second = vjp @without wrt (u2 as du2, z0 as dz0) given (gw as hw)

// A difference is undone as well: b = a - y.
gyre.func @difference(%a: !u, %b: !u) -> (y: !u, q: !u) {
  %y = arith.subf %a, %b : !u
  %q = arith.mulf %b, %b : !u
  gyre.return %y, %q : !u, !u
}
// CHECK-LABEL: gyre.func @undone(
// CHECK-SAME: %a: {{[^,]*}}, %y: {{[^,]*}}, %gq: {{[^,]*}}) -> (gb:
// CHECK: %[[B:.*]] = arith.subf %a, %y
// CHECK: arith.mulf %gq, %[[B]]
gyre.derive @undone = vjp @difference wrt (b) given (q) saves (y) without (b)
