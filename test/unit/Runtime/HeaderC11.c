/* The header in C: it compiles without a warning, and calls link. */

#include "gyre/runtime.h"

#include <stddef.h>

_Static_assert(__STDC_VERSION__ == 201112L, "compiled as C11");
_Static_assert(offsetof(gyre_tensor, byte_offset) == 40, "layout of DLTensor");

int gyre_test_header_in_c(int64_t *bytes);

int gyre_test_header_in_c(int64_t *bytes) {
  int64_t shape[1] = {3};
  gyre_tensor index = {NULL, {GYRE_DEVICE_CPU, 0}, 1, {0, 0, 0}, shape, NULL,
                       0};
  index.dtype = gyre_data_type_of(GYRE_DTYPE_I32);
  return gyre_map_bytes(&index, 2, 0, bytes);
}
