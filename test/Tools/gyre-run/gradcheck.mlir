// Whether derivatives are right: differences, adjoints, symmetry.
// RUN: rm -rf %t && split-file %s %t
// RUN: gyrec %t/right.mlir --set act=f64 -o %t/f64
// RUN: gyre-run %t/f64/right.json --gradcheck | FileCheck %s --check-prefixes=RIGHT,F64
// RUN: gyrec %t/right.mlir --set act=f32 --lowering=fused -o %t/f32
// RUN: gyre-call %t/f32/right.json --gradcheck --random 3 --references hub --size E=40 | FileCheck %s --check-prefixes=RIGHT,F32
// RIGHT: {{^}}function        order  what error    bound    ok{{$}}
// RIGHT-NEXT: {{^}}force               1  difference in w {{[0-9.e-]+}}  {{[0-9.]+}}e-0{{.}}  yes{{$}}
// RIGHT-NEXT: {{^}}force               1  difference in x {{.*}} yes{{$}}
// RIGHT-NEXT: {{^}}train               1  difference in x {{.*}} yes{{$}}
// RIGHT-NEXT: {{^}}force2              2  difference in gy {{.*}} yes{{$}}
// RIGHT-NEXT: {{^}}force2              2  difference in w {{.*}} yes{{$}}
// RIGHT-NEXT: {{^}}force2              2  difference in x {{.*}} yes{{$}}
// F64-NEXT: {{^}}force2              2  adjoint in gy {{[0-9.e-]+}}  1.0e-10  yes{{$}}
// F32-NEXT: {{^}}force2              2  adjoint in gy {{[0-9.e-]+}}  1.0e-04  yes{{$}}
// RIGHT-NEXT: {{^}}force2              2  symmetry in w, x {{.*}} yes{{$}}
// What the second order says of the saved value goes through another derivative.
// RIGHT: {{^}}saving2             2  difference in z {{.*}} yes{{$}}
// RIGHT: {{^}}saving2             2  symmetry in x with saving_all {{.*}} yes{{$}}
// RIGHT: {{^}}means               1  difference in x {{.*}} yes{{$}}
// RIGHT: {{^[0-9]+}} checks, 0 failed{{$}}

// One derivative alone, with arguments from files and a size that no file has.
// RUN: %python %S/../../Interpreter/Inputs/npy.py write %t/in 'src=i4:[0,1,1]'
// RUN: gyre-run %t/f64/right.json --gradcheck --func force2 --in %t/in --size E=3 | FileCheck %s --check-prefix=ONE
// ONE: function
// ONE-COUNT-5: {{^}}force2 2
// ONE-NEXT: 5 checks, 0 failed

// Wrong ones, written by hand.
// RUN: gyrec %t/wrong.mlir -o %t/wrong
// RUN: not gyre-run %t/wrong/wrong.json --gradcheck >%t/table
// RUN: FileCheck %s --check-prefix=WRONG <%t/table
// WRONG: {{^}}right 1 difference in x {{.*}} yes{{$}}
// A relation in which two cells are exchanged.
// WRONG-NEXT: {{^}}exchanged 1 difference in x {{.*}} NO{{$}}
// No number is right.
// WRONG-NEXT: {{^}}undefined 1 difference in x nan 1.0e-06 NO{{$}}
// WRONG-NEXT: {{^}}twice 1 difference in x 5.0e-01 1.0e-06 NO{{$}}
// WRONG-NEXT: {{^}}nothing 1 difference in x 1.0e+00 1.0e-06 NO{{$}}
// WRONG: {{^}}second          2  difference in g {{.*}} NO{{$}}
// WRONG: {{^}}second          2  difference in x {{.*}} NO{{$}}
// WRONG: {{^}}second          2  adjoint in g {{.*}} NO{{$}}
// WRONG: {{^}}second          2  symmetry in x {{.*}} NO{{$}}
// WRONG: 9 checks, 8 failed

// A manifest that says the wrong thing of a right function.
// RUN: sed -e 's/"gy": "dgy"/"gy": "dX"/' -e 's/"x": "dx"/"x": "dgy"/' -e 's/"dX"/"dx"/' %t/f64/right.json >%t/f64/exchanged.json
// RUN: not gyre-run %t/f64/exchanged.json --gradcheck --func force2 | FileCheck %s --check-prefix=EXCHANGED
// EXCHANGED: difference in gy {{.*}} NO
// EXCHANGED: difference in w {{.*}} yes
// EXCHANGED: difference in x {{.*}} NO
// EXCHANGED: adjoint in gy {{.*}} NO
// EXCHANGED: symmetry in w, x {{.*}} NO
// EXCHANGED: 5 checks, 4 failed

// What cannot be checked.
// RUN: sed 's/"of": "f"/"of": "force2"/' %t/f64/right.json >%t/f64/circle.json
// RUN: not gyre-run %t/f64/circle.json --gradcheck 2>&1 | FileCheck %s --check-prefix=CIRCLE
// CIRCLE: gyre-run: error: [run-gradcheck] expected the derivative of a function that stands before it, got `force2` in force
// RUN: sed 's/"x": "gx"/"v": "gx"/' %t/f64/right.json >%t/f64/argument.json
// RUN: not gyre-run %t/f64/argument.json --gradcheck 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// ARGUMENT: [run-gradcheck] expected an argument of f, got `v` in force
// RUN: sed 's/"x": "gx"/"x": "gv"/' %t/f64/right.json >%t/f64/gradient.json
// RUN: not gyre-run %t/f64/gradient.json --gradcheck 2>&1 | FileCheck %s --check-prefix=GRADIENT
// GRADIENT: [run-gradcheck] expected a result of the type of `x` for its gradient, got `gv` in force
// RUN: sed 's/"x": "gx"/"x": "gw"/' %t/f64/right.json >%t/f64/type.json
// RUN: not gyre-run %t/f64/type.json --gradcheck 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: [run-gradcheck] expected a result of the type of `x` for its gradient, got `gw` in force
// RUN: sed 's/"y": "gy"/"v": "gy"/' %t/f64/right.json >%t/f64/result.json
// RUN: not gyre-run %t/f64/result.json --gradcheck 2>&1 | FileCheck %s --check-prefix=RESULT
// RESULT: [run-gradcheck] expected a result of f, got `v` in force
// RUN: sed 's/"y": "gy"/"y": "gv"/' %t/f64/right.json >%t/f64/cotangent.json
// RUN: not gyre-run %t/f64/cotangent.json --gradcheck 2>&1 | FileCheck %s --check-prefix=COTANGENT
// COTANGENT: [run-gradcheck] expected arguments or results of f, and cotangents, as arguments, got `gy` in force
// RUN: sed 's/"y": "gy"/"y": "w"/' %t/f64/right.json >%t/f64/cotangent-type.json
// RUN: not gyre-run %t/f64/cotangent-type.json --gradcheck 2>&1 | FileCheck %s --check-prefix=COTANGENT-TYPE
// COTANGENT-TYPE: [run-gradcheck] expected an argument of the type of `y` for its cotangent, got `w` in force
// RUN: gyrec %t/right.mlir --set act=f64 --derive force -o %t/without
// RUN: not gyre-run %t/without/right.json --gradcheck 2>&1 | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: [run-gradcheck] expected `f`, of which force is a derivative, in the library (gyrec --derive=f,force), got none
// RUN: sed 's/"wrt": {/"wrt": 3, "was": {/' %t/f64/right.json >%t/f64/text.json
// RUN: not gyre-run %t/f64/text.json --gradcheck 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: [run-manifest] {{.*}} got: expected object at (root).functions[{{.*}}].derivative.wrt
// RUN: gyrec %t/right.mlir --set act=bf16 -o %t/bf16
// RUN: not gyre-run %t/bf16/right.json --gradcheck 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: [run-gradcheck] expected elements of f32 or f64, in which differences mean something, for `x`, got `bf16` in f
// RUN: not gyre-run %t/f64/right.json --gradcheck --func f 2>&1 | FileCheck %s --check-prefix=PRIMAL
// PRIMAL: [run-gradcheck] expected the derivative f in the library, got force, train, force2
// RUN: gyrec %t/right.mlir --set act=f64 --derive f -o %t/alone
// RUN: not gyre-run %t/alone/right.json --gradcheck 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: [run-gradcheck] expected a derivative in the library, got none
// RUN: not gyre-run %t/f64/right.json --gradcheck --size P=3 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: [run-size] expected one of the sizes {{.*}}, got `P`
// RUN: not gyre-run %t/f64/right.json --gradcheck --random x 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: [run-random] expected a number for --random, got `x`
// RUN: not gyre-run %t/f64/right.json --gradcheck --out %t/out 2>&1 | FileCheck %s --check-prefix=OUT
// RUN: not gyre-run %t/f64/right.json --gradcheck --bench 2>&1 | FileCheck %s --check-prefix=OUT
// OUT: [run-mode] expected none of --bench, --graph, --repeat, --out and --json with --gradcheck, got one
// RUN: not gyre-run %t/f64/right.json --out %t/out 2>&1 | FileCheck %s --check-prefix=NEITHER
// NEITHER: [run-mode] expected --func or --gradcheck, got neither
// RUN: not gyre-run %t/right.mlir --interpret --in %t --out %t/out 2>&1 | FileCheck %s --check-prefix=FUNC
// FUNC: [run-mode] expected --func with --interpret, got none
// RUN: not gyre-run %t/right.mlir --interpret --func f --gradcheck --in %t --out %t/out 2>&1 | FileCheck %s --check-prefix=INTERPRET
// INTERPRET: [run-mode] expected a manifest for --bench, --repeat, --gradcheck, --random and --references, got --interpret

//--- right.mlir
!x = !gyre.tensor<N x 3 x act>
!e = !gyre.tensor<E x 3 x act>
!w = !gyre.tensor<E x act>
!map = !gyre.map<[e: E] to N>
!near = !gyre.map<[m: M, k: 2] to N, padded>

gyre.spec @right {
  gyre.type_param "act" in [f32, f64, bf16]
  gyre.func @f(%x: !x, %w: !w, %scale: !gyre.tensor<act>, %src: !map) -> (y: !x) {
    %xe = gyre.gather %x over %src axis 0 : !x, !map
    %s = gyre.sigmoid %xe : !e
    %p = gyre.contract %s[e, c], %w[e], %w[e] -> [e, c] : !e, !w, !w
    %d = gyre.contract %scale[] -> [e, c] with (e = E, c = 3) : !gyre.tensor<act>
    %q = arith.divf %p, %d : !e
    %y = gyre.segment_sum %q over %src axis 0 : !e, !map
    gyre.return %y : !x
  }
  gyre.derive @force = vjp @f wrt (x as gx, w as gw) given (y as gy)
  gyre.derive @train = vjp @f wrt (x as gt) given (y as gy)
  gyre.derive @force2 = vjp @force wrt (x as dx, w as dw, gy as dgy) given (gx as hx, gw as hw)

  gyre.func @saving(%x: !e) -> (y: !e, z: !e) {
    %z = gyre.silu %x : !e
    %y = gyre.silu %z : !e
    gyre.return %y, %z : !e, !e
  }
  gyre.derive @saving_bwd = vjp @saving wrt (x as gs) given (y as gy) saves (z)
  gyre.derive @saving_all = vjp @saving wrt (x as gx) given (y as gy, z as gz)
  gyre.derive @saving2 = vjp @saving_bwd wrt (x as ds, z as dz) given (gs as hs)

  // Of rows without neighbours the mean is no number.
  gyre.func @mean(%x: !gyre.tensor<N x act>, %near: !near) -> (y: !gyre.tensor<M x act>) {
    %n = gyre.gather %x over %near axis 0 : !gyre.tensor<N x act>, !near
    %valid = gyre.valid %near : !near -> !gyre.tensor<M x 2 x act>
    %sum = gyre.contract %n[m, k] -> [m] : !gyre.tensor<M x 2 x act>
    %count = gyre.contract %valid[m, k] -> [m] : !gyre.tensor<M x 2 x act>
    %y = arith.divf %sum, %count : !gyre.tensor<M x act>
    gyre.return %y : !gyre.tensor<M x act>
  }
  gyre.derive @means = vjp @mean wrt (x as gm) given (y as gy)
}

//--- wrong.mlir
!x = !gyre.tensor<N x 2 x f64>

module attributes {gyre.spec = "wrong"} {
  gyre.func @square(%x: !x) -> (y: !x) {
    %y = arith.mulf %x, %x : !x
    gyre.return %y : !x
  }
  gyre.func @linear(%x: !x) -> (y: !x) {
    %y = gyre.contract %x[n, c] -> [n, d] with (d = 2) over [c, d] {(0, 0) * 2.0, (1, 0), (1, 1) * -3.0} : !x
    gyre.return %y : !x
  }
  gyre.func @right(%g: !x) -> (gx: !x) attributes {gyre.derivative = {of = "linear", wrt = {x = "gx"}, given = {y = "g"}}} {
    %gx = gyre.contract %g[n, d] -> [n, c] with (c = 2) over [c, d] {(0, 0) * 2.0, (1, 0), (1, 1) * -3.0} : !x
    gyre.return %gx : !x
  }
  gyre.func @exchanged(%g: !x) -> (gx: !x) attributes {gyre.derivative = {of = "linear", wrt = {x = "gx"}, given = {y = "g"}}} {
    %gx = gyre.contract %g[n, d] -> [n, c] with (c = 2) over [c, d] {(0, 0) * 2.0, (0, 1), (1, 1) * -3.0} : !x
    gyre.return %gx : !x
  }
  gyre.func @undefined(%g: !x) -> (gx: !x) attributes {gyre.derivative = {of = "linear", wrt = {x = "gx"}, given = {y = "g"}}} {
    %zero = arith.subf %g, %g : !x
    %gx = arith.divf %zero, %zero : !x
    gyre.return %gx : !x
  }
  gyre.func @twice(%x: !x, %g: !x) -> (gx: !x) attributes {gyre.derivative = {of = "square", wrt = {x = "gx"}, given = {y = "g"}}} {
    %p = arith.mulf %x, %g : !x
    %q = arith.addf %p, %p : !x
    %gx = arith.addf %q, %q : !x
    gyre.return %gx : !x
  }
  gyre.func @nothing(%x: !x, %g: !x) -> (gx: !x) attributes {gyre.derivative = {of = "square", wrt = {x = "gx"}, given = {y = "g"}}} {
    %gx = arith.subf %x, %x : !x
    gyre.return %gx : !x
  }
  gyre.func @second(%x: !x, %g: !x, %h: !x) -> (dg: !x, dx: !x) attributes {gyre.derivative = {of = "twice", wrt = {x = "dx", g = "dg"}, given = {gx = "h"}}} {
    %dg = arith.mulf %x, %h : !x
    %p = arith.mulf %g, %h : !x
    %dx = gyre.contract %p[n, c] -> [n, d] with (d = 2) over [c, d] {(0, 0), (0, 1)} : !x
    gyre.return %dg, %dx : !x, !x
  }
}
