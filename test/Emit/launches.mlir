// RUN: gyre-opt %s --gyre-lower-launches | FileCheck %s
// RUN: gyre-opt %s --gyre-gpu-host | FileCheck %s --check-prefix=HOST

// CHECK: module attributes {gyre.kernels = [{arch = "sm_90a", name = "f_0", registers = 12 : i64, sha256 = "5694d08a2e53ffcae0c3103e5ad6f6076abd960eb1f8a56577040bc1028f702b", shared = 512 : i64, spills = 0 : i64}, {arch = "sm_90a", name = "f_1", registers = 20 : i64, sha256 = "5694d08a2e53ffcae0c3103e5ad6f6076abd960eb1f8a56577040bc1028f702b", shared = 0 : i64, spills = 8 : i64}, {arch = "sm_90a", name = "k_0", registers = 7 : i64, sha256 = "5694d08a2e53ffcae0c3103e5ad6f6076abd960eb1f8a56577040bc1028f702b", shared = 0 : i64, spills = 0 : i64}]}
// CHECK: llvm.func @gyre_rt_launch(i32, !llvm.ptr, i64, i64, i64, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr) -> i32
module attributes {gpu.container_module} {
  // CHECK-NOT: gpu.binary
  // CHECK-DAG: llvm.mlir.global internal constant @gyre_device__arch_0("sm_90a\00")
  // CHECK-DAG: llvm.mlir.global internal constant @gyre_device__image_0("code\00") {addr_space = 0 : i32, alignment = 64 : i64}
  // CHECK-DAG: llvm.mlir.global internal constant @gyre_device__arch_1("compute_80\00")
  // CHECK-DAG: llvm.mlir.global internal constant @gyre_device__name_1("f_1\00")
  // Two kernels, a word for each of two images and one more.
  // CHECK-DAG: llvm.mlir.global internal @gyre_device__state() {{.*}} : !llvm.array<6 x i64>
  // CHECK-DAG: llvm.mlir.global internal constant @gyre_device__code() {{.*}} : !llvm.struct<(i64, ptr, i64, ptr, ptr)>
  gpu.binary @gyre_device [
    #gpu.object<#nvvm.target<chip = "sm_90a">, properties = {arch = "sm_90a"}, kernels = #gpu.kernel_table<[
      #gpu.kernel_metadata<"f_0", !llvm.func<void (ptr, i64)>, metadata = {registers = 12, shared = 512, spills = 0}>,
      #gpu.kernel_metadata<"f_1", !llvm.func<void (f32)>, metadata = {registers = 20, shared = 0, spills = 8}>]>, bin = "code">,
    #gpu.object<#nvvm.target<chip = "sm_80">, properties = {arch = "compute_80"}, kernels = #gpu.kernel_table<[
      #gpu.kernel_metadata<"f_0", !llvm.func<void (ptr, i64)>>, #gpu.kernel_metadata<"f_1", !llvm.func<void (f32)>>]>, assembly = "text">]

  // Each binary is data of its own.
  // CHECK-DAG: llvm.mlir.global internal constant @k_0__code() {{.*}} : !llvm.struct<(i64, ptr, i64, ptr, ptr)>
  gpu.binary @k_0 [
    #gpu.object<#nvvm.target<chip = "sm_90a">, properties = {arch = "sm_90a"}, kernels = #gpu.kernel_table<[
      #gpu.kernel_metadata<"k_0", !llvm.func<void ()>, metadata = {registers = 7, shared = 0, spills = 0}>]>, bin = "code">]

  // One with the same objects is the same data.
  gpu.binary @k_1 [
    #gpu.object<#nvvm.target<chip = "sm_90a">, properties = {arch = "sm_90a"}, kernels = #gpu.kernel_table<[
      #gpu.kernel_metadata<"k_0", !llvm.func<void ()>, metadata = {registers = 7, shared = 0, spills = 0}>]>, bin = "code">]

  // The body gets the stream and returns the status; each launch gets the status of the one before.
  // CHECK: func.func @f__body(%[[X:.*]]: memref<?xf32, strided<[?], offset: ?>>, %[[N:.*]]: index, %{{.*}}: memref<?xi8>, %[[STREAM:.*]]: !llvm.ptr) -> i32
  // CHECK: %[[OK:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: %[[POINTER:.*]] = llvm.inttoptr
  // CHECK: %[[COUNT:.*]] = arith.index_cast %[[N]] : index to i64
  // CHECK: %[[LIST:.*]] = llvm.alloca %{{.*}} x !llvm.ptr
  // CHECK: %[[SLOT:.*]] = llvm.alloca %{{.*}} x !llvm.ptr
  // CHECK: llvm.store %[[POINTER]], %[[SLOT]]
  // CHECK: llvm.store %[[SLOT]], %{{.*}}
  // CHECK: llvm.store %[[COUNT]], %[[SLOT1:.*]] :
  // CHECK: %[[AT:.*]] = llvm.getelementptr %[[LIST]][1]
  // CHECK: llvm.store %[[SLOT1]], %[[AT]]
  // CHECK: %[[CODE:.*]] = llvm.mlir.addressof @gyre_device__code
  // CHECK: %[[KERNEL:.*]] = llvm.mlir.constant(0 : i64)
  // CHECK: %[[BLOCKS:.*]] = arith.index_cast %[[N]]
  // CHECK: %[[BYTES:.*]] = arith.extui %{{.*}} : i32 to i64
  // CHECK: %[[FIRST:.*]] = llvm.call @gyre_rt_launch(%[[OK]], %[[CODE]], %[[KERNEL]], %[[BLOCKS]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[BYTES]], %[[STREAM]], %[[LIST]])
  // CHECK: llvm.mlir.constant(1 : i64)
  // CHECK: %[[SECOND:.*]] = llvm.call @gyre_rt_launch(%[[FIRST]],
  // CHECK: return %[[SECOND]] : i32
  func.func @f__body(%x: memref<?xf32, strided<[?], offset: ?>>, %n: index, %w: memref<?xi8>) attributes {
      llvm.emit_c_interface, gyre.entry = #gyre.entry<"f" on cuda sizes ["N"] arguments [<"x", !gyre.tensor<N x f32>, compact>]>} {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %bytes = arith.constant 512 : i32
    %a = arith.constant 2.0 : f32
    %address = memref.extract_aligned_pointer_as_index %x : memref<?xf32, strided<[?], offset: ?>> -> index
    %word = arith.index_cast %address : index to i64
    %p = llvm.inttoptr %word : i64 to !llvm.ptr
    gpu.launch_func @gyre_device::@f_0 blocks in (%n, %c1, %c1) threads in (%c128, %c1, %c1)
      dynamic_shared_memory_size %bytes args(%p : !llvm.ptr, %n : index)
    gpu.launch_func @gyre_device::@f_1 blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : f32)
    return
  }

  // Without launches there is a status too.
  // CHECK: func.func @g__body(%{{.*}}: memref<?xi8>, %{{.*}}: !llvm.ptr) -> i32
  // CHECK: return %{{.*}} : i32
  func.func @g__body(%w: memref<?xi8>) attributes {llvm.emit_c_interface, gyre.entry = #gyre.entry<"g" on cuda>} {
    return
  }

  // CHECK: func.func @k__body
  // CHECK: llvm.mlir.addressof @k_0__code
  // CHECK: llvm.call @gyre_rt_launch(
  // CHECK: llvm.mlir.addressof @k_0__code
  // CHECK: llvm.call @gyre_rt_launch(
  func.func @k__body(%w: memref<?xi8>) attributes {llvm.emit_c_interface, gyre.entry = #gyre.entry<"k" on cuda>} {
    %n = arith.constant 1 : index
    gpu.launch_func @k_0::@k_0 blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @k_1::@k_0 blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }

  // Functions of the CPU stay as they are.
  // CHECK: func.func @h__body(%{{.*}}: memref<?xi8>) attributes
  func.func @h__body(%w: memref<?xi8>) attributes {llvm.emit_c_interface, gyre.entry = #gyre.entry<"h">} {
    return
  }
}

// The entry point hands the stream of the frame on, and returns what the body does.
// HOST: llvm.func @f_packed
// HOST: %[[FRAME:.*]] = llvm.alloca
// HOST: ^[[CALL:.*]]:
// HOST: llvm.getelementptr %[[FRAME]][6]
// HOST: %[[PLACE:.*]] = llvm.getelementptr %[[FRAME]][11]
// HOST: %[[STREAM:.*]] = llvm.load %[[PLACE]] : !llvm.ptr -> !llvm.ptr
// HOST: %[[STATUS:.*]] = llvm.call @_mlir_ciface_f__body({{.*}}, %[[STREAM]])
// HOST: llvm.return %[[STATUS]]
