//===- CpuLevel.cpp - What the processor can do ---------------------------===//

#include "gyre/runtime.h"

int32_t gyre_rt_cpu_level(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v4"))
    return 4;
  if (__builtin_cpu_supports("x86-64-v3"))
    return 3;
#endif
  return 1;
}
