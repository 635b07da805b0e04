// RUN: not gyre-opt %s --gyre-emit-device-code=arch=compute_80 2>&1 | FileCheck %s

// CHECK: error: cannot be converted to LLVM IR
// CHECK: error: [gpu-ptx] expected PTX for compute_80, got none
gpu.module @gyre_device {
  llvm.func @f_0() attributes {gpu.kernel, nvvm.kernel} {
    %0 = arith.constant 1 : i64
    llvm.return
  }
}
