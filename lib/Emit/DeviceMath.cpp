//===- DeviceMath.cpp - gyre-finish-device-math ---------------------------===//

#include "gyre/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_FINISHDEVICEMATH
#include "gyre/Transforms/Passes.h.inc"

/// An approximate reciprocal, corrected once: within an ulp of the quotient for
/// divisors that are neither small nor large, without the branch that a rounded
/// division takes for others.
static Value divide(OpBuilder &b, Location loc, Value x, Value by) {
  Type f32 = b.getF32Type();
  Value one = LLVM::ConstantOp::create(b, loc, b.getF32FloatAttr(1));
  Value reciprocal =
      LLVM::CallIntrinsicOp::create(
          b, loc, f32, b.getStringAttr("llvm.nvvm.rcp.approx.ftz.f"), by)
          .getResult(0);
  Value error = LLVM::FMAOp::create(b, loc, LLVM::FNegOp::create(b, loc, by),
                                    reciprocal, one);
  reciprocal = LLVM::FMAOp::create(b, loc, reciprocal, error, reciprocal);
  return LLVM::FMulOp::create(b, loc, x, reciprocal);
}

/// Divisions of f32, or of vectors of it, that may be approximate.
static void approximate(LLVM::FDivOp op) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  auto vector = dyn_cast<VectorType>(op.getType());
  Value quotient;
  if (!vector) {
    quotient = divide(b, loc, op.getLhs(), op.getRhs());
  } else {
    quotient = LLVM::PoisonOp::create(b, loc, vector);
    for (int64_t i = 0; i < vector.getNumElements(); ++i) {
      Value at = LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(i));
      auto take = [&](Value value) -> Value {
        return LLVM::ExtractElementOp::create(b, loc, value, at);
      };
      quotient = LLVM::InsertElementOp::create(
          b, loc, quotient,
          divide(b, loc, take(op.getLhs()), take(op.getRhs())), at);
    }
  }
  op.getResult().replaceAllUsesWith(quotient);
  op.erase();
}

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
    SmallVector<LLVM::FDivOp> divisions;
    getOperation().walk([&](LLVM::FDivOp op) {
      if (getElementTypeOrSelf(op.getType()).isF32() &&
          bitEnumContainsAll(op.getFastmathFlags(), LLVM::FastmathFlags::afn))
        divisions.push_back(op);
    });
    for (LLVM::FDivOp op : divisions)
      approximate(op);
    for (StringRef name : {"__nv_sqrtf", "__nv_sqrt"})
      if (auto func = getOperation().lookupSymbol<LLVM::LLVMFuncOp>(name))
        func.erase();
  }
};
} // namespace

} // namespace gyre
