//===- SpecScope.cpp - Names that a spec's functions may use --------------===//

#include "SpecScope.h"

using namespace mlir;

namespace gyre {

namespace {
class ScopeVerifier {
public:
  ScopeVerifier(const llvm::StringSet<> &params,
                const llvm::StringSet<> &typeParams)
      : params(params), typeParams(typeParams) {}

  LogicalResult verify(FuncOp func);
  /// Checks what is evaluated at compile time.
  LogicalResult verifyStatic(Operation *op, PolyAttr poly,
                             const llvm::StringSet<> *iterators = nullptr);

private:
  LogicalResult verify(Operation *op, const llvm::StringSet<> &bound);
  LogicalResult verifyRelation(Operation *op, RelationAttr relation);

  const llvm::StringSet<> &params, &typeParams;
};
} // namespace

/// Names that a call binds: tensor dimensions that are exactly a name, and
/// sizes of maps that are.
static llvm::StringSet<> getBoundSizes(FuncOp func) {
  llvm::StringSet<> bound;
  auto bind = [&](PolyAttr size) {
    if (StringAttr name = size.getVariable())
      bound.insert(name);
  };
  for (Type type : func.getArgumentTypes()) {
    if (auto tensor = dyn_cast<TensorType>(type)) {
      llvm::for_each(tensor.getDims(), bind);
    } else if (auto map = dyn_cast<MapType>(type)) {
      llvm::for_each(map.getAxisSizes(), bind);
      bind(map.getTarget());
    }
  }
  return bound;
}

LogicalResult ScopeVerifier::verify(FuncOp func) {
  llvm::StringSet<> bound = getBoundSizes(func);
  WalkResult walk = func.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { return WalkResult(verify(op, bound)); });
  return failure(walk.wasInterrupted());
}

LogicalResult ScopeVerifier::verifyStatic(Operation *op, PolyAttr poly,
                                          const llvm::StringSet<> *iterators) {
  StringAttr unknown;
  poly.walkVariables([&](StringAttr name) {
    if (!params.contains(name) && !(iterators && iterators->contains(name)))
      unknown = name;
  });
  if (unknown)
    return op->emitError("[spec-static] expected a parameter")
           << (iterators ? " or an iterator" : "") << ", got `"
           << unknown.getValue() << "` in " << poly.str();
  return success();
}

LogicalResult ScopeVerifier::verifyRelation(Operation *op,
                                            RelationAttr relation) {
  for (PieceAttr piece : relation.getPieces()) {
    llvm::StringSet<> iterators;
    for (RangeAttr range : piece.getRanges()) {
      if (failed(verifyStatic(op, range.getLower(), &iterators)) ||
          failed(verifyStatic(op, range.getUpper(), &iterators)))
        return failure();
      iterators.insert(range.getName());
    }
    for (PolyAttr index : piece.getIndices())
      if (failed(verifyStatic(op, index, &iterators)))
        return failure();
  }
  return success();
}

LogicalResult ScopeVerifier::verify(Operation *op,
                                    const llvm::StringSet<> &bound) {
  // Sizes and types stand in attributes (a function's signature is one) and in
  // the types of results; those of operands and block arguments come from
  // there.
  StringAttr size, element;
  AttrTypeWalker walker;
  walker.addWalk([&](PolyAttr poly) {
    poly.walkVariables([&](StringAttr name) {
      if (!params.contains(name) && !bound.contains(name))
        size = name;
    });
  });
  walker.addWalk([&](ElementType type) {
    if (!typeParams.contains(type.getName()))
      element = type.getName();
  });
  walker.addWalk([](RelationAttr) { return WalkResult::skip(); });
  for (NamedAttribute attr : op->getAttrs())
    walker.walk<WalkOrder::PreOrder>(attr.getValue());
  for (Type type : op->getResultTypes())
    walker.walk<WalkOrder::PreOrder>(type);
  if (size)
    return op->emitError("[spec-size-bound] expected each size to be a "
                         "parameter or to be bound by an argument, got `")
           << size.getValue() << "`, which is neither";
  if (element)
    return op->emitError("[spec-type-bound] expected each element type to be "
                         "a float, an integer or a type parameter, got `")
           << element.getValue() << "`";
  if (auto contract = dyn_cast<ContractOp>(op))
    if (auto relation =
            dyn_cast_if_present<RelationAttr>(contract.getRelationAttr()))
      return verifyRelation(op, relation);
  if (auto repeat = dyn_cast<RepeatOp>(op))
    return verifyStatic(op, repeat.getCount());
  return success();
}

LogicalResult verifySpecNames(SpecOp spec, const llvm::StringSet<> &params,
                              const llvm::StringSet<> &typeParams) {
  ScopeVerifier scope(params, typeParams);
  for (auto alternative : spec.getBody().getOps<AlternativeOp>())
    for (ConditionAttr condition :
         alternative.getConditions().getAsRange<ConditionAttr>())
      if (failed(scope.verifyStatic(alternative, condition.getLhs())) ||
          failed(scope.verifyStatic(alternative, condition.getRhs())))
        return failure();
  WalkResult walk =
      spec.walk([&](FuncOp func) { return WalkResult(scope.verify(func)); });
  return failure(walk.wasInterrupted());
}

} // namespace gyre
