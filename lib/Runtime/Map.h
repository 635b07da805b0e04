//===- Map.h - Checks of an index map ---------------------------*- C++ -*-===//

#ifndef GYRE_LIB_RUNTIME_MAP_H
#define GYRE_LIB_RUNTIME_MAP_H

#include "Error.h"

namespace gyre::runtime {

/// Checks that `map` is a handle that gyre_map_build made.
gyre_status checkMapHandle(const Subject &subject, const gyre_map *map);

/// Checks that the arrays of a map agree with each other. Reads all of them.
gyre_status checkMapContents(const Subject &subject, const gyre_map &map);

} // namespace gyre::runtime

#endif // GYRE_LIB_RUNTIME_MAP_H
