//===- Index.cpp - Gather, segment sum and validity -----------------------===//

#include "Semantics.h"

namespace gyre {

void gather(const Array &x, const IndexMap &map, int64_t axis, Array &out) {
  Split from(x.shape, axis), to(out.shape, axis, map.axes.size());
  for (int64_t o = 0; o < to.outer; ++o)
    for (int64_t e = 0; e < to.size; ++e)
      if (map.index[e] < map.target)
        for (int64_t i = 0; i < to.inner; ++i)
          out.data[to.offset(o, e, i)] =
              x.data[from.offset(o, map.index[e], i)];
}

void segmentSum(const Array &rows, const IndexMap &map, int64_t axis,
                Array &out) {
  Split from(rows.shape, axis, map.axes.size()), to(out.shape, axis);
  for (int64_t o = 0; o < from.outer; ++o)
    for (int64_t e = 0; e < from.size; ++e)
      if (map.index[e] < map.target)
        for (int64_t i = 0; i < from.inner; ++i)
          out.data[to.offset(o, map.index[e], i)] +=
              rows.data[from.offset(o, e, i)];
}

void valid(const IndexMap &map, Array &out) {
  for (size_t e = 0; e < map.index.size(); ++e)
    out.data[e] = map.index[e] < map.target;
}

} // namespace gyre
