//===- FitRegisters.cpp - Kernels that fit the registers of a GPU ---------===//

#include "FitRegisters.h"

#include "gyre/Dialect/Gyre.h"
#include "gyre/Schedule/Registers.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace gyre {
namespace {

/// A way to compile some ops of a module.
struct Trial {
  OwningOpRef<ModuleOp> compiled;
  std::vector<Diagnostic> said;
  std::string program;
  int64_t spills = 0;                   // bytes
  llvm::SetVector<StringAttr> spilling; // parts, as gyre-schedule numbers them
};

/// Compiles a module in pieces.
class Pieces {
public:
  Pieces(ModuleOp module, PassManager &passes, std::string &program)
      : module(module), passes(passes), program(program),
        result(ModuleOp::create(module.getLoc())) {
    (*result)->setAttrs(module->getAttrDictionary());
  }

  LogicalResult run();

private:
  LogicalResult compileAll();
  LogicalResult compile(ArrayRef<Operation *> piece, Trial &trial);
  /// A function, in the way that spills least.
  LogicalResult compile(FuncOp func);
  void accept(Trial trial);

  ModuleOp module;
  PassManager &passes;
  std::string &program, printed;
  OwningOpRef<ModuleOp> result;
};

} // namespace

LogicalResult Pieces::compile(ArrayRef<Operation *> piece, Trial &trial) {
  trial.compiled = ModuleOp::create(module.getLoc());
  (*trial.compiled)->setAttrs(module->getAttrDictionary());
  OpBuilder b = OpBuilder::atBlockEnd(trial.compiled->getBody());
  for (Operation *op : piece)
    b.clone(*op);
  ScopedDiagnosticHandler handler(module.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    trial.said.push_back(std::move(diagnostic));
                                    return success();
                                  });
  program.clear();
  LogicalResult passed = passes.run(*trial.compiled);
  std::swap(trial.program, program);
  if (failed(passed))
    return failure();
  llvm::DenseSet<StringAttr> spilling;
  for (auto binary : trial.compiled->getOps<gpu::BinaryOp>())
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
      if (object.getKernels())
        for (gpu::KernelMetadataAttr kernel : object.getKernels())
          if (auto bytes = kernel.getAttr<IntegerAttr>("spills");
              bytes && bytes.getInt() > 0) {
            trial.spills += bytes.getInt();
            spilling.insert(kernel.getName());
          }
  trial.compiled->walk([&](gpu::LaunchFuncOp launch) {
    auto part = launch->getAttrOfType<StringAttr>(schedule::kPartAttr);
    if (part && spilling.contains(launch.getKernelName()))
      trial.spilling.insert(part);
  });
  return success();
}

void Pieces::accept(Trial trial) {
  for (Diagnostic &diagnostic : trial.said)
    module.getContext()->getDiagEngine().emit(std::move(diagnostic));
  printed += trial.program;
  result->getBody()->getOperations().splice(
      result->getBody()->end(), trial.compiled->getBody()->getOperations());
  for (NamedAttribute attr : (*trial.compiled)->getAttrs())
    (*result)->setAttr(attr.getName(), attr.getValue());
}

/// Gives parts fewer registers for vectors.
static void tighten(FuncOp func, ArrayRef<StringAttr> parts) {
  NamedAttrList registers(
      func->getAttrOfType<DictionaryAttr>(schedule::kRegistersAttr));
  OpBuilder b(func);
  for (StringAttr part : parts)
    registers.set(
        part, b.getI64IntegerAttr(schedule::getRegisters(func, part) * 3 / 4));
  func->setAttr(schedule::kRegistersAttr,
                registers.getDictionary(func.getContext()));
}

LogicalResult Pieces::compile(FuncOp func) {
  constexpr unsigned mostTrials = 9, mostWorse = 4;
  Trial best;
  unsigned worse = 0;
  for (unsigned i = 0; i < mostTrials; ++i) {
    Trial trial;
    if (failed(compile(func.getOperation(), trial))) {
      accept(std::move(trial));
      return failure();
    }
    auto spilling = trial.spilling.takeVector();
    // More parts compute more of the same: they have to be worth it.
    bool isBetter = !best.compiled || trial.spills < best.spills;
    if (isBetter)
      best = std::move(trial);
    else if (++worse == mostWorse)
      break;
    if (best.spills == 0 || spilling.empty())
      break;
    tighten(func, spilling);
  }
  accept(std::move(best));
  return success();
}

LogicalResult Pieces::compileAll() {
  SmallVector<Operation *> others;
  SmallVector<FuncOp> funcs;
  for (Operation &op : *module.getBody())
    if (auto func = dyn_cast<FuncOp>(op))
      funcs.push_back(func);
    else
      others.push_back(&op);
  if (!others.empty() || funcs.empty()) {
    Trial trial;
    LogicalResult passed = compile(others, trial);
    accept(std::move(trial));
    if (failed(passed))
      return failure();
  }
  for (FuncOp func : funcs)
    if (failed(compile(func)))
      return failure();
  return success();
}

LogicalResult Pieces::run() {
  LogicalResult passed = compileAll();
  std::swap(program, printed);
  if (failed(passed))
    return failure();
  module.getBodyRegion().takeBody(result->getBodyRegion());
  module->setAttrs((*result)->getAttrDictionary());
  return success();
}

LogicalResult compileWithoutSpills(ModuleOp module, PassManager &passes,
                                   std::string &program) {
  Pieces pieces(module, passes, program);
  return pieces.run();
}

} // namespace gyre
