//===- Buffers.h - Buffers that take turns in memory ------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_BUFFERS_H
#define GYRE_LIB_LOWERING_KERNELS_BUFFERS_H

#include "gyre/Dialect/Gyre.h"

namespace gyre::kernels {

/// Buffers of a workspace, each of which is needed for a while: those that are
/// not needed at the same time share a place.
class Buffers {
public:
  /// When a buffer's contents are needed: from the kernel that first writes
  /// there to the last that reads them, both included, by their numbers.
  struct Life {
    int64_t first, last;

    bool meets(Life other) const {
      return first <= other.last && other.first <= last;
    }
  };

  /// Asks for a buffer, and numbers it.
  unsigned add(EntryBufferAttr buffer, Life life);

  /// Places, in the order in which their first buffers were asked for, and of
  /// each buffer the number of its place.
  struct Places {
    llvm::SmallVector<EntryBufferAttr> sizes;
    llvm::SmallVector<unsigned> placeOf;
  };
  Places place() const;

private:
  struct Buffer {
    EntryBufferAttr size;
    Life life;
  };
  std::vector<Buffer> buffers;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_BUFFERS_H
