// RUN: gyre-opt %s "--gyre-emit-device-code=toolkit=/nonexistent" --split-input-file --verify-diagnostics

// expected-error@+1 {{[lower-gpu] expected functions that launch kernels, got a gyre.func that no pass has lowered: @f}}
gyre.func @f(%x: !gyre.tensor<E x f32>) -> (y: !gyre.tensor<E x f32>) {
  gyre.return %x : !gyre.tensor<E x f32>
}

// -----

// expected-error@+1 {{[gpu-ptxas] expected a CUDA toolkit with bin/ptxas for sm_80 ($CUDA_HOME, or --toolkit), got none}}
gpu.module @gyre_device {
  llvm.func @f_0() attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}

// -----

gpu.module @gyre_device {
  // expected-error@+1 {{[gpu-libdevice] expected a CUDA toolkit with nvvm/libdevice/libdevice.10.bc ($CUDA_HOME, or --toolkit) for `__nv_expf`, got none}}
  llvm.func @__nv_expf(f32) -> f32
  llvm.func @f_0(%x: f32) attributes {gpu.kernel, nvvm.kernel} {
    %0 = llvm.call @__nv_expf(%x) : (f32) -> f32
    llvm.return
  }
}

// -----

gpu.module @gyre_device {
  // expected-error@+1 {{[gpu-dynamic-shared] expected shared memory of dynamic size with external linkage, got it private: @tile}}
  llvm.mlir.global private @tile() {addr_space = 3 : i32} : !llvm.array<0 x f32>
}
