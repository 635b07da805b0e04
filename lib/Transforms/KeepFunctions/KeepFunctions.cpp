//===- KeepFunctions.cpp - gyre-keep-functions ----------------------------===//

#include "gyre/Transforms/Passes.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_KEEPFUNCTIONS
#include "gyre/Transforms/Passes.h.inc"

namespace {

struct KeepFunctions : impl::KeepFunctionsBase<KeepFunctions> {
  using KeepFunctionsBase::KeepFunctionsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::StringSet<> kept;
    for (const std::string &name : names) {
      Operation *op = module.lookupSymbol(name);
      if (!isa_and_present<FuncOp, DeriveOp>(op)) {
        reportUnknown(name);
        return signalPassFailure();
      }
      // A derivative needs its primal, which may be derived itself.
      while (op && kept.insert(SymbolTable::getSymbolName(op)).second) {
        auto derive = dyn_cast<DeriveOp>(op);
        op = derive ? module.lookupSymbol(derive.getPrimal()) : nullptr;
      }
    }
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (isa<FuncOp, DeriveOp>(op) &&
          !kept.contains(SymbolTable::getSymbolName(&op)))
        op.erase();
  }

private:
  void reportUnknown(StringRef name) {
    InFlightDiagnostic diag =
        getOperation().emitError("[keep-unknown] expected one of ");
    SmallVector<StringRef> known;
    for (Operation &op : *getOperation().getBody())
      if (isa<FuncOp, DeriveOp>(op))
        known.push_back(SymbolTable::getSymbolName(&op));
    llvm::interleaveComma(known, diag);
    diag << ", got " << name;
  }
};

} // namespace

} // namespace gyre
