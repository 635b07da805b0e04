// What is wrong with a run; nothing is written then.

// RUN: rm -rf %t
// RUN: %python %S/Inputs/npy.py write %t/in 'x=f4:[1,2]' 'm=i4:[0,1]'
// RUN: not gyre-run %s --func f --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=CHECK-MODE
// CHECK-MODE: gyre-run: error: [run-mode] expected

// RUN: not gyre-run --interpret %s --func g --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=CHECK-FUNCTION
// CHECK-FUNCTION: gyre-run: error: [run-function] expected one of the functions f, bad, fixed, got `g`

// RUN: not gyre-run --interpret %s --func f --in %t/in --out %t/out --size N 2>&1 | FileCheck %s --check-prefix=CHECK-SIZE
// RUN: not gyre-run --interpret %s --func f --in %t/in --out %t/out --size N=x 2>&1 | FileCheck %s --check-prefix=CHECK-SIZE
// RUN: not gyre-run --interpret %s --func f --in %t/in --out %t/out --size N=-1 2>&1 | FileCheck %s --check-prefix=CHECK-SIZE
// CHECK-SIZE: gyre-run: error: [run-size] expected name=value with a value of at least 0, got `N{{(=x|=-1)?}}`
// RUN: not gyre-run --interpret %s --func f --in %t/in --out %t/out --size N=2,N=2 2>&1 | FileCheck %s --check-prefix=CHECK-TWICE
// CHECK-TWICE: gyre-run: error: [run-size] expected one value for `N`, got two

// RUN: not gyre-run --interpret %s --func f --in %t/in --out %t/out --size M=3 2>&1 | FileCheck %s --check-prefix=CHECK-UNKNOWN -DFILE=%s
// CHECK-UNKNOWN: [[FILE]]:[[#@LINE + 36]]:1: error: [run-size] expected one of the sizes N, E, got `M`
// RUN: not gyre-run --interpret %s --func fixed --in %t/in --out %t/out --size N=3 2>&1 | FileCheck %s --check-prefix=CHECK-FIXED -DFILE=%s
// CHECK-FIXED: [[FILE]]:[[#@LINE + 44]]:1: error: [run-size] expected no sizes, got `N`

// RUN: not gyre-run --interpret %s --func f --in %t/none --out %t/out 2>&1 | FileCheck %s --check-prefix=CHECK-FILE
// CHECK-FILE: gyre-run: error: [npy-file] expected a readable file, got {{.*}}x.npy: No such file or directory

// RUN: not gyre-run --interpret %t/none.mlir --func f --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=CHECK-INPUT
// CHECK-INPUT: error: could not open input file

// Errors of the interpreter have the place of the function or the op.
// RUN: not gyre-run --interpret %s --func f --in %t/in --out %t/out --size N=3 2>&1 | FileCheck %s --check-prefix=CHECK-PLACE -DFILE=%s
// CHECK-PLACE: [[FILE]]:[[#@LINE + 24]]:1: error: [interpret-shape] expected 3 (N is 3 by the given sizes) for dimension 0 (N) of argument `x`, got 2
// RUN: not gyre-run --interpret %s --func bad --in %t/in --out %t/out --size A=3 2>&1 | FileCheck %s --check-prefix=CHECK-OP -DFILE=%s
// CHECK-OP: [[FILE]]:[[#@LINE + 28]]:8: error: [interpret-slice-range] expected positions in [0, 2), got 1 from 3

// RUN: not ls %t/out

// RUN: %python %S/Inputs/npy.py write %t/in 'm=f4:[0,1]'
// RUN: not gyre-run --interpret %s --func f --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=CHECK-DTYPE
// CHECK-DTYPE: gyre-run: error: [run-map-dtype] expected integers for a map, got f4 in {{.*}}m.npy

// RUN: %python %S/Inputs/npy.py write %t/in 'm=i4:[0,1]'
// RUN: not gyre-run --interpret %s --func f --in %t/in --out %t/in/x.npy/out 2>&1 | FileCheck %s --check-prefix=CHECK-FOLDER
// CHECK-FOLDER: gyre-run: error: [run-output] expected to write {{.*}}out/y.npy, got: {{.+}}
// RUN: not gyre-run --interpret %s --func f --in %t/in --out %t/in/x.npy 2>&1 | FileCheck %s --check-prefix=CHECK-OUTPUT
// CHECK-OUTPUT: gyre-run: error: [run-output] expected to write {{.*}}x.npy/y.npy, got: {{.+}}

// The first of two results cannot take its place: neither is written.
// RUN: mkdir -p %t/taken/y.npy/in-the-way
// RUN: not gyre-run --interpret %s --func f --in %t/in --out %t/taken 2>&1 | FileCheck %s --check-prefix=CHECK-TAKEN
// CHECK-TAKEN: gyre-run: error: [run-output] expected to write {{.*}}y.npy, got: {{.+}}
// RUN: ls -A %t/taken | FileCheck %s --check-prefix=CHECK-LEFT
// CHECK-LEFT: y.npy
// CHECK-LEFT-NOT: {{.}}

gyre.func @f(%x: !gyre.tensor<N x f64>, %m: !gyre.map<[e: E] to N>) -> (y: !gyre.tensor<E x f64>, z: !gyre.tensor<N x f64>) {
  %y = gyre.gather %x over %m axis 0 : !gyre.tensor<N x f64>, !gyre.map<[e: E] to N>
  gyre.return %y, %x : !gyre.tensor<E x f64>, !gyre.tensor<N x f64>
}

gyre.func @bad(%x: !gyre.tensor<N x f64>) -> (y: !gyre.tensor<1 x f64>) {
  %y = gyre.slice %x axis 0 from A size 1 : !gyre.tensor<N x f64>
  gyre.return %y : !gyre.tensor<1 x f64>
}

gyre.func @fixed(%x: !gyre.tensor<2 x f64>) -> (y: !gyre.tensor<2 x f64>) {
  gyre.return %x : !gyre.tensor<2 x f64>
}
