// RUN: not gyre-opt %s --gyre-specialise="set=L" 2>&1 | FileCheck %s --check-prefix=NO-VALUE
// RUN: not gyre-opt %s --gyre-specialise="set=L=" 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not gyre-opt %s --gyre-specialise="set=L=1,L=2" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not gyre-opt %s --gyre-specialise="set=L=99999999999999999999" 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not gyre-opt %s --gyre-specialise="set=L=1.5" 2>&1 | FileCheck %s --check-prefix=FRACTION
// RUN: gyre-opt %s --gyre-specialise="set=L=-1" | FileCheck %s

// NO-VALUE: [[#@LINE+6]]:1: error: [specialise-param-value] expected name=value, got `L`
// EMPTY: [[#@LINE+6]]:3: error: [specialise-param-value] expected an integer for `L`, got ``
// TWICE: [[#@LINE+4]]:1: error: [specialise-param-value] expected one value for each parameter, got two for `L`
// LARGE: [[#@LINE+4]]:3: error: [specialise-param-value] expected an integer for `L`, got `99999999999999999999`
// FRACTION: [[#@LINE+3]]:3: error: [specialise-param-value] expected an integer for `L`, got `1.5`
// CHECK: module attributes {gyre.params = {L = -1 : i64}, gyre.spec = "f"}
gyre.spec @f {
  gyre.param "L" in [-1, 8]
  gyre.func @f(%x: !gyre.tensor<f32>) -> (y: !gyre.tensor<f32>) {
    gyre.return %x : !gyre.tensor<f32>
  }
}
