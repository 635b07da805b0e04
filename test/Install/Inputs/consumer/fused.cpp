// Two edges of 16 entries, summed into one of two nodes by a fused kernel.

#include "segment_sum.h"

#include <cstdio>
#include <vector>

namespace {

template <typename T>
gyre_tensor view(T *data, gyre_dtype dtype, std::vector<int64_t> &shape) {
  return {data,
          {GYRE_DEVICE_CPU, 0},
          static_cast<int32_t>(shape.size()),
          gyre_data_type_of(dtype),
          shape.data(),
          nullptr,
          0};
}

struct alignas(GYRE_ALIGNMENT) Block {
  char bytes[GYRE_ALIGNMENT];
};

std::vector<Block> allocate(int64_t bytes) {
  return std::vector<Block>(
      static_cast<std::size_t>(bytes / GYRE_ALIGNMENT + 1));
}

bool failed(gyre_status status) {
  if (status != GYRE_OK)
    std::fprintf(stderr, "%s\n", gyre_last_error());
  return status != GYRE_OK;
}

} // namespace

int main() {
  struct alignas(GYRE_ALIGNMENT) {
    float in[2][16], out[2][16];
  } rows{};
  for (int i = 0; i < 16; ++i) {
    rows.in[0][i] = static_cast<float>(i);
    rows.in[1][i] = 100;
  }
  int64_t ends[2] = {1, 1};
  std::vector<int64_t> edges{2}, in{2, 1, 16}, out{2, 1, 16};
  const gyre_tensor index = view(ends, GYRE_DTYPE_I64, edges);
  int64_t bytes = 0;
  if (failed(gyre_map_bytes(&index, 2, 0, &bytes)))
    return 1;
  std::vector<Block> memory = allocate(bytes);
  gyre_map map;
  if (failed(gyre_map_build(&index, 2, 0, 0, memory.data(), bytes, &map)))
    return 1;

  const int64_t sizes[2] = {2, 2};
  if (failed(segment_sum_workspace(sizes, &bytes)))
    return 1;
  std::vector<Block> workspace = allocate(bytes);
  const gyre_context context = {workspace.data(), bytes, nullptr,
                                GYRE_CHECK_MAPS};
  const gyre_tensor argument = view(&rows.in[0][0], GYRE_DTYPE_F32, in);
  gyre_tensor result = view(&rows.out[0][0], GYRE_DTYPE_F32, out);
  if (failed(segment_sum(&argument, &map, &result, &context)))
    return 1;
  std::printf("%g %g\n%g %g\n", rows.out[0][0], rows.out[0][15], rows.out[1][0],
              rows.out[1][15]);
}
