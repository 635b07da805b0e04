// Approximate roots of libdevice become correctly rounded ones; other calls stay. Divisions that may be approximate take a
// reciprocal that is corrected once, in f32.
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

  // CHECK: llvm.func @quotients(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f64)
  llvm.func @quotients(%x: f32, %y: f32, %z: f64) -> f64 {
    // CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1.000000e+00 : f32)
    // CHECK-DAG: %[[R:.*]] = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(%[[Y]]) : (f32) -> f32
    // CHECK-DAG: %[[MINUS:.*]] = llvm.fneg %[[Y]]
    // CHECK: %[[ERROR:.*]] = llvm.intr.fma(%[[MINUS]], %[[R]], %[[ONE]])
    // CHECK: %[[BETTER:.*]] = llvm.intr.fma(%[[R]], %[[ERROR]], %[[R]])
    // CHECK: %[[A:.*]] = llvm.fmul %[[X]], %[[BETTER]]
    %a = llvm.fdiv %x, %y {fastmathFlags = #llvm.fastmath<afn>} : f32
    // CHECK: llvm.fdiv %[[A]], %[[Y]]
    %b = llvm.fdiv %a, %y : f32
    %c = llvm.fpext %b : f32 to f64
    // CHECK: llvm.fdiv {{.*}} : f64
    %d = llvm.fdiv %c, %z {fastmathFlags = #llvm.fastmath<afn>} : f64
    llvm.return %d : f64
  }

  // CHECK: llvm.func @vectors
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
  // CHECK-NOT: llvm.fdiv
  llvm.func @vectors(%x: vector<2xf32>, %y: vector<2xf32>) -> vector<2xf32> {
    %a = llvm.fdiv %x, %y {fastmathFlags = #llvm.fastmath<afn>} : vector<2xf32>
    llvm.return %a : vector<2xf32>
  }
}
