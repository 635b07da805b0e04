//===- Specialise.cpp - Fix a spec's parameters ---------------------------===//

#include "Substitute.h"
#include "Unroll.h"

#include "gyre/Transforms/Passes.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_SPECIALISE
#include "gyre/Transforms/Passes.h.inc"

/// The spec of that name, or the only one. Null, without an error, where the
/// module has none and none is asked for.
static FailureOr<SpecOp> findSpec(ModuleOp module, StringRef name,
                                  bool needed) {
  auto specs = llvm::to_vector(module.getOps<SpecOp>());
  auto list = [&](InFlightDiagnostic &diag) {
    llvm::interleaveComma(
        specs, diag, [&](SpecOp spec) { diag << "@" << spec.getSymName(); });
  };
  if (specs.empty()) {
    if (!needed)
      return SpecOp();
    return module.emitError(
        "[specialise-spec] expected a gyre.spec in the module, got none");
  }
  if (name.empty()) {
    if (specs.size() == 1)
      return specs.front();
    InFlightDiagnostic diag =
        module.emitError("[specialise-spec] expected the name of a spec (");
    list(diag);
    return diag << "), got none";
  }
  for (SpecOp spec : specs)
    if (spec.getSymName() == name)
      return spec;
  InFlightDiagnostic diag =
      module.emitError("[specialise-spec] expected the name of a spec (");
  list(diag);
  return diag << "), got `" << name << "`";
}

/// The one alternative whose conditions hold; null when the spec has none.
static FailureOr<AlternativeOp> findAlternative(SpecOp spec,
                                                const Parameters &parameters) {
  AlternativeOp found;
  bool any = false;
  for (auto alternative : spec.getOps<AlternativeOp>()) {
    any = true;
    bool all = true;
    for (auto condition :
         alternative.getConditions().getAsRange<ConditionAttr>()) {
      FailureOr<bool> holds =
          evaluateCondition(alternative, condition, parameters);
      if (failed(holds))
        return failure();
      all &= *holds;
    }
    if (!all)
      continue;
    if (found) {
      InFlightDiagnostic diag = alternative.emitError(
          "[specialise-alternative] expected one alternative to hold, got two");
      diag.attachNote(found.getLoc()) << "the other one";
      return diag;
    }
    found = alternative;
  }
  if (any && !found)
    return spec.emitError("[specialise-alternative] expected one alternative "
                          "to hold, got none for ")
           << parameters.toAttr(spec.getContext());
  return found;
}

/// No relation of a named op could be listed otherwise.
static LogicalResult checkStaticSizes(FuncOp func) {
  WalkResult walk = func.walk([&](DecomposableOpInterface op) -> WalkResult {
    for (PolyAttr size : op.getStaticSizes())
      if (!size.getConstant())
        return op->emitError("[specialise-relation] expected a size made of "
                             "parameters, got ")
               << size.str();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

static LogicalResult specialise(Operation *op, const Parameters &parameters) {
  // The verifiers see constant sizes now; unrolling relies on what they check.
  if (failed(substituteParameters(op, parameters)) || failed(verify(op)))
    return failure();
  auto func = dyn_cast<FuncOp>(op);
  return failure(
      func && (failed(checkStaticSizes(func)) || failed(unrollRepeats(func))));
}

/// Functions and derivatives of the spec, those of the alternative in its
/// place.
static SmallVector<Operation *> getMembers(SpecOp spec,
                                           AlternativeOp alternative) {
  SmallVector<Operation *> members;
  for (Operation &op : *spec.getBody().begin()) {
    if (isa<FuncOp, DeriveOp>(op))
      members.push_back(&op);
    else if (&op == alternative.getOperation())
      for (Operation &inner : *alternative.getBody().begin())
        members.push_back(&inner);
  }
  return members;
}

static LogicalResult checkNames(ModuleOp module,
                                ArrayRef<Operation *> members) {
  llvm::StringMap<Operation *> names;
  auto add = [&](Operation *op) -> LogicalResult {
    StringAttr name = SymbolTable::getSymbolName(op);
    auto [it, fresh] = names.insert({name.getValue(), op});
    if (fresh)
      return success();
    InFlightDiagnostic diag =
        op->emitError("[specialise-name-clash] expected functions of different "
                      "names, got two of name @");
    diag << name.getValue();
    diag.attachNote(it->second->getLoc()) << "the other one";
    return diag;
  };
  for (Operation &op : *module.getBody())
    if (isa<SymbolOpInterface>(op) && !isa<SpecOp>(op) && failed(add(&op)))
      return failure();
  for (Operation *op : members)
    if (failed(add(op)))
      return failure();
  return success();
}

static LogicalResult specialise(SpecOp spec,
                                ArrayRef<std::string> assignments) {
  auto module = cast<ModuleOp>(spec->getParentOp());
  FailureOr<Parameters> parameters = readParameters(spec, assignments);
  if (failed(parameters))
    return failure();
  FailureOr<AlternativeOp> alternative = findAlternative(spec, *parameters);
  if (failed(alternative))
    return failure();
  SmallVector<Operation *> members = getMembers(spec, *alternative);
  if (llvm::none_of(members, llvm::IsaPred<FuncOp>))
    return spec.emitError("[specialise-function] expected a function in the "
                          "spec, or in its alternative that holds, got none");
  if (failed(checkNames(module, members)))
    return failure();
  for (Operation *op : members) {
    if (failed(specialise(op, *parameters)))
      return failure();
    op->moveBefore(spec);
  }
  MLIRContext *context = module.getContext();
  module->setAttr("gyre.spec", spec.getSymNameAttr());
  module->setAttr("gyre.params", parameters->toAttr(context));
  for (SpecOp other : llvm::make_early_inc_range(module.getOps<SpecOp>()))
    other.erase();
  return success();
}

namespace {
struct SpecialisePass final : impl::SpecialiseBase<SpecialisePass> {
  using SpecialiseBase::SpecialiseBase;
  void runOnOperation() override {
    bool needed = !set.empty() || !spec.empty();
    FailureOr<SpecOp> found = findSpec(getOperation(), spec, needed);
    if (failed(found) || (*found && failed(specialise(*found, set))))
      signalPassFailure();
  }
};
} // namespace

} // namespace gyre
