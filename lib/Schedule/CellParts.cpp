//===- CellParts.cpp - Long sums of few cells -----------------------------===//

#include "Facts.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gyre::schedule {

/// As many parts as give each worker something to do, and no more than a cell
/// can add up in the end.
void cutSum(CellsOp kernel, bool cuda) {
  if (kernel.getParts() || !kernel.getSum())
    return;
  int64_t cells = 1;
  auto type = cast<TensorType>(kernel.getResult(0).getType());
  for (PolyAttr dim : type.getDims()) {
    std::optional<int64_t> size = dim.getConstant();
    if (!size)
      return;
    cells = llvm::SaturatingMultiply<uint64_t>(cells, *size);
  }
  if (cells == 0)
    return;
  int64_t threads = cuda ? int64_t(132) * 2048 : 4096;
  int64_t most = cuda ? 1024 : 64;
  int64_t parts = std::min<int64_t>(llvm::divideCeil(threads, cells), most);
  if (parts > 1)
    kernel.setParts(parts);
}

} // namespace gyre::schedule
