//===- Shape.cpp - Slice, pad, concat -------------------------------------===//

#include "Semantics.h"

namespace gyre {

void slice(const Array &x, int64_t axis, int64_t from, Array &out) {
  Split whole(x.shape, axis), part(out.shape, axis);
  for (int64_t o = 0; o < part.outer; ++o)
    for (int64_t s = 0; s < part.size; ++s)
      for (int64_t i = 0; i < part.inner; ++i)
        out.data[part.offset(o, s, i)] = x.data[whole.offset(o, from + s, i)];
}

void insert(const Array &x, int64_t axis, int64_t low, Array &out) {
  Split part(x.shape, axis), whole(out.shape, axis);
  for (int64_t o = 0; o < part.outer; ++o)
    for (int64_t s = 0; s < part.size; ++s)
      for (int64_t i = 0; i < part.inner; ++i)
        out.data[whole.offset(o, low + s, i)] = x.data[part.offset(o, s, i)];
}

} // namespace gyre
