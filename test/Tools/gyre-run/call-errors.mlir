// What gyre-run says about calls that cannot be made.
// RUN: rm -rf %t && mkdir -p %t
// RUN: gyrec %s -o %t/lib
// RUN: %python %S/../../Interpreter/Inputs/npy.py write %t/in 'x=f4:[[0,1],[2,3]]' 'src=i4:[0,1,1]'

// RUN: not gyre-run %s --func f --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=MODE
// MODE: gyre-run: error: [run-mode] expected --interpret and a spec, or a manifest <spec>.json, got {{.*}}call-errors.mlir
// RUN: not gyre-run %t/none.json --func f --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: [run-manifest] expected a manifest of gyrec in {{.*}}none.json, got: No such file
// RUN: sed 's/"gyre": 1/"gyre": 2/' %t/lib/s.json > %t/lib/new.json
// RUN: not gyre-run %t/lib/new.json --func f --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: [run-manifest] {{.*}} got: expected version 1
// RUN: sed 's/"N"/"N +"/' %t/lib/s.json > %t/lib/bad.json
// RUN: not gyre-run %t/lib/bad.json --func f --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: [run-manifest] {{.*}} got: expected the text of a size at (root).functions[0].arguments[0].shape[0]
// What a size may be is bounded: in depth, in numbers, in length.
// RUN: sed 's/"N"/"99999999999999999999"/' %t/lib/s.json > %t/lib/bad.json
// RUN: not gyre-run %t/lib/bad.json --func f --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: sed 's/"N"/"4294967296*4294967296*N"/' %t/lib/s.json > %t/lib/bad.json
// RUN: not gyre-run %t/lib/bad.json --func f --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: sed "s/\"N\"/\"$(printf '%%010000d' 0 | tr 0 '(')\"/" %t/lib/s.json > %t/lib/bad.json
// RUN: not gyre-run %t/lib/bad.json --func f --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: sed 's/"N"/"N> : i32 loc(\\"x\\")"/' %t/lib/s.json > %t/lib/bad.json
// RUN: not gyre-run %t/lib/bad.json --func f --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=SIZE

// RUN: sed 's/"f32"/"f8"/' %t/lib/s.json > %t/lib/dtype.json
// RUN: not gyre-run %t/lib/dtype.json --func f --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=DTYPE
// DTYPE: [run-manifest] expected an element type, got f8
// RUN: %python -c 'print("[" * 100000)' > %t/lib/deep.json
// RUN: not gyre-run %t/lib/deep.json --func f --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: [run-manifest] {{.*}} got: brackets more than 64 deep

// RUN: not gyre-run %t/lib/s.json --func g --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=FUNCTION
// FUNCTION: [run-function] expected one of the functions f, nodes, huge, got `g`

// RUN: sed 's/libs.so/libnone.so/' %t/lib/s.json > %t/lib/library.json
// RUN: not gyre-run %t/lib/library.json --func f --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=LIBRARY
// LIBRARY: [run-library] expected a library that loads, got {{.*}}libnone.so
// RUN: sed 's/f_packed/f_none/' %t/lib/s.json > %t/lib/symbol.json
// RUN: not gyre-run %t/lib/symbol.json --func f --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=SYMBOL
// SYMBOL: [run-library] expected the symbol f_none in {{.*}}libs.so, got none

// RUN: %python %S/../../Interpreter/Inputs/npy.py write %t/float 'x=f4:[[0,1],[2,3]]' 'src=f4:[0,1,1]'
// RUN: not gyre-run %t/lib/s.json --func f --in %t/float --out %t/out 2>&1 | FileCheck %s --check-prefix=MAP
// MAP: argument `index`: expected dtype i32 or i64, got f32
// RUN: %python %S/../../Interpreter/Inputs/npy.py write %t/wide 'x=f8:[[0,1],[2,3]]' 'src=i4:[0,1,1]'
// RUN: not gyre-run %t/lib/s.json --func f --in %t/wide --out %t/out 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: f: argument `x`: expected dtype f32, got f64
// RUN: %python %S/../../Interpreter/Inputs/npy.py write %t/index 'x=f4:[[0,1],[2,3]]' 'src=i4:[0,2,1]'
// RUN: not gyre-run %t/lib/s.json --func f --in %t/index --out %t/out 2>&1 | FileCheck %s --check-prefix=INDEX
// INDEX: position 1: expected an index in [0, 2), got 2

// RUN: not gyre-run %t/lib/s.json --func nodes --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=UNBOUND
// UNBOUND: [run-size] expected a value for `N` by an argument or by --size, got none
// RUN: not gyre-run %t/lib/s.json --func f --size N=3 --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: [run-size] expected 2 for `N`, as an argument has it, got 3
// RUN: not gyre-run %t/lib/s.json --func f --size M=3 --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: [run-size] expected one of the sizes N, E, got `M`
// RUN: not gyre-run %t/lib/s.json --func nodes --size N=3000000000000 --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: expected 0 to 2147483647 nodes, got 3000000000000
// RUN: not gyre-run %t/lib/s.json --func huge --size N=2000000000 --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: [run-memory] expected an array that fits the memory
// Less than 2^62 bytes, and more than any address space has.
// RUN: not gyre-run %t/lib/s.json --func huge --size N=1000000 --in %t/in --out %t/out 2>&1 | FileCheck %s --check-prefix=NOMEMORY
// RUN: not gyre-run %t/lib/s.json --func nodes --size N=2,E=100000000000000000 --random 1 --out %t/out 2>&1 | FileCheck %s --check-prefix=NOMEMORY
// NOMEMORY: gyre-run: error: [run-memory] expected {{[0-9]+}} bytes of memory, got none
// RUN: not ls %t/out

gyre.spec @s {
  gyre.func @f(%x: !gyre.tensor<N x 2 x f32>, %src: !gyre.map<[e: E] to N>) -> (y: !gyre.tensor<E x 2 x f32>) {
    %y = gyre.gather %x over %src axis 0 : !gyre.tensor<N x 2 x f32>, !gyre.map<[e: E] to N>
    gyre.return %y : !gyre.tensor<E x 2 x f32>
  }
  gyre.func @nodes(%src: !gyre.map<[e: E] to N>) -> (y: !gyre.tensor<E x f32>) {
    %one = gyre.constant 1.0 : !gyre.tensor<N x f32>
    %y = gyre.gather %one over %src axis 0 : !gyre.tensor<N x f32>, !gyre.map<[e: E] to N>
    gyre.return %y : !gyre.tensor<E x f32>
  }
  gyre.func @huge(%src: !gyre.map<[e: E] to N>) -> (y: !gyre.tensor<N x N x N x f32>) {
    %y = gyre.constant 1.0 : !gyre.tensor<N x N x N x f32>
    gyre.return %y : !gyre.tensor<N x N x N x f32>
  }
}
