// RUN: not gyre-opt %s --gyre-emit-device-code=arch=sm_75 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: [gpu-arch] expected an architecture such as sm_90a or compute_80, from 80 on, got `sm_75`
// RUN: gyre-opt %s --gyre-emit-device-code=arch=sm_9000 --verify-diagnostics=only-expected
// RUN: not gyre-opt %s --gyre-emit-device-code=arch=gfx942 2>&1 | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: [gpu-arch] expected an architecture such as sm_90a or compute_80, from 80 on, got `gfx942`
// RUN: not gyre-opt %s --gyre-emit-device-code=arch=sm_80,sm_80 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: [gpu-arch] expected each architecture once, got `sm_80` twice

// expected-error@+1 {{[gpu-arch] expected an architecture such as sm_90a or compute_80, from 80 on, got `sm_9000`}}
module {
}
