//===- Formula.cpp - Contracts in the notation of the formulas ------------===//

#include "Formula.h"

#include "gyre/Dialect/ContractBuilder.h"

using namespace mlir;

namespace gyre {

Size Formula::iterator(StringRef name, ArrayRef<Size> sizes) {
  std::string text = name.str();
  auto taken = [&] {
    bool found = false;
    for (Size size : sizes)
      size.poly.walkVariables(
          [&](StringAttr variable) { found |= variable.getValue() == text; });
    return found;
  };
  while (taken())
    text += "_";
  return {PolyAttr::variable(builder.getStringAttr(text))};
}

RelationAttr Formula::relation(StringRef axes, ArrayRef<Piece> pieces) {
  MLIRContext *context = builder.getContext();
  SmallVector<StringRef> names;
  axes.split(names, ' ');
  SmallVector<PieceAttr> attrs;
  for (const Piece &piece : pieces) {
    SmallVector<PolyAttr> indices;
    for (Size index : piece.indices)
      indices.push_back(index.poly);
    SmallVector<RangeAttr> ranges;
    for (const Iterator &iterator : piece.iterators)
      ranges.push_back(RangeAttr::get(context, iterator.name.poly.getVariable(),
                                      iterator.lower.poly,
                                      iterator.upper.poly));
    attrs.push_back(
        PieceAttr::get(context, indices, builder.getF64FloatAttr(1.0), ranges));
  }
  return RelationAttr::get(
      context,
      llvm::map_to_vector(
          names, [&](StringRef name) { return builder.getStringAttr(name); }),
      attrs);
}

/// `e (s p)` as the attribute `[[e], [s, p]]`.
static ArrayAttr getSubscript(Builder &builder, StringRef text) {
  SmallVector<Attribute> entries, group;
  SmallVector<StringRef> tokens;
  text.split(tokens, ' ');
  bool open = false;
  for (StringRef token : tokens) {
    open |= token.consume_front("(");
    bool closed = token.consume_back(")");
    group.push_back(builder.getStringAttr(token));
    if (open && !closed)
      continue;
    entries.push_back(builder.getArrayAttr(group));
    group.clear();
    open = false;
  }
  return builder.getArrayAttr(entries);
}

Value Formula::contract(ArrayRef<std::pair<Value, StringRef>> operands,
                        StringRef result,
                        ArrayRef<std::pair<StringRef, Size>> sizes,
                        Attribute relation) {
  SmallVector<Value> inputs;
  SmallVector<ArrayAttr> subscripts;
  SmallVector<AxisAttr> axes;
  auto addAxis = [&](StringAttr name, PolyAttr size) {
    axes.push_back(AxisAttr::get(builder.getContext(), name, size));
  };
  for (auto [name, size] : sizes)
    addAxis(builder.getStringAttr(name), size.poly);
  for (auto [value, text] : operands) {
    ArrayAttr subscript = getSubscript(builder, text);
    inputs.push_back(value);
    subscripts.push_back(subscript);
    for (auto [entry, dim] : llvm::zip_equal(
             subscript, cast<TensorType>(value.getType()).getDims()))
      if (auto group = cast<ArrayAttr>(entry); group.size() == 1)
        addAxis(cast<StringAttr>(group[0]), dim);
  }
  return buildContract(builder, loc, inputs, subscripts,
                       getSubscript(builder, result), axes, relation);
}

} // namespace gyre
