// Approximate roots of libdevice become correctly rounded ones; other calls stay.
// RUN: gyre-opt %s --pass-pipeline='builtin.module(gpu.module(gyre-finish-device-math))' | FileCheck %s --implicit-check-not=__nv_sqrt

gpu.module @gyre_device {
  llvm.func @__nv_sqrtf(f32) -> f32
  llvm.func @__nv_sqrt(f64) -> f64
  // CHECK: llvm.func @__nv_expf(f32) -> f32
  llvm.func @__nv_expf(f32) -> f32
  // CHECK: llvm.func @roots(%[[X:.*]]: f32, %[[Y:.*]]: f64)
  llvm.func @roots(%x: f32, %y: f64) -> f64 {
    // CHECK: %[[A:.*]] = llvm.intr.sqrt(%[[X]]) : (f32) -> f32
    %a = llvm.call @__nv_sqrtf(%x) : (f32) -> f32
    // CHECK: llvm.call @__nv_expf(%[[A]])
    %b = llvm.call @__nv_expf(%a) : (f32) -> f32
    // CHECK: %[[C:.*]] = llvm.intr.sqrt(%[[Y]]) : (f64) -> f64
    %c = llvm.call @__nv_sqrt(%y) : (f64) -> f64
    // CHECK: llvm.return %[[C]]
    llvm.return %c : f64
  }
}
