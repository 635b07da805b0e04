// RUN: gyre-opt %s --gyre-merge-kernels | FileCheck %s

// Tasks and versions of them: @b's are @a's. @c adds another constant, @d is for another processor,
// @e is visible from outside.
// CHECK-LABEL: func.func @host
// CHECK: llvm.mlir.addressof @a :
// CHECK: llvm.mlir.addressof @a_v3 :
// CHECK: llvm.mlir.addressof @a :
// CHECK: llvm.mlir.addressof @a_v3 :
// CHECK: llvm.mlir.addressof @c :
// CHECK: llvm.mlir.addressof @d :
// CHECK: llvm.mlir.addressof @e :
func.func @host() {
  %0 = llvm.mlir.addressof @a : !llvm.ptr
  %1 = llvm.mlir.addressof @a_v3 : !llvm.ptr
  %2 = llvm.mlir.addressof @b : !llvm.ptr
  %3 = llvm.mlir.addressof @b_v3 : !llvm.ptr
  %4 = llvm.mlir.addressof @c : !llvm.ptr
  %5 = llvm.mlir.addressof @d : !llvm.ptr
  %6 = llvm.mlir.addressof @e : !llvm.ptr
  return
}

// CHECK: llvm.func internal @a(
// CHECK: llvm.func @a_v3({{.*}}gyre.version_of = @a, target_cpu = "x86-64-v3"
// CHECK-NOT: @b
// CHECK: llvm.func internal @c(
// CHECK: llvm.func internal @d(
// CHECK: llvm.func @e(
llvm.func internal @a(%x: !llvm.ptr, %y: i64) {
  %0 = llvm.mlir.constant(1 : i64) : i64
  %1 = llvm.add %y, %0 : i64
  llvm.store %1, %x : i64, !llvm.ptr
  llvm.return
}
llvm.func @a_v3(!llvm.ptr, i64) attributes {gyre.version_of = @a, target_cpu = "x86-64-v3"}
llvm.func internal @b(%x: !llvm.ptr, %y: i64) {
  %0 = llvm.mlir.constant(1 : i64) : i64
  %1 = llvm.add %y, %0 : i64
  llvm.store %1, %x : i64, !llvm.ptr
  llvm.return
}
llvm.func @b_v3(!llvm.ptr, i64) attributes {gyre.version_of = @b, target_cpu = "x86-64-v3"}
llvm.func internal @c(%x: !llvm.ptr, %y: i64) {
  %0 = llvm.mlir.constant(2 : i64) : i64
  %1 = llvm.add %y, %0 : i64
  llvm.store %1, %x : i64, !llvm.ptr
  llvm.return
}
llvm.func internal @d(%x: !llvm.ptr, %y: i64) attributes {target_cpu = "x86-64-v4"} {
  %0 = llvm.mlir.constant(1 : i64) : i64
  %1 = llvm.add %y, %0 : i64
  llvm.store %1, %x : i64, !llvm.ptr
  llvm.return
}
llvm.func @e(%x: !llvm.ptr, %y: i64) {
  %0 = llvm.mlir.constant(1 : i64) : i64
  %1 = llvm.add %y, %0 : i64
  llvm.store %1, %x : i64, !llvm.ptr
  llvm.return
}
