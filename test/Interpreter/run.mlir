// Reads a directory of arrays, writes one. A file without specs holds specialised functions.

// RUN: rm -rf %t
// RUN: %python %S/Inputs/npy.py write %t/in 'x=f4:[[0,1],[2,3],[4,5]]' 'src=i4:[0,2,2,1]' 'w=f8:[1,-2,4,0.5]'
// RUN: gyre-run --interpret %s --func sum --in %t/in --out %t/made/out
// RUN: %python %S/Inputs/npy.py print %t/made/out/y.npy %t/made/out/at.npy | FileCheck %s --check-prefix=SUM
// SUM: y: <f8 (3, 2) {{\[\[}}0.0, 1.0], [1.0, 1.5], [8.0, 10.0]]
// SUM-NEXT: at: <i8 (3,) [1, 1, 1]
// RUN: ls -A %t/made/out | FileCheck %s --check-prefix=FILES
// FILES: at.npy
// FILES-NEXT: y.npy
// FILES-NOT: {{.}}

// Integers and truth values serve as numbers; a result that exists is replaced.
// RUN: %python %S/Inputs/npy.py write %t/in 'x=i8:[[0,1],[2,3],[4,5]]' 'src=u1:[0,2,2,1]' 'w=b1:[1,0,1,1]'
// RUN: gyre-run --interpret %s --func=sum --in=%t/in --out=%t/made/out
// RUN: %python %S/Inputs/npy.py print %t/made/out/y.npy | FileCheck %s --check-prefix=INTEGERS
// INTEGERS: y: <f8 (3, 2) {{\[\[}}0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]

// No edges, no nodes.
// RUN: %python %S/Inputs/npy.py write %t/empty 'x=f4:[[0,1]]' 'src=i4:[]' 'w=f8:[]'
// RUN: gyre-run --interpret %s --func sum --in %t/empty --out %t/out
// RUN: %python %S/Inputs/npy.py print %t/out/y.npy %t/out/at.npy | FileCheck %s --check-prefix=EMPTY
// EMPTY: y: <f8 (1, 2) {{\[\[}}0.0, 0.0]]
// EMPTY-NEXT: at: <i8 (1,) [0]

// A size that only a map's target has.
// RUN: %python %S/Inputs/npy.py write %t/nodes 'rows=f8:[1,2,3]' 'knn=i8:[[0,2,7]]'
// RUN: gyre-run --interpret %s --func nodes --in %t/nodes --out %t/out --size Nin=2
// RUN: %python %S/Inputs/npy.py print %t/out/s.npy | FileCheck %s --check-prefix=NODES
// NODES: s: <f8 (2,) [1.0, 0.0]

gyre.func @sum(%x: !gyre.tensor<N x 2 x f32>, %src: !gyre.map<[e: E] to N>, %w: !gyre.tensor<E x f32>)
    -> (y: !gyre.tensor<N x 2 x f32>, at: !gyre.tensor<N x i8>) {
  %xe = gyre.gather %x over %src axis 0 : !gyre.tensor<N x 2 x f32>, !gyre.map<[e: E] to N>
  %p = gyre.contract %xe[e, c], %w[e] -> [e, c] : !gyre.tensor<E x 2 x f32>, !gyre.tensor<E x f32>
  %y = gyre.segment_sum %p over %src axis 0 : !gyre.tensor<E x 2 x f32>, !gyre.map<[e: E] to N>
  %max, %at = gyre.max_slot %y axis 1 : !gyre.tensor<N x 2 x f32> -> !gyre.tensor<N x f32>, !gyre.tensor<N x i8>
  gyre.return %y, %at : !gyre.tensor<N x 2 x f32>, !gyre.tensor<N x i8>
}

gyre.func @nodes(%rows: !gyre.tensor<Nout x f64>, %knn: !gyre.map<[k: K, n: Nout] to Nin, padded>) -> (s: !gyre.tensor<Nin x f64>) {
  %r = gyre.contract %rows[n] -> [k, n] with (k = K) : !gyre.tensor<Nout x f64>
  %s = gyre.segment_sum %r over %knn axis 0 : !gyre.tensor<K x Nout x f64>, !gyre.map<[k: K, n: Nout] to Nin, padded>
  gyre.return %s : !gyre.tensor<Nin x f64>
}
