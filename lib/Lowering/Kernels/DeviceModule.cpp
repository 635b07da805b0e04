//===- DeviceModule.cpp - Kernels of a module, and launches ---------------===//

#include "DeviceModule.h"

#include "Warp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace gyre::kernels {

static constexpr StringLiteral kName = "gyre_device";

SymbolRefAttr DeviceModule::getReference(MLIRContext *context,
                                         StringRef kernel) {
  return SymbolRefAttr::get(StringAttr::get(context, kName),
                            {FlatSymbolRefAttr::get(context, kernel)});
}

DeviceModule::DeviceModule(Builder &b, ModuleOp module) : b(b) {
  device = module.lookupSymbol<gpu::GPUModuleOp>(kName);
  if (device)
    return;
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  b.getUnitAttr());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  device = gpu::GPUModuleOp::create(b, kName);
}

gpu::LaunchFuncOp DeviceModule::run(StringRef name, Params &params,
                                    Value blocks, int64_t threads,
                                    int64_t warps, Code code) {
  gpu::GPUFuncOp func;
  int64_t bytes;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(device.getBody());
    SmallVector<Type> types(ValueRange(params.getHost()).getTypes());
    func = gpu::GPUFuncOp::create(b, name, b.getFunctionType(types, {}));
    func->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
    func->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                  b.getI32IntegerAttr(std::max<int64_t>(
                      warps / llvm::divideCeil(threads, kWarp), 1)));
    func.setKnownBlockSize(
        ArrayRef<int32_t>{static_cast<int32_t>(threads), 1, 1});
    b.setInsertionPointToStart(&func.getBody().front());
    params.bind(func.getArguments());
    auto number = [&](Value index) -> Value {
      return arith::IndexCastOp::create(b, b.getI64Type(), index);
    };
    Value block = number(gpu::BlockIdOp::create(b, gpu::Dimension::x));
    Value thread = number(gpu::ThreadIdOp::create(b, gpu::Dimension::x));
    bytes = code(func, block, thread);
    gpu::ReturnOp::create(b);
  }
  auto index = [&](Value value) -> Value {
    return arith::IndexCastOp::create(b, b.getIndexType(), value);
  };
  Value one = index(constant(b, 1)), shared;
  if (bytes > 0)
    shared = arith::ConstantOp::create(b, b.getI32IntegerAttr(bytes));
  gpu::KernelDim3 grid{index(blocks), one, one};
  gpu::KernelDim3 block{index(constant(b, threads)), one, one};
  return gpu::LaunchFuncOp::create(b, func, grid, block, shared,
                                   params.getHost());
}

} // namespace gyre::kernels
