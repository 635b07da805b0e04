//===- Substitute.cpp - Values in place of parameters ---------------------===//

#include "Substitute.h"

#include "gyre/Transforms/EvaluateRelation.h"

#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;

namespace gyre {

namespace {

class Substituter {
public:
  explicit Substituter(const Parameters &parameters);

  LogicalResult run(Operation *root);
  /// Null, and an error at `op`, when the result does not fit.
  PolyAttr substitute(Operation *op, PolyAttr poly);

private:
  /// Has a member do the whole of an attribute or a type: what is inside is
  /// not visited again, for the parts of one that was refused are not replaced.
  template <typename FromT, typename ToT>
  void add(ToT (Substituter::*replace)(FromT)) {
    using BaseT = std::conditional_t<std::is_base_of_v<Attribute, FromT>,
                                     Attribute, Type>;
    replacer.addReplacement([this, replace](FromT from)
                                -> AttrTypeReplacer::ReplaceFnResult<BaseT> {
      return std::make_pair(BaseT((this->*replace)(from)), WalkResult::skip());
    });
  }

  InFlightDiagnostic fail();
  PolyAttr replacePoly(PolyAttr poly);
  PolyAttr replaceSize(PolyAttr size);
  AxisAttr replaceAxis(AxisAttr axis);
  Attribute replaceRelation(RelationAttr relation);
  Type replaceElement(ElementType type);
  Type replaceTensor(TensorType type);
  Type replaceMap(MapType type);

  const Parameters &parameters;
  AttrTypeReplacer replacer;
  /// The op at which errors are reported, and whether there was one: the
  /// replacer's callbacks cannot fail, so they return what they were given,
  /// and do so for the rest of the op once there was an error.
  Operation *current = nullptr;
  bool failedAlready = false;
};

} // namespace

Substituter::Substituter(const Parameters &parameters)
    : parameters(parameters) {
  add(&Substituter::replacePoly);
  add(&Substituter::replaceAxis);
  add(&Substituter::replaceRelation);
  add(&Substituter::replaceElement);
  add(&Substituter::replaceTensor);
  add(&Substituter::replaceMap);
}

InFlightDiagnostic Substituter::fail() {
  failedAlready = true;
  return current->emitError();
}

PolyAttr Substituter::replacePoly(PolyAttr poly) {
  if (failedAlready)
    return poly;
  PolyAttr replaced = poly.substitute([&](StringAttr name) -> PolyAttr {
    std::optional<int64_t> value = parameters.findSize(name);
    return value ? PolyAttr::constant(poly.getContext(), *value) : PolyAttr();
  });
  if (!replaced.isOverflow())
    return replaced;
  fail() << "[specialise-size] expected a size that fits in 64 bits, got "
         << poly.str();
  return poly;
}

PolyAttr Substituter::replaceSize(PolyAttr size) {
  PolyAttr replaced = replacePoly(size);
  std::optional<int64_t> constant = replaced.getConstant();
  if (failedAlready || !constant || *constant >= 0)
    return replaced;
  fail() << "[specialise-size] expected a size of at least 0, got " << *constant
         << " for " << size.str();
  return size;
}

AxisAttr Substituter::replaceAxis(AxisAttr axis) {
  return AxisAttr::get(axis.getContext(), axis.getName(),
                       replaceSize(axis.getSize()));
}

Attribute Substituter::replaceRelation(RelationAttr relation) {
  if (failedAlready)
    return relation;
  FailureOr<TuplesAttr> tuples = evaluateRelation(
      relation, [&](StringAttr name) { return parameters.findSize(name); },
      [&] { return fail(); });
  return succeeded(tuples) ? Attribute(*tuples) : Attribute(relation);
}

Type Substituter::replaceElement(ElementType type) {
  // A spec's verifier has checked that there is a parameter of that name.
  Type chosen = parameters.findType(type.getName());
  return chosen ? chosen : type;
}

Type Substituter::replaceTensor(TensorType type) {
  SmallVector<PolyAttr> dims;
  for (PolyAttr dim : type.getDims())
    dims.push_back(replaceSize(dim));
  Type element = type.getElementType();
  if (auto parameter = dyn_cast<ElementType>(element))
    element = replaceElement(parameter);
  // Not before the sizes are known to be in range.
  return failedAlready ? type : TensorType::get(dims, element);
}

Type Substituter::replaceMap(MapType type) {
  SmallVector<AxisAttr> axes;
  for (AxisAttr axis : type.getAxes())
    axes.push_back(replaceAxis(axis));
  return MapType::get(type.getContext(), axes, replaceSize(type.getTarget()),
                      type.getPadded());
}

LogicalResult Substituter::run(Operation *root) {
  WalkResult walk = root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    current = op;
    replacer.replaceElementsIn(op, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                               /*replaceTypes=*/true);
    return failedAlready ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

PolyAttr Substituter::substitute(Operation *op, PolyAttr poly) {
  current = op;
  PolyAttr replaced = replacePoly(poly);
  return failedAlready ? PolyAttr() : replaced;
}

LogicalResult substituteParameters(Operation *root,
                                   const Parameters &parameters) {
  return Substituter(parameters).run(root);
}

FailureOr<bool> evaluateCondition(Operation *op, ConditionAttr condition,
                                  const Parameters &parameters) {
  Substituter substituter(parameters);
  PolyAttr lhs = substituter.substitute(op, condition.getLhs());
  PolyAttr rhs = substituter.substitute(op, condition.getRhs());
  if (!lhs || !rhs)
    return failure();
  std::optional<bool> holds = ConditionAttr::get(condition.getContext(), lhs,
                                                 condition.getComparison(), rhs)
                                  .evaluate();
  if (!holds)
    return op->emitError("[specialise-alternative] expected a condition on "
                         "parameters of the spec, got ")
           << condition.str();
  return *holds;
}

} // namespace gyre
