// Calls a compiled function on the arrays of a directory.
// RUN: rm -rf %t
// RUN: gyrec %s --set act=f32 -o %t/f32
// RUN: %python %S/../../Interpreter/Inputs/npy.py write %t/in 'x=f4:[[0,1],[2,3],[4,5]]' 'src=i4:[0,2,2,1]' 'w=f4:[1,-2,4,0.5]'
// RUN: gyre-run %t/f32/calls.json --func sum --in %t/in --out %t/made/out
// RUN: %python %S/../../Interpreter/Inputs/npy.py print %t/made/out/y.npy %t/made/out/at.npy | FileCheck %s --check-prefix=SUM
// SUM: y: <f4 (3, 2) {{\[\[}}0.0, 1.0], [1.0, 1.5], [8.0, 10.0]]
// SUM-NEXT: at: |i1 (3,) [1, 1, 1]

// The manifest without a directory.
// RUN: cd %t/f32 && gyre-run calls.json --func=sum --in=../in --out=../again
// RUN: diff %t/made/out/y.npy %t/again/y.npy

// bf16 travels as f4.
// RUN: gyrec %s --set act=bf16 -o %t/bf16
// RUN: gyre-run %t/bf16/calls.json --func sum --in %t/in --out %t/out
// RUN: %python %S/../../Interpreter/Inputs/npy.py print %t/out/y.npy | FileCheck %s --check-prefix=BF16
// BF16: y: <f4 (3, 2) {{\[\[}}0.0, 1.0], [1.0, 1.5], [8.0, 10.0]]

// No edges; a size that only a map's target has.
// RUN: %python %S/../../Interpreter/Inputs/npy.py write %t/nodes 'rows=f4:[1,2,3]' 'knn=i8:[[0,2,7]]'
// RUN: gyre-run %t/f32/calls.json --func nodes --in %t/nodes --out %t/out --size Nin=2
// RUN: %python %S/../../Interpreter/Inputs/npy.py print %t/out/s.npy | FileCheck %s --check-prefix=NODES
// NODES: s: <f4 (2,) [1.0, 0.0]
// RUN: %python %S/../../Interpreter/Inputs/npy.py write %t/empty 'x=f4:[[0,1]]' 'src=i4:[]' 'w=f4:[]'
// RUN: gyre-run %t/f32/calls.json --func sum --in %t/empty --out %t/out
// RUN: %python %S/../../Interpreter/Inputs/npy.py print %t/out/y.npy %t/out/at.npy | FileCheck %s --check-prefix=EMPTY
// EMPTY: y: <f4 (1, 2) {{\[\[}}0.0, 0.0]]
// EMPTY-NEXT: at: |i1 (1,) [0]

gyre.spec @calls {
  gyre.type_param "act" in [f32, bf16]
  gyre.func @sum(%x: !gyre.tensor<N x 2 x act>, %src: !gyre.map<[e: E] to N>, %w: !gyre.tensor<E x act>)
      -> (y: !gyre.tensor<N x 2 x act>, at: !gyre.tensor<N x i8>) {
    %xe = gyre.gather %x over %src axis 0 : !gyre.tensor<N x 2 x act>, !gyre.map<[e: E] to N>
    %p = gyre.contract %xe[e, c], %w[e] -> [e, c] : !gyre.tensor<E x 2 x act>, !gyre.tensor<E x act>
    %y = gyre.segment_sum %p over %src axis 0 : !gyre.tensor<E x 2 x act>, !gyre.map<[e: E] to N>
    %max, %at = gyre.max_slot %y axis 1 : !gyre.tensor<N x 2 x act> -> !gyre.tensor<N x act>, !gyre.tensor<N x i8>
    gyre.return %y, %at : !gyre.tensor<N x 2 x act>, !gyre.tensor<N x i8>
  }
  gyre.func @nodes(%rows: !gyre.tensor<Nout x act>, %knn: !gyre.map<[k: K, n: Nout] to Nin, padded>) -> (s: !gyre.tensor<Nin x act>) {
    %r = gyre.contract %rows[n] -> [k, n] with (k = K) : !gyre.tensor<Nout x act>
    %s = gyre.segment_sum %r over %knn axis 0 : !gyre.tensor<K x Nout x act>, !gyre.map<[k: K, n: Nout] to Nin, padded>
    gyre.return %s : !gyre.tensor<Nin x act>
  }
}
