//===- CellTargets.cpp - Kernels of cells on each target ------------------===//

#include "CellTargets.h"

#include "Task.h"
#include "TileKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gyre::kernels {

/// A name that counts the kernels of cells of a function.
static std::string getName(Program &program, CellsOp kernel) {
  unsigned number = 0;
  for (auto other : kernel->getBlock()->getOps<CellsOp>()) {
    if (other == kernel)
      break;
    ++number;
  }
  return program.getName("cells_" + std::to_string(number));
}

void emitCellsForCPU(Program &program, ModuleOp module, Tables &tables,
                     CellsOp kernel) {
  constexpr int64_t grain = 256;
  Builder &b = program.builder();
  Params params = program.makeParams(kernel);
  std::string name = getName(program, kernel);
  for (auto [i, results] : llvm::enumerate(groupResults(kernel))) {
    Task task(b, module, nameGroup(name, i));
    task.define(params, /*versions=*/false, [&, &results = results](Value at) {
      emitCell(b, kernel, params, tables, results, at);
    });
    task.run(params, program.size(countWork(kernel, results.front())), grain);
  }
  if (!kernel.getParts())
    return;
  Task combine(b, module, name + "_sums");
  combine.define(params, /*versions=*/false, [&](Value at) {
    emitCellOfParts(b, kernel, params, tables, at);
  });
  combine.run(params, program.size(countCells(kernel)), grain);
}

LogicalResult emitCellsForCUDA(Program &program, DeviceModule &device,
                               Tables &tables, CellsOp kernel) {
  constexpr int64_t threads = 128, warps = 16;
  Builder &b = program.builder();
  Params params = program.makeParams(kernel);
  auto run = [&](const std::string &name, PolyAttr count, auto emit) {
    Value size = program.size(count);
    Value blocks = arith::CeilDivSIOp::create(b, size, constant(b, threads));
    device.run(name, params, blocks, threads, warps,
               [&](gpu::GPUFuncOp, Value block, Value thread) {
                 Value first =
                     arith::MulIOp::create(b, block, constant(b, threads));
                 Value at = arith::AddIOp::create(b, first, thread);
                 Value works =
                     arith::CmpIOp::create(b, arith::CmpIPredicate::slt, at,
                                           emitSize(b, params, count));
                 scf::IfOp::create(b, works, [&](OpBuilder &, Location) {
                   emit(at);
                   scf::YieldOp::create(b);
                 });
                 return 0;
               });
  };
  std::string name = getName(program, kernel);
  if (kernel.getTile())
    return emitTilesForCUDA(program, device, tables, kernel, name, params);
  for (auto [i, results] : llvm::enumerate(groupResults(kernel)))
    run(nameGroup(name, i), countWork(kernel, results.front()),
        [&, &results = results](Value at) {
          emitCell(b, kernel, params, tables, results, at);
        });
  if (kernel.getParts())
    run(name + "_sums", countCells(kernel),
        [&](Value at) { emitCellOfParts(b, kernel, params, tables, at); });
  return success();
}

} // namespace gyre::kernels
