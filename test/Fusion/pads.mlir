// Sums of pads that fill an axis are concatenations, whatever is between them; others stay.
// RUN: gyre-opt %s --gyre-fuse | FileCheck %s

!x = !gyre.tensor<E x 5 x f32>
!a = !gyre.tensor<E x 2 x f32>
!b = !gyre.tensor<E x 3 x f32>

// CHECK-LABEL: gyre.func @halves
// CHECK-NOT: gyre.pad
// CHECK: gyre.concat %a, %b axis 1
// CHECK-NOT: gyre.pad
// CHECK: gyre.return
gyre.func @halves(%a: !a, %b: !b, %x: !x) -> (y: !x) {
  %0 = gyre.pad %b axis 1 low 2 high 0 : !b
  %1 = gyre.pad %a axis 1 low 0 high 3 : !a
  %2 = arith.addf %0, %x : !x
  %y = arith.addf %2, %1 : !x
  gyre.return %y : !x
}

// One is missing, or wanted by itself.
// CHECK-LABEL: gyre.func @parts
// CHECK: gyre.pad
// CHECK-NOT: gyre.concat
// CHECK-LABEL: gyre.func @used
// CHECK: gyre.pad
// CHECK-NOT: gyre.concat
// CHECK: gyre.return
gyre.func @parts(%a: !a, %b: !b, %x: !x) -> (y: !x) {
  %0 = gyre.pad %b axis 1 low 1 high 1 : !b
  %1 = gyre.pad %a axis 1 low 0 high 3 : !a
  %2 = arith.addf %0, %x : !x
  %y = arith.addf %2, %1 : !x
  gyre.return %y : !x
}
gyre.func @used(%a: !a, %b: !b) -> (y: !x, z: !x) {
  %0 = gyre.pad %b axis 1 low 2 high 0 : !b
  %1 = gyre.pad %a axis 1 low 0 high 3 : !a
  %y = arith.addf %0, %1 : !x
  gyre.return %y, %0 : !x, !x
}
