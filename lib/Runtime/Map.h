//===- Map.h - Checks of an index map ---------------------------*- C++ -*-===//

#ifndef GYRE_LIB_RUNTIME_MAP_H
#define GYRE_LIB_RUNTIME_MAP_H

#include "Error.h"

namespace gyre::runtime {

/// Checks that `map` is a handle that gyre_map_build made.
gyre_status checkMapHandle(const Subject &subject, const gyre_map *map);

/// Checks the shape of an index and the number of nodes, and counts entries.
gyre_status checkMapSize(const Subject &subject, const gyre_tensor &index,
                         int64_t &entries, int64_t target);

/// Checks that the arrays of a map agree with each other. Reads all of them.
gyre_status checkMapContents(const Subject &subject, const gyre_map &map);

} // namespace gyre::runtime

#endif // GYRE_LIB_RUNTIME_MAP_H
