// RUN: gyre-opt %s --gyre-decompose | FileCheck %s

// A relation without parameters is listed, wherever it stands.

// CHECK-LABEL: gyre.func @listed
// CHECK: gyre.contract %x[a] -> [] over [a] {(0), (1), (2) * 2.0{{.*}}} :
gyre.func @listed(%x: !gyre.tensor<3 x f32>) -> (y: !gyre.tensor<f32>) {
  %y = gyre.contract %x[a] -> [] over {(a = l) : l in [0, 1] | (a = 2) * 2.0} : !gyre.tensor<3 x f32>
  gyre.return %y : !gyre.tensor<f32>
}

// CHECK-LABEL: gyre.spec @symbolic
gyre.spec @symbolic {
  gyre.param "L" in [0, 2]
  // CHECK: gyre.contract %x[a] -> [] over {(a = l) : l in [0, L]} :
  // CHECK: gyre.contract %x[a] -> [] over {(a = L)} :
  // CHECK: gyre.contract %x[a] -> [] over [a] {(0), (1)} :
  gyre.func @symbolic(%x: !gyre.tensor<3 x f32>) -> (y: !gyre.tensor<f32>, z: !gyre.tensor<f32>, w: !gyre.tensor<f32>) {
    %y = gyre.contract %x[a] -> [] over {(a = l) : l in [0, L]} : !gyre.tensor<3 x f32>
    %z = gyre.contract %x[a] -> [] over {(a = L)} : !gyre.tensor<3 x f32>
    %w = gyre.contract %x[a] -> [] over {(a = l) : l in [0, 1]} : !gyre.tensor<3 x f32>
    gyre.return %y, %z, %w : !gyre.tensor<f32>, !gyre.tensor<f32>, !gyre.tensor<f32>
  }
}
