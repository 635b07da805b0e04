// On GPUs, sums that wait for the memory have a worker for each node.
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule=target=cuda -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: gyre-opt %t --gyre-print-program 2>&1 | FileCheck %s --check-prefix=PROGRAM
// CPUs cut the rows evenly.
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule | FileCheck %s --check-prefix=CPU

!m = !gyre.map<[e: E] to N>
!x = !gyre.tensor<N x 16 x 64 x f32>
!y = !gyre.tensor<E x 16 x 64 x f32>
!wide = !gyre.tensor<E x 16 x 192 x f32>

// CHECK-LABEL: gyre.func @sum
// CHECK-COUNT-1: gyre.kernel {{.*}} vector 4, lanes 256, workers 1024, span 16, teams 1 warps 32 heavy 64>
// CHECK-NOT: gyre.kernel
// PROGRAM-LABEL: program sum
// PROGRAM: workers    one a node; up to 1024 ranges, of 64 rows or more, of heavy nodes
// CPU-LABEL: gyre.func @sum
// CPU: gyre.kernel {{.*}} teams 1>
gyre.func @sum(%y: !y, %m: !m) -> (x: !x) {
  %0 = gyre.segment_sum %y over %m axis 0 : !y, !m
  gyre.return %0 : !x
}

// Blocks of 256 threads or so have parts of a row.
// CHECK-LABEL: gyre.func @wide_rows
// CHECK: gyre.kernel {{.*}} vector 4, lanes 768, workers 1024, span 16, teams 1 warps 32 heavy 64>
gyre.func @wide_rows(%y: !wide, %m: !m) -> (x: !gyre.tensor<N x 16 x 192 x f32>) {
  %0 = gyre.segment_sum %y over %m axis 0 : !wide, !m
  gyre.return %0 : !gyre.tensor<N x 16 x 192 x f32>
}

// Rows that are written as well come in their order.
// CHECK-LABEL: gyre.func @both
// CHECK: gyre.kernel {{.*}}<row 0>{{.*}} teams 1 warps {{[0-9]+}}>
// CHECK-NOT: heavy
// PROGRAM-LABEL: program both
// PROGRAM: workers    up to {{[0-9]+}}, of 16 rows or more, 1 a block
gyre.func @both(%y: !y, %m: !m) -> (x: !x, z: !y) {
  %z = math.exp %y : !y
  %0 = gyre.segment_sum %z over %m axis 0 : !y, !m
  gyre.return %0, %z : !x, !y
}

// Much is computed of each row here.
// CHECK-LABEL: gyre.func @computed
// CHECK: gyre.kernel {{.*}}<segment 0>{{.*}} teams 1 warps {{[0-9]+}}>
// CHECK-NOT: heavy
gyre.func @computed(%y: !y, %m: !m) -> (x: !x) {
  %a = math.exp %y : !y
  %b = math.exp %a : !y
  %c = math.exp %b : !y
  %d = math.exp %c : !y
  %e = math.exp %d : !y
  %f = math.exp %e : !y
  %g = math.exp %f : !y
  %h = math.exp %g : !y
  %i = math.exp %h : !y
  %j = math.exp %i : !y
  %k = math.exp %j : !y
  %l = math.exp %k : !y
  %n = math.exp %l : !y
  %o = math.exp %n : !y
  %p = math.exp %o : !y
  %q = math.exp %p : !y
  %r = math.exp %q : !y
  %s = math.exp %r : !y
  %t = math.exp %s : !y
  %u = math.exp %t : !y
  %v = math.exp %u : !y
  %w = math.exp %v : !y
  %0 = gyre.segment_sum %w over %m axis 0 : !y, !m
  gyre.return %0 : !x
}
