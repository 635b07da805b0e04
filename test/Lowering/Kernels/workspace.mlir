// Buffers of a workspace that are not needed at the same time take turns in a place.
// RUN: gyre-opt %s --gyre-print-program 2>&1 >/dev/null | FileCheck %s --match-full-lines

!x = !gyre.tensor<E x 4 x f32>
!wide = !gyre.tensor<E x 8 x f32>
!half = !gyre.tensor<E x 8 x f16>
!n = !gyre.tensor<N x 4 x f32>

// The first is needed until the second is there: the third may have its place, and the fourth, which is smaller, the second's.
//      CHECK:program turns
//      CHECK:  workspace
// CHECK-NEXT:    8*E elements of 4 bytes: 0.0, 2.0
// CHECK-NEXT:    8*E elements of 4 bytes: 1.0, 3.0
// CHECK-NEXT:program kept
gyre.func @turns(%x: !wide) -> (y: !x) {
  %0 = gyre.cells : !wide {
    %1 = math.exp %x : !wide
    gyre.deliver %1 : !wide
  }
  %2 = gyre.cells : !wide {
    %1 = math.sin %0 : !wide
    gyre.deliver %1 : !wide
  }
  %3 = gyre.cells : !wide {
    %1 = math.cos %2 : !wide
    gyre.deliver %1 : !wide
  }
  %4 = gyre.cells : !x {
    %1 = gyre.slice %3 axis 1 from 2 size 4 : !wide
    gyre.deliver %1 : !x
  }
  %y = gyre.cells : !x {
    %1 = math.exp %4 : !x
    gyre.deliver %1 : !x
  }
  gyre.return %y : !x
}

// What the last kernel reads keeps its place for all that comes between, whatever its name there: 1.0 is the first half of 3.0.
//      CHECK:  workspace
// CHECK-NEXT:    4*E elements of 4 bytes: 0.0
// CHECK-NEXT:    8*E elements of 4 bytes: 3.0
// CHECK-NEXT:program others
gyre.func @kept(%x: !x) -> (y: !x, z: !x) {
  %0 = gyre.cells : !x {
    %1 = math.exp %x : !x
    gyre.deliver %1 : !x
  }
  %2 = gyre.cells : !x {
    %1 = math.sin %0 : !x
    gyre.deliver %1 : !x
  }
  %3 = gyre.cells : !x {
    %1 = math.cos %0 : !x
    gyre.deliver %1 : !x
  }
  %4 = gyre.cells : !gyre.tensor<2 x E x 4 x f32> {
    %1 = gyre.contract %2[e, c] -> [t, e, c] with (t = 1) : !x
    %5 = gyre.contract %3[e, c] -> [t, e, c] with (t = 1) : !x
    %6 = gyre.concat %1, %5 axis 0 : !gyre.tensor<1 x E x 4 x f32>, !gyre.tensor<1 x E x 4 x f32>
    gyre.deliver %6 : !gyre.tensor<2 x E x 4 x f32>
  }
  %y = gyre.cells : !x {
    %1 = gyre.contract %4[t, e, c] -> [e, c] : !gyre.tensor<2 x E x 4 x f32>
    gyre.deliver %1 : !x
  }
  %z = gyre.cells : !x {
    %1 = math.exp %0 : !x
    gyre.deliver %1 : !x
  }
  gyre.return %y, %z : !x, !x
}

// Bytes count, of whatever elements; rows of nodes and of edges may be more or fewer than each other.
//      CHECK:  workspace
// CHECK-NEXT:    8*E elements of 2 bytes: 0.0, 2.0
// CHECK-NEXT:    4*E elements of 4 bytes: 1.0
// CHECK-NEXT:    4*N elements of 4 bytes: 4.0
gyre.func @others(%x: !wide, %n: !n) -> (y: !x, m: !n) {
  %0 = gyre.cells : !half {
    %1 = gyre.convert %x : !wide -> !half
    gyre.deliver %1 : !half
  }
  %2 = gyre.cells : !x {
    %1 = gyre.convert %0 : !half -> !wide
    %3 = gyre.slice %1 axis 1 from 2 size 4 : !wide
    gyre.deliver %3 : !x
  }
  %4 = gyre.cells : !x {
    %1 = math.exp %2 : !x
    gyre.deliver %1 : !x
  }
  %y = gyre.cells : !x {
    %1 = math.sin %4 : !x
    gyre.deliver %1 : !x
  }
  %5 = gyre.cells : !n {
    %1 = math.exp %n : !n
    gyre.deliver %1 : !n
  }
  %m = gyre.cells : !n {
    %1 = math.sin %5 : !n
    gyre.deliver %1 : !n
  }
  gyre.return %y, %m : !x, !n
}
