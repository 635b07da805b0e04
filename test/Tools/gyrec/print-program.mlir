// The kernels of a program: by themselves, or beside what else is written.
// RUN: rm -rf %t && mkdir %t
// RUN: gyrec %s --set C=64 --print-program | FileCheck %s --check-prefix=CPU
// RUN: gyrec %s --set C=64 --print-program -o %t/out | FileCheck %s --check-prefix=CPU
// RUN: ls %t/out | FileCheck %s --check-prefix=FILES
// RUN: gyrec %s --set C=64 --target=cuda --derive sums --emit=mlir --print-program -o %t/sums.mlir | FileCheck %s --check-prefix=CUDA
// RUN: FileCheck %s --check-prefix=MLIR --input-file %t/sums.mlir
// RUN: gyre-opt %s --gyre-pipeline="set=C=64 print-program" -o %t/llvm.mlir 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: FileCheck %s --check-prefix=LLVM --input-file %t/llvm.mlir

// CPU: program sums
// CPU-NEXT: kernel 0 over E by dst
// CPU-NEXT: reads x[src[row]]
// CPU-NEXT: axes 64 lane
// CPU: delivers y segment 0
// CPU: workspace
// CPU-NEXT: 32768 elements of 4 bytes: partial rows of y
// CPU-NEXT: program sums_bwd
// CPU-NEXT: kernel 0 over E by src

// FILES: libneighbours.so
// FILES-NEXT: neighbours.h
// FILES-NEXT: neighbours.json

// CUDA: program sums
// CUDA: lanes 32 of 2 cells
// CUDA-NOT: program
// MLIR: gpu.launch_func
// LLVM: llvm.func @sums_bwd(

// A program is printed also where a later step does not succeed.
// RUN: not gyrec %s --set C=64 --print-program --runtime-dir %t -o %t/none > %t/printed.txt 2> %t/errors.txt
// RUN: FileCheck %s --check-prefix=CPU --input-file %t/printed.txt
// RUN: FileCheck %s --check-prefix=RUNTIME --input-file %t/errors.txt
// RUNTIME: print-program.mlir:[[#]]:1: error: [emit-runtime] expected the runtime's library, got no file

// RUN: not gyrec %s --set C=64 --lowering=plain --print-program 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: gyrec: error: [gyrec-lowering] expected --lowering=fused or --target=cuda with --print-program, got plain loops, which have none
// RUN: not gyrec %s --set C=64 --print-program --emit=llvm 2>&1 | FileCheck %s --check-prefix=STDOUT
// STDOUT: gyrec: error: [gyrec-output] expected -o FILE with --print-program and --emit, as both would go to stdout, got none
// RUN: not gyrec %s --set C=64 --print-program 2>&1 >/dev/full | FileCheck %s --check-prefix=FULL
// FULL: error: [emit-output] expected to write stdout, got: No space left on device

!x = !gyre.tensor<N x C x f32>
!map = !gyre.map<[e: E] to N>
gyre.spec @neighbours {
  gyre.param "C" in [1, 64]
  gyre.func @sums(%x: !x, %src: !map, %dst: !map) -> (y: !x) {
    %xe = gyre.gather %x over %src axis 0 : !x, !map
    %y = gyre.segment_sum %xe over %dst axis 0 : !gyre.tensor<E x C x f32>, !map
    gyre.return %y : !x
  }
  gyre.derive @sums_bwd = vjp @sums wrt (x as gx) given (y as gy)
}
