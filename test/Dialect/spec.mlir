// RUN: %roundtrip %s | FileCheck %s

// CHECK-LABEL: gyre.spec @all {
gyre.spec @all {
  // CHECK: gyre.param "L" in [0, 8]{{$}}
  gyre.param "L" in [0, 8]
  // CHECK: gyre.param "S" in [-3, -1] default -2 doc "shift \22of\22 rows"
  gyre.param "S" in [-3, -1] default -2 doc "shift \"of\" rows"
  // CHECK: gyre.param "C" in [1, 9223372036854775807] default 64 {unit = "channels"}
  gyre.param "C" in [1, 9223372036854775807] default 64 {unit = "channels"}
  // CHECK: gyre.type_param "act" in [f32, f64, f16, bf16]{{$}}
  gyre.type_param "act" in [f32, f64, f16, bf16]
  // CHECK: gyre.type_param "acc" in [f32, f64] default f64 doc "accumulator"
  gyre.type_param "acc" in [f32, f64] default f64 doc "accumulator"
  // CHECK: gyre.type_param "par" in [f32, f64, f16] default !gyre.elem<act> doc "parameters"
  gyre.type_param "par" in [f32, f64, f16] default !gyre.elem<act> doc "parameters"
  // CHECK: gyre.accumulator "sum" of "act" doc "of products" {note = "kept"}
  gyre.accumulator "sum" of "act" doc "of products" {note = "kept"}
  // CHECK: gyre.func @identity(%x: !gyre.tensor<E x C x act>) -> (y: !gyre.tensor<E x C x act>) {
  // CHECK-NEXT: gyre.return %x : !gyre.tensor<E x C x act>
  gyre.func @identity(%x: !gyre.tensor<E x C x act>) -> (y: !gyre.tensor<E x C x act>) {
    gyre.return %x : !gyre.tensor<E x C x act>
  }
  // CHECK: gyre.derive @identity_bwd = vjp @identity wrt (x as gx)
  gyre.derive @identity_bwd = vjp @identity wrt (x)
  // CHECK: gyre.derive @identity_fast = vjp @identity wrt (x as gx) precision fp16x3 attributes {note = "kept"}
  gyre.derive @identity_fast = vjp @identity wrt (x) precision fp16x3 attributes {note = "kept"}
}

// CHECK-LABEL: gyre.spec @alternatives attributes {note = "two"} {
gyre.spec @alternatives attributes {note = "two"} {
  gyre.param "L" in [0, 8]
  gyre.param "R" in [0, 8]
  // CHECK: gyre.alternative where R == 0 and L + 1 > 1 attributes {note = "one"} {
  // CHECK-NEXT: gyre.func @f(%x: !gyre.tensor<L x f32>) -> (y: !gyre.tensor<L x f32>)
  gyre.alternative where R == 0 and L + 1 > 1 attributes {note = "one"} {
    gyre.func @f(%x: !gyre.tensor<L x f32>) -> (y: !gyre.tensor<L x f32>) {
      gyre.return %x : !gyre.tensor<L x f32>
    }
  }
  // CHECK: gyre.alternative where R >= 1 and L*R <= 8 and L < 9 {
  gyre.alternative where R >= 1 and R*L <= 8 and L < 9 {
    gyre.func @f(%x: !gyre.tensor<R x f32>) -> (y: !gyre.tensor<R x f32>) {
      gyre.return %x : !gyre.tensor<R x f32>
    }
  }
  // CHECK: gyre.alternative where L == 0 {
  // CHECK-NEXT: }
  gyre.alternative where L == 0 {}
}

// CHECK-LABEL: gyre.spec @empty {
// CHECK-NEXT: }
gyre.spec @empty {}
