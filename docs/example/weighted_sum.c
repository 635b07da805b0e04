/* Calls weighted_sum, compiled for C = 3, on the CPU. */
#include "weighted_sum.h"

#include <stdio.h>
#include <stdlib.h>

enum { NODES = 4, EDGES = 4, CHANNELS = 3 };

static gyre_tensor tensor(void *data, gyre_dtype dtype, int32_t ndim,
                          int64_t *shape) {
  gyre_tensor result = {
      data, {GYRE_DEVICE_CPU, 0}, ndim, {0, 0, 0}, shape, NULL, 0};
  result.dtype = gyre_data_type_of(dtype);
  return result;
}

static void *aligned(int64_t bytes) {
  int64_t lines = bytes / GYRE_ALIGNMENT + 1;
  return aligned_alloc(GYRE_ALIGNMENT, (size_t)(lines * GYRE_ALIGNMENT));
}

/* Built once for a graph: every kernel and derivative takes the same map. */
static gyre_status build_map(int64_t *node_of_edge, gyre_map *map) {
  int64_t shape[] = {EDGES}, bytes = 0;
  gyre_tensor index = tensor(node_of_edge, GYRE_DTYPE_I64, 1, shape);
  gyre_status status = gyre_map_bytes(&index, NODES, 0, &bytes);
  if (status == GYRE_OK)
    status = gyre_map_build(&index, NODES, 0, 0, aligned(bytes), bytes, map);
  return status;
}

int main(void) {
  float x[NODES * CHANNELS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  float w[EDGES] = {1, 2, -1, 0.5f}, y[NODES * CHANNELS];
  int64_t from[EDGES] = {0, 0, 1, 3}, to[EDGES] = {1, 2, 2, 1};

  int64_t node_rows[] = {NODES, CHANNELS}, edges[] = {EDGES};
  gyre_tensor x_view = tensor(x, GYRE_DTYPE_F32, 2, node_rows);
  gyre_tensor w_view = tensor(w, GYRE_DTYPE_F32, 1, edges);
  gyre_tensor y_view = tensor(y, GYRE_DTYPE_F32, 2, node_rows);
  gyre_map src, dst;
  gyre_context context = {NULL, 0, NULL, 0};
  int64_t sizes[] = {NODES, EDGES}; /* the order is in the header */

  gyre_status status = build_map(from, &src);
  if (status == GYRE_OK)
    status = build_map(to, &dst);
  if (status == GYRE_OK)
    status = weighted_sum_workspace(sizes, &context.workspace_bytes);
  if (status == GYRE_OK) {
    context.workspace = aligned(context.workspace_bytes);
    status = weighted_sum(&x_view, &w_view, &src, &dst, &y_view, &context);
  }
  if (status != GYRE_OK) {
    fprintf(stderr, "%s\n", gyre_last_error());
    return 1;
  }
  for (int n = 0; n < NODES; ++n)
    printf("%g %g %g\n", y[3 * n], y[3 * n + 1], y[3 * n + 2]);
  return 0;
}
