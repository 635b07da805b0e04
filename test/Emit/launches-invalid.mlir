// RUN: gyre-opt %s --gyre-lower-launches --split-input-file --verify-diagnostics

#entry = #gyre.entry<"f" on cuda>
#object = #gpu.object<#nvvm.target, properties = {arch = "sm_90a"}, kernels = #gpu.kernel_table<[#gpu.kernel_metadata<"f_0", !llvm.func<void (i64)>>]>, bin = "code">
module attributes {gpu.container_module} {
  gpu.binary @gyre_device [#object]
  func.func @f__body(%n: index, %c: i1) attributes {gyre.entry = #entry} {
    scf.if %c {
      // expected-error@+1 {{[launch-place] expected launches in straight-line code of the function, got one in scf.if}}
      gpu.launch_func @gyre_device::@f_0 blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index)
    }
    return
  }
}

// -----

#object = #gpu.object<#nvvm.target, properties = {arch = "sm_90a"}, kernels = #gpu.kernel_table<[#gpu.kernel_metadata<"f_0", !llvm.func<void (i64)>>]>, bin = "code">
module attributes {gpu.container_module} {
  gpu.binary @gyre_device [#object]
  func.func @f(%n: index) {
    // expected-error@+1 {{[launch-place] expected launches in functions with a gyre.entry on cuda, got one elsewhere}}
    gpu.launch_func @gyre_device::@f_0 blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index)
    return
  }
}

// -----

#entry = #gyre.entry<"f" on cuda>
#object = #gpu.object<#nvvm.target, properties = {arch = "sm_90a"}, kernels = #gpu.kernel_table<[#gpu.kernel_metadata<"f_0", !llvm.func<void (i64)>>]>, bin = "code">
module attributes {gpu.container_module} {
  gpu.binary @gyre_device [#object]
  func.func @f__body(%n: index) attributes {gyre.entry = #entry} {
    // expected-error@+1 {{[launch-form] expected a launch without tokens, streams and clusters, got one with them}}
    gpu.launch_func @gyre_device::@f_0 clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index)
    return
  }
}

// -----

#entry = #gyre.entry<"f" on cuda>
// expected-error@+1 {{[launch-form] expected a function of one block without results, got '(index) -> index'}}
func.func @f__body(%n: index) -> index attributes {gyre.entry = #entry} {
  return %n : index
}

// -----

#entry = #gyre.entry<"f" on cuda>
#object = #gpu.object<#nvvm.target, properties = {arch = "sm_90a"}, kernels = #gpu.kernel_table<[#gpu.kernel_metadata<"f_0", !llvm.func<void (i64)>>]>, bin = "code">
module attributes {gpu.container_module} {
  gpu.binary @gyre_device [#object]
  func.func @f__body(%n: index, %x: memref<?xf32>) attributes {gyre.entry = #entry} {
    // expected-error@+1 {{[launch-argument] expected arguments of type !llvm.ptr, index, i32, i64, f32 or f64, got 'memref<?xf32>'}}
    gpu.launch_func @gyre_device::@f_0 blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : memref<?xf32>)
    return
  }
}

// -----

#entry = #gyre.entry<"f" on cuda>
#object = #gpu.object<#nvvm.target, properties = {arch = "sm_90a"}, kernels = #gpu.kernel_table<[#gpu.kernel_metadata<"f_0", !llvm.func<void (i64)>>]>, bin = "code">
module attributes {gpu.container_module} {
  gpu.binary @gyre_device [#object]
  func.func @f__body(%n: index, %x: f32) attributes {gyre.entry = #entry} {
    // expected-error@+1 {{[launch-argument] expected arguments for '!llvm.func<void (i64)>', got 'f32'}}
    gpu.launch_func @gyre_device::@f_0 blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : f32)
    return
  }
}

// -----

#entry = #gyre.entry<"f" on cuda>
#object = #gpu.object<#nvvm.target, properties = {arch = "sm_90a"}, kernels = #gpu.kernel_table<[#gpu.kernel_metadata<"f_0", !llvm.func<void (i64)>>]>, bin = "code">
module attributes {gpu.container_module} {
  gpu.binary @gyre_device [#object]
  func.func @f__body(%n: index) attributes {gyre.entry = #entry} {
    // expected-error@+1 {{[launch-kernel] expected a kernel of a gpu.binary of this module, got @gyre_device::@g_0}}
    gpu.launch_func @gyre_device::@g_0 blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index)
    return
  }
}

// -----

// expected-error@+1 {{[launch-code] expected objects with an architecture and the same kernels, got #gpu.object<}}
gpu.binary @gyre_device [#gpu.object<#nvvm.target, bin = "code">]

