// What else gyrec writes: text to stdout, or any form to a file.
// RUN: rm -rf %t && mkdir %t

// RUN: gyrec %s --emit=mlir | FileCheck %s --check-prefix=MLIR
// RUN: gyrec %s --emit=mlir -o %t/f.mlir
// RUN: FileCheck %s --check-prefix=MLIR --input-file %t/f.mlir
// MLIR: func.func @f__body
// MLIR: scf.for

// RUN: gyrec %s --emit=llvm | FileCheck %s --check-prefix=LLVM
// LLVM: define {{.*}}i32 @f(
// LLVM: define {{.*}}i32 @f_packed(
// LLVM: define {{.*}}i32 @f_workspace(
// LLVM-NOT: define {{.*}}@_mlir_ciface

// RUN: gyrec %s --emit=obj -o %t/f.o
// RUN: llvm-nm --extern-only --format=just-symbols %t/f.o | FileCheck %s --check-prefix=OBJ
// OBJ: f
// OBJ-NEXT: f_packed
// OBJ-NEXT: f_workspace
// OBJ-NEXT: gyre_parallel_for
// OBJ-NEXT: gyre_rt_cpu_level
// OBJ-NEXT: gyre_rt_enter
// OBJ-NEXT: gyre_rt_workspace
// OBJ-NOT: {{.}}

// RUN: gyrec %s --emit=asm | FileCheck %s --check-prefix=ASM
// ASM: .globl f_packed
// ASM: {{^}}f_packed:
// ASM: call{{.*}}gyre_rt_enter
// RUN: gyrec %s --emit=asm --timing -o %t/f.s 2>&1 | FileCheck %s --check-prefix=ASM-TIMING
// ASM-TIMING: assembly
// RUN: not gyrec %s --emit=asm --target=cuda 2>&1 | FileCheck %s --check-prefix=ASM-CUDA
// ASM-CUDA: gyrec: error: [gyrec-target] expected --target=cpu with --emit=asm, got cuda (--emit=ptx has its kernels)

// RUN: gyrec %s --emit=obj --timing -o %t/f.o 2>&1 | FileCheck %s --check-prefix=TIMING
// TIMING-DAG: parse
// TIMING-DAG: LowerKernels
// TIMING-DAG: LLVM IR
// TIMING-DAG: object code

// RUN: gyrec --help | FileCheck %s --check-prefix=HELP --implicit-check-not=--mlir
// HELP: What to compile:
// HELP-DAG: --derive=
// HELP-DAG: --set=
// HELP-DAG: --spec=
// HELP: What to compile it for:
// HELP-DAG: --lowering=
// HELP-DAG: --target=
// HELP: What to write:
// HELP-DAG: --emit=
// HELP-DAG: -o
// HELP-DAG: --print-program
// HELP-DAG: --timing
// HELP: EXAMPLES:
// HELP: gyrec kernels/so2_rotate_mix.mlir --set
// RUN: gyrec --version | FileCheck %s --check-prefix=VERSION
// VERSION: gyrec {{[0-9]+\.[0-9]+\.[0-9]+}}

gyre.func @f(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
  %y = arith.addf %x, %x : !gyre.tensor<E x f32>
  gyre.return %y : !gyre.tensor<E x f32>
}
