// Multiply-adds of a kernel, and what becomes of its products of three.
// DEFINE: %{opt} = gyre-opt %gyre_source/kernels/so2_rotate_mix.mlir
// DEFINE: %{keep} = derive=rotate_mix,rotate_mix_bwd,rotate_mix_bwd2
// RUN: %{opt} --gyre-algebra="set=L=3,F=1,C=64,R=0 %{keep}" --gyre-plan-contractions=remarks -o %t0.mlir 2>&1 | FileCheck %s --check-prefix=COUNT0
// RUN: %{opt} --gyre-algebra="set=L=3,F=1,C=64,R=1 %{keep}" --gyre-plan-contractions=remarks -o %t1.mlir 2>&1 | FileCheck %s --check-prefix=COUNT1
// RUN: %{opt} --gyre-algebra="set=L=3,F=1,C=64,R=2 %{keep}" --gyre-plan-contractions=remarks -o %t2.mlir 2>&1 | FileCheck %s --check-prefix=COUNT2
// RUN: FileCheck %s --check-prefix=RANK1 < %t1.mlir

// Without a rank there is no product of three.
// COUNT0-NOT: product of
// COUNT0: remark: contracts: 3584*E multiply-adds as they were, 3584*E by steps
// COUNT0: remark: contracts: 10112*E multiply-adds as they were, 10112*E by steps
// COUNT0: remark: contracts: 23808*E multiply-adds as they were, 23808*E by steps

// COUNT1: remark: product of 3 operands: 4352*E multiply-adds as a whole, 2816*E more by steps
// COUNT1: remark: contracts: 7296*E multiply-adds as they were, 5760*E by steps
// COUNT1: remark: product of 3 operands: 4352*E multiply-adds as a whole, 2816*E more by steps
// COUNT1: remark: product of 3 operands: 4352*E multiply-adds as a whole, 2176*E more by steps
// COUNT1: remark: contracts: 17536*E multiply-adds as they were, 13824*E by steps
// COUNT1-COUNT-7: remark: product of 3 operands
// COUNT1: remark: contracts: 51072*E multiply-adds as they were, 35968*E by steps

// COUNT2: remark: contracts: 11648*E multiply-adds as they were, 8320*E by steps
// COUNT2: remark: contracts: 26240*E multiply-adds as they were, 18816*E by steps
// COUNT2: remark: contracts: 81536*E multiply-adds as they were, 50560*E by steps

// The channel basis is multiplied once a row and channel, not once a pair of rows.
// RANK1-LABEL: gyre.func @rotate_mix(
// RANK1: %[[T:.*]] = gyre.contract %kc[a, (b, c)], %{{.*}}[a, d, (e, f)] -> [a, g, c, e, f]
// RANK1-NEXT: gyre.contract %cb[a, (b, c)], %[[T]][d, e, a, b, c] -> [b, d, (e, c)] :
// RANK1-NEXT: gyre.return

// The first order multiplies it with the rows of %g once, for both gradients.
// RANK1-LABEL: gyre.func @rotate_mix_bwd(
// RANK1: %[[G:.*]] = gyre.contract %cb[a, (b, c)], %g[b, d, (e, c)] -> [d, a, b, c, e]
// RANK1-NEXT: gyre.contract %{{.*}}[a, b, (c, d)], %[[G]][a, e, c, d, f] -> [a, (g, e)]
// RANK1-NEXT: gyre.contract %kc[a, (b, c)], %[[G]][a, c, d, e, f] -> [a, g, (d, e)]
// RANK1-NOT: %cb[
// RANK1: gyre.return
