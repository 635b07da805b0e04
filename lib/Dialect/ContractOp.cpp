//===- ContractOp.cpp - Text form and invariants of gyre.contract ---------===//

#include "gyre/Dialect/OpSyntax.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace gyre {

/// Visits each axis of a subscript.
static void walkAxes(ArrayAttr subscript,
                     llvm::function_ref<void(StringAttr)> visit) {
  for (Attribute group : subscript)
    for (Attribute axis : cast<ArrayAttr>(group))
      visit(cast<StringAttr>(axis));
}

static bool isSubscript(Attribute attr) {
  auto entries = dyn_cast<ArrayAttr>(attr);
  return entries && llvm::all_of(entries, [](Attribute entry) {
           auto group = dyn_cast<ArrayAttr>(entry);
           return group && llvm::all_of(group, [](Attribute axis) {
                    return isa<StringAttr>(axis);
                  });
         });
}

//===----------------------------------------------------------------------===//
// Text form
//===----------------------------------------------------------------------===//

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
    // A comprehension starts with a brace, an evaluated relation with a bracket.
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
    StringRef keyword;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&keyword))
      return failure();
    std::optional<Precision> precision = symbolizePrecision(keyword);
    if (!precision)
      return parser.emitError(loc) << "[contract-precision] expected a "
                                      "precision such as ieee or tf32x3, got `"
                                   << keyword << "`";
    properties.precision =
        PrecisionAttr::get(builder.getContext(), *precision);
  }
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes) ||
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
          result.operands, result.attributes.getDictionary(builder.getContext()),
          result.getRawProperties(), result.regions, inferred)))
    return failure();
  result.addTypes(inferred);
  return success();
}

void ContractOp::print(OpAsmPrinter &printer) {
  printer << " ";
  llvm::interleaveComma(llvm::zip_equal(getInputs(), getSubscripts()), printer,
                        [&](auto input) {
                          printer << std::get<0>(input);
                          printSubscript(printer,
                                         cast<ArrayAttr>(std::get<1>(input)));
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
  if (getPrecision() != Precision::ieee)
    printer << " precision " << stringifyPrecision(getPrecision());
  printer.printOptionalAttrDict(
      (*this)->getAttrs(),
      {getSubscriptsAttrName(), getResultSubscriptAttrName(),
       getDomainAttrName(), getRelationAttrName(), getAccAttrName(),
       getPrecisionAttrName()});
  printer << " : ";
  llvm::interleaveComma(getInputs().getTypes(), printer);
}

//===----------------------------------------------------------------------===//
// Result and invariants
//===----------------------------------------------------------------------===//

namespace {
/// All that the invariants are about, before there is an op.
struct ContractParts {
  std::optional<Location> loc;
  SmallVector<TensorType> types;
  ArrayAttr subscripts, resultSubscript, domain;
  Attribute relation;
  Type acc;

  PolyAttr findSize(StringAttr axis) const {
    for (Attribute attr : domain)
      if (cast<AxisAttr>(attr).getName() == axis)
        return cast<AxisAttr>(attr).getSize();
    return {};
  }

  LogicalResult verify() const;
  LogicalResult verifySubscript(ArrayAttr subscript,
                                ArrayRef<PolyAttr> dims) const;
  LogicalResult verifyRelation(ArrayRef<StringAttr> used) const;
  LogicalResult verifyTuples(TuplesAttr tuples) const;
  FailureOr<SmallVector<PolyAttr>> getResultDims() const;
};
} // namespace

static std::string quote(StringAttr axis) {
  return ("`" + axis.getValue() + "`").str();
}

FailureOr<SmallVector<PolyAttr>> ContractParts::getResultDims() const {
  SmallVector<PolyAttr> dims;
  for (Attribute entry : resultSubscript) {
    PolyAttr size = PolyAttr::constant(domain.getContext(), 1);
    for (Attribute attr : cast<ArrayAttr>(entry)) {
      StringAttr axis = cast<StringAttr>(attr);
      PolyAttr axisSize = findSize(axis);
      if (!axisSize)
        return emitOptionalError(
            loc, "[contract-axis-unsized] expected a size for axis ",
            quote(axis), ", from an operand or from `with`");
      size = size.mul(axisSize);
    }
    dims.push_back(size);
  }
  return dims;
}

LogicalResult ContractParts::verifySubscript(ArrayAttr subscript,
                                             ArrayRef<PolyAttr> dims) const {
  if (subscript.size() != dims.size())
    return emitOptionalError(loc, "[contract-subscript-rank] expected ",
                             dims.size(), " entries in a subscript, got ",
                             subscript.size());
  llvm::SmallSet<StringRef, 8> seen;
  StringAttr repeated;
  walkAxes(subscript, [&](StringAttr axis) {
    if (!seen.insert(axis.getValue()).second)
      repeated = axis;
  });
  if (repeated)
    return emitOptionalError(loc, "[contract-axis-repeat] expected an axis "
                                  "once in a subscript, got ",
                             quote(repeated), " twice");
  for (auto [entry, dim] : llvm::zip_equal(subscript, dims)) {
    ArrayAttr group = cast<ArrayAttr>(entry);
    PolyAttr size = PolyAttr::constant(domain.getContext(), 1);
    for (Attribute attr : group) {
      StringAttr axis = cast<StringAttr>(attr);
      PolyAttr axisSize = findSize(axis);
      if (!axisSize)
        return emitOptionalError(
            loc, "[contract-axis-unsized] expected a size for axis ",
            quote(axis), ", from an operand or from `with`");
      size = size.mul(axisSize);
    }
    if (size == dim)
      continue;
    if (group.size() == 1)
      return emitOptionalError(loc, "[contract-axis-size] expected axis ",
                               quote(cast<StringAttr>(group[0])),
                               " to have one size, got ", size.str(), " and ",
                               dim.str());
    return emitOptionalError(loc, "[contract-group-size] expected a group of ",
                             "size ", dim.str(), ", got ", size.str());
  }
  return success();
}

LogicalResult ContractParts::verifyTuples(TuplesAttr tuples) const {
  for (auto [position, axis] : llvm::enumerate(tuples.getAxes())) {
    std::optional<int64_t> size = findSize(axis).getConstant();
    if (!size)
      continue;
    for (int64_t i = 0; i < tuples.size(); ++i) {
      int64_t index = tuples.tuple(i)[position];
      if (index < 0 || index >= *size)
        return emitOptionalError(
            loc, "[contract-tuple-range] expected indices of axis ",
            quote(axis), " in [0, ", *size, "), got ", index);
    }
  }
  return success();
}

LogicalResult ContractParts::verifyRelation(ArrayRef<StringAttr> used) const {
  if (!relation)
    return success();
  auto tuples = dyn_cast<TuplesAttr>(relation);
  ArrayRef<StringAttr> axes =
      tuples ? tuples.getAxes() : cast<RelationAttr>(relation).getAxes();
  for (size_t i = 0; i < axes.size(); ++i)
    if (!llvm::is_contained(used, axes[i]) ||
        llvm::is_contained(axes.take_front(i), axes[i]))
      return emitOptionalError(
          loc, "[contract-relation-axis] expected each axis of the relation "
               "once, and in a subscript, got ",
          quote(axes[i]));
  return tuples ? verifyTuples(tuples) : success();
}

LogicalResult ContractParts::verify() const {
  if (types.empty() || subscripts.size() != types.size() ||
      !llvm::all_of(subscripts, isSubscript) || !isSubscript(resultSubscript))
    return emitOptionalError(loc, "[contract-subscript-count] expected one "
                                  "subscript an operand, and at least one "
                                  "operand, got ",
                             subscripts.size(), " subscripts for ",
                             types.size(), " operands");
  Type element = types.front().getElementType();
  for (TensorType type : types)
    if (type.getElementType() != element)
      return emitOptionalError(loc, "[contract-element-type] expected operands "
                                    "of one element type, got ",
                               element, " and ", type.getElementType());
  if (acc) {
    auto wide = dyn_cast<FloatType>(acc), narrow = dyn_cast<FloatType>(element);
    bool parametric = isa<ElementType>(acc) || isa<ElementType>(element);
    if (!wide || (!parametric && wide.getWidth() < narrow.getWidth()))
      return emitOptionalError(loc, "[contract-accumulator] expected a float "
                                    "type at least as wide as ",
                               element, ", got ", acc);
  }
  SmallVector<StringAttr> used;
  auto use = [&](StringAttr axis) { used.push_back(axis); };
  for (auto [subscript, type] : llvm::zip_equal(subscripts, types)) {
    if (failed(verifySubscript(cast<ArrayAttr>(subscript), type.getDims())))
      return failure();
    walkAxes(cast<ArrayAttr>(subscript), use);
  }
  FailureOr<SmallVector<PolyAttr>> dims = getResultDims();
  if (failed(dims) || failed(verifySubscript(resultSubscript, *dims)))
    return failure();
  walkAxes(resultSubscript, use);
  llvm::SmallSet<StringRef, 8> sized;
  for (Attribute attr : domain) {
    StringAttr axis = cast<AxisAttr>(attr).getName();
    if (!llvm::is_contained(used, axis))
      return emitOptionalError(loc, "[contract-axis-unused] expected each "
                                    "sized axis in a subscript, got ",
                               quote(axis));
    if (!sized.insert(axis.getValue()).second)
      return emitOptionalError(loc, "[contract-axis-size] expected axis ",
                               quote(axis), " to have one size, got two");
  }
  return verifyRelation(used);
}

LogicalResult
ContractOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                             ContractOp::Adaptor adaptor,
                             SmallVectorImpl<Type> &inferred) {
  ContractParts parts{loc,
                      {},
                      adaptor.getSubscripts(),
                      adaptor.getResultSubscript(),
                      adaptor.getDomain(),
                      adaptor.getRelationAttr(),
                      adaptor.getAcc().value_or(Type())};
  for (Value input : adaptor.getInputs()) {
    auto type = dyn_cast<TensorType>(input.getType());
    if (!type)
      return failure(); // the operand constraints say what is wrong
    parts.types.push_back(type);
  }
  if (failed(parts.verify()))
    return failure();
  inferred.push_back(
      parts.types.front().cloneWithDims(*parts.getResultDims()));
  return success();
}

//===----------------------------------------------------------------------===//
// Accessors
//===----------------------------------------------------------------------===//

PolyAttr ContractOp::getAxisSize(StringAttr axis) {
  for (AxisAttr entry : getDomain().getAsRange<AxisAttr>())
    if (entry.getName() == axis)
      return entry.getSize();
  return {};
}

ArrayRef<StringAttr> ContractOp::getRelationAxes() {
  if (auto relation = dyn_cast_or_null<RelationAttr>(getRelationAttr()))
    return relation.getAxes();
  if (TuplesAttr tuples = getTuples())
    return tuples.getAxes();
  return {};
}

Type ContractOp::getAccumulatorType() {
  if (TypeAttr acc = getAccAttr())
    return acc.getValue();
  Type element = cast<TensorType>(getResult().getType()).getElementType();
  if (isa<Float16Type, BFloat16Type>(element))
    return Float32Type::get(getContext());
  return element;
}

} // namespace gyre
