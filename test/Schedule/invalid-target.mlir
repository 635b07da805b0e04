// RUN: gyre-opt %s --gyre-schedule=target=tpu -verify-diagnostics

// expected-error @+1 {{[schedule-target] expected cpu or cuda, got tpu}}
module {}
