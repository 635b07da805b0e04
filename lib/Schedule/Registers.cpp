//===- Registers.cpp - Registers of a GPU's threads -----------------------===//

#include "gyre/Schedule/Registers.h"

using namespace mlir;

namespace gyre::schedule {

int64_t getRegisters(FuncOp func, StringRef part) {
  DictionaryAttr parts;
  if (func)
    parts = func->getAttrOfType<DictionaryAttr>(kRegistersAttr);
  for (; parts && !part.empty();
       part = part.contains('.') ? part.rsplit('.').first : "")
    if (auto known = parts.getAs<IntegerAttr>(part))
      return std::max<int64_t>(known.getInt(), 1);
  return kRegisters;
}

int64_t getRegisters(KernelOp kernel) {
  auto part = kernel->getAttrOfType<StringAttr>(kPartAttr);
  return getRegisters(kernel->getParentOfType<FuncOp>(),
                      part ? part.getValue() : StringRef());
}

} // namespace gyre::schedule
