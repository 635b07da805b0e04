// Which kernels a function becomes, and what each delivers.
// RUN: gyre-opt %s --gyre-fuse | FileCheck %s

!m = !gyre.map<[e: E] to N>
!x = !gyre.tensor<N x 4 x f32>
!y = !gyre.tensor<E x 4 x f32>
!w = !gyre.tensor<E x 4 x 4 x f32>
!v = !gyre.tensor<4 x f32>
!vv = !gyre.tensor<4 x 4 x f32>

// What a gather brings and a segment sum takes away never is an array: all of it is one kernel's
// body, of the map that is summed over.
// CHECK-LABEL: gyre.func @convolution
// CHECK-NEXT: %[[K:.*]] = gyre.kernel over E by %dst : {{.*}} deliver [#gyre.delivery<segment 0>] : !gyre.tensor<N x 4 x f32> {
// CHECK-NEXT: %[[W:.*]] = gyre.row %w axis 0 :
// CHECK-NEXT: %[[X:.*]] = gyre.row %x axis 0 over %src :
// CHECK-NEXT: %[[Y:.*]] = gyre.contract %[[W]][k, d], %[[X]][d] -> [k] : !gyre.tensor<4 x 4 x f32>, !gyre.tensor<4 x f32>
// CHECK-NEXT: gyre.deliver %[[Y]] : !gyre.tensor<4 x f32>
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[K]]
gyre.func @convolution(%x: !x, %w: !w, %src: !m, %dst: !m) -> (n: !x) {
  %0 = gyre.gather %x over %src axis 0 : !x, !m
  %1 = gyre.contract %w[e, k, d], %0[e, d] -> [e, k] : !w, !y
  %2 = gyre.segment_sum %1 over %dst axis 0 : !y, !m
  gyre.return %2 : !x
}

// A kernel that sums over a map delivers rows and totals of the same rows, too.
// CHECK-LABEL: gyre.func @one_owner
// CHECK-NEXT: %[[K:.*]]:3 = gyre.kernel over E by %m : {{.*}} deliver [#gyre.delivery<segment 0>, #gyre.delivery<row 0>, #gyre.delivery<total 0>] :
// CHECK: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[K]]#1, %[[K]]#0, %[[K]]#2
gyre.func @one_owner(%y: !y, %m: !m) -> (a: !y, n: !x, t: !v) {
  %a = arith.mulf %y, %y : !y
  %n = gyre.segment_sum %y over %m axis 0 : !y, !m
  %t = gyre.contract %a[e, i] -> [i] : !y
  gyre.return %a, %n, %t : !y, !x, !v
}

// A kernel has one owner. What both need is computed in both.
// CHECK-LABEL: gyre.func @two_owners
// CHECK-NEXT: %[[A:.*]] = gyre.kernel over E by %src : {{.*}} deliver [#gyre.delivery<segment 0>] : !gyre.tensor<N x 4 x f32> {
// CHECK: math.exp
// CHECK: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: %[[B:.*]] = gyre.kernel over E by %dst : {{.*}} deliver [#gyre.delivery<segment 0>] : !gyre.tensor<N x 4 x f32> {
// CHECK: math.exp
// CHECK: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[A]], %[[B]]
gyre.func @two_owners(%y: !y, %src: !m, %dst: !m) -> (a: !x, b: !x) {
  %0 = math.exp %y : !y
  %a = gyre.segment_sum %0 over %src axis 0 : !y, !m
  %b = gyre.segment_sum %0 over %dst axis 0 : !y, !m
  gyre.return %a, %b : !x, !x
}

// All of a computed value must be there before a gather reads it: a kernel over nodes, then one
// over edges, which walks them node by node: a node's row is read once for all its edges.
// CHECK-LABEL: gyre.func @gather_of_computed
// CHECK-NEXT: %[[A:.*]] = gyre.kernel over N deliver [#gyre.delivery<row 0>] : !gyre.tensor<N x 4 x f32> {
// CHECK-NEXT: gyre.row %x axis 0 :
// CHECK-NEXT: math.exp
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: %[[B:.*]] = gyre.kernel over E by %m : {{.*}} deliver [#gyre.delivery<row 0>] : !gyre.tensor<E x 4 x f32> {
// CHECK-NEXT: gyre.row %[[A]] axis 0 over %m :
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[B]]
gyre.func @gather_of_computed(%x: !x, %m: !m) -> (b: !y) {
  %0 = math.exp %x : !x
  %1 = gyre.gather %0 over %m axis 0 : !x, !m
  gyre.return %1 : !y
}

// What a later stage needs of a gather it reads where the gather does: no kernel copies these rows.
// CHECK-LABEL: gyre.func @gather_of_earlier_stage
// CHECK-NEXT: %[[S:.*]] = gyre.kernel over E by %dst : {{.*}} deliver [#gyre.delivery<segment 0>] :
// CHECK: %[[B:.*]] = gyre.kernel over E by %src : {{.*}} deliver [#gyre.delivery<row 0>] :
// CHECK-DAG: gyre.row %[[S]] axis 0 over %dst :
// CHECK-DAG: gyre.row %x axis 0 over %src :
// CHECK: gyre.return %[[B]]
gyre.func @gather_of_earlier_stage(%x: !x, %y: !y, %src: !m, %dst: !m) -> (b: !y) {
  %0 = gyre.gather %x over %src axis 0 : !x, !m
  %1 = gyre.segment_sum %y over %dst axis 0 : !y, !m
  %2 = gyre.gather %1 over %dst axis 0 : !x, !m
  %3 = arith.mulf %0, %2 : !y
  gyre.return %3 : !y
}

// A sum must be there before anything uses it. The stage after it reads its rows.
// CHECK-LABEL: gyre.func @use_of_sum
// CHECK-NEXT: %[[S:.*]] = gyre.kernel over E by %m : {{.*}} deliver [#gyre.delivery<segment 0>] :
// CHECK: %[[B:.*]] = gyre.kernel over N deliver [#gyre.delivery<row 0>] :
// CHECK-NEXT: gyre.row %[[S]] axis 0 :
// CHECK-NEXT: math.exp
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[B]]
gyre.func @use_of_sum(%y: !y, %m: !m) -> (b: !x) {
  %0 = gyre.segment_sum %y over %m axis 0 : !y, !m
  %1 = math.exp %0 : !x
  gyre.return %1 : !x
}

// A total has no rows: what is computed of it without rows is a kernel over one, and what rows
// then need of that comes a stage later.
// CHECK-LABEL: gyre.func @use_of_total
// CHECK-NEXT: %[[T:.*]] = gyre.kernel over E deliver [#gyre.delivery<total 0>] : !gyre.tensor<4 x f32> {
// CHECK: %[[U:.*]] = gyre.kernel over 1 deliver [#gyre.delivery<total 0>] : !gyre.tensor<4 x f32> {
// CHECK-NEXT: math.exp %[[T]] :
// CHECK: %[[B:.*]] = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !gyre.tensor<E x 4 x f32> {
// CHECK: gyre.contract %{{.*}}[i], %[[U]][i] -> [i]
// CHECK: gyre.return %[[B]]
gyre.func @use_of_total(%y: !y) -> (b: !y) {
  %0 = gyre.contract %y[e, i] -> [i] : !y
  %1 = math.exp %0 : !v
  %2 = gyre.contract %y[e, i], %1[i] -> [e, i] : !y, !v
  gyre.return %2 : !y
}

// A contract that sums rows is one of each row, and a total.
// CHECK-LABEL: gyre.func @total_of_products
// CHECK-NEXT: %[[T:.*]] = gyre.kernel over E deliver [#gyre.delivery<total 0>] : !gyre.tensor<4 x 4 x f32> {
// CHECK: %[[P:.*]] = gyre.contract %{{.*}}[i], %{{.*}}[j] -> [i, j] over [i, j] {(0, 1), (2, 3) * -1.000000e+00}
// CHECK-NEXT: gyre.deliver %[[P]]
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[T]]
gyre.func @total_of_products(%a: !y, %b: !y) -> (t: !vv) {
  %t = gyre.contract %a[e, i], %b[e, j] -> [i, j] over [i, j] {(0, 1), (2, 3) * -1.0} : !y, !y
  gyre.return %t : !vv
}

// What needs no rows is computed by each row that needs it.
// CHECK-LABEL: gyre.func @shared
// CHECK-NEXT: %[[B:.*]] = gyre.kernel over E deliver [#gyre.delivery<row 0>] :
// CHECK-NEXT: gyre.row %y axis 0 :
// CHECK-NEXT: math.exp %v :
// CHECK-NEXT: gyre.contract
// CHECK-NEXT: gyre.deliver
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[B]]
gyre.func @shared(%y: !y, %v: !v) -> (b: !y) {
  %0 = math.exp %v : !v
  %1 = gyre.contract %y[e, i], %0[i] -> [e, i] : !y, !v
  gyre.return %1 : !y
}

// A result has memory of its own: values that are returned again, and arguments, are copied.
// CHECK-LABEL: gyre.func @returned
// CHECK-NEXT: %[[K:.*]]:4 = gyre.kernel over E deliver [#gyre.delivery<row 0>, #gyre.delivery<row 0>, #gyre.delivery<row 0>, #gyre.delivery<row 0>] :
// CHECK-NEXT: %[[Y:.*]] = gyre.row %y axis 0
// CHECK-NEXT: %[[A:.*]] = math.exp %[[Y]]
// CHECK-NEXT: gyre.deliver %[[A]], %[[Y]], %[[A]], %[[Y]] :
// CHECK-NEXT: }
// CHECK-NEXT: gyre.return %[[K]]#0, %[[K]]#2, %[[K]]#1, %[[K]]#3
gyre.func @returned(%y: !y) -> (a: !y, b: !y, c: !y, d: !y) {
  %a = math.exp %y : !y
  gyre.return %a, %a, %y, %y : !y, !y, !y, !y
}

// Rows may be any dimension.
// CHECK-LABEL: gyre.func @inner_rows
// CHECK-NEXT: gyre.kernel over E by %m : {{.*}} deliver [#gyre.delivery<segment 1>, #gyre.delivery<row 2>] : !gyre.tensor<4 x N x f32>, !gyre.tensor<4 x 4 x E x f32> {
// CHECK-NEXT: gyre.row %a axis 1 : !gyre.tensor<4 x E x f32>
// CHECK-NEXT: gyre.row %w axis 0 : !gyre.tensor<E x 4 x 4 x f32>
// CHECK-NEXT: gyre.contract %{{.*}}[i, j] -> [i, j] :
gyre.func @inner_rows(%a: !gyre.tensor<4 x E x f32>, %w: !w, %m: !m) -> (n: !gyre.tensor<4 x N x f32>, t: !gyre.tensor<4 x 4 x E x f32>) {
  %n = gyre.segment_sum %a over %m axis 1 : !gyre.tensor<4 x E x f32>, !m
  %t = gyre.contract %w[e, i, j] -> [i, j, e] : !w
  gyre.return %n, %t : !gyre.tensor<4 x N x f32>, !gyre.tensor<4 x 4 x E x f32>
}

// Nothing is left of a function that computes nothing for its caller.
// CHECK-LABEL: gyre.func @unused
// CHECK-NEXT: gyre.return
gyre.func @unused(%y: !y) {
  %0 = math.exp %y : !y
  gyre.return
}

// What a later stage needs of rows is computed again, where it reads no more cells than it has: not the
// product of two, which is half as many.
// CHECK-LABEL: gyre.func @again
// CHECK-NEXT: %[[S:.*]]:2 = gyre.kernel over E by %{{.*}} deliver [#gyre.delivery<segment 0>, #gyre.delivery<row 0>]
// CHECK: gyre.kernel over E by %{{.*}} deliver [#gyre.delivery<row 0>]
// CHECK-NOT: gyre.kernel
// CHECK: gyre.row %[[S]]#0 axis 0 over
// CHECK: math.exp
// CHECK: gyre.row %[[S]]#1 axis 0
// CHECK: gyre.return
gyre.func @again(%y: !y, %z: !y, %m: !m) -> (b: !y) {
  %0 = gyre.segment_sum %y over %m axis 0 : !y, !m
  %1 = gyre.gather %0 over %m axis 0 : !x, !m
  %2 = math.exp %y : !y
  %3 = arith.mulf %y, %z : !y
  %4 = arith.mulf %1, %2 : !y
  %5 = arith.addf %4, %3 : !y
  gyre.return %5 : !y
}
