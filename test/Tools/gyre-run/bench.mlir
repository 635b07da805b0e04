// Random inputs, and times.
// RUN: rm -rf %t
// RUN: gyrec %s -o %t/lib
// RUN: gyre-run %t/lib/timed.json --func sum --random 7 --size N=5,M=3,E=40 --out %t/a --bench --runs 3 --json %t/times.json
// RUN: FileCheck %s --check-prefix=JSON <%t/times.json
// JSON: "function": "sum",
// JSON-NEXT: "target": "cpu",
// JSON-NEXT: "device": "cpu",
// JSON-NEXT: "sizes": {
// JSON-NEXT: "N": 5,
// JSON-NEXT: "E": 40,
// JSON-NEXT: "M": 3
// JSON: "runs": 3,
// JSON-NEXT: "copies": {{[1-9][0-9]*}},
// x has 40 bytes, w 80, the maps 40 and 6 entries, s 40, y 5, z 24.
// JSON-NEXT: "bytes": 373,
// JSON-NEXT: "median_s": {{.*}},
// JSON-NEXT: "min_s": {{.*}},
// JSON-NEXT: "max_s": {{.*}},
// JSON-NEXT: "spread": {{.*}},
// JSON-NEXT: "gb_per_s": {{.*}},
// JSON-NEXT: "copy_gb_per_s": {{[1-9].*}},
// JSON-NEXT: "fill_gb_per_s": {{[1-9]}}

// The same seed makes the same inputs, another one others.
// RUN: gyre-call %t/lib/timed.json --func sum --random 7 --size N=5,M=3,E=40 --out %t/b
// RUN: diff -r %t/a %t/b
// RUN: gyre-run %t/lib/timed.json --func sum --random 8 --size N=5,M=3,E=40 --out %t/c
// RUN: not diff -rq %t/a %t/c
// Ones that no seed may change: floats in [-1, 1), integers in [0, 4), references to all nodes.
// RUN: gyre-run %t/lib/timed.json --func echo --random 1 --size N=4,E=4000 --out %t/d
// RUN: %python %S/Inputs/ranges.py %t/d | FileCheck %s --check-prefix=RANGES
// RANGES: f: float32 True True
// RANGES-NEXT: h: float16 True True
// RANGES-NEXT: i: int32 0 3
// RANGES-NEXT: nodes: 1.0 4000.0 True

// RUN: gyre-call %t/lib/timed.json --func sum --random 7 --size N=5,M=3,E=40 --bench --runs 2 --bytes 1000 | FileCheck %s --check-prefix=TEXT
// TEXT: sum on cpu: median {{[0-9.]+}} us (min {{[0-9.]+}}, max {{[0-9.]+}}, middle half {{[0-9.]+}} %), {{[0-9.]+}} GB/s over 1000 compulsory bytes; 2 runs on {{[0-9]+}} copies; a copy moves {{[0-9.]+}} GB/s, a fill {{[0-9.]+}}

// Maps of other kinds: the shares of the first nodes, and whether the order ascends.
// RUN: gyre-call %t/lib/timed.json --func walk --random 1 --size N=100,E=20000 --out %t/uniform
// RUN: %python %S/Inputs/references.py %t/uniform | FileCheck %s --check-prefix=UNIFORM
// UNIFORM: 0.01 0.01 0.01 of 100 nodes{{$}}
// RUN: gyre-call %t/lib/timed.json --func walk --random 1 --references uniform --size N=100,E=20000 --out %t/same
// RUN: diff -r %t/uniform %t/same
// RUN: gyre-call %t/lib/timed.json --func walk --random 1 --references sorted --size N=100,E=20000 --out %t/sorted
// RUN: %python %S/Inputs/references.py %t/sorted | FileCheck %s --check-prefix=SORTED
// SORTED: 0.01 0.01 0.01 of 100 nodes, ascending
// Seven groups, of which the last holds 37 nodes in place of 64.
// RUN: gyre-run %t/lib/timed.json --func walk --random 1 --references power-law --size N=100,E=20000 --out %t/law
// RUN: %python %S/Inputs/references.py %t/law | FileCheck %s --check-prefix=LAW
// LAW: 0.15 0.0{{[78]}} 0.0{{[78]}} of 100 nodes{{$}}
// RUN: gyre-run %t/lib/timed.json --func walk --random 1 --references hub --size N=100,E=20000 --out %t/hub
// RUN: %python %S/Inputs/references.py %t/hub | FileCheck %s --check-prefix=HUB
// HUB: 0.90 0.00 0.00 of 100 nodes{{$}}
// RUN: not gyre-call %t/lib/timed.json --func walk --random 1 --references star --out %t/star 2>&1 | FileCheck %s --check-prefix=STAR
// STAR: Cannot find option named 'star'!
// One node, and pads: the last of a sorted map.
// RUN: gyre-run %t/lib/timed.json --func walk --random 1 --references power-law --size N=1,E=9 --out %t/one
// RUN: %python %S/Inputs/references.py %t/one | FileCheck %s --check-prefix=ONE
// ONE: 1.00 of 1 nodes
// RUN: gyre-run %t/lib/timed.json --func sum --random 7 --references sorted --size N=5,M=500,E=40 --out %t/pads
// RUN: %python %S/../../Interpreter/Inputs/npy.py print %t/pads/z.npy | FileCheck %s --check-prefix=PADS
// PADS: z: <f4 (500, 2) {{\[\[}}1.0, 1.0],{{.*}} [0.0, 0.0]]

// Many runs give the bits of the first; test/unit/Tools has one that does not.
// RUN: gyre-run %t/lib/timed.json --func sum --random 7 --size N=5,M=3,E=40 --repeat 100 --out %t/repeated
// RUN: diff -r %t/a %t/repeated
// RUN: gyre-call %t/lib/timed.json --func sum --random 7 --size N=5,M=3,E=40 --repeat 2
// Nor do other calls at the same time change anything, or memory that nobody has spoilt.
// RUN: gyre-call %t/lib/timed.json --func sum --random 7 --size N=5,M=3,E=40 --repeat 5 --load --out %t/loaded
// RUN: diff -r %t/a %t/loaded
// RUN: gyre-run %t/lib/timed.json --func sum --random 7 --size N=5,M=3,E=40 --repeat 5 --keep-memory --out %t/unspoilt
// RUN: diff -r %t/a %t/unspoilt

// What cannot be run.
// RUN: not gyre-run %t/lib/timed.json --func sum --out %t/e 2>&1 | FileCheck %s --check-prefix=NEITHER
// NEITHER: gyre-run: error: [run-mode] expected either --in or --random, got none
// RUN: not gyre-run %t/lib/timed.json --func sum --in %t --references sorted --out %t/e 2>&1 | FileCheck %s --check-prefix=GIVEN
// GIVEN: gyre-run: error: [run-mode] expected --random with --references, got none
// RUN: not gyre-call %t/lib/timed.json --func sum --in %t --random 1 --out %t/e 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: gyre-call: error: [run-mode] expected either --in or --random, got both
// RUN: not gyre-run %t/lib/timed.json --func sum --random 1 2>&1 | FileCheck %s --check-prefix=IDLE
// IDLE: [run-mode] expected --out, --bench or --repeat, got none
// RUN: not gyre-run %t/lib/timed.json --func sum --random 1 --repeat 1 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: [run-mode] expected at least 2 runs to compare, got 1
// RUN: not gyre-run %t/lib/timed.json --func sum --random 1 --load --out %t/e 2>&1 | FileCheck %s --check-prefix=LOAD
// LOAD: [run-mode] expected --repeat with --load, got none
// RUN: not gyre-run %t/lib/timed.json --func sum --random 1 --out %t/e --json - 2>&1 | FileCheck %s --check-prefix=NOBENCH
// NOBENCH: [run-mode] expected --bench with --json, got none
// RUN: not gyre-run %t/lib/timed.json --func sum --random 1 --bench --runs 0 2>&1 | FileCheck %s --check-prefix=RUNS
// RUNS: [run-mode] expected at least 1 run, got 0
// RUN: not gyre-run %t/lib/timed.json --func sum --random one --size N=5,M=3,E=40 --bench 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: [run-random] expected a number for --random, got `one`
// RUN: not gyre-run %t/lib/timed.json --func sum --random 1 --size N=5,E=4 --bench 2>&1 | FileCheck %s --check-prefix=UNBOUND
// UNBOUND: [run-size] expected a value for `M` by an argument or by --size, got none
// RUN: not gyre-run %t/lib/timed.json --func sum --random 1 --size N=0,M=3,E=40 --bench 2>&1 | FileCheck %s --check-prefix=NODES
// NODES: [run-random] expected a node for the references of `src`, got none
// RUN: not gyre-run %s --interpret --func sum --random 1 --in %t --out %t/e 2>&1 | FileCheck %s --check-prefix=INTERPRET
// RUN: not gyre-run %s --interpret --func sum --repeat 2 --in %t --out %t/e 2>&1 | FileCheck %s --check-prefix=INTERPRET
// RUN: not gyre-run %s --interpret --func sum --references hub --in %t --out %t/e 2>&1 | FileCheck %s --check-prefix=INTERPRET
// INTERPRET: [run-mode] expected a manifest for --bench, --repeat, --gradcheck, --random and --references, got --interpret
// RUN: not gyre-run %s --interpret --func sum --in %t 2>&1 | FileCheck %s --check-prefix=NOOUT
// NOOUT: [run-mode] expected --in and --out with --interpret, got none
// RUN: not gyre-run %t/lib/timed.json --func sum --random 7 --size N=5,M=3,E=40 --bench --runs 1 --json %t/none/times.json 2>&1 | FileCheck %s --check-prefix=JSONFILE
// JSONFILE: [run-output] expected to write {{.*}}none/times.json, got: No such file
// RUN: not gyre-run %t/lib/timed.json --func sum --random 7 --size N=5,M=3,E=40 --bench --graph 2>&1 | FileCheck %s --check-prefix=GRAPH
// GRAPH: [run-mode] expected a kernel for GPUs with --graph, got one for the CPU
// RUN: sed 's/"target": "cpu"/"target": "abacus"/' %t/lib/timed.json > %t/lib/foreign.json
// RUN: not gyre-call %t/lib/foreign.json --func sum --random 1 --bench 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: [run-manifest] {{.*}} got: expected cpu or cuda at (root).target

gyre.spec @timed {
  gyre.func @sum(%x: !gyre.tensor<N x 2 x f32>, %src: !gyre.map<[e: E] to N>, %w: !gyre.tensor<E x f16>,
                 %near: !gyre.map<[m: M, k: 2] to N, padded>)
      -> (s: !gyre.tensor<N x 2 x f32>, y: !gyre.tensor<N x i8>, z: !gyre.tensor<M x 2 x f32>) {
    %xe = gyre.gather %x over %src axis 0 : !gyre.tensor<N x 2 x f32>, !gyre.map<[e: E] to N>
    %s = gyre.segment_sum %xe over %src axis 0 : !gyre.tensor<E x 2 x f32>, !gyre.map<[e: E] to N>
    %max, %y = gyre.max_slot %s axis 1 : !gyre.tensor<N x 2 x f32> -> !gyre.tensor<N x f32>, !gyre.tensor<N x i8>
    %z = gyre.valid %near : !gyre.map<[m: M, k: 2] to N, padded> -> !gyre.tensor<M x 2 x f32>
    gyre.return %s, %y, %z : !gyre.tensor<N x 2 x f32>, !gyre.tensor<N x i8>, !gyre.tensor<M x 2 x f32>
  }
  gyre.func @walk(%nodes: !gyre.tensor<N x f32>, %src: !gyre.map<[e: E] to N>)
      -> (x: !gyre.tensor<N x f32>, y: !gyre.tensor<E x f32>) {
    %y = gyre.gather %nodes over %src axis 0 : !gyre.tensor<N x f32>, !gyre.map<[e: E] to N>
    gyre.return %nodes, %y : !gyre.tensor<N x f32>, !gyre.tensor<E x f32>
  }
  gyre.func @echo(%x: !gyre.tensor<E x f32>, %z: !gyre.tensor<E x f16>, %k: !gyre.tensor<E x i32>, %src: !gyre.map<[e: E] to N>)
      -> (f: !gyre.tensor<E x f32>, h: !gyre.tensor<E x f16>, i: !gyre.tensor<E x i32>, n: !gyre.tensor<N x f32>) {
    %one = gyre.constant 1.0 : !gyre.tensor<E x f32>
    %n = gyre.segment_sum %one over %src axis 0 : !gyre.tensor<E x f32>, !gyre.map<[e: E] to N>
    gyre.return %x, %z, %k, %n : !gyre.tensor<E x f32>, !gyre.tensor<E x f16>, !gyre.tensor<E x i32>, !gyre.tensor<N x f32>
  }
}
