// RUN: gyre-opt %s --gyre-fuse=target=tpu -verify-diagnostics

// expected-error @+1 {{[fuse-target] expected cpu or cuda, got tpu}}
module {}
