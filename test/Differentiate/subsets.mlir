// Requested gradients and present cotangents select the work: what is absent leaves no trace.
// RUN: gyre-opt %s --gyre-differentiate | FileCheck %s

!x = !gyre.tensor<N x 3 x f32>
!r = !gyre.tensor<E x 3 x f32>
!m = !gyre.map<[e: E] to N>

gyre.func @f(%x: !x, %m: !m, %w: !r) -> (rows: !r, nodes: !x) {
  %xe = gyre.gather %x over %m axis 0 : !x, !m
  %rows = arith.mulf %xe, %w : !r
  %nodes = gyre.segment_sum %rows over %m axis 0 : !r, !m
  gyre.return %rows, %nodes : !r, !x
}

// CHECK-LABEL: gyre.func @x_from_rows(%m: {{[^,]*}}, %w: {{[^,]*}}, %grows: {{[^,]*}}) -> (gx:
// CHECK-SAME: attributes {gyre.derivative = {given = {rows = "grows"}, of = "f", wrt = {x = "gx"}}} {
// CHECK-NEXT: %[[G:.*]] = arith.mulf %grows, %w
// CHECK-NEXT: %[[S:.*]] = gyre.segment_sum %[[G]] over %m
// CHECK-NEXT: gyre.return %[[S]]
gyre.derive @x_from_rows = vjp @f wrt (x) given (rows)

// CHECK-LABEL: gyre.func @w_from_nodes(%x: {{[^,]*}}, %m: {{[^,]*}}, %gnodes: {{[^,]*}}) -> (gw:
// CHECK-NEXT: %[[XE:.*]] = gyre.gather %x over %m
// CHECK-NEXT: %[[GE:.*]] = gyre.gather %gnodes over %m
// CHECK-NEXT: %[[GW:.*]] = arith.mulf %[[GE]], %[[XE]]
// CHECK-NEXT: gyre.return %[[GW]]
gyre.derive @w_from_nodes = vjp @f wrt (w) given (nodes)

// Both cotangents: they add up, in one sum.
// CHECK-LABEL: gyre.func @both(%m: {{[^,]*}}, %w: {{[^,]*}}, %grows: {{[^,]*}}, %gnodes: {{[^,]*}}) -> (gx:
// CHECK-SAME: attributes {gyre.derivative = {given = {nodes = "gnodes", rows = "grows"}, of = "f", wrt = {x = "gx"}}} {
// CHECK-COUNT-1: arith.addf
// CHECK-NOT: arith.addf
// CHECK: gyre.return
gyre.derive @both = vjp @f wrt (x)

// A gradient that no given result depends on is an exact zero; the cotangent has no use then. The
// runtime size is bound by an argument that is kept for it.
gyre.func @two(%a: !x, %b: !r) -> (p: !x, q: !r) {
  %p = arith.mulf %a, %a : !x
  %q = arith.mulf %b, %b : !r
  gyre.return %p, %q : !x, !r
}
// CHECK-LABEL: gyre.func @zero(%b: {{[^,]*}}) -> (gb:
// CHECK-NEXT: %[[Z:.*]] = gyre.constant 0.0
// CHECK-NEXT: gyre.return %[[Z]]
gyre.derive @zero = vjp @two wrt (b) given (p)

// Nothing flows through stop_gradient, nor into what it stops.
gyre.func @stopped(%a: !x) -> (p: !x) {
  %s = gyre.stop_gradient %a : !x
  %p = arith.mulf %a, %s : !x
  gyre.return %p : !x
}
// CHECK-LABEL: gyre.func @stopped_bwd(
// CHECK: %[[S:.*]] = gyre.stop_gradient %a
// CHECK-NEXT: %[[G:.*]] = arith.mulf %gp, %[[S]]
// CHECK-NEXT: gyre.return %[[G]]
gyre.derive @stopped_bwd = vjp @stopped wrt (a)

// An argument, returned as it is, has its cotangent as its gradient.
gyre.func @identity(%a: !x) -> (p: !x) {
  gyre.return %a : !x
}
// CHECK-LABEL: gyre.func @identity_bwd(%gp: {{[^,]*}}) -> (ga:
// CHECK-NEXT: gyre.return %gp
gyre.derive @identity_bwd = vjp @identity wrt (a)

// Third order, declared before its primals: carried out after them.
// CHECK-LABEL: gyre.func @third(
// CHECK-LABEL: gyre.func @second(
// CHECK-LABEL: gyre.func @first(
// CHECK-NOT: gyre.derive
gyre.derive @third = vjp @second wrt (a as ta) given (da as ka)
gyre.derive @second = vjp @first wrt (a as da) given (ga as ha)
gyre.derive @first = vjp @cubed wrt (a)
gyre.func @cubed(%a: !x) -> (p: !x) {
  %s = arith.mulf %a, %a : !x
  %p = arith.mulf %s, %a : !x
  gyre.return %p : !x
}

// A size that only an attribute, or a part of another size, mentions is needed as well.
!en = !gyre.tensor<E + N x f32>
gyre.func @tail(%x: !en, %y: !gyre.tensor<N x f32>, %z: !gyre.tensor<E x f32>) -> (p: !gyre.tensor<E x f32>) {
  %s = gyre.slice %x axis 0 from N size E : !en
  %p = arith.mulf %s, %z : !gyre.tensor<E x f32>
  gyre.return %p : !gyre.tensor<E x f32>
}
// CHECK-LABEL: gyre.func @tail_bwd(
// CHECK-SAME: %x: {{[^,]*}}, %y: {{[^,]*}}, %gp: {{[^,]*}}) -> (gz:
gyre.derive @tail_bwd = vjp @tail wrt (z)
