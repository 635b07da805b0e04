//===- LowerKernels.cpp - gyre-lower-kernels ------------------------------===//

#include "Program.h"

#include "gyre/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_LOWERKERNELS
#include "gyre/Transforms/Passes.h.inc"

namespace {
struct LowerKernels : impl::LowerKernelsBase<LowerKernels> {
  using LowerKernelsBase::LowerKernelsBase;

  void runOnOperation() override {
    if (target != "cpu" && target != "cuda") {
      getOperation().emitError(
          "[lower-kernel-target] expected cpu or cuda, got ")
          << target;
      return signalPassFailure();
    }
    for (FuncOp func : llvm::to_vector(getOperation().getOps<FuncOp>())) {
      auto program = kernels::Program::create(func, target);
      if (failed(program))
        return signalPassFailure();
      if (target == "cpu")
        kernels::emitForCPU(**program);
      else if (failed(kernels::emitForCUDA(**program)))
        return signalPassFailure();
      func.erase();
    }
  }
};
} // namespace

} // namespace gyre
