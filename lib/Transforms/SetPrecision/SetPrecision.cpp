//===- SetPrecision.cpp - gyre-set-precision ------------------------------===//

#include "gyre/Transforms/Passes.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_SETPRECISION
#include "gyre/Transforms/Passes.h.inc"

namespace {

struct SetPrecision : impl::SetPrecisionBase<SetPrecision> {
  using SetPrecisionBase::SetPrecisionBase;

  void runOnOperation() override {
    std::optional<Precision> named = symbolizePrecision(precision);
    if (!named) {
      reportUnknown();
      return signalPassFailure();
    }
    auto attr = PrecisionAttr::get(&getContext(), *named);
    getOperation()->walk([&](ContractOp op) {
      if (!op.getPrecisionAttr())
        op.setPrecisionAttr(attr);
    });
  }

private:
  void reportUnknown() {
    InFlightDiagnostic diag =
        getOperation()->emitError("[set-precision] expected one of ");
    SmallVector<StringRef> known;
    for (uint32_t i = 0; i <= getMaxEnumValForPrecision(); ++i)
      known.push_back(stringifyPrecision(*symbolizePrecision(i)));
    llvm::interleaveComma(known, diag);
    diag << ", got " << precision;
  }
};

} // namespace

} // namespace gyre
