// REQUIRES: ptxas
// RUN: gyre-opt %s --gyre-gpu-code=report 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT <%t.err

// The same bytes twice.
// RUN: gyre-opt %s --gyre-gpu-code -o %t.1
// RUN: gyre-opt %s --gyre-gpu-code -o %t.2
// RUN: cmp %t.1 %t.2

// CHECK: gpu.binary @exp_0
// CHECK-SAME: properties = {arch = "sm_80"}, kernels = <[#gpu.kernel_metadata<"exp_0", !llvm.func<void (ptr)>, metadata = {registers = {{[0-9]+}} : i64, shared = 512 : i64, spills = 0 : i64}>]>, bin = "\7FELF
// CHECK-SAME: properties = {arch = "sm_90a"}
// CHECK-SAME: bin = "\7FELF
// CHECK-SAME: properties = {arch = "compute_80"}, kernels = <[#gpu.kernel_metadata<"exp_0", !llvm.func<void (ptr)>>]>
// libdevice's functions are inlined.
// CHECK-NOT: __nv_expf
// CHECK-SAME: ex2.approx

// REPORT: remark: kernel `exp_0` for sm_80: {{[0-9]+}} registers, 0 bytes of spills, 512 bytes of shared memory, {{[0-9.]+}} ms of ptxas
// REPORT: remark: kernel `exp_0` for sm_90a:
// REPORT-NOT: compute

module attributes {gpu.container_module} {
  gpu.module @gyre_device {
    memref.global "private" @tile : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.func @exp_0(%x: !llvm.ptr) kernel {
      %t = gpu.thread_id x
      %k = arith.index_cast %t : index to i64
      %p = llvm.getelementptr %x[%k] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %v = llvm.load %p : !llvm.ptr -> f32
      %tile = memref.get_global @tile : memref<128xf32, #gpu.address_space<workgroup>>
      memref.store %v, %tile[%t] : memref<128xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %c127 = arith.constant 127 : index
      %r = arith.subi %c127, %t : index
      %u = memref.load %tile[%r] : memref<128xf32, #gpu.address_space<workgroup>>
      %e = math.exp %u : f32
      llvm.store %e, %p : f32, !llvm.ptr
      gpu.return
    }
  }
}
