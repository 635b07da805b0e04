// The two roads to the CPU.
// RUN: gyrec %s --emit=mlir | FileCheck %s --check-prefix=FUSED
// RUN: gyrec %s --lowering=plain --emit=mlir | FileCheck %s --check-prefix=PLAIN
// RUN: gyrec %s --lowering=fused --emit=mlir | FileCheck %s --check-prefix=FUSED
// RUN: not gyrec %s --lowering=fast --emit=mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: gyrec --help | FileCheck %s --check-prefix=HELP

// PLAIN: func.func @exponents__body
// PLAIN: scf.for
// PLAIN: memref.store
// PLAIN-NOT: gyre_parallel_for

// FUSED: func.func @exponents__body
// FUSED-SAME: arguments[<"x", !gyre.tensor<E x 16 x f32>, compact>]
// FUSED: llvm.call @gyre_parallel_for
// FUSED: vector<16xf32>

// OTHER: Cannot find option named 'fast'

// HELP: --lowering=<value>
// HELP-NEXT: =fused {{.*}}(default)
// HELP-NEXT: =plain

!x = !gyre.tensor<E x 16 x f32>
gyre.spec @exponents {
  gyre.func @exponents(%x: !x) -> (y: !x) {
    %y = math.exp %x : !x
    gyre.return %y : !x
  }
}
