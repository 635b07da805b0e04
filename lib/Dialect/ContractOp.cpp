//===- ContractOp.cpp - Result type and invariants of gyre.contract -------===//

#include "gyre/Dialect/ContractBuilder.h"
#include "gyre/Dialect/PolySyntax.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;

namespace gyre {

//===----------------------------------------------------------------------===//
// Result and invariants
//===----------------------------------------------------------------------===//

static bool isSubscript(Attribute attr) {
  auto entries = dyn_cast<ArrayAttr>(attr);
  return entries && llvm::all_of(entries, [](Attribute entry) {
           auto group = dyn_cast<ArrayAttr>(entry);
           return group && !group.empty() &&
                  llvm::all_of(group, llvm::IsaPred<StringAttr>);
         });
}

static constexpr StringLiteral notASubscript =
    "[contract-subscript-rank] expected an array with a non-empty array of "
    "axis names for each dimension, got ";

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
  LogicalResult verifyTypes() const;
  LogicalResult verifyDomain(ArrayRef<StringAttr> used) const;
  FailureOr<PolyAttr> getGroupSize(Attribute group) const;
  FailureOr<SmallVector<PolyAttr>> getResultDims() const;
};
} // namespace

static std::string quote(StringAttr axis) {
  return ("`" + axis.getValue() + "`").str();
}

FailureOr<PolyAttr> ContractParts::getGroupSize(Attribute group) const {
  PolyAttr size = PolyAttr::constant(domain.getContext(), 1);
  for (Attribute attr : cast<ArrayAttr>(group)) {
    StringAttr axis = cast<StringAttr>(attr);
    PolyAttr axisSize = findSize(axis);
    if (!axisSize)
      return emitOptionalError(
          loc, "[contract-axis-unsized] expected a size for axis ", quote(axis),
          ", from an operand or from `with`, got none");
    size = size.mul(axisSize);
  }
  return size;
}

FailureOr<SmallVector<PolyAttr>> ContractParts::getResultDims() const {
  SmallVector<PolyAttr> dims;
  for (Attribute entry : resultSubscript) {
    FailureOr<PolyAttr> size = getGroupSize(entry);
    if (failed(size))
      return failure();
    dims.push_back(*size);
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
    return emitOptionalError(loc,
                             "[contract-axis-repeat] expected an axis "
                             "once in a subscript, got ",
                             quote(repeated), " twice");
  for (auto [entry, dim] : llvm::zip_equal(subscript, dims)) {
    ArrayAttr group = cast<ArrayAttr>(entry);
    FailureOr<PolyAttr> size = getGroupSize(entry);
    if (failed(size))
      return failure();
    if (*size == dim)
      continue;
    if (group.size() == 1)
      return emitOptionalError(loc, "[contract-axis-size] expected axis ",
                               quote(cast<StringAttr>(group[0])),
                               " to have one size, got ", size->str(), " and ",
                               dim.str());
    return emitOptionalError(loc, "[contract-group-size] expected a group of ",
                             "size ", dim.str(), ", got ", size->str());
  }
  return success();
}

LogicalResult ContractParts::verifyTuples(TuplesAttr tuples) const {
  for (auto [position, axis] : llvm::enumerate(tuples.getAxes())) {
    PolyAttr size = findSize(axis);
    std::optional<int64_t> constant = size.getConstant();
    for (int64_t i = 0; i < tuples.size(); ++i) {
      int64_t index = tuples.tuple(i)[position];
      if (index < 0 || (constant && index >= *constant))
        return emitOptionalError(
            loc, "[contract-tuple-range] expected indices of axis ",
            quote(axis), " in [0, ", size.str(), "), got ", index);
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
          loc,
          "[contract-relation-axis] expected each axis of the relation "
          "once, and in a subscript, got ",
          quote(axes[i]));
  return tuples ? verifyTuples(tuples) : success();
}

LogicalResult ContractParts::verifyTypes() const {
  Type element = types.front().getElementType();
  for (TensorType type : types)
    if (type.getElementType() != element || !isa<FloatType>(element))
      return emitOptionalError(loc,
                               "[contract-element-type] expected operands "
                               "of one floating-point element type, got ",
                               element, " and ", type.getElementType());
  if (!acc)
    return success();
  // What a parameter stands for is compared once it is known.
  bool parametric = isa<ElementType>(acc) || isa<ElementType>(element);
  if (!(isa<ElementType>(acc) || TensorType::isSupportedFloat(acc)) ||
      (!parametric && !llvm::APFloat::isRepresentableBy(
                          cast<FloatType>(element).getFloatSemantics(),
                          cast<FloatType>(acc).getFloatSemantics())))
    return emitOptionalError(loc,
                             "[contract-accumulator] expected f64, f32, "
                             "f16 or bf16, with every value of ",
                             element, ", got ", acc);
  return success();
}

LogicalResult ContractParts::verifyDomain(ArrayRef<StringAttr> used) const {
  llvm::SmallSet<StringRef, 8> sized;
  for (Attribute attr : domain) {
    StringAttr axis = cast<AxisAttr>(attr).getName();
    PolyAttr size = cast<AxisAttr>(attr).getSize();
    if (!llvm::is_contained(used, axis))
      return emitOptionalError(loc,
                               "[contract-axis-unused] expected each "
                               "sized axis in a subscript, got ",
                               quote(axis));
    if (!sized.insert(axis.getValue()).second)
      return emitOptionalError(loc, "[contract-axis-size] expected axis ",
                               quote(axis), " to have one size, got two");
    if (size.getConstant().value_or(0) < 0)
      return emitOptionalError(
          loc, "[contract-axis-size] expected axis ", quote(axis),
          " to have a size of at least 0, got ", size.str());
  }
  return success();
}

LogicalResult ContractParts::verify() const {
  if (types.empty() || subscripts.size() != types.size())
    return emitOptionalError(loc,
                             "[contract-subscript-count] expected one "
                             "subscript an operand, and at least one "
                             "operand, got ",
                             subscripts.size(), " subscripts for ",
                             types.size(), " operands");
  for (Attribute attr : subscripts)
    if (!isSubscript(attr))
      return emitOptionalError(loc, notASubscript, attr);
  if (!isSubscript(resultSubscript))
    return emitOptionalError(loc, notASubscript, resultSubscript);
  if (failed(verifyTypes()))
    return failure();
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
  if (failed(verifyDomain(used)))
    return failure();
  return verifyRelation(used);
}

LogicalResult ContractOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> loc,
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
    TensorType type = TensorType::getOperand(loc, input);
    if (!type)
      return failure();
    parts.types.push_back(type);
  }
  if (failed(parts.verify()))
    return failure();
  return TensorType::infer(loc, *parts.getResultDims(),
                           parts.types.front().getElementType(), inferred);
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
  return getImpliedAccumulator(
      cast<TensorType>(getResult().getType()).getElementType());
}

} // namespace gyre
