// RUN: gyre-opt %s --gyre-gpu-code=arch=compute_80,compute_90 | FileCheck %s

// Kernels without libdevice's functions need no toolkit for PTX.
// RUN: gyre-opt %s "--gyre-gpu-code=arch=compute_80 toolkit=/nonexistent" | FileCheck %s --check-prefix=ONE
// ONE: gpu.binary @gyre_device
// ONE-NOT: compute_90

module attributes {gpu.container_module} {
  // One object an architecture, with its kernels.
  // CHECK-NOT: gpu.module
  // CHECK: gpu.binary @gyre_device
  // CHECK-SAME: #gpu.object<#nvvm.target<O = 3, chip = "sm_80", features = "+ptx80">, properties = {arch = "compute_80"}
  // CHECK-SAME: kernels = <[#gpu.kernel_metadata<"root_0", !llvm.func<void (ptr, ptr, i64)>>]>
  // CHECK-SAME: .version 8.0
  // CHECK-SAME: .target sm_80
  // CHECK-SAME: .visible .entry root_0(
  // The block size is a promise to ptxas.
  // CHECK-SAME: .maxntid 128
  // Loads of read-only memory, of whole vectors; square roots that are rounded correctly.
  // CHECK-SAME: ld.global.nc.v4.b32
  // CHECK-SAME: sqrt.rn.f32
  // CHECK-NOT: sqrt.approx
  // CHECK-SAME: st.global.v4.b32
  // CHECK-SAME: arch = "compute_90"
  // CHECK-SAME: .target sm_90
  gpu.module @gyre_device {
    gpu.func @root_0(%x: !llvm.ptr {llvm.noalias, llvm.readonly, llvm.align = 16 : i64},
                     %y: !llvm.ptr {llvm.noalias, llvm.align = 16 : i64}, %n: i64) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %t = gpu.thread_id x
      %k = arith.index_cast %t : index to i64
      %in = arith.cmpi slt, %k, %n : i64
      scf.if %in {
        %px = llvm.getelementptr %x[%k] : (!llvm.ptr, i64) -> !llvm.ptr, vector<4xf32>
        %py = llvm.getelementptr %y[%k] : (!llvm.ptr, i64) -> !llvm.ptr, vector<4xf32>
        %v = llvm.load %px {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
        %e = vector.extract %v[0] : f32 from vector<4xf32>
        %s = math.sqrt %e : f32
        %b = vector.broadcast %s : f32 to vector<4xf32>
        %w = arith.mulf %v, %b : vector<4xf32>
        llvm.store %w, %py {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
      }
      gpu.return
    }
  }
}
