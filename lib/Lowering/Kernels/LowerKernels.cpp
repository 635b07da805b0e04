#include "gyre/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
namespace gyre {
#define GEN_PASS_DEF_LOWERKERNELS
#include "gyre/Transforms/Passes.h.inc"
namespace { struct LowerKernels : impl::LowerKernelsBase<LowerKernels> { using LowerKernelsBase::LowerKernelsBase; void runOnOperation() override {} }; }
}
