/* Sums of neighbours on a path of three nodes, and a call that is refused. */

#include "neighbours.h"

#include <stdio.h>

static gyre_tensor view(void *data, gyre_dtype dtype, int32_t ndim,
                        int64_t *shape) {
  gyre_tensor tensor = {NULL, {GYRE_DEVICE_CPU, 0}, 0, {0, 0, 0}, NULL, NULL,
                        0};
  tensor.data = data;
  tensor.dtype = gyre_data_type_of(dtype);
  tensor.ndim = ndim;
  tensor.shape = shape;
  return tensor;
}

int main(void) {
  static _Alignas(GYRE_ALIGNMENT) char memory[2][4096];
  float x[3][2] = {{1, 10}, {2, 20}, {3, 30}}, y[3][2];
  int32_t ends[2][4] = {{0, 1, 1, 2}, {1, 0, 2, 1}};
  int64_t nodes[2] = {3, 2}, edges[1] = {4};
  gyre_tensor in = view(x, GYRE_DTYPE_F32, 2, nodes);
  gyre_tensor out = view(y, GYRE_DTYPE_F32, 2, nodes);
  gyre_map map[2];
  gyre_status status;
  int64_t sizes[2] = {3, 4}, bytes;
  static _Alignas(GYRE_ALIGNMENT) char workspace[4096];
  gyre_context context = {workspace, sizeof workspace, NULL, 0};
  int i;

  for (i = 0; i < 2; ++i) {
    gyre_tensor index = view(ends[i], GYRE_DTYPE_I32, 1, edges);
    status =
        gyre_map_build(&index, 3, 0, 0, memory[i], sizeof memory[i], &map[i]);
    if (status != GYRE_OK)
      return fprintf(stderr, "%s\n", gyre_last_error()), 1;
  }
  status = sums_workspace(sizes, &bytes);
  if (status != GYRE_OK || bytes > (int64_t)sizeof workspace)
    return fprintf(stderr, "workspace of %ld bytes\n", (long)bytes), 1;
  status = sums(&in, &map[0], &map[1], &out, &context);
  if (status != GYRE_OK)
    return fprintf(stderr, "%s\n", gyre_last_error()), 1;
  for (i = 0; i < 3; ++i)
    printf("%g %g\n", y[i][0], y[i][1]);

  out.dtype = gyre_data_type_of(GYRE_DTYPE_F64);
  status = sums(&in, &map[0], &map[1], &out, &context);
  printf("%d %s\n", (int)status, gyre_last_error());
  return 0;
}
