//===- Signature.cpp - Signatures in the runtime's terms ------------------===//

#include "Signature.h"

using namespace mlir;

namespace gyre::emit {

SmallVector<EntryAttr> getEntries(ModuleOp module) {
  SmallVector<EntryAttr> entries;
  for (Operation &op : *module.getBody())
    if (auto entry = op.getAttrOfType<EntryAttr>("gyre.entry"))
      entries.push_back(entry);
  return entries;
}

StringRef getSpecName(ModuleOp module) {
  auto name = module->getAttrOfType<StringAttr>("gyre.spec");
  return name ? name.getValue() : StringRef();
}

std::optional<Dtype> getDtype(Type element) {
  if (element.isF64())
    return Dtype{GYRE_DTYPE_F64, "f64"};
  if (element.isF32())
    return Dtype{GYRE_DTYPE_F32, "f32"};
  if (element.isF16())
    return Dtype{GYRE_DTYPE_F16, "f16"};
  if (element.isBF16())
    return Dtype{GYRE_DTYPE_BF16, "bf16"};
  if (element.isSignlessInteger(1))
    return Dtype{GYRE_DTYPE_I1, "i1"};
  if (element.isSignlessInteger(8))
    return Dtype{GYRE_DTYPE_I8, "i8"};
  if (element.isSignlessInteger(16))
    return Dtype{GYRE_DTYPE_I16, "i16"};
  if (element.isSignlessInteger(32))
    return Dtype{GYRE_DTYPE_I32, "i32"};
  if (element.isSignlessInteger(64))
    return Dtype{GYRE_DTYPE_I64, "i64"};
  return std::nullopt;
}

static entry::Dimension encode(EntryAttr entry, PolyAttr size) {
  entry::Dimension dimension;
  dimension.text = size.str();
  for (auto [coef, monomial] :
       llvm::zip_equal(size.getCoefs(), size.getMonomials())) {
    entry::Term &term = dimension.terms.emplace_back();
    term.coefficient = coef;
    for (StringAttr name : monomial.getAsRange<StringAttr>())
      term.sizes.push_back(llvm::find(entry.getSizes(), name) -
                           entry.getSizes().begin());
  }
  return dimension;
}

static std::vector<entry::Dimension> encode(EntryAttr entry,
                                            ArrayRef<PolyAttr> sizes) {
  std::vector<entry::Dimension> dimensions;
  for (PolyAttr size : sizes)
    dimensions.push_back(encode(entry, size));
  return dimensions;
}

entry::Table encode(EntryAttr entry) {
  auto layoutOf = [](EntryOperandAttr operand) {
    return entry::Layout{operand.getCompact(), operand.getAlignment()};
  };
  entry::Builder builder(entry.getName().getValue().str(),
                         static_cast<int64_t>(entry.getDevice()));
  for (StringAttr name : entry.getSizes())
    builder.addSize(name.getValue().str());
  for (EntryOperandAttr argument : entry.getArguments()) {
    std::string name = argument.getName().str();
    if (auto map = dyn_cast<MapType>(argument.getType())) {
      builder.addMap(name, encode(entry, map.getAxisSizes()),
                     encode(entry, map.getTarget()), map.getPadded());
      continue;
    }
    auto tensor = cast<TensorType>(argument.getType());
    builder.addArgument(name, getDtype(tensor.getElementType())->code,
                        encode(entry, tensor.getDims()), layoutOf(argument));
  }
  for (EntryOperandAttr result : entry.getResults()) {
    auto tensor = cast<TensorType>(result.getType());
    builder.addResult(result.getName().str(),
                      getDtype(tensor.getElementType())->code,
                      encode(entry, tensor.getDims()), layoutOf(result));
  }
  for (EntryBufferAttr buffer : entry.getWorkspace())
    builder.addWorkspaceBuffer(buffer.getBytes(),
                               encode(entry, buffer.getElements()));
  return builder.encode();
}

std::array<std::string, 3> getSymbols(EntryAttr entry) {
  std::string name = entry.getName().str();
  return {name, name + "_packed", name + "_workspace"};
}

} // namespace gyre::emit
