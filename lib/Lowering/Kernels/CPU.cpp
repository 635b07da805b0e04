//===- CPU.cpp - Kernels as parallel loops over workers -------------------===//
//
// A worker takes its rows one after the other, and of a row one vector along
// the lanes after the other. Sums over rows are in memory: in the result, or in
// the worker's partial row.
//
//===----------------------------------------------------------------------===//

#include "CellTargets.h"
#include "Partials.h"
#include "Program.h"
#include "Task.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gyre::kernels {
namespace {

using cells::DeliveredCell;
using cells::Extent;
using cells::NodeId;

/// Where the sums over rows, and the row itself, go.
struct Targets {
  SmallVector<Array> arrays;
  Values rows;
};

/// The lanes of one vector.
class SimdLanes : public Lanes {
public:
  SimdLanes(Builder &b, const Plan &plan, Body &body,
            ArrayRef<RowPointer> results, Value isFirst, bool accumulate)
      : b(b), plan(plan), body(body), results(results), isFirst(isFirst),
        accumulate(accumulate) {}

  Value loadShared(NodeId node) override {
    return body.loadCell(plan.graph.node(node));
  }

  /// Loads are merged anyway.
  unsigned getReuse() const override { return ~0u; }

  Value openCarried(NodeId node) override {
    if (plan.graph.node(node).extent != Extent::lane)
      return {};
    const DeliveredCell &cell = plan.getDelivered(node);
    return body.loadLanes(results[cell.result], pointer(cell), false);
  }

  void closeCarried(NodeId node, Value value) override {
    const DeliveredCell &cell = plan.getDelivered(node);
    switch (plan.graph.node(node).extent) {
    case Extent::lane:
      return body.storeLanes(value, results[cell.result], pointer(cell));
    case Extent::partial:
      return addTo(cell, reduce(value));
    case Extent::shared:
      // All vectors of the row have the same number: it counts once.
      scf::IfOp::create(b, isFirst, [&](OpBuilder &, Location) {
        addTo(cell, value);
        scf::YieldOp::create(b);
      });
    }
  }

  void deliver(const DeliveredCell &cell, Extent extent, Value value) override {
    if (extent == Extent::lane)
      return body.storeLanes(value, results[cell.result], pointer(cell));
    if (extent == Extent::partial && accumulate)
      return addTo(cell, reduce(value));
    if (extent == Extent::partial)
      value = reduce(value);
    LLVM::StoreOp::create(b, value, pointer(cell));
  }

  Value reduce(Value partial) override {
    if (!isa<VectorType>(partial.getType()))
      return partial;
    return vector::ReductionOp::create(b, vector::CombiningKind::ADD, partial,
                                       arith::FastMathFlags::reassoc);
  }

private:
  Value pointer(const DeliveredCell &cell) {
    const RowPointer &row = results[cell.result];
    return row.view->atCell(b, row.pointer, row.rows, cell.index);
  }
  void addTo(const DeliveredCell &cell, Value value) {
    Value at = pointer(cell);
    Value sum = LLVM::LoadOp::create(b, value.getType(), at);
    LLVM::StoreOp::create(b, arith::AddFOp::create(b, sum, value), at);
  }

  Builder &b;
  const Plan &plan;
  Body &body;
  ArrayRef<RowPointer> results;
  Value isFirst;
  bool accumulate;
};

/// The code of a kernel's workers.
class WorkerCode {
public:
  WorkerCode(Builder &b, const Plan &plan, const Params &params)
      : b(b), plan(plan), params(params) {}

  void emit(Value worker);

private:
  /// Visits each vector along the lanes: where it starts, and its cells.
  void forEachVector(function_ref<void(Value start, int64_t cells)> visit);
  bool hasOneVector() const {
    return plan.lanes.sizes.size() <= 1 &&
           plan.lanes.width() <= plan.schedule.getVector();
  }
  SmallVector<RowPointer> pointAll(const Targets &targets,
                                   ValueRange coordinates);
  /// Writes zeros to the sums over rows of a kind.
  void clear(const Targets &targets, DeliveryKind kind);
  void clearRow(unsigned result, const Targets &targets);
  void emitRow(Targets targets, Value row);

  Builder &b;
  const Plan &plan;
  const Params &params;
};

} // namespace

void WorkerCode::forEachVector(function_ref<void(Value, int64_t)> visit) {
  // Vectors lie along the innermost lane axis.
  int64_t width = plan.lanes.width();
  int64_t inner = plan.lanes.sizes.empty() ? 1 : plan.lanes.sizes.back();
  int64_t vector = plan.schedule.getVector();
  if (hasOneVector())
    return visit(constant(b, 0), width);
  vector = std::min(vector, inner);
  Value zero = constant(b, 0), lanes = constant(b, width);
  Value run = constant(b, inner);
  scf::ForOp::create(
      b, zero, lanes, run, {},
      [&](OpBuilder &, Location, Value outer, ValueRange) {
        int64_t whole = inner / vector * vector;
        Value end = constant(b, whole), step = constant(b, vector);
        scf::ForOp::create(b, zero, end, step, {},
                           [&](OpBuilder &, Location, Value at, ValueRange) {
                             visit(arith::AddIOp::create(b, outer, at), vector);
                             scf::YieldOp::create(b);
                           });
        if (whole < inner)
          visit(arith::AddIOp::create(b, outer, constant(b, whole)),
                inner - whole);
        scf::YieldOp::create(b);
      });
}

SmallVector<RowPointer> WorkerCode::pointAll(const Targets &targets,
                                             ValueRange coordinates) {
  SmallVector<RowPointer> pointers;
  for (unsigned i = 0; i < plan.results.size(); ++i)
    pointers.push_back(plan.pointResult(b, i, targets.arrays[i], coordinates,
                                        targets.rows[i]));
  return pointers;
}

void WorkerCode::clear(const Targets &targets, DeliveryKind kind) {
  for (unsigned i = 0; i < plan.results.size(); ++i)
    if (plan.kind(i) == kind)
      clearRow(i, targets);
}

void WorkerCode::clearRow(unsigned i, const Targets &targets) {
  const View &view = plan.results[i];
  const Array &array = targets.arrays[i];
  Value row = targets.rows[i];
  if (plan.kind(i) == DeliveryKind::total || view.isRowCompact()) {
    Value pointer = view.atRow(b, array.base, row);
    Value byte = arith::ConstantOp::create(b, b.getI8IntegerAttr(0));
    LLVM::MemsetOp::create(
        b, pointer, byte,
        constant(b, view.getRowCells() * view.getElementBytes()), false);
    return;
  }
  Value zero =
      arith::ConstantOp::create(b, b.getFloatAttr(view.getElementType(), 0.0));
  Value first = constant(b, 0), step = constant(b, 1);
  forEachRowCell(b, view, first, step, [&](Value cell) {
    LLVM::StoreOp::create(b, zero, view.atRowCell(b, array, row, cell));
  });
}

void WorkerCode::emitRow(Targets targets, Value row) {
  for (unsigned i = 0; i < plan.results.size(); ++i) {
    if (plan.kind(i) != DeliveryKind::row)
      continue;
    targets.rows[i] = row;
    if (plan.hasPartial(i) && !hasOneVector())
      clearRow(i, targets);
  }
  llvm::DenseMap<Value, Value> nodes;
  for (auto &[value, view] : plan.views)
    if (auto op = value.getDefiningOp<RowOp>())
      if (Value map = op.getMap(); map && !nodes.contains(map))
        nodes[map] = loadIndex(b, params.get(Params::index, map), row);
  forEachVector([&](Value start, int64_t vector) {
    Body body(b, plan.graph, plan.order, vector, /*aligned=*/false);
    SmallVector<Value> coordinates;
    if (!hasOneVector())
      coordinates = plan.lanes.coordinates(b, start);
    plan.pointRows(
        b, params, coordinates, row, [&](Value map) { return nodes[map]; },
        body);
    Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, start,
                                          constant(b, 0));
    SmallVector<RowPointer> results = pointAll(targets, coordinates);
    SimdLanes lanes(b, plan, body, results, isFirst, !hasOneVector());
    body.emit(lanes);
  });
}

void WorkerCode::emit(Value worker) {
  KernelOp kernel = plan.kernel;
  Value rows = params.getSize(kernel.getRows());
  Value span = params.get(Params::span);
  Value lo = arith::MulIOp::create(b, worker, span);
  Value hi =
      arith::MinSIOp::create(b, arith::AddIOp::create(b, lo, span), rows);
  Targets targets;
  for (unsigned i = 0; i < plan.results.size(); ++i) {
    targets.rows.push_back(worker);
    if (plan.kind(i) == DeliveryKind::row)
      targets.arrays.push_back({params.get(Params::result, i), rows});
    else
      targets.arrays.push_back({params.get(Params::partial, i), {}});
  }
  for (unsigned i = 0; i < plan.results.size(); ++i)
    if (plan.kind(i) == DeliveryKind::total)
      targets.arrays[i] = getTotalTarget(b, plan, params, i, worker);
  clear(targets, DeliveryKind::total);
  Value owner = kernel.getOwner();
  if (!owner) {
    walkRows(b, lo, hi, {}, [&](Value row, ValueRange) -> Values {
      emitRow(targets, row);
      return {};
    });
    return;
  }
  OwnerArrays arrays{params.get(Params::order, owner),
                     params.get(Params::ptr, owner),
                     params.getSize(cast<MapType>(owner.getType()).getTarget()),
                     params.get(Params::index, owner)};
  walkOwner(
      b, arrays, lo, hi, {},
      [&](const NodeRange &range) -> Values {
        for (unsigned i = 0; i < plan.results.size(); ++i) {
          if (plan.kind(i) != DeliveryKind::segment)
            continue;
          TargetRow target =
              getSegmentTarget(b, plan, params, i, range, worker);
          targets.arrays[i] = target.array;
          targets.rows[i] = target.row;
        }
        clear(targets, DeliveryKind::segment);
        return {};
      },
      [&](Value at, ValueRange) -> Values {
        emitRow(targets, loadIndex(b, arrays.order, at));
        return {};
      },
      [](const NodeRange &, ValueRange) {});
}

static void emitRows(Program &program, ModuleOp module, const Plan &plan) {
  Builder &b = program.builder();
  KernelOp kernel = plan.kernel;
  Params params = program.makeParams(plan);
  std::string name =
      program.getName(std::to_string(&plan - program.getPlans().data()));
  Value workers = params.getHost(Params::workers);
  Task task(b, module, name);
  task.define(params, /*versions=*/true,
              [&](Value worker) { WorkerCode(b, plan, params).emit(worker); });
  task.run(params, workers, 1);
  if (plan.delivers(DeliveryKind::segment)) {
    Task combine(b, module, name + "_nodes");
    combine.define(params, /*versions=*/false, [&](Value node) {
      Value lane = constant(b, 0), lanes = constant(b, 1);
      emitCombineNode(b, plan, params, node, lane, lanes);
    });
    PolyAttr nodes = cast<MapType>(kernel.getOwner().getType()).getTarget();
    combine.run(params, program.size(nodes), 1024);
  }
  if (plan.delivers(DeliveryKind::total)) {
    Task combine(b, module, name + "_totals");
    combine.define(params, /*versions=*/false, [&](Value) {
      Value lane = constant(b, 0), lanes = constant(b, 1);
      emitCombineTotals(b, plan, params, lane, lanes);
    });
    combine.run(params, constant(b, 1), 1);
  }
}

void emitForCPU(Program &program) {
  auto module = program.getBody()->getParentOfType<ModuleOp>();
  Tables tables(program.builder(), module);
  program.forEachKernel(
      [&](const Plan &plan) { emitRows(program, module, plan); },
      [&](CellsOp kernel) {
        emitCellsForCPU(program, module, tables, kernel);
      });
}

} // namespace gyre::kernels
