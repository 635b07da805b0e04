//===- Task.cpp - Parallel loops of the CPU -------------------------------===//

#include "Task.h"

#include "gyre/Lowering/Versions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;

namespace gyre::kernels {
namespace {

/// A kind of processor that a task has code for, and the level of it that
/// gyre_rt_cpu_level says.
struct Version {
  StringRef processor, suffix;
  int32_t level;
};

} // namespace

/// Best first; the last one runs anywhere.
static ArrayRef<Version> getVersions() {
  static const Version versions[] = {
      {"x86-64-v4", "_v4", 4}, {"x86-64-v3", "_v3", 3}, {"", "", 0}};
  bool isX86 = llvm::Triple(llvm::sys::getProcessTriple()).getArch() ==
               llvm::Triple::x86_64;
  return isX86 ? ArrayRef(versions) : ArrayRef(versions).take_back();
}

static void setProcessor(LLVM::LLVMFuncOp task, const Version &version) {
  if (!version.processor.empty())
    task.setTargetCpu(version.processor);
}

LLVM::LLVMFuncOp Task::define(Params &params, StringRef suffix,
                              function_ref<void(Value)> body) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                  {pointer, b.getI64Type(), b.getI64Type()});
  auto task = LLVM::LLVMFuncOp::create(b, name + suffix.str(), type,
                                       LLVM::Linkage::Internal);
  // Nobody compares addresses of tasks: equal ones may be one.
  task.setUnnamedAddr(LLVM::UnnamedAddr::Global);
  b.setInsertionPointToStart(task.addEntryBlock(b));
  Values inside;
  for (auto [i, host] : llvm::enumerate(params.getHost())) {
    Value slot =
        LLVM::GEPOp::create(b, pointer, b.getI64Type(), task.getArgument(0),
                            ArrayRef<LLVM::GEPArg>{int32_t(i)});
    inside.push_back(LLVM::LoadOp::create(b, host.getType(), slot));
  }
  params.bind(inside);
  scf::ForOp::create(b, task.getArgument(1), task.getArgument(2),
                     constant(b, 1), {},
                     [&](OpBuilder &, Location, Value at, ValueRange) {
                       body(at);
                       scf::YieldOp::create(b);
                     });
  LLVM::ReturnOp::create(b, ValueRange());
  return task;
}

LLVM::LLVMFuncOp Task::declareVersion(LLVM::LLVMFuncOp code, StringRef suffix) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  auto version =
      LLVM::LLVMFuncOp::create(b, name + suffix.str(), code.getFunctionType());
  version.setUnnamedAddr(LLVM::UnnamedAddr::Global);
  version->setAttr(kVersionOfAttr, FlatSymbolRefAttr::get(code));
  return version;
}

void Task::define(Params &params, bool all, function_ref<void(Value)> body) {
  ArrayRef<Version> wanted = all ? getVersions() : getVersions().take_back();
  const Version &best = wanted.front();
  LLVM::LLVMFuncOp code = define(params, best.suffix, body);
  setProcessor(code, best);
  versions.push_back({best.level, code});
  for (const Version &version : wanted.drop_front()) {
    LLVM::LLVMFuncOp other = declareVersion(code, version.suffix);
    setProcessor(other, version);
    versions.push_back({version.level, other});
  }
}

LLVM::LLVMFuncOp Task::declare(StringRef function, ArrayRef<Type> arguments) {
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(function))
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  return LLVM::LLVMFuncOp::create(
      b, function, LLVM::LLVMFunctionType::get(b.getI32Type(), arguments));
}

void Task::run(const Params &params, Value count, int64_t grain) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value data = LLVM::AllocaOp::create(
      b, pointer, b.getI64Type(),
      constant(b, std::max<int64_t>(params.getHost().size(), 1)));
  for (auto [i, host] : llvm::enumerate(params.getHost()))
    LLVM::StoreOp::create(
        b, host,
        LLVM::GEPOp::create(b, pointer, b.getI64Type(), data,
                            ArrayRef<LLVM::GEPArg>{int32_t(i)}));
  Value function = LLVM::AddressOfOp::create(b, versions.back().second);
  if (versions.size() > 1) {
    Value level =
        LLVM::CallOp::create(b, declare("gyre_rt_cpu_level", {}), ValueRange())
            .getResult();
    for (auto &[least, task] : llvm::drop_begin(llvm::reverse(versions))) {
      Value bound = arith::ConstantOp::create(b, b.getI32IntegerAttr(least));
      Value fits =
          arith::CmpIOp::create(b, arith::CmpIPredicate::sge, level, bound);
      Value better = LLVM::AddressOfOp::create(b, task);
      function = arith::SelectOp::create(b, fits, better, function);
    }
  }
  LLVM::LLVMFuncOp loop = declare(
      "gyre_parallel_for", {b.getI64Type(), b.getI64Type(), pointer, pointer});
  LLVM::CallOp::create(b, loop,
                       ValueRange{count, constant(b, grain), function, data});
}

} // namespace gyre::kernels
