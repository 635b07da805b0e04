// RUN: gyre-opt %s --gyre-lower-kernels=target=tpu -verify-diagnostics

// expected-error @+1 {{[lower-kernel-target] expected cpu or cuda, got tpu}}
module {}
