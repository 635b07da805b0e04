// What is tried, in order, of a kernel that spills: code that takes fewer registers, fewer blocks on a
// multiprocessor, and at last an assembler that leaves code where it is.
// RUN: rm -rf %t && mkdir -p %t/bin && cp %S/Inputs/ptxas %t/bin
// RUN: env CALLS=%t/all SPILLING=spills SPARED=least gyre-opt %s "--gyre-emit-device-code=arch=sm_90a toolkit=%t" --verify-diagnostics -o /dev/null
// RUN: FileCheck %s --check-prefix=ALL --implicit-check-not=spills --input-file=%t/all
// It ends as soon as nothing spills.
// RUN: env CALLS=%t/few SPILLING=spills SPARED=few gyre-opt %s "--gyre-emit-device-code=arch=sm_90a toolkit=%t" --verify-diagnostics -o /dev/null
// RUN: FileCheck %s --check-prefix=FEW --implicit-check-not=spills --input-file=%t/few
// Where all of that spills, too, one is told.
// RUN: env CALLS=%t/none SPILLING=spills SPARED=none gyre-opt %s "--gyre-emit-device-code=arch=sm_90a toolkit=%t" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE

// ALL: spills_0 most 2
// ALL-NEXT: spills_0 few 2
// ALL-NEXT: spills_0 most 1
// ALL-NEXT: spills_0 few 1
// ALL-NEXT: spills_0 least 1

// FEW: spills_0 most 2
// FEW-NEXT: spills_0 few 2

// NONE: warning: [gpu-spill] expected registers for all values, got 8 bytes of spills in kernel `spills_0` for sm_90a

gpu.module @gyre_device {
  llvm.func @spills_0() attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128>, nvvm.minctasm = 2 : i32} {
    llvm.return
  }
}
