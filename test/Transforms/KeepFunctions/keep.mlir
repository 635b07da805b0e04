// RUN: gyre-opt %s --gyre-keep-functions="names=f_bwd2" | FileCheck %s --check-prefix=NEEDED
// RUN: gyre-opt %s --gyre-keep-functions="names=f_bwd2" --gyre-differentiate --gyre-keep-functions="names=f_bwd2" | FileCheck %s --check-prefix=ALONE
// RUN: gyre-opt %s --gyre-keep-functions="names=g,f" | FileCheck %s --check-prefix=TWO
// RUN: not gyre-opt %s --gyre-keep-functions="names=f,h" 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// A derivative needs its primals, until it is carried out.
// NEEDED: gyre.func @f(
// NEEDED-NOT: @g
// NEEDED: gyre.derive @f_bwd = vjp @f
// NEEDED: gyre.derive @f_bwd2 = vjp @f_bwd
// ALONE-NOT: @f(
// ALONE-NOT: @f_bwd(
// ALONE: gyre.func @f_bwd2(
// TWO: gyre.func @f(
// TWO-NOT: derive
// TWO: gyre.func @g(
// UNKNOWN: error: [keep-unknown] expected one of f, f_bwd, f_bwd2, g, got h

!t = !gyre.tensor<E x f32>
gyre.func @f(%x: !t) -> (y: !t) {
  %y = arith.mulf %x, %x : !t
  gyre.return %y : !t
}
gyre.derive @f_bwd = vjp @f wrt (x)
gyre.derive @f_bwd2 = vjp @f_bwd wrt (x)
gyre.func @g(%x: !t) -> (y: !t) {
  gyre.return %x : !t
}
