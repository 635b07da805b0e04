/* Kernels for GPUs where there is no driver: the program starts, and calls say
 * what is missing. */

#include "neighbours.h"

#include <stdio.h>

int main(void) {
  /* Where the elements would be on a GPU: nothing reads them. */
  int64_t shape[2] = {1, 2};
  gyre_tensor x = {NULL, {GYRE_DEVICE_CUDA, 0}, 2, {0, 0, 0}, NULL, NULL, 0}, y;
  x.dtype = gyre_data_type_of(GYRE_DTYPE_F32);
  x.shape = shape;
  y = x;
  x.data = (void *)0x10000;
  y.data = (void *)0x20000;
  printf("%d ", (int)squares(&x, &y, NULL));
  printf("%s\n", gyre_last_error());
  x.device.type = GYRE_DEVICE_CPU;
  printf("%d ", (int)squares(&x, &y, NULL));
  printf("%s\n", gyre_last_error());
  return 0;
}
