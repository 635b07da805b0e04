// RUN: gyre-opt %s --gyre-expand-half --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @widen_bf16
// CHECK-SAME: (%[[X:.*]]: bf16) -> f32
// CHECK: %[[BITS:.*]] = arith.bitcast %[[X]] : bf16 to i16
// CHECK: %[[WIDE:.*]] = arith.extui %[[BITS]] : i16 to i32
// CHECK: %[[SHIFTED:.*]] = arith.shli %[[WIDE]], %{{.*}} : i32
// CHECK: %[[Y:.*]] = arith.bitcast %[[SHIFTED]] : i32 to f32
// CHECK: return %[[Y]]
func.func @widen_bf16(%x: bf16) -> f32 {
  %y = arith.extf %x : bf16 to f32
  return %y : f32
}

// CHECK-LABEL: func.func @narrow_f64
// CHECK-NOT: to f16
// CHECK: arith.truncf %{{.*}} : f64 to f32
// CHECK-NOT: arith.truncf
// CHECK: arith.bitcast %{{.*}} : i16 to f16
func.func @narrow_f64(%x: f64) -> f16 {
  %y = arith.truncf %x : f64 to f16
  return %y : f16
}

// Other types have instructions.
// CHECK-LABEL: func.func @others
// CHECK-NEXT: arith.extf %{{.*}} : f32 to f64
// CHECK-NEXT: return
func.func @others(%x: f32) -> f64 {
  %y = arith.extf %x : f32 to f64
  return %y : f64
}

// Vectors, too: no conversion is left.
// CHECK-LABEL: func.func @vectors
// CHECK-NOT: arith.extf
// CHECK-NOT: arith.truncf
// CHECK: arith.bitcast %{{.*}} : vector<8xi32> to vector<8xf32>
// CHECK: return
func.func @vectors(%x: vector<8xbf16>) -> (vector<8xf32>, vector<8xf16>) {
  %0 = arith.extf %x : vector<8xbf16> to vector<8xf32>
  %1 = arith.truncf %0 : vector<8xf32> to vector<8xf16>
  return %0, %1 : vector<8xf32>, vector<8xf16>
}
