//===- CUDA.cpp - Kernels as gpu.funcs ------------------------------------===//
//
// A worker is a team of threads, each with one vector along the lanes. Sums
// over rows are in registers. What the next row reads is copied to shared
// memory while one is computed; sums over the lanes are taken of many values at
// once.
//
//===----------------------------------------------------------------------===//

#include "CellTargets.h"
#include "DeviceModule.h"
#include "DeviceRow.h"
#include "Partials.h"
#include "Program.h"

#include "gyre/Schedule/Lanes.h"
#include "gyre/Schedule/Registers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gyre::kernels {
namespace {

/// The code of a kernel's team.
class TeamCode {
public:
  TeamCode(Builder &b, const Plan &plan, const Params &params, Team &team,
           Tables &tables)
      : b(b), plan(plan), params(params), team(team), tables(tables) {}

  /// For team `number` of the block. The bytes of shared memory that the block
  /// needs.
  int64_t emit(Value worker, Value number);

private:
  OwnerArrays getOwner();
  int64_t emitRange(Value worker, Value number);
  int64_t emitNode(const NodeRun &run, Value worker, Value number);
  /// Zeros for the sums over rows that go to results of a kind.
  Values zeros(DeliveryKind kind);
  void store(const cells::DeliveredCell &cell, const RowPointer &row,
             Value value);
  void endNode(const NodeRange &range, ValueRange sums, Value worker);
  void endWorker(ValueRange totals, Value worker);

  Builder &b;
  const Plan &plan;
  const Params &params;
  Team &team;
  Tables &tables;
  SmallVector<Value> coordinates;
};

} // namespace

Values TeamCode::zeros(DeliveryKind kind) {
  Body body(b, plan.graph, plan.order, plan.schedule.getVector(), true);
  Values result;
  for (cells::NodeId node : plan.getCarried(kind))
    result.push_back(body.zero(plan.graph.node(node)));
  return result;
}

/// Writes a sum over rows.
void TeamCode::store(const cells::DeliveredCell &cell, const RowPointer &row,
                     Value value) {
  Value pointer = row.view->atCell(b, row.pointer, row.rows, cell.index);
  Body body(b, plan.graph, plan.order, plan.schedule.getVector(), true);
  switch (plan.graph.node(cell.node).extent) {
  case cells::Extent::lane:
    return body.storeLanes(value, row, pointer);
  case cells::Extent::partial:
    value = team.sumAll(value);
    break;
  case cells::Extent::shared:
    break;
  }
  // All threads write the same.
  LLVM::StoreOp::create(b, value, pointer);
}

void TeamCode::endNode(const NodeRange &range, ValueRange sums, Value worker) {
  SmallVector<RowPointer> rows(plan.results.size());
  for (unsigned i = 0; i < plan.results.size(); ++i) {
    if (plan.kind(i) != DeliveryKind::segment)
      continue;
    auto [array, row] = getSegmentTarget(b, plan, params, i, range, worker);
    rows[i] = plan.pointResult(b, i, array, coordinates, row);
  }
  for (auto [node, value] :
       llvm::zip_equal(plan.getCarried(DeliveryKind::segment), sums)) {
    const cells::DeliveredCell &cell = plan.getDelivered(node);
    store(cell, rows[cell.result], value);
  }
}

void TeamCode::endWorker(ValueRange totals, Value worker) {
  for (auto [node, value] :
       llvm::zip_equal(plan.getCarried(DeliveryKind::total), totals)) {
    const cells::DeliveredCell &cell = plan.getDelivered(node);
    const View &view = plan.results[cell.result];
    Array array = getTotalTarget(b, plan, params, cell.result, worker);
    store(cell, {&view, view.atLane(b, array, coordinates), {}}, value);
  }
}

OwnerArrays TeamCode::getOwner() {
  Value owner = KernelOp(plan.kernel).getOwner();
  return {params.get(Params::order, owner), params.get(Params::ptr, owner),
          params.getSize(cast<MapType>(owner.getType()).getTarget()),
          params.get(Params::index, owner)};
}

int64_t TeamCode::emit(Value worker, Value number) {
  if (plan.schedule.getHeavy() == 0)
    return emitRange(worker, number);
  NodeRun run =
      findRun(b, getOwner(), params.getSize(KernelOp(plan.kernel).getRows()),
              params.get(Params::span), worker);
  int64_t bytes = 0;
  scf::IfOp::create(b, run.works, [&](OpBuilder &, Location) {
    bytes = emitNode(run, worker, number);
    scf::YieldOp::create(b);
  });
  return bytes;
}

int64_t TeamCode::emitNode(const NodeRun &run, Value worker, Value number) {
  coordinates = plan.lanes.coordinates(b, team.getStart());
  OwnWords words(b, team, tables, plan.schedule.getTeams(), number);
  DeviceRow device(b, plan, params, team, words, coordinates);
  Values ahead = device.begin(number, run.lo, run.hi);
  device.enterNode(run.range.node);
  Values carried = zeros(DeliveryKind::segment);
  size_t sums = carried.size();
  llvm::append_range(carried, ahead);
  Values last =
      walkRows(b, run.lo, run.hi, carried, [&](Value at, ValueRange carried) {
        return device.emit(at, carried);
      });
  device.end();
  // A range has two workers, each with one of its partial rows.
  Value range = arith::ShRUIOp::create(b, worker, constant(b, 1));
  endNode(run.range, ArrayRef(last).take_front(sums), range);
  return device.getSharedBytes();
}

int64_t TeamCode::emitRange(Value worker, Value number) {
  KernelOp kernel = plan.kernel;
  Value rows = params.getSize(kernel.getRows());
  Value span = params.get(Params::span);
  Value lo = arith::MulIOp::create(b, worker, span);
  Value hi =
      arith::MinSIOp::create(b, arith::AddIOp::create(b, lo, span), rows);
  coordinates = plan.lanes.coordinates(b, team.getStart());
  OwnWords words(b, team, tables, plan.schedule.getTeams(), number);
  DeviceRow device(b, plan, params, team, words, coordinates);
  Values carried = zeros(DeliveryKind::total);
  size_t totals = carried.size();
  llvm::append_range(carried, device.begin(number, lo, hi));
  auto row = [&](Value at, ValueRange carried) {
    return device.emit(at, carried);
  };
  Values last;
  if (kernel.getOwner()) {
    last = walkOwner(
        b, getOwner(), lo, hi, carried,
        [&](const NodeRange &range) {
          device.enterNode(range.node);
          return zeros(DeliveryKind::segment);
        },
        row,
        [&](const NodeRange &range, ValueRange sums) {
          endNode(range, sums, worker);
        });
  } else {
    last = walkRows(b, lo, hi, carried, row);
  }
  device.end();
  endWorker(ArrayRef(last).take_front(totals), worker);
  return device.getSharedBytes();
}

//===----------------------------------------------------------------------===//
// Functions and launches
//===----------------------------------------------------------------------===//

/// Sums the workers' parts of totals: slices of the workers side by side, then
/// the slices in their order.
static void emitTotals(Builder &b, const Plan &plan, const Params &params,
                       gpu::GPUFuncOp func, Value block, Value thread) {
  Team team(b, func, thread, kWarp * kWarp, 1, kWarp * kWarp);
  Value lane = arith::RemUIOp::create(b, thread, constant(b, kWarp));
  Value cell = arith::AddIOp::create(
      b, arith::MulIOp::create(b, block, constant(b, kWarp)), lane);
  for (unsigned i = 0; i < plan.results.size(); ++i) {
    if (plan.kind(i) != DeliveryKind::total)
      continue;
    const View &view = plan.results[i];
    Type element = view.getElementType();
    Value partial = params.get(Params::partial, i);
    Value cells = constant(b, view.getRowCells());
    Value inside =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, cell, cells);
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(element));
    Value safe = arith::SelectOp::create(b, inside, cell, constant(b, 0));
    auto loop = scf::ForOp::create(
        b, team.getWarp(), params.get(Params::workers), constant(b, kWarp),
        zero, [&](OpBuilder &, Location, Value worker, ValueRange sum) {
          Value offset = arith::AddIOp::create(
              b, arith::MulIOp::create(b, worker, cells), safe);
          Value pointer = LLVM::GEPOp::create(b, partial.getType(), element,
                                              partial, offset);
          Value part = LLVM::LoadOp::create(b, element, pointer);
          scf::YieldOp::create(b,
                               Value(arith::AddFOp::create(b, sum[0], part)));
        });
    Value slices = team.allocate(element, kWarp * kWarp);
    auto index = [&](Value at) -> Value {
      return arith::IndexCastOp::create(b, b.getIndexType(), at);
    };
    memref::StoreOp::create(b, loop.getResult(0), slices, index(thread));
    team.synchronise();
    Value first = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                        team.getWarp(), constant(b, 0));
    Value writes = arith::AndIOp::create(b, first, inside);
    scf::IfOp::create(b, writes, [&](OpBuilder &, Location) {
      Value begin = constant(b, 0), end = constant(b, kWarp);
      Value step = constant(b, 1);
      auto sum = scf::ForOp::create(
          b, begin, end, step, zero,
          [&](OpBuilder &, Location, Value slice, ValueRange sum) {
            Value at = arith::AddIOp::create(
                b, arith::MulIOp::create(b, slice, end), lane);
            Value part = memref::LoadOp::create(b, slices, index(at));
            scf::YieldOp::create(b,
                                 Value(arith::AddFOp::create(b, sum[0], part)));
          });
      Value pointer = LLVM::GEPOp::create(b, partial.getType(), element,
                                          params.get(Params::result, i), cell);
      LLVM::StoreOp::create(b, sum.getResult(0), pointer);
      scf::YieldOp::create(b);
    });
  }
}

static void emitRows(Program &program, DeviceModule &device, Tables &tables,
                     const Plan &plan) {
  constexpr int64_t combineThreads = 128;
  Builder &b = program.builder();
  KernelOp kernel = plan.kernel;
  std::string name =
      program.getName(std::to_string(&plan - program.getPlans().data()));
  Params params = program.makeParams(plan, name);
  ScheduleAttr schedule = plan.schedule;
  Value workers = params.getHost(Params::workers);
  Value blocks =
      arith::CeilDivSIOp::create(b, workers, constant(b, schedule.getTeams()));
  int64_t threads = schedule::getThreads(schedule);
  int64_t shares = schedule::countShares(schedule);
  if (shares > 1)
    blocks = arith::MulIOp::create(b, blocks, constant(b, shares));
  gpu::LaunchFuncOp launch = device.run(
      name, params, blocks, threads * schedule.getTeams(), schedule.getWarps(),
      [&](gpu::GPUFuncOp func, Value block, Value thread) {
        Value lanes = constant(b, threads);
        // Blocks that share a worker's rows are side by side.
        Value first;
        if (shares > 1) {
          Value share = arith::RemUIOp::create(b, block, constant(b, shares));
          first = arith::MulIOp::create(
              b, share, constant(b, threads * schedule.getVector()));
          block = arith::DivUIOp::create(b, block, constant(b, shares));
        }
        Value inTeam = arith::RemUIOp::create(b, thread, lanes);
        Value number = arith::DivUIOp::create(b, thread, lanes);
        Value worker = arith::AddIOp::create(
            b,
            arith::MulIOp::create(b, block, constant(b, schedule.getTeams())),
            number);
        Team team(b, func, inTeam, threads, schedule.getVector(),
                  plan.lanes.width(), first);
        Value works = arith::CmpIOp::create(
            b, arith::CmpIPredicate::slt, worker, params.get(Params::workers));
        int64_t bytes = 0;
        scf::IfOp::create(b, works, [&](OpBuilder &, Location) {
          bytes = TeamCode(b, plan, params, team, tables).emit(worker, number);
          scf::YieldOp::create(b);
        });
        return bytes;
      });
  if (Attribute part = kernel->getAttr(schedule::kPartAttr))
    launch->setAttr(schedule::kPartAttr, part);
  if (plan.isLast && plan.delivers(DeliveryKind::segment)) {
    PolyAttr nodes = cast<MapType>(kernel.getOwner().getType()).getTarget();
    device.run(name + "_nodes", params, program.size(nodes), combineThreads,
               kCombineWarps, [&](gpu::GPUFuncOp, Value block, Value thread) {
                 emitCombineNode(b, plan, params, block, thread,
                                 constant(b, combineThreads));
                 return 0;
               });
  }
  if (plan.isLast && plan.delivers(DeliveryKind::total)) {
    int64_t most = 1;
    for (unsigned i = 0; i < plan.results.size(); ++i)
      if (plan.kind(i) == DeliveryKind::total)
        most = std::max(most, plan.results[i].getRowCells());
    device.run(name + "_totals", params,
               constant(b, llvm::divideCeil(most, kWarp)), kWarp * kWarp,
               kCombineWarps,
               [&](gpu::GPUFuncOp func, Value block, Value thread) {
                 emitTotals(b, plan, params, func, block, thread);
                 return 0;
               });
  }
}

LogicalResult emitForCUDA(Program &program) {
  Builder &b = program.builder();
  DeviceModule device(b, program.getBody()->getParentOfType<ModuleOp>());
  Tables tables(b, device.get());
  bool fits = true;
  program.forEachKernel(
      [&](const Plan &plan) { emitRows(program, device, tables, plan); },
      [&](CellsOp kernel) {
        fits &= succeeded(emitCellsForCUDA(program, device, tables, kernel));
      });
  return success(fits);
}

} // namespace gyre::kernels
