// The orders of a spec, each a kernel that reads and writes each of its operands once.
// RUN: gyre-opt %gyre_source/kernels/so2_rotate_mix.mlir --gyre-algebra="set=L=2,F=1,C=8,R=1" --gyre-plan-contractions --gyre-fuse -o %t
// RUN: FileCheck %s --check-prefix=FWD --input-file=%t
// RUN: FileCheck %s --check-prefix=BWD --input-file=%t
// RUN: FileCheck %s --check-prefix=BWD2 --input-file=%t

// FWD-LABEL: gyre.func @rotate_mix(
// FWD-NEXT: {{.*}}gyre.kernel over E by %src : {{.*}} deliver [#gyre.delivery<row 1>] : !gyre.tensor<1 x E x 56 x f32> {
// FWD-COUNT-1: gyre.row %x axis 0 over %src
// FWD-NOT: gyre.row %x
// FWD-NOT: gyre.kernel
// FWD: gyre.deliver
// FWD-NEXT: }
// FWD-NEXT: gyre.return

// The gradient of the nodes is summed by the kernel that computes it; no edge's is written.
// BWD-LABEL: gyre.func @rotate_mix_bwd(
// BWD-NEXT: gyre.kernel over E by %src : {{.*}} deliver [#gyre.delivery<segment 0>, #gyre.delivery<row 0>, #gyre.delivery<row 0>] : !gyre.tensor<N x 9 x 8 x f32>, !gyre.tensor<E x 9 x 9 x f32>, !gyre.tensor<E x 13 x f32> {
// BWD-COUNT-1: gyre.row %x axis 0 over %src
// BWD-NOT: gyre.row %x
// BWD-NOT: gyre.kernel
// BWD: gyre.deliver
// BWD-NEXT: }
// BWD-NEXT: gyre.return

// BWD2-LABEL: gyre.func @rotate_mix_bwd2(
// BWD2-NEXT: gyre.kernel over E by %src : {{.*}} deliver [#gyre.delivery<segment 0>, #gyre.delivery<row 1>, #gyre.delivery<row 0>, #gyre.delivery<row 0>, #gyre.delivery<total 0>] :
// BWD2-COUNT-1: gyre.row %x axis 0 over %src
// BWD2-NOT: gyre.row %x
// BWD2-NOT: gyre.kernel
// BWD2: gyre.deliver
// BWD2-NEXT: }
// BWD2-NEXT: gyre.return
