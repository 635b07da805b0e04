// RUN: %roundtrip %s | FileCheck %s

// Upstream elementwise ops on named sizes, with float and with parametric element types.

// CHECK-LABEL: gyre.func @floats
gyre.func @floats(%a: !gyre.tensor<E x 3*L + 1 x f32>, %b: !gyre.tensor<E x 3*L + 1 x f32>) -> (y: !gyre.tensor<E x 3*L + 1 x f32>, c: !gyre.tensor<E x 3*L + 1 x i1>) {
  // CHECK: arith.addf %a, %b : !gyre.tensor<E x 3*L + 1 x f32>
  %0 = arith.addf %a, %b : !gyre.tensor<E x 3*L + 1 x f32>
  // CHECK: arith.subf %a, %b : !gyre.tensor<E x 3*L + 1 x f32>
  %1 = arith.subf %a, %b : !gyre.tensor<E x 3*L + 1 x f32>
  // CHECK: arith.mulf %a, %b : !gyre.tensor<E x 3*L + 1 x f32>
  %2 = arith.mulf %a, %b : !gyre.tensor<E x 3*L + 1 x f32>
  // CHECK: arith.divf %a, %b : !gyre.tensor<E x 3*L + 1 x f32>
  %3 = arith.divf %a, %b : !gyre.tensor<E x 3*L + 1 x f32>
  // CHECK: arith.maximumf %a, %b : !gyre.tensor<E x 3*L + 1 x f32>
  %4 = arith.maximumf %a, %b : !gyre.tensor<E x 3*L + 1 x f32>
  // CHECK: arith.minimumf %a, %b : !gyre.tensor<E x 3*L + 1 x f32>
  %5 = arith.minimumf %a, %b : !gyre.tensor<E x 3*L + 1 x f32>
  // CHECK: arith.negf %a : !gyre.tensor<E x 3*L + 1 x f32>
  %6 = arith.negf %a : !gyre.tensor<E x 3*L + 1 x f32>
  // CHECK: math.exp %a : !gyre.tensor<E x 3*L + 1 x f32>
  %7 = math.exp %a : !gyre.tensor<E x 3*L + 1 x f32>
  // CHECK: math.log %a : !gyre.tensor<E x 3*L + 1 x f32>
  %8 = math.log %a : !gyre.tensor<E x 3*L + 1 x f32>
  // CHECK: math.sqrt %a : !gyre.tensor<E x 3*L + 1 x f32>
  %9 = math.sqrt %a : !gyre.tensor<E x 3*L + 1 x f32>
  // CHECK: math.rsqrt %a : !gyre.tensor<E x 3*L + 1 x f32>
  %10 = math.rsqrt %a : !gyre.tensor<E x 3*L + 1 x f32>
  // CHECK: math.tanh %a : !gyre.tensor<E x 3*L + 1 x f32>
  %11 = math.tanh %a : !gyre.tensor<E x 3*L + 1 x f32>
  // CHECK: math.sin %a : !gyre.tensor<E x 3*L + 1 x f32>
  %12 = math.sin %a : !gyre.tensor<E x 3*L + 1 x f32>
  // CHECK: math.cos %a : !gyre.tensor<E x 3*L + 1 x f32>
  %13 = math.cos %a : !gyre.tensor<E x 3*L + 1 x f32>
  // CHECK: math.absf %a : !gyre.tensor<E x 3*L + 1 x f32>
  %14 = math.absf %a : !gyre.tensor<E x 3*L + 1 x f32>
  // CHECK: %[[C:.*]] = arith.cmpf olt, %a, %b : !gyre.tensor<E x 3*L + 1 x f32>
  %15 = arith.cmpf olt, %a, %b : !gyre.tensor<E x 3*L + 1 x f32>
  // CHECK: gyre.return %{{.*}}, %[[C]] : !gyre.tensor<E x 3*L + 1 x f32>, !gyre.tensor<E x 3*L + 1 x i1>
  gyre.return %0, %15 : !gyre.tensor<E x 3*L + 1 x f32>, !gyre.tensor<E x 3*L + 1 x i1>
}

// CHECK-LABEL: gyre.func @parameters
gyre.func @parameters(%a: !gyre.tensor<E x C*F x act>, %b: !gyre.tensor<E x C*F x act>) -> (y: !gyre.tensor<E x C*F x act>, c: !gyre.tensor<E x C*F x i1>) {
  // CHECK: arith.addf %a, %b : !gyre.tensor<E x C*F x act>
  %0 = arith.addf %a, %b : !gyre.tensor<E x C*F x act>
  // CHECK: arith.subf %a, %b : !gyre.tensor<E x C*F x act>
  %1 = arith.subf %a, %b : !gyre.tensor<E x C*F x act>
  // CHECK: arith.mulf %a, %b : !gyre.tensor<E x C*F x act>
  %2 = arith.mulf %a, %b : !gyre.tensor<E x C*F x act>
  // CHECK: arith.divf %a, %b : !gyre.tensor<E x C*F x act>
  %3 = arith.divf %a, %b : !gyre.tensor<E x C*F x act>
  // CHECK: arith.maximumf %a, %b : !gyre.tensor<E x C*F x act>
  %4 = arith.maximumf %a, %b : !gyre.tensor<E x C*F x act>
  // CHECK: arith.minimumf %a, %b : !gyre.tensor<E x C*F x act>
  %5 = arith.minimumf %a, %b : !gyre.tensor<E x C*F x act>
  // CHECK: arith.negf %a : !gyre.tensor<E x C*F x act>
  %6 = arith.negf %a : !gyre.tensor<E x C*F x act>
  // CHECK: math.exp %a : !gyre.tensor<E x C*F x act>
  %7 = math.exp %a : !gyre.tensor<E x C*F x act>
  // CHECK: math.log %a : !gyre.tensor<E x C*F x act>
  %8 = math.log %a : !gyre.tensor<E x C*F x act>
  // CHECK: math.sqrt %a : !gyre.tensor<E x C*F x act>
  %9 = math.sqrt %a : !gyre.tensor<E x C*F x act>
  // CHECK: math.rsqrt %a : !gyre.tensor<E x C*F x act>
  %10 = math.rsqrt %a : !gyre.tensor<E x C*F x act>
  // CHECK: math.tanh %a : !gyre.tensor<E x C*F x act>
  %11 = math.tanh %a : !gyre.tensor<E x C*F x act>
  // CHECK: math.sin %a : !gyre.tensor<E x C*F x act>
  %12 = math.sin %a : !gyre.tensor<E x C*F x act>
  // CHECK: math.cos %a : !gyre.tensor<E x C*F x act>
  %13 = math.cos %a : !gyre.tensor<E x C*F x act>
  // CHECK: math.absf %a : !gyre.tensor<E x C*F x act>
  %14 = math.absf %a : !gyre.tensor<E x C*F x act>
  // CHECK: %[[C:.*]] = arith.cmpf olt, %a, %b : !gyre.tensor<E x C*F x act>
  %15 = arith.cmpf olt, %a, %b : !gyre.tensor<E x C*F x act>
  // CHECK: gyre.return %{{.*}}, %[[C]] : !gyre.tensor<E x C*F x act>, !gyre.tensor<E x C*F x i1>
  gyre.return %0, %15 : !gyre.tensor<E x C*F x act>, !gyre.tensor<E x C*F x i1>
}

// CHECK-LABEL: gyre.func @halves
gyre.func @halves(%a: !gyre.tensor<4 x f16>, %b: !gyre.tensor<4 x f16>) -> (y: !gyre.tensor<4 x f16>, c: !gyre.tensor<4 x i1>) {
  // CHECK: arith.addf %a, %b : !gyre.tensor<4 x f16>
  %0 = arith.addf %a, %b : !gyre.tensor<4 x f16>
  // CHECK: arith.subf %a, %b : !gyre.tensor<4 x f16>
  %1 = arith.subf %a, %b : !gyre.tensor<4 x f16>
  // CHECK: arith.mulf %a, %b : !gyre.tensor<4 x f16>
  %2 = arith.mulf %a, %b : !gyre.tensor<4 x f16>
  // CHECK: arith.divf %a, %b : !gyre.tensor<4 x f16>
  %3 = arith.divf %a, %b : !gyre.tensor<4 x f16>
  // CHECK: arith.maximumf %a, %b : !gyre.tensor<4 x f16>
  %4 = arith.maximumf %a, %b : !gyre.tensor<4 x f16>
  // CHECK: arith.minimumf %a, %b : !gyre.tensor<4 x f16>
  %5 = arith.minimumf %a, %b : !gyre.tensor<4 x f16>
  // CHECK: arith.negf %a : !gyre.tensor<4 x f16>
  %6 = arith.negf %a : !gyre.tensor<4 x f16>
  // CHECK: math.exp %a : !gyre.tensor<4 x f16>
  %7 = math.exp %a : !gyre.tensor<4 x f16>
  // CHECK: math.log %a : !gyre.tensor<4 x f16>
  %8 = math.log %a : !gyre.tensor<4 x f16>
  // CHECK: math.sqrt %a : !gyre.tensor<4 x f16>
  %9 = math.sqrt %a : !gyre.tensor<4 x f16>
  // CHECK: math.rsqrt %a : !gyre.tensor<4 x f16>
  %10 = math.rsqrt %a : !gyre.tensor<4 x f16>
  // CHECK: math.tanh %a : !gyre.tensor<4 x f16>
  %11 = math.tanh %a : !gyre.tensor<4 x f16>
  // CHECK: math.sin %a : !gyre.tensor<4 x f16>
  %12 = math.sin %a : !gyre.tensor<4 x f16>
  // CHECK: math.cos %a : !gyre.tensor<4 x f16>
  %13 = math.cos %a : !gyre.tensor<4 x f16>
  // CHECK: math.absf %a : !gyre.tensor<4 x f16>
  %14 = math.absf %a : !gyre.tensor<4 x f16>
  // CHECK: %[[C:.*]] = arith.cmpf olt, %a, %b : !gyre.tensor<4 x f16>
  %15 = arith.cmpf olt, %a, %b : !gyre.tensor<4 x f16>
  // CHECK: gyre.return %{{.*}}, %[[C]] : !gyre.tensor<4 x f16>, !gyre.tensor<4 x i1>
  gyre.return %0, %15 : !gyre.tensor<4 x f16>, !gyre.tensor<4 x i1>
}

// CHECK-LABEL: gyre.func @scalars
gyre.func @scalars(%a: !gyre.tensor<act>, %b: !gyre.tensor<act>) -> (y: !gyre.tensor<act>, c: !gyre.tensor<i1>) {
  // CHECK: arith.addf %a, %b : !gyre.tensor<act>
  %0 = arith.addf %a, %b : !gyre.tensor<act>
  // CHECK: arith.subf %a, %b : !gyre.tensor<act>
  %1 = arith.subf %a, %b : !gyre.tensor<act>
  // CHECK: arith.mulf %a, %b : !gyre.tensor<act>
  %2 = arith.mulf %a, %b : !gyre.tensor<act>
  // CHECK: arith.divf %a, %b : !gyre.tensor<act>
  %3 = arith.divf %a, %b : !gyre.tensor<act>
  // CHECK: arith.maximumf %a, %b : !gyre.tensor<act>
  %4 = arith.maximumf %a, %b : !gyre.tensor<act>
  // CHECK: arith.minimumf %a, %b : !gyre.tensor<act>
  %5 = arith.minimumf %a, %b : !gyre.tensor<act>
  // CHECK: arith.negf %a : !gyre.tensor<act>
  %6 = arith.negf %a : !gyre.tensor<act>
  // CHECK: math.exp %a : !gyre.tensor<act>
  %7 = math.exp %a : !gyre.tensor<act>
  // CHECK: math.log %a : !gyre.tensor<act>
  %8 = math.log %a : !gyre.tensor<act>
  // CHECK: math.sqrt %a : !gyre.tensor<act>
  %9 = math.sqrt %a : !gyre.tensor<act>
  // CHECK: math.rsqrt %a : !gyre.tensor<act>
  %10 = math.rsqrt %a : !gyre.tensor<act>
  // CHECK: math.tanh %a : !gyre.tensor<act>
  %11 = math.tanh %a : !gyre.tensor<act>
  // CHECK: math.sin %a : !gyre.tensor<act>
  %12 = math.sin %a : !gyre.tensor<act>
  // CHECK: math.cos %a : !gyre.tensor<act>
  %13 = math.cos %a : !gyre.tensor<act>
  // CHECK: math.absf %a : !gyre.tensor<act>
  %14 = math.absf %a : !gyre.tensor<act>
  // CHECK: %[[C:.*]] = arith.cmpf olt, %a, %b : !gyre.tensor<act>
  %15 = arith.cmpf olt, %a, %b : !gyre.tensor<act>
  // CHECK: gyre.return %{{.*}}, %[[C]] : !gyre.tensor<act>, !gyre.tensor<i1>
  gyre.return %0, %15 : !gyre.tensor<act>, !gyre.tensor<i1>
}
