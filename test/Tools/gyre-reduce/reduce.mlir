// A module is made small, as long as a script says that it still shows what is looked for: here, that
// a function has a tanh.
// RUN: rm -rf %t && mkdir %t
// RUN: echo '#!/bin/sh' > %t/fails.sh && echo '! gyre-opt "$1" 2>%t/errors.txt | grep -q math.tanh' >> %t/fails.sh && chmod +x %t/fails.sh
// RUN: gyre-reduce %s --reduction-tree='traversal-mode=0 test=%t/fails.sh' 2>&1 | FileCheck %s --implicit-check-not=gyre.func --implicit-check-not=error
// CHECK: gyre.spec @s
// CHECK: gyre.func @kept(
// CHECK-NEXT: %[[ZERO:.*]] = gyre.constant 0.000000e+00
// CHECK-NEXT: math.tanh %[[ZERO]]
// CHECK-NEXT: %[[RESULT:.*]] = gyre.constant 0.000000e+00
// CHECK-NEXT: gyre.return %[[RESULT]]

// What shows nothing stays as it is.
// RUN: gyre-opt %s | sed s/math.tanh/math.sin/ > %t/other.mlir
// RUN: not gyre-reduce %t/other.mlir --reduction-tree='traversal-mode=0 test=%t/fails.sh' 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: uninterested module will not be reduced

// Errors of the input itself are told.
// RUN: echo 'gyre.func @f(' > %t/bad.mlir
// RUN: not gyre-reduce %t/bad.mlir --reduction-tree='traversal-mode=0 test=%t/fails.sh' 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: bad.mlir":1:14): error: expected SSA operand

!x = !gyre.tensor<N x C x f32>
!m = !gyre.map<[e: E] to N>
gyre.spec @s {
  gyre.param "C" in [1, 64]
  gyre.func @kept(%x: !x, %w: !x, %src: !m) -> (y: !x) {
    %a = math.exp %x : !x
    %b = gyre.gather %a over %src axis 0 : !x, !m
    %c = gyre.segment_sum %b over %src axis 0 : !gyre.tensor<E x C x f32>, !m
    %d = gyre.contract %c[n, c], %w[n, c] -> [n, c] : !x, !x
    %e = math.tanh %d : !x
    %f = arith.addf %e, %a : !x
    %g = gyre.silu %f : !x
    gyre.return %g : !x
  }
  gyre.func @gone(%x: !x) -> (y: !x) {
    %a = math.exp %x : !x
    gyre.return %a : !x
  }
}
