// Kernels that ptxas assembles get a binary each, and launches name it; only the kernel itself is in it. What a
// driver compiles stays together.
// REQUIRES: ptxas
// RUN: gyre-opt %s "--gyre-emit-device-code=arch=sm_90a,compute_80" | FileCheck %s --enable-var-scope
// RUN: gyre-opt %s "--gyre-emit-device-code=arch=compute_80" | FileCheck %s --check-prefix=ONE
// RUN: gyre-opt %s "--gyre-emit-device-code=arch=sm_90a,compute_80" --mlir-disable-threading >%t.sequential
// RUN: gyre-opt %s "--gyre-emit-device-code=arch=sm_90a,compute_80" >%t.parallel
// RUN: cmp %t.sequential %t.parallel

// CHECK: gpu.binary @f_0
// CHECK-SAME: arch = "sm_90a"
// CHECK-SAME: kernel_metadata<"f_0"
// CHECK-NOT: kernel_metadata<"f_1"
// CHECK-SAME: arch = "compute_80"
// CHECK-SAME: .entry f_0(
// CHECK-NOT: .entry f_1(
// CHECK: gpu.binary @f_1
// CHECK-SAME: kernel_metadata<"f_1"
// CHECK-SAME: .entry f_1(
// A kernel that is as one before has its name.
// CHECK: gpu.binary @f_2
// CHECK-SAME: kernel_metadata<"f_0"
// CHECK: gpu.launch_func @f_0::@f_0
// CHECK: gpu.launch_func @f_1::@f_1
// CHECK: gpu.launch_func @f_2::@f_0

// ONE-COUNT-1: gpu.binary @gyre_device
// ONE-SAME: .entry f_0(
// ONE-SAME: .entry f_1(
// ONE: gpu.launch_func @gyre_device::@f_0
// ONE: gpu.launch_func @gyre_device::@f_1
module attributes {gpu.container_module} {
  gpu.module @gyre_device {
    llvm.func @f_0() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
    llvm.func @f_1(%n: i64) attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
    llvm.func @f_2() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
  func.func @f__body(%n: index) attributes {gyre.entry = #gyre.entry<"f" on cuda>} {
    %one = arith.constant 1 : i64
    gpu.launch_func @gyre_device::@f_0 blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @gyre_device::@f_1 blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%one : i64)
    gpu.launch_func @gyre_device::@f_2 blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}
