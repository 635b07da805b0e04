// A kernel with more vectors alive than a GPU's thread has registers for is cut by what it delivers.
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule=target=cuda 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err
// The CPU keeps vectors in memory where it has to.
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule 2>&1 | FileCheck %s --check-prefix=CPU

!m = !gyre.map<[e: E] to N>
!y = !gyre.tensor<E x 80 x 32 x f32>
!w = !gyre.tensor<E x 80 x f32>
!n = !gyre.tensor<N x 80 x 32 x f32>

// 160 sums over the rows of a node: 80 in each part, which both have the owner and all of %y.
// REMARK: remark: kernel of {{1[0-9][0-9]}} vectors alive at once, where 120 fit the registers: cut into two of at most {{[89][0-9]$}}
// CHECK-LABEL: gyre.func @wide
// CHECK-NEXT: %[[A:.*]] = gyre.kernel over E by %m : {{.*}} deliver [#gyre.delivery<segment 0>] schedule
// CHECK-COUNT-1: gyre.row %y
// CHECK-NOT: math.exp
// CHECK: gyre.deliver
// CHECK: %[[B:.*]] = gyre.kernel over E by %m : {{.*}} deliver [#gyre.delivery<segment 0>] schedule
// CHECK-COUNT-1: gyre.row %y
// CHECK-COUNT-1: math.exp
// CHECK: gyre.deliver
// CHECK-NOT: gyre.kernel
// CHECK: gyre.return %[[A]], %[[B]]
// CPU-LABEL: gyre.func @wide
// CPU-COUNT-1: gyre.kernel
// CPU-NOT: gyre.kernel
// CPU: gyre.return
gyre.func @wide(%y: !y, %w: !w, %m: !m) -> (a: !n, b: !n) {
  %p = gyre.contract %y[e, k, c], %w[e, k] -> [e, k, c] : !y, !w
  %a = gyre.segment_sum %p over %m axis 0 : !y, !m
  %e = math.exp %p : !y
  %b = gyre.segment_sum %e over %m axis 0 : !y, !m
  gyre.return %a, %b : !n, !n
}

// One result is cut by its cells, when code is made: the kernel stays one.
// REMARK: remark: kernel of {{16[0-9]}} vectors alive at once, where 120 fit the registers: cut by cells of its results
// REMARK-NOT: remark: kernel of {{.*}} where 120
// CHECK-LABEL: gyre.func @one_result
// CHECK-COUNT-1: gyre.kernel {{.*}} schedule <{{.*}}, teams 1 warps 8 alive 120>
// CHECK-NOT: gyre.kernel
// CHECK: gyre.return
!y160 = !gyre.tensor<E x 160 x 32 x f32>
gyre.func @one_result(%y: !y160, %w: !gyre.tensor<E x 160 x f32>, %m: !m) -> (a: !gyre.tensor<N x 160 x 32 x f32>) {
  %p = gyre.contract %y[e, k, c], %w[e, k] -> [e, k, c] : !y160, !gyre.tensor<E x 160 x f32>
  %a = gyre.segment_sum %p over %m axis 0 : !y160, !m
  gyre.return %a : !gyre.tensor<N x 160 x 32 x f32>
}

// A function says how many registers there are for vectors.
// REMARK: remark: kernel of {{16[0-9]}} vectors alive at once, where 60 fit the registers: cut by cells of its results
// CHECK-LABEL: gyre.func @fewer_registers
// CHECK: gyre.kernel {{.*}} alive 60>
gyre.func @fewer_registers(%y: !y160, %w: !gyre.tensor<E x 160 x f32>, %m: !m) -> (a: !gyre.tensor<N x 160 x 32 x f32>) attributes {gyre.registers = {"0" = 60}} {
  %p = gyre.contract %y[e, k, c], %w[e, k] -> [e, k, c] : !y160, !gyre.tensor<E x 160 x f32>
  %a = gyre.segment_sum %p over %m axis 0 : !y160, !m
  gyre.return %a : !gyre.tensor<N x 160 x 32 x f32>
}

// It says so of one half of a kernel, too: the other has what is usual.
// REMARK: remark: kernel of {{[89][0-9]}} vectors alive at once, where 50 fit the registers: cut by cells of its results
// CHECK-LABEL: gyre.func @half_a_kernel
// CHECK: gyre.kernel {{.*}} schedule <{{.*}} warps {{[0-9]+}}> {gyre.part = "0.0"}
// CHECK: gyre.kernel {{.*}} alive 50> {gyre.part = "0.1"}
// CHECK-NOT: gyre.kernel
// CHECK: gyre.return
gyre.func @half_a_kernel(%y: !y, %w: !w, %m: !m) -> (a: !n, b: !n) attributes {gyre.registers = {"0.1" = 50}} {
  %p = gyre.contract %y[e, k, c], %w[e, k] -> [e, k, c] : !y, !w
  %a = gyre.segment_sum %p over %m axis 0 : !y, !m
  %e = math.exp %p : !y
  %b = gyre.segment_sum %e over %m axis 0 : !y, !m
  gyre.return %a, %b : !n, !n
}
