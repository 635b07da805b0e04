// Lanes with more cells read words that all lanes share, and take sums over lanes, less often.
// RUN: gyre-opt %s --gyre-fuse --gyre-schedule=target=cuda 2>%t.err | FileCheck %s --enable-var-scope
// RUN: FileCheck %s --check-prefix=REMARK --enable-var-scope --input-file=%t.err

!m = !gyre.map<[e: E] to N>
!w = !gyre.tensor<E x 8 x 48 x f32>
!g = !gyre.tensor<E x 8 x 128 x f32>
!x = !gyre.tensor<N x 48 x 128 x f32>

// The kernel was found to need more registers than its lanes of two cells have: of one, it takes longer than two kernels of
// more. These have the registers of any kernel.
// REMARK: remark: kernel of lanes of 1: cut into two of more, for some {{[0-9]+}} cycles of a row in place of {{[0-9]+$}}
// CHECK-LABEL: gyre.func @cut
// CHECK: gyre.kernel {{.*}} deliver [#gyre.delivery<segment 0>] schedule <{{.*}}vector 2, lanes 64, {{.*}}> {gyre.part = "0-0"}
// CHECK: gyre.kernel {{.*}} deliver [#gyre.delivery<row 0>] schedule <{{.*}}vector {{[24]}}, lanes {{(64|32)}}, {{.*}}> {gyre.part = "0-1"}
// CHECK-NOT: gyre.kernel
// CHECK: gyre.return
gyre.func @cut(%w: !w, %g: !g, %x: !x, %m: !m) -> (gx: !x, gw: !w) attributes {gyre.registers = {"0" = 100}} {
  %p = gyre.contract %w[e, k, j], %g[e, k, c] -> [e, j, c] : !w, !g
  %gx = gyre.segment_sum %p over %m axis 0 : !gyre.tensor<E x 48 x 128 x f32>, !m
  %xe = gyre.gather %x over %m axis 0 : !x, !m
  %gw = gyre.contract %g[e, k, c], %xe[e, j, c] -> [e, k, j] : !g, !gyre.tensor<E x 48 x 128 x f32>
  gyre.return %gx, %gw : !x, !w
}

// With enough registers, one kernel has wide lanes.
// REMARK-NOT: remark
// CHECK-LABEL: gyre.func @whole
// CHECK-COUNT-1: gyre.kernel {{.*}} vector 2, lanes 64, {{.*}} {gyre.part = "0"}
// CHECK-NOT: gyre.kernel
// CHECK: gyre.return
gyre.func @whole(%w: !w, %g: !g, %x: !x, %m: !m) -> (gx: !x, gw: !w) {
  %p = gyre.contract %w[e, k, j], %g[e, k, c] -> [e, j, c] : !w, !g
  %gx = gyre.segment_sum %p over %m axis 0 : !gyre.tensor<E x 48 x 128 x f32>, !m
  %xe = gyre.gather %x over %m axis 0 : !x, !m
  %gw = gyre.contract %g[e, k, c], %xe[e, j, c] -> [e, k, j] : !g, !gyre.tensor<E x 48 x 128 x f32>
  gyre.return %gx, %gw : !x, !w
}

// Sixteen warps have registers enough, but of the cells of their nodes, 28 KB each, few would be in shared memory or the cache.
// CHECK-LABEL: gyre.func @far
// CHECK: gyre.kernel {{.*}} vector 4, lanes 32, {{.*}} warps 8>
!w2 = !gyre.tensor<E x 8 x 56 x f32>
!x2 = !gyre.tensor<N x 56 x 128 x f32>
gyre.func @far(%w: !w2, %x: !x2, %m: !m) -> (u: !g) {
  %xe = gyre.gather %x over %m axis 0 : !x2, !m
  %u = gyre.contract %w[e, k, j], %xe[e, j, c] -> [e, k, c] : !w2, !gyre.tensor<E x 56 x 128 x f32>
  gyre.return %u : !g
}

// 16 KB.
// CHECK-LABEL: gyre.func @near
// CHECK: gyre.kernel {{.*}} vector 4, lanes 32, {{.*}} warps 16>
!w3 = !gyre.tensor<E x 8 x 32 x f32>
!x3 = !gyre.tensor<N x 32 x 128 x f32>
gyre.func @near(%w: !w3, %x: !x3, %m: !m) -> (u: !g) {
  %xe = gyre.gather %x over %m axis 0 : !x3, !m
  %u = gyre.contract %w[e, k, j], %xe[e, j, c] -> [e, k, c] : !w3, !gyre.tensor<E x 32 x 128 x f32>
  gyre.return %u : !g
}
