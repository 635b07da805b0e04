// RUN: %roundtrip %s | FileCheck %s

// Names of arguments and results are the compiled function's: they survive every form.
// CHECK-LABEL: gyre.func @names(%x: !gyre.tensor<E x f32>, %x_0: !gyre.tensor<E x f32>, %_: !gyre.tensor<E x f32>, %arg0: !gyre.map<[e: E] to N>)
// CHECK-SAME: -> (x: !gyre.tensor<E x f32>, y: !gyre.tensor<E x f32>) {
// CHECK-NEXT: %[[S:.*]] = arith.addf %_, %x_0
// CHECK-NEXT: gyre.return %[[S]], %x : !gyre.tensor<E x f32>, !gyre.tensor<E x f32>
gyre.func @names(%x: !gyre.tensor<E x f32>, %x_0: !gyre.tensor<E x f32>, %_: !gyre.tensor<E x f32>, %arg0: !gyre.map<[e: E] to N>)
    -> (x: !gyre.tensor<E x f32>, y: !gyre.tensor<E x f32>) {
  %s = arith.addf %_, %x_0 : !gyre.tensor<E x f32>
  gyre.return %s, %x : !gyre.tensor<E x f32>, !gyre.tensor<E x f32>
}

// CHECK-LABEL: gyre.func @nothing() {
// CHECK-NEXT: gyre.return
gyre.func @nothing() -> () {
  gyre.return
}

// CHECK-LABEL: gyre.func @attributes(%x: !gyre.tensor<f32>) attributes {note = "kept", sym_visibility = "private"} {
// CHECK-NEXT: gyre.return {note = "kept"}
gyre.func @attributes(%x: !gyre.tensor<f32>) attributes {note = "kept", sym_visibility = "private"} {
  gyre.return {note = "kept"}
}

// CHECK-LABEL: gyre.func @argument_attributes(%x: !gyre.tensor<f32>) -> (y: !gyre.tensor<f32>)
// CHECK-SAME: attributes {arg_attrs = [{gyre.unit = "eV"}], res_attrs = [{gyre.unit = "eV"}]}
gyre.func @argument_attributes(%x: !gyre.tensor<f32>) -> (y: !gyre.tensor<f32>)
    attributes {arg_attrs = [{gyre.unit = "eV"}], res_attrs = [{gyre.unit = "eV"}]} {
  gyre.return %x : !gyre.tensor<f32>
}

// A function may use arith, math, and all of gyre at whatever depth.
// CHECK-LABEL: gyre.func @nested
gyre.func @nested(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
  %y = gyre.repeat 2 carry (%c = %x : !gyre.tensor<E x f32>) -> (!gyre.tensor<E x f32>) {
    %z = gyre.repeat 3 carry (%d = %c : !gyre.tensor<E x f32>) -> (!gyre.tensor<E x f32>) {
      %e = math.exp %d : !gyre.tensor<E x f32>
      gyre.yield %e : !gyre.tensor<E x f32>
    }
    gyre.yield %z : !gyre.tensor<E x f32>
  }
  gyre.return %y : !gyre.tensor<E x f32>
}

// CHECK: gyre.derive @least = vjp @names wrt (x as gx)
gyre.derive @least = vjp @names wrt (x)
// CHECK: gyre.derive @most = vjp @names wrt (x_0 as gx_0, x as dx) given (y as gy, x as h) saves (y) exact (_) without (x_0, arg0) attributes {note = "kept"}
gyre.derive @most = vjp @names wrt (x_0, x as dx) given (y, x as h) saves (y) exact (_) without (x_0, arg0) attributes {note = "kept"}
// CHECK: gyre.derive @second = vjp @least wrt (gx as ggx) given (gx as gx)
gyre.derive @second = vjp @least wrt (gx) given (gx as gx)
