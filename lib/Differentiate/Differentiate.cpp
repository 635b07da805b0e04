//===- Differentiate.cpp - Carries out the declared derivatives -----------===//

#include "gyre/Differentiate/Differentiate.h"
#include "gyre/Transforms/Passes.h"

#include "Derivation.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_DIFFERENTIATE
#include "gyre/Transforms/Passes.h.inc"

namespace {
/// Derivatives in the order of their primals.
class Resolver {
public:
  explicit Resolver(GradientObserver observer) : observer(observer) {}

  /// The function that `derive` declares; carries it out, and its primal
  /// before.
  FailureOr<FuncOp> resolve(DeriveOp derive) {
    if (FuncOp func = done.lookup(derive))
      return func;
    if (!active.insert(derive))
      return emitCycle(derive);
    FailureOr<FuncOp> primal = resolvePrimal(derive);
    if (failed(primal))
      return failure();
    UnneededArguments arguments = unneeded.lookup(*primal);
    FailureOr<FuncOp> func =
        buildDerivative(derive, *primal, arguments, observer);
    if (failed(func))
      return failure();
    unneeded[*func] = std::move(arguments);
    active.pop_back();
    done[derive] = *func;
    return func;
  }

private:
  FailureOr<FuncOp> resolvePrimal(DeriveOp derive) {
    // In the derivative's own scope only: a spec's alternatives stand apart.
    Operation *scope = derive->getParentOp();
    Operation *symbol =
        SymbolTable::lookupSymbolIn(scope, derive.getPrimalAttr());
    if (auto func = dyn_cast_or_null<FuncOp>(symbol))
      return func;
    if (auto other = dyn_cast_or_null<DeriveOp>(symbol))
      return resolve(other);
    return derive.emitError("[derive-primal] expected the name of a function "
                            "or of a derivative of the same scope, got @")
           << derive.getPrimal();
  }

  LogicalResult emitCycle(DeriveOp derive) {
    InFlightDiagnostic diag = derive.emitError(
        "[derive-cycle] expected a primal that does not depend on this "
        "derivative, got @");
    diag << derive.getPrimal();
    for (DeriveOp step : active)
      diag.attachNote(step.getLoc())
          << "@" << step.getSymName() << " derives @" << step.getPrimal();
    return diag;
  }

  GradientObserver observer;
  DenseMap<Operation *, FuncOp> done;
  DenseMap<Operation *, UnneededArguments> unneeded;
  llvm::SetVector<DeriveOp> active;
};

struct DifferentiatePass final : impl::DifferentiateBase<DifferentiatePass> {
  using DifferentiateBase::DifferentiateBase;

  void runOnOperation() override {
    if (failed(carryOutDerivatives(getOperation())))
      signalPassFailure();
  }
};
} // namespace

LogicalResult carryOutDerivatives(Operation *root, GradientObserver observer) {
  SmallVector<DeriveOp> derives;
  root->walk([&](DeriveOp derive) { derives.push_back(derive); });
  Resolver resolver(observer);
  for (DeriveOp derive : derives)
    if (failed(resolver.resolve(derive)))
      return failure();
  for (DeriveOp derive : derives)
    derive.erase();
  return success();
}

} // namespace gyre
