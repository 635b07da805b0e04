//===- ContractBuilder.cpp - Builds gyre.contract -------------------------===//

#include "gyre/Dialect/ContractBuilder.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gyre {

ContractOp buildContract(OpBuilder &builder, Location loc, ValueRange inputs,
                         ArrayRef<ArrayAttr> subscripts,
                         ArrayAttr resultSubscript, ArrayRef<AxisAttr> sizes,
                         Attribute relation, TypeAttr acc,
                         PrecisionAttr precision) {
  llvm::SetVector<StringAttr> order;
  auto addAxes = [&](ArrayAttr subscript) {
    for (Attribute group : subscript)
      for (Attribute axis : cast<ArrayAttr>(group))
        order.insert(cast<StringAttr>(axis));
  };
  llvm::for_each(subscripts, addAxes);
  addAxes(resultSubscript);
  SmallVector<Attribute> domain;
  for (StringAttr name : order)
    for (AxisAttr axis : sizes)
      if (axis.getName() == name) {
        domain.push_back(axis);
        break;
      }
  return ContractOp::create(builder, loc, inputs,
                            builder.getArrayAttr(SmallVector<Attribute>(
                                subscripts.begin(), subscripts.end())),
                            resultSubscript, builder.getArrayAttr(domain),
                            relation, acc, precision);
}

Type getImpliedAccumulator(Type element) {
  if (isa<Float16Type, BFloat16Type>(element))
    return Float32Type::get(element.getContext());
  return element;
}

} // namespace gyre
