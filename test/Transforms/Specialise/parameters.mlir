// RUN: gyre-opt %s --gyre-specialise="set=L=2,C=4,act=f64" --split-input-file | FileCheck %s

// Values stand in types, in attributes of ops and in types within attributes.

// CHECK: module attributes {gyre.params = {C = 4 : i64, L = 2 : i64, act = f64}, gyre.spec = "values"} {
// CHECK-NOT: gyre.spec @
gyre.spec @values {
  gyre.param "L" in [0, 8] doc "maximal degree"
  gyre.param "C" in [1, 64] default 16
  gyre.type_param "act" in [f32, f64] default f32
  // CHECK: gyre.func @sizes(%x: !gyre.tensor<N x 9 x 4 x f64>, %m: !gyre.map<[e: E, k: 3] to N>) -> (y: !gyre.tensor<E x 3 x 9 x 4 x f64>) {
  gyre.func @sizes(%x: !gyre.tensor<N x (L+1)*(L+1) x C x act>, %m: !gyre.map<[e: E, k: L+1] to N>)
      -> (y: !gyre.tensor<E x L+1 x (L+1)*(L+1) x C x act>) {
    // CHECK: gyre.gather %x over %m axis 0 : {{.*}}<N x 9 x 4 x f64>, {{.*}}<[e: E, k: 3] to N>
    %y = gyre.gather %x over %m axis 0 : !gyre.tensor<N x (L+1)*(L+1) x C x act>, !gyre.map<[e: E, k: L+1] to N>
    gyre.return %y : !gyre.tensor<E x L+1 x (L+1)*(L+1) x C x act>
  }
  // CHECK: gyre.func @axes
  gyre.func @axes(%x: !gyre.tensor<E x (L+1)*C x act>) -> (y: !gyre.tensor<3*L*C + E x L+1 x act>) {
    // CHECK: gyre.contract %x[e, (l, c)] -> [e, l] with (l = 3, c = 4) acc f64 : !gyre.tensor<E x 12 x f64>
    %s = gyre.contract %x[e, (l, c)] -> [e, l] with (l = L + 1, c = C) acc !gyre.elem<act> : !gyre.tensor<E x (L+1)*C x act>
    // CHECK: gyre.pad %{{.*}} axis 0 low 16 high 8 : {{.*}}<E x 3 x f64>
    %y = gyre.pad %s axis 0 low 2*L*C high L*C : !gyre.tensor<E x L+1 x act>
    // CHECK: gyre.return %{{.*}} : !gyre.tensor<E + 24 x 3 x f64>
    gyre.return %y : !gyre.tensor<3*L*C + E x L+1 x act>
  }
  // CHECK: gyre.func @positions
  gyre.func @positions(%x: !gyre.tensor<E x 3*L+1 x act>) -> (y: !gyre.tensor<E x 2*L x act>) {
    // CHECK: gyre.slice %x axis 1 from 3 size 4 : {{.*}}<E x 7 x f64>
    %y = gyre.slice %x axis 1 from L+1 size 2*L : !gyre.tensor<E x 3*L+1 x act>
    gyre.return %y : !gyre.tensor<E x 2*L x act>
  }
  // CHECK: gyre.derive @positions_bwd = vjp @positions wrt (x as gx) given (y as gy)
  gyre.derive @positions_bwd = vjp @positions wrt (x as gx) given (y as gy)
}

// -----

// A value that is not set is the default's; types of integers stay.

// CHECK: module attributes {gyre.params = {C = 4 : i64, L = 2 : i64, T = 7 : i64, act = f64, par = bf16}, gyre.spec = "defaults"} {
gyre.spec @defaults {
  gyre.param "L" in [0, 8]
  gyre.param "C" in [1, 64]
  gyre.param "T" in [-9, 9] default 7
  gyre.type_param "act" in [f32, f64]
  gyre.type_param "par" in [f32, bf16] default bf16
  // CHECK: gyre.func @defaults(%a: !gyre.tensor<7 x f64>, %b: !gyre.tensor<7 x bf16>, %c: !gyre.tensor<7 x i8>, %d: !gyre.tensor<E x f32>)
  gyre.func @defaults(%a: !gyre.tensor<T x act>, %b: !gyre.tensor<T x par>, %c: !gyre.tensor<T x i8>, %d: !gyre.tensor<E x f32>)
      -> (y: !gyre.tensor<E x f32>) {
    gyre.return %d : !gyre.tensor<E x f32>
  }
}

// -----

// Sizes that cancel leave a plain number, and zero is one.

gyre.spec @cancel {
  gyre.param "L" in [0, 8]
  gyre.param "C" in [1, 64]
  gyre.type_param "act" in [f64]
  // CHECK: gyre.func @cancel(%a: !gyre.tensor<E x 0 x f64>, %b: !gyre.tensor<-2*E + 7 x f64>) -> (y: !gyre.tensor<E x 0 x f64>)
  gyre.func @cancel(%a: !gyre.tensor<E x C - 2*L x act>, %b: !gyre.tensor<3*L + 1 - L*E x act>) -> (y: !gyre.tensor<E x C - 2*L x act>) {
    gyre.return %a : !gyre.tensor<E x C - 2*L x act>
  }
}

// -----

// A type may be that of another parameter by default; accumulators follow, and are no parameters.

// CHECK: module attributes {gyre.params = {C = 4 : i64, L = 2 : i64, act = f64, half = bf16, more = bf16, par = f64}, gyre.spec = "types"} {
gyre.spec @types {
  gyre.param "L" in [0, 8]
  gyre.param "C" in [1, 64]
  gyre.type_param "act" in [f32, f64]
  gyre.type_param "par" in [f32, f64] default !gyre.elem<act>
  gyre.type_param "half" in [f16, bf16] default bf16
  gyre.type_param "more" in [f16, bf16] default !gyre.elem<half>
  gyre.accumulator "acc" of "act"
  gyre.accumulator "half_acc" of "more"
  // CHECK: gyre.func @types(%a: !gyre.tensor<f64>, %b: !gyre.tensor<f64>, %c: !gyre.tensor<f32>, %d: !gyre.tensor<bf16>)
  gyre.func @types(%a: !gyre.tensor<par>, %b: !gyre.tensor<acc>, %c: !gyre.tensor<half_acc>, %d: !gyre.tensor<more>)
      -> (y: !gyre.tensor<half_acc>) {
    // CHECK: gyre.convert %d : !gyre.tensor<bf16> -> !gyre.tensor<f32>
    %y = gyre.convert %d : !gyre.tensor<more> -> !gyre.tensor<half_acc>
    gyre.return %y : !gyre.tensor<half_acc>
  }
}
