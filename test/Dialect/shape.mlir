// RUN: %roundtrip %s | FileCheck %s

// CHECK-LABEL: gyre.func @shape
gyre.func @shape(%x: !gyre.tensor<E x 3*L + 1 x act>) -> (y: !gyre.tensor<E x 6*L + 2 x act>) {
  // CHECK: %[[S:.*]] = gyre.slice %x axis 1 from L + 1 size 2*L : !gyre.tensor<E x 3*L + 1 x act>
  %s = gyre.slice %x axis 1 from L + 1 size 2*L : !gyre.tensor<E x 3*L + 1 x act>
  // CHECK: %[[P:.*]] = gyre.pad %[[S]] axis 1 low L high 1 : !gyre.tensor<E x 2*L x act>
  %p = gyre.pad %s axis 1 low L high 1 : !gyre.tensor<E x 2*L x act>
  // CHECK: %[[C:.*]] = gyre.concat %x, %[[P]] axis 1 : !gyre.tensor<E x 3*L + 1 x act>, !gyre.tensor<E x 3*L + 1 x act>
  %c = gyre.concat %x, %p axis 1 : !gyre.tensor<E x 3*L + 1 x act>, !gyre.tensor<E x 3*L + 1 x act>
  // CHECK: gyre.return %[[C]] : !gyre.tensor<E x 6*L + 2 x act>
  gyre.return %c : !gyre.tensor<E x 6*L + 2 x act>
}

// Empty parts, whole parts, one operand.
// CHECK-LABEL: gyre.func @edges
gyre.func @edges(%x: !gyre.tensor<4 x f32>) {
  // CHECK: gyre.slice %x axis 0 from 4 size 0 : !gyre.tensor<4 x f32>
  %0 = gyre.slice %x axis 0 from 4 size 0 : !gyre.tensor<4 x f32>
  // CHECK: gyre.slice %x axis 0 from 0 size 4 {note = "kept"} : !gyre.tensor<4 x f32>
  %1 = gyre.slice %x axis 0 from 0 size 4 {note = "kept"} : !gyre.tensor<4 x f32>
  // CHECK: gyre.pad %x axis 0 low 0 high 0 {note = "kept"} : !gyre.tensor<4 x f32>
  %2 = gyre.pad %x axis 0 low 0 high 0 {note = "kept"} : !gyre.tensor<4 x f32>
  // CHECK: gyre.concat %x axis 0 {note = "kept"} : !gyre.tensor<4 x f32>
  %3 = gyre.concat %x axis 0 {note = "kept"} : !gyre.tensor<4 x f32>
  gyre.return
}
