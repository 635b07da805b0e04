// A library with kernels for GPUs: from a kernel and its launch to values, by a stand-in for the driver.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir %t
// RUN: gyrec %s --target=cuda -o %t/lib
// RUN: FileCheck %s --check-prefix=MANIFEST <%t/lib/doubling.json
// MANIFEST: "target": "cuda"
// MANIFEST: "compact": true,
// MANIFEST-NEXT: "align": 4
// MANIFEST: "kernels": [
// MANIFEST: "name": "twice_0",
// MANIFEST-NEXT: "arch": "sm_80",
// MANIFEST-NEXT: "sha256": "{{[0-9a-f]+}}",
// MANIFEST-NEXT: "registers": {{[1-9]}}
// MANIFEST-NEXT: "spills": 0,
// MANIFEST-NEXT: "shared": 0
// MANIFEST: "arch": "sm_90a"
// MANIFEST-NOT: compute_80

// RUN: FileCheck %s --check-prefix=HEADER <%t/lib/doubling.h
// HEADER: for NVIDIA GPUs.
// HEADER: enqueue their kernels on the stream of
// HEADER: argument x  f32 N, compact, aligned to 4 bytes
// HEADER-NEXT: result   y  f32 N, compact{{$}}

// The same bytes twice.
// RUN: gyrec %s --target=cuda --arch=sm_80,sm_90a,compute_80 -o %t/again
// RUN: cmp %t/lib/libdoubling.so %t/again/libdoubling.so
// RUN: cmp %t/lib/doubling.json %t/again/doubling.json

// RUN: %python %S/../../Interpreter/Inputs/npy.py write %t/in 'x=f4:[1,-2,4.5]'
// RUN: env GYRE_FAKE_CUDA_LOG=%t/log %with_fake_cuda gyre-run %t/lib/doubling.json --func twice --in %t/in --out %t/out
// RUN: %python %S/../../Interpreter/Inputs/npy.py print %t/out/y.npy | FileCheck %s --check-prefix=VALUES
// VALUES: y: <f4 (3,) [2.0, -4.0, 9.0]
// RUN: FileCheck %s --check-prefix=LOG <%t/log
// LOG: upload 12
// LOG-NEXT: fill 12
// LOG-NEXT: load cubin
// LOG-NEXT: kernel twice_0
// LOG-NEXT: launch twice_0 grid 1 1 1 block 128 1 1 shared 0 stream 4096
// LOG-NEXT: download 12

// A recording of the call is launched after the results were spoiled.
// RUN: env GYRE_FAKE_CUDA_LOG=%t/graph %with_fake_cuda gyre-run %t/lib/doubling.json --func twice --in %t/in --out %t/graphed --graph
// RUN: FileCheck %s --check-prefix=GRAPH <%t/graph
// GRAPH: launch twice_0
// GRAPH: begin capture
// GRAPH-NEXT: launch twice_0
// GRAPH-NEXT: end capture
// GRAPH-NEXT: fill 12
// GRAPH-NEXT: launch graph
// GRAPH-NEXT: download 12

// Runs that are compared; those of a graph do nothing here.
// RUN: env GYRE_FAKE_CUDA_LOG=%t/repeats %with_fake_cuda gyre-call %t/lib/doubling.json --func twice --in %t/in --repeat 2
// RUN: FileCheck %s --check-prefix=REPEAT <%t/repeats
// REPEAT: launch twice_0
// REPEAT-NEXT: download 12
// REPEAT-NEXT: fill 12
// REPEAT-NEXT: launch twice_0
// REPEAT-NEXT: download 12
// REPEAT-NOT: {{.}}
// RUN: %with_fake_cuda not gyre-call %t/lib/doubling.json --func twice --in %t/in --out %t/differing --repeat 3 --graph 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: gyre-call: error: [run-repeat] expected the bits of run 1 for result `y` in run 2, got others, first in element 0
// RUN: not ls %t/differing

// gyre-call is the same; a device without a cubin of its own gets PTX.
// RUN: env GYRE_FAKE_CUDA_LOG=%t/ptx GYRE_FAKE_CUDA_VERSION=120 %with_fake_cuda gyre-call %t/lib/doubling.json --func twice --in %t/in --out %t/out2
// RUN: cmp %t/out/y.npy %t/out2/y.npy
// RUN: FileCheck %s --check-prefix=PTX-LOG <%t/ptx
// PTX-LOG: load //
// RUN: not env GYRE_FAKE_CUDA_VERSION=75 %with_fake_cuda gyre-call %t/lib/doubling.json --func twice --in %t/in --out %t/out2 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: [cuda-arch] twice_0: expected code for the device's sm_75, got sm_80, sm_90a, compute_80

// No elements: nothing is launched.
// RUN: %python %S/../../Interpreter/Inputs/npy.py write %t/empty 'x=f4:[]'
// RUN: env GYRE_FAKE_CUDA_LOG=%t/none %with_fake_cuda gyre-run %t/lib/doubling.json --func twice --in %t/empty --out %t/out3
// RUN: not grep launch %t/none

// The library loads without a driver, and refuses what is not on a GPU.
// RUN: %python %S/Inputs/call_on_cpu.py %t/lib/libdoubling.so | FileCheck %s --check-prefix=CPU
// CPU: 4 [device] twice: argument `x`: expected device cuda, got cpu (device type 1)

// RUN: gyrec %s --target=cuda --emit=ptx --arch=compute_90 | FileCheck %s --check-prefix=TEXT
// TEXT: .target sm_90
// TEXT: .entry twice_0
// RUN: gyrec %s --target=cuda --emit=mlir | FileCheck %s --check-prefix=LOOPS
// LOOPS: gpu.launch_func @gyre_device::@twice_0
// RUN: not gyrec %s --target=cuda --toolkit=%t -o %t/none 2>&1 | FileCheck %s --check-prefix=TOOLKIT
// TOOLKIT: error: [gpu-ptxas] expected a CUDA toolkit with bin/ptxas for sm_80 ($CUDA_HOME, or --toolkit), got none
// RUN: not ls %t/none

// RUN: gyrec %s --target=cuda --timing -o %t/timed 2>&1 | FileCheck %s --check-prefix=TIMING
// TIMING: remark: kernel `twice_0` for sm_80: {{[0-9]+}} registers, 0 bytes of spills

module attributes {gyre.spec = "doubling", gpu.container_module} {
  gpu.module @gyre_device {
    gpu.func @twice_0(%x: !llvm.ptr {llvm.noalias, llvm.readonly}, %y: !llvm.ptr {llvm.noalias}, %n: index) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %c128 = arith.constant 128 : index
      %o = arith.muli %b, %c128 : index
      %i = arith.addi %o, %t : index
      %in = arith.cmpi slt, %i, %n : index
      scf.if %in {
        %k = arith.index_cast %i : index to i64
        %px = llvm.getelementptr %x[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %py = llvm.getelementptr %y[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %v = llvm.load %px : !llvm.ptr -> f32
        %w = arith.addf %v, %v : f32
        llvm.store %w, %py : f32, !llvm.ptr
      }
      gpu.return
    }
  }
  func.func @twice__body(%x: memref<?xf32, strided<[?], offset: ?>>, %y: memref<?xf32, strided<[?], offset: ?>>, %n: index,
                         %w: memref<?xi8>) attributes {llvm.emit_c_interface, gyre.entry = #gyre.entry<"twice" on cuda sizes ["N"]
      arguments [<"x", !gyre.tensor<N x f32>, compact align 4>] results [<"y", !gyre.tensor<N x f32>, compact>]>} {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %blocks = arith.ceildivui %n, %c128 : index
    %ax = memref.extract_aligned_pointer_as_index %x : memref<?xf32, strided<[?], offset: ?>> -> index
    %ay = memref.extract_aligned_pointer_as_index %y : memref<?xf32, strided<[?], offset: ?>> -> index
    %ix = arith.index_cast %ax : index to i64
    %iy = arith.index_cast %ay : index to i64
    %px = llvm.inttoptr %ix : i64 to !llvm.ptr
    %py = llvm.inttoptr %iy : i64 to !llvm.ptr
    gpu.launch_func @gyre_device::@twice_0 blocks in (%blocks, %c1, %c1) threads in (%c128, %c1, %c1)
      args(%px : !llvm.ptr, %py : !llvm.ptr, %n : index)
    return
  }
}
