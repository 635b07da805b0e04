//===- DeviceMath.cpp - gyre-finish-device-math ---------------------------===//

#include "gyre/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_FINISHDEVICEMATH
#include "gyre/Transforms/Passes.h.inc"

namespace {
struct FinishDeviceMath : impl::FinishDeviceMathBase<FinishDeviceMath> {
  void runOnOperation() override {
    SmallVector<LLVM::CallOp> roots;
    getOperation().walk([&](LLVM::CallOp call) {
      std::optional<StringRef> callee = call.getCallee();
      if (callee == "__nv_sqrtf" || callee == "__nv_sqrt")
        roots.push_back(call);
    });
    for (LLVM::CallOp call : roots) {
      OpBuilder builder(call);
      call.getResult().replaceAllUsesWith(LLVM::SqrtOp::create(
          builder, call.getLoc(), call.getResult().getType(),
          call.getArgOperands().front()));
      call.erase();
    }
    for (StringRef name : {"__nv_sqrtf", "__nv_sqrt"})
      if (auto func = getOperation().lookupSymbol<LLVM::LLVMFuncOp>(name))
        func.erase();
  }
};
} // namespace

} // namespace gyre
