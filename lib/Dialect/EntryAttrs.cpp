//===- EntryAttrs.cpp - Invariants of entry points' signatures ------------===//

#include "gyre/Dialect/Gyre.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace gyre {

LogicalResult
EntryOperandAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                         StringAttr name, Type type, bool compact,
                         int64_t alignment) {
  if ((compact || alignment) && !isa<TensorType>(type))
    return emitError() << "[entry-layout] expected a tensor for the layout of "
                       << name << ", got " << type;
  if (alignment < 0 || (alignment & (alignment - 1)))
    return emitError() << "[entry-layout] expected a power of two for the "
                          "alignment of "
                       << name << ", got " << alignment;
  return success();
}

LogicalResult EntryAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                StringAttr, DeviceKind,
                                ArrayRef<StringAttr> sizes,
                                ArrayRef<EntryOperandAttr> arguments,
                                ArrayRef<EntryOperandAttr> results,
                                ArrayRef<EntryBufferAttr> workspace) {
  StringAttr missing;
  auto check = [&](PolyAttr size) {
    size.walkVariables([&](StringAttr name) {
      if (!llvm::is_contained(sizes, name))
        missing = name;
    });
  };
  for (EntryOperandAttr operand :
       llvm::concat<const EntryOperandAttr>(arguments, results)) {
    if (auto tensor = dyn_cast<TensorType>(operand.getType())) {
      llvm::for_each(tensor.getDims(), check);
    } else if (auto map = dyn_cast<MapType>(operand.getType())) {
      llvm::for_each(map.getAxisSizes(), check);
      check(map.getTarget());
    }
  }
  for (EntryBufferAttr buffer : workspace)
    check(buffer.getElements());
  if (missing)
    return emitError() << "[entry-size] expected each size of an operand or a "
                          "buffer in `sizes`, got none of name "
                       << missing;
  return success();
}

} // namespace gyre
