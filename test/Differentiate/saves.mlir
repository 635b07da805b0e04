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

// Rows that were stacked are parts of the stack, and parts of a concatenation of it; views of them
// are turned back. u1 = u2 - tanh(z1).
!rows = !gyre.tensor<1 x 4 x E x f32>
!stack = !gyre.tensor<2 x 4 x E x f32>
gyre.func @stacked(%u0: !u, %w: !w) -> (u2: !u, z_all: !stack) {
  %z0 = gyre.contract %u0[e, i], %w[i, o] -> [e, o] : !u, !w
  %a0 = math.tanh %z0 : !u
  %u1 = arith.addf %u0, %a0 : !u
  %z1 = gyre.contract %u1[e, i], %w[i, o] -> [e, o] : !u, !w
  %a1 = math.tanh %z1 : !u
  %u2 = arith.addf %u1, %a1 : !u
  %r0 = gyre.contract %z0[e, o] -> [t, o, e] with (t = 1) : !u
  %r1 = gyre.contract %z1[e, o] -> [t, o, e] with (t = 1) : !u
  %z_all = gyre.concat %r0, %r1 axis 0 : !rows, !rows
  gyre.return %u2, %z_all : !u, !stack
}
// CHECK-LABEL: gyre.func @from_stack(
// CHECK-SAME: %u0: {{[^,]*}}, %w: {{[^,]*}}, %u2: {{[^,]*}}, %z_all: {{[^,]*}}, %gu2: {{[^,]*}}) -> (gw:
// CHECK-DAG: %[[R1:.*]] = gyre.slice %z_all axis 0 from 1 size 1
// CHECK-DAG: %[[Z1:.*]] = gyre.contract %[[R1]][t, o, e] -> [e, o] {{.*}}over [t] {(0)}
// CHECK-DAG: %[[A1:.*]] = math.tanh %[[Z1]]
// CHECK-DAG: %[[U1:.*]] = arith.subf %u2, %[[A1]]
// CHECK-DAG: %[[R0:.*]] = gyre.slice %z_all axis 0 from 0 size 1
// CHECK-DAG: %[[Z0:.*]] = gyre.contract %[[R0]][t, o, e] -> [e, o] {{.*}}over [t] {(0)}
// CHECK: gyre.contract %[[U1]][e, i], %{{[^,]*}}[e, o] -> [i, o]
// CHECK: gyre.contract %u0[e, i], %{{[^,]*}}[e, o] -> [i, o]
gyre.derive @from_stack = vjp @stacked wrt (w) given (u2) saves (u2, z_all) exact (u0)

// A part of what is exact, and a view of it, are exact, too.
!half = !gyre.tensor<E x 2 x f32>
gyre.func @parts(%u0: !u, %w: !w) -> (u1: !u, p: !gyre.tensor<2 x E x f32>, z: !u) {
  %h = gyre.slice %u0 axis 1 from 2 size 2 : !u
  %v = gyre.contract %h[e, i] -> [i, e] : !half
  %p = arith.mulf %v, %v : !gyre.tensor<2 x E x f32>
  %z = gyre.contract %u0[e, i], %w[i, o] -> [e, o] : !u, !w
  %a = math.tanh %z : !u
  %u1 = arith.addf %u0, %a : !u
  gyre.return %u1, %p, %z : !u, !gyre.tensor<2 x E x f32>, !u
}
// CHECK-LABEL: gyre.func @of_exact(
// CHECK-SAME: %u0: {{[^,]*}}, %w: {{[^,]*}}, %z: {{[^,]*}}, %gp: {{[^,]*}}, %gu1: {{[^,]*}}) -> (gu0:
// CHECK: %[[H:.*]] = gyre.slice %u0 axis 1 from 2 size 2
// CHECK: gyre.contract %[[H]][e, i] -> [i, e]
// CHECK: math.tanh %z
gyre.derive @of_exact = vjp @parts wrt (u0) given (p, u1) saves (u1, z) exact (u0)

// Saved results may be exact: here q, from which nothing is recomputed, and what is missing is saved.
gyre.func @chain(%x: !u) -> (y: !u, q: !u, r: !u) {
  %q = math.exp %x : !u
  %r = math.tanh %q : !u
  %s = arith.mulf %q, %r : !u
  %y = math.sin %s : !u
  gyre.return %y, %q, %r : !u, !u, !u
}
// CHECK-LABEL: gyre.func @exact_result(
// CHECK-SAME: %q: {{[^,]*}}, %r: {{[^,]*}}, %gr: {{[^,]*}}) -> (gx:
// CHECK-NOT: math.exp
// CHECK-NOT: math.tanh
// CHECK: arith.mulf %gr
// CHECK: arith.mulf %{{.*}}, %q
gyre.derive @exact_result = vjp @chain wrt (x) given (r as gr) saves (q, r) exact (q)

// An argument that a saved result is as well is the saved one.
gyre.func @through(%x: !u) -> (y: !u, z: !u) {
  %y = math.sin %x : !u
  gyre.return %y, %x : !u, !u
}
// CHECK-LABEL: gyre.func @saved_argument(
// CHECK-SAME: %z: {{[^,]*}}, %gy: {{[^,]*}}) -> (gx:
// CHECK: math.cos %z
gyre.derive @saved_argument = vjp @through wrt (x) given (y) saves (z) exact (x)

// What a derivative turned out not to need has a gradient of zero in the next one.
gyre.func @linear(%x: !u, %b: !u, %w: !w) -> (y: !u) {
  %p = gyre.contract %x[e, i], %w[i, o] -> [e, o] : !u, !w
  %y = arith.addf %p, %b : !u
  gyre.return %y : !u
}
// CHECK-LABEL: gyre.func @linear_bwd(
// CHECK-SAME: %w: {{[^,]*}}, %gy: {{[^,]*}}) -> (gx:
gyre.derive @linear_bwd = vjp @linear wrt (x) given (y)
// CHECK-LABEL: gyre.func @linear_bwd2(
// CHECK-SAME: %gy: {{[^,]*}}, %hx: {{[^,]*}}) -> (dx: {{[^,]*}}, dw: {{[^,]*}}, db:
// CHECK: %[[Z:.*]] = gyre.constant 0.000000e+00 : !gyre.tensor<E x 4 x f32>
// CHECK: gyre.return %[[Z]],
gyre.derive @linear_bwd2 = vjp @linear_bwd wrt (x as dx, w as dw, b as db) given (gx as hx)
