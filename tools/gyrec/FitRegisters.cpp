//===- FitRegisters.cpp - Kernels that fit the registers of a GPU ---------===//

#include "FitRegisters.h"

#include "gyre/Dialect/Gyre.h"
#include "gyre/Schedule/Registers.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace gyre {

/// The function that a kernel is of: they are called gyre_FUNCTION_NUMBER...
static FuncOp findFunction(ModuleOp module, StringRef kernel) {
  FuncOp found;
  for (auto func : module.getOps<FuncOp>())
    if (kernel.starts_with(("gyre_" + func.getSymName() + "_").str()) &&
        (!found || found.getSymName().size() < func.getSymName().size()))
      found = func;
  return found;
}

namespace {
/// A way to compile a module.
struct Trial {
  OwningOpRef<ModuleOp> compiled;
  std::vector<Diagnostic> said;
  /// What kernels of functions spill.
  llvm::MapVector<FuncOp, int64_t> spills;
  int64_t bytes = 0;
};
} // namespace

static LogicalResult run(ModuleOp module, PassManager &passes, Trial &trial) {
  trial.compiled = module.clone();
  ScopedDiagnosticHandler handler(module.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    trial.said.push_back(std::move(diagnostic));
                                    return success();
                                  });
  if (failed(passes.run(*trial.compiled)))
    return failure();
  for (auto binary : trial.compiled->getOps<gpu::BinaryOp>())
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
      if (!object.getKernels())
        continue;
      for (gpu::KernelMetadataAttr kernel : object.getKernels()) {
        auto bytes = kernel.getAttr<IntegerAttr>("spills");
        FuncOp func = findFunction(module, kernel.getName());
        if (!bytes || bytes.getInt() == 0 || !func)
          continue;
        trial.spills[func] += bytes.getInt();
        trial.bytes += bytes.getInt();
      }
    }
  return success();
}

static void accept(ModuleOp module, Trial trial) {
  for (Diagnostic &diagnostic : trial.said)
    module.getContext()->getDiagEngine().emit(std::move(diagnostic));
  module.getBodyRegion().takeBody(trial.compiled->getBodyRegion());
  module->setAttrs(trial.compiled->getOperation()->getAttrDictionary());
}

static void tighten(FuncOp func) {
  int64_t registers = schedule::getRegisters(func) * 3 / 4;
  func->setAttr(schedule::kRegistersAttr,
                OpBuilder(func).getI64IntegerAttr(registers));
}

LogicalResult compileWithoutSpills(ModuleOp module, PassManager &passes,
                                   function_ref<void()> restart) {
  constexpr unsigned mostTrials = 5, mostWorse = 2;
  Trial best;
  unsigned worse = 0;
  for (unsigned i = 0; i < mostTrials; ++i) {
    Trial trial;
    restart();
    LogicalResult passed = run(module, passes, trial);
    if (failed(passed)) {
      accept(module, std::move(trial));
      return failure();
    }
    for (auto &[func, bytes] : trial.spills)
      tighten(func);
    // More parts compute more of the same: they have to be worth it.
    bool isBetter = !best.compiled || trial.bytes < best.bytes;
    if (isBetter)
      best = std::move(trial);
    else if (++worse == mostWorse)
      break;
    if (best.bytes == 0)
      break;
  }
  accept(module, std::move(best));
  return success();
}

} // namespace gyre
