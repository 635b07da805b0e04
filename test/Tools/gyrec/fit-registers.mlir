// A kernel that spills is given fewer registers for vectors and cut; the function's other kernels are not
// assembled again.
// RUN: rm -rf %t && mkdir -p %t/bin && cp %gyre_source/test/Emit/Inputs/ptxas %t/bin
// RUN: env CALLS=%t/calls SPILLING=gyre_f_1 SPARED=none gyrec %s --target=cuda --arch=sm_90a --toolkit=%t --emit=llvm -o %t/f.ll 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=CALLS --input-file=%t/calls
// RUN: grep -c "^gyre_f_0 " %t/calls | FileCheck %s --check-prefix=ONCE
// What is said is said of the way that is chosen, once.
// CHECK-COUNT-1: warning: [gpu-spill] expected registers for all values, got 8 bytes of spills in kernel `gyre_f_1` for sm_90a
// CHECK-NOT: warning

// CALLS-DAG: gyre_f_1 least 1
// CALLS-DAG: gyre_f_3 most
// ONCE: {{^1$}}

!m = !gyre.map<[e: E] to N>
!v = !gyre.tensor<E x 32 x f32>
!y = !gyre.tensor<E x 100 x 32 x f32>
!n = !gyre.tensor<N x 100 x 32 x f32>

gyre.func @f(%v: !v, %y: !y, %m: !m, %to: !m) -> (n: !n) {
  %s = gyre.segment_sum %v over %m axis 0 : !v, !m
  %x = gyre.gather %s over %m axis 0 : !gyre.tensor<N x 32 x f32>, !m
  %p = gyre.contract %y[e, k, c], %x[e, c] -> [e, k, c] : !y, !v
  %n = gyre.segment_sum %p over %to axis 0 : !y, !m
  gyre.return %n : !n
}
