// RUN: gyre-opt %s --gyre-schedule=target=cuda | FileCheck %s

!z = !gyre.tensor<E x 4 x f32>

// A schedule that stands there stays.
// CHECK-LABEL: gyre.func @given
// CHECK: schedule <places [lane], vector 2, lanes 32, workers 7, span 1, teams 1>
gyre.func @given(%y: !z) -> (a: !z) {
  %a = gyre.kernel over E deliver [#gyre.delivery<row 0>]
      schedule <places [lane], vector 2, lanes 32, workers 7, span 1, teams 1> : !z {
    %0 = gyre.row %y axis 0 : !z
    gyre.deliver %0 : !gyre.tensor<4 x f32>
  }
  gyre.return %a : !z
}

// Kernels of other functions get a schedule, too.
// CHECK-LABEL: func.func @other
// CHECK: schedule <places [lane], vector 1, lanes 32,
func.func @other(%y: !z) -> !z {
  %a = gyre.kernel over E deliver [#gyre.delivery<row 0>] : !z {
    %0 = gyre.row %y axis 0 : !z
    gyre.deliver %0 : !gyre.tensor<4 x f32>
  }
  return %a : !z
}
