//===- ContractSyntax.cpp - Text form of gyre.contract --------------------===//

#include "gyre/Dialect/OpSyntax.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace gyre {

namespace {
/// Sizes of axes, gathered while parsing: first from `with`, then from operand
/// dimensions that are a single axis.
class DomainBuilder {
public:
  void add(StringAttr axis, PolyAttr size) { sizes.insert({axis, size}); }

  void addOperand(ArrayAttr subscript, TensorType type) {
    if (subscript.size() != type.getDims().size())
      return; // the verifier says so
    for (auto [entry, dim] : llvm::zip_equal(subscript, type.getDims()))
      if (auto group = cast<ArrayAttr>(entry); group.size() == 1)
        add(cast<StringAttr>(group[0]), dim);
  }

  /// Axes in the order of their first appearance in the subscripts; those that
  /// have no size are left to the verifier, and so are those that have no use.
  ArrayAttr build(MLIRContext *context, ArrayRef<ArrayAttr> subscripts) {
    SmallVector<Attribute> axes;
    llvm::MapVector<StringAttr, PolyAttr> left = sizes;
    for (ArrayAttr subscript : subscripts)
      walkAxes(subscript, [&](StringAttr axis) {
        auto it = left.find(axis);
        if (it == left.end())
          return;
        axes.push_back(AxisAttr::get(context, axis, it->second));
        left.erase(it);
      });
    for (auto [axis, size] : left)
      axes.push_back(AxisAttr::get(context, axis, size));
    return ArrayAttr::get(context, axes);
  }

private:
  llvm::MapVector<StringAttr, PolyAttr> sizes;
};
} // namespace

/// Axes whose size the types do not tell: those that stand only in groups, and
/// those that only the result has.
static SmallVector<AxisAttr> getAxesToPrint(ContractOp op) {
  llvm::SmallSet<StringRef, 8> told;
  for (Attribute subscript : op.getSubscripts())
    for (Attribute entry : cast<ArrayAttr>(subscript))
      if (auto group = cast<ArrayAttr>(entry); group.size() == 1)
        told.insert(cast<StringAttr>(group[0]).getValue());
  SmallVector<AxisAttr> axes;
  for (Attribute attr : op.getDomain())
    if (auto axis = cast<AxisAttr>(attr); !told.contains(axis.getName()))
      axes.push_back(axis);
  return axes;
}

ParseResult ContractOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  // Set as properties: the result's type is inferred from them below.
  auto &properties = result.getOrAddProperties<ContractOp::Properties>();
  SmallVector<OpAsmParser::UnresolvedOperand> inputs;
  SmallVector<ArrayAttr> subscripts;
  DomainBuilder domain;
  auto parseInput = [&]() -> ParseResult {
    return failure(parser.parseOperand(inputs.emplace_back()) ||
                   parseSubscript(parser, subscripts.emplace_back()));
  };
  ArrayAttr resultSubscript;
  if (parser.parseCommaSeparatedList(parseInput) || parser.parseArrow() ||
      parseSubscript(parser, resultSubscript))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("with"))) {
    auto parseSize = [&]() -> ParseResult {
      StringAttr axis;
      PolyAttr size;
      if (parseName(parser, axis) || parser.parseEqual() ||
          parsePoly(parser, size))
        return failure();
      domain.add(axis, size);
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseSize))
      return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("over"))) {
    // A comprehension starts with a brace, an evaluated relation with a
    // bracket.
    Attribute relation;
    TuplesAttr tuples;
    RelationAttr comprehension;
    if (succeeded(parser.parseOptionalLSquare())) {
      if (parseTuplesAfterSquare(parser, tuples))
        return failure();
      relation = tuples;
    } else {
      if (parseRelation(parser, comprehension))
        return failure();
      relation = comprehension;
    }
    properties.relation = relation;
  }
  if (succeeded(parser.parseOptionalKeyword("acc"))) {
    Type acc;
    if (parser.parseType(acc))
      return failure();
    properties.acc = TypeAttr::get(acc);
  }
  if (succeeded(parser.parseOptionalKeyword("precision"))) {
    PrecisionAttr precision;
    if (parsePrecision(parser,
                       "[contract-precision] expected a precision such as ieee "
                       "or tf32x3",
                       precision))
      return failure();
    properties.precision = precision;
  }
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (parseOtherAttributes(parser, result, /*withKeyword=*/false) ||
      parser.parseColonTypeList(types) ||
      parser.resolveOperands(inputs, types, loc, result.operands))
    return failure();
  for (auto [subscript, type] : llvm::zip_equal(subscripts, types))
    if (auto tensor = dyn_cast<TensorType>(type))
      domain.addOperand(subscript, tensor);

  SmallVector<ArrayAttr> all(subscripts);
  all.push_back(resultSubscript);
  properties.subscripts = builder.getArrayAttr(
      SmallVector<Attribute>(subscripts.begin(), subscripts.end()));
  properties.result_subscript = resultSubscript;
  properties.domain = domain.build(builder.getContext(), all);
  SmallVector<Type> inferred;
  if (failed(ContractOp::inferReturnTypes(
          builder.getContext(), parser.getEncodedSourceLoc(parser.getNameLoc()),
          result.operands,
          result.attributes.getDictionary(builder.getContext()),
          result.getRawProperties(), result.regions, inferred)))
    return failure();
  result.addTypes(inferred);
  return success();
}

void ContractOp::print(OpAsmPrinter &printer) {
  printer << " ";
  llvm::interleaveComma(
      llvm::zip_equal(getInputs(), getSubscripts()), printer, [&](auto input) {
        printer << std::get<0>(input);
        printSubscript(printer, cast<ArrayAttr>(std::get<1>(input)));
      });
  printer << " -> ";
  printSubscript(printer, getResultSubscript());
  SmallVector<AxisAttr> axes = getAxesToPrint(*this);
  if (!axes.empty()) {
    printer << " with (";
    llvm::interleaveComma(axes, printer, [&](AxisAttr axis) {
      printer << axis.getName().getValue() << " = " << axis.getSize().str();
    });
    printer << ")";
  }
  if (auto relation = dyn_cast_or_null<RelationAttr>(getRelationAttr())) {
    printer << " over ";
    printRelation(printer, relation);
  } else if (TuplesAttr tuples = getTuples()) {
    printer << " over ";
    printTuples(printer, tuples);
  }
  if (TypeAttr acc = getAccAttr())
    printer << " acc " << acc.getValue();
  if (std::optional<Precision> precision = getPrecision())
    printer << " precision " << stringifyPrecision(*precision);
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getSubscriptsAttrName(),
                                 getResultSubscriptAttrName(),
                                 getDomainAttrName(), getRelationAttrName(),
                                 getAccAttrName(), getPrecisionAttrName()});
  printer << " : ";
  llvm::interleaveComma(getInputs().getTypes(), printer);
}

} // namespace gyre
