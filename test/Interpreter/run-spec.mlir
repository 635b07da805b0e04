// Fixes a spec's parameters, carries out its derivatives, decomposes, and runs one function.

// RUN: rm -rf %t
// RUN: %python %S/Inputs/npy.py write %t/in 'x=f4:[[1,2],[3,4]]' 's=f4:[10,100]' 'gy=f4:[[1,0],[1,1]]'
// RUN: gyre-run --interpret %s --set C=2 --func scale --spec rows --in %t/in --out %t/out
// RUN: %python %S/Inputs/npy.py print %t/out/y.npy | FileCheck %s --check-prefix=VALUE
// VALUE: y: <f8 (2, 2) {{\[\[}}10.0, 20.0], [300.0, 400.0]]

// RUN: gyre-run --interpret %s --set=C=2,act=f64 --func scale_bwd --spec rows --in %t/in --out %t/out
// RUN: %python %S/Inputs/npy.py print %t/out/gx.npy %t/out/gs.npy | FileCheck %s --check-prefix=GRADIENT
// GRADIENT: gx: <f8 (2, 2) {{\[\[}}10.0, 0.0], [100.0, 100.0]]
// GRADIENT-NEXT: gs: <f8 (2,) [1.0, 7.0]

// x (E, (L+1)^2, C) in the frames wigner (E, (L+1)^2, (L+1)^2), degree 0.
// RUN: %python %S/Inputs/npy.py write %t/in 'x=f8:[[[3]]]' 'wigner=f8:[[[2]]]'
// RUN: gyre-run --interpret %s --set L=0 --func rotate --spec frames --in %t/in --out %t/out
// RUN: %python %S/Inputs/npy.py print %t/out/y.npy | FileCheck %s --check-prefix=ROTATE
// ROTATE: y: <f8 (1, 1, 1) {{\[\[\[}}6.0]]]

// Errors of passes have their places too.
// RUN: not gyre-run --interpret %s --set L=9 --func rotate --spec frames --in %t/in --out %t/none 2>&1 | FileCheck %s --check-prefix=RANGE -DFILE=%s
// RANGE: [[FILE]]:{{[0-9]+}}:{{[0-9]+}}: error: [specialise-param-range] expected
// RUN: not ls %t/none

gyre.spec @rows {
  gyre.param "C" in [1, 8]
  gyre.type_param "act" in [f32, f64] default f32
  gyre.func @scale(%x: !gyre.tensor<E x C x act>, %s: !gyre.tensor<E x act>) -> (y: !gyre.tensor<E x C x act>) {
    %y = gyre.contract %x[e, c], %s[e] -> [e, c] : !gyre.tensor<E x C x act>, !gyre.tensor<E x act>
    gyre.return %y : !gyre.tensor<E x C x act>
  }
  gyre.derive @scale_bwd = vjp @scale wrt (x, s)
}

gyre.spec @frames {
  gyre.param "L" in [0, 8]
  gyre.func @rotate(%x: !gyre.tensor<E x (L+1)*(L+1) x 1 x f32>, %wigner: !gyre.tensor<E x (L+1)*(L+1) x (L+1)*(L+1) x f32>)
      -> (y: !gyre.tensor<E x 3*L+1 x 1 x f32>) {
    %y = gyre.rotate %x by %wigner degree L : !gyre.tensor<E x (L+1)*(L+1) x 1 x f32>, !gyre.tensor<E x (L+1)*(L+1) x (L+1)*(L+1) x f32>
    gyre.return %y : !gyre.tensor<E x 3*L+1 x 1 x f32>
  }
}
