// Kernels of a GPU, and what names them: @second is as @first. @third reads from another place,
// @fourth is for other blocks.
// RUN: gyre-opt %s --gyre-merge-kernels | FileCheck %s

module attributes {gpu.container_module} {
  // CHECK: gpu.module @device
  // CHECK: gpu.func @first
  // CHECK-NOT: gpu.func @second
  // CHECK: gpu.func @third
  // CHECK: gpu.func @fourth
  gpu.module @device {
    gpu.func @first(%x: !llvm.ptr, %y: !llvm.ptr) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %0 = llvm.load %x : !llvm.ptr -> f32
      llvm.store %0, %y : f32, !llvm.ptr
      gpu.return
    }
    gpu.func @second(%x: !llvm.ptr, %y: !llvm.ptr) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %0 = llvm.load %x : !llvm.ptr -> f32
      llvm.store %0, %y : f32, !llvm.ptr
      gpu.return
    }
    gpu.func @third(%x: !llvm.ptr, %y: !llvm.ptr) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %0 = llvm.load %y : !llvm.ptr -> f32
      llvm.store %0, %y : f32, !llvm.ptr
      gpu.return
    }
    gpu.func @fourth(%x: !llvm.ptr, %y: !llvm.ptr) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %0 = llvm.load %x : !llvm.ptr -> f32
      llvm.store %0, %y : f32, !llvm.ptr
      gpu.return
    }
  }
  // CHECK: func.func @host
  // CHECK: arith.constant {gyre.workers = @device::@first} 256
  // CHECK-COUNT-2: gpu.launch_func @device::@first
  // CHECK: gpu.launch_func @device::@third
  // CHECK: gpu.launch_func @device::@fourth
  func.func @host(%x: !llvm.ptr, %y: !llvm.ptr) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c256 = arith.constant {gyre.workers = @device::@second} 256 : index
    gpu.launch_func @device::@first blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : !llvm.ptr, %y : !llvm.ptr)
    gpu.launch_func @device::@second blocks in (%c256, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : !llvm.ptr, %y : !llvm.ptr)
    gpu.launch_func @device::@third blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : !llvm.ptr, %y : !llvm.ptr)
    gpu.launch_func @device::@fourth blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : !llvm.ptr, %y : !llvm.ptr)
    return
  }
}
