//===- CPU.cpp - Kernels as parallel loops over workers -------------------===//
//
// A worker takes its rows one after the other, and of a row one vector along
// the lanes after the other. Sums over rows are in memory: in the result, or in
// the worker's partial row.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

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
  scf::ForOp::create(
      b, constant(b, 0), constant(b, width), constant(b, inner), {},
      [&](OpBuilder &, Location, Value outer, ValueRange) {
        int64_t whole = inner / vector * vector;
        scf::ForOp::create(b, constant(b, 0), constant(b, whole),
                           constant(b, vector), {},
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
  forEachRowCell(b, view, constant(b, 0), constant(b, 1), [&](Value cell) {
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
  // A total has one partial row for each worker, one after the other.
  for (unsigned i = 0; i < plan.results.size(); ++i) {
    if (plan.kind(i) != DeliveryKind::total)
      continue;
    const View &view = plan.results[i];
    Value offset =
        arith::MulIOp::create(b, worker, constant(b, view.getRowCells()));
    targets.arrays[i].base = LLVM::GEPOp::create(
        b, targets.arrays[i].base.getType(), view.getElementType(),
        targets.arrays[i].base, offset);
  }
  clear(targets, DeliveryKind::total);
  Value owner = kernel.getOwner();
  if (!owner) {
    walkRows(b, lo, hi, {}, [&](Value row, ValueRange) -> Values {
      emitRow(targets, row);
      return {};
    });
    return;
  }
  OwnerArrays arrays{
      params.get(Params::order, owner), params.get(Params::ptr, owner),
      params.getSize(cast<MapType>(owner.getType()).getTarget())};
  walkOwner(
      b, arrays, lo, hi, {},
      [&](const NodeRange &range) -> Values {
        for (unsigned i = 0; i < plan.results.size(); ++i) {
          if (plan.kind(i) != DeliveryKind::segment)
            continue;
          Value twice = arith::MulIOp::create(b, worker, constant(b, 2));
          Value slot = arith::AddIOp::create(b, twice, range.slot);
          auto choose = [&](Value whole, Value part) -> Value {
            return arith::SelectOp::create(b, range.all, whole, part);
          };
          targets.arrays[i] = {choose(params.get(Params::result, i),
                                      params.get(Params::partial, i)),
                               choose(params.getSize(plan.getResultRows(i)),
                                      constant(b, plan.getPartialRows(i)))};
          targets.rows[i] = choose(range.node, slot);
        }
        clear(targets, DeliveryKind::segment);
        return {};
      },
      [&](Value row, ValueRange) -> Values {
        emitRow(targets, row);
        return {};
      },
      [](const NodeRange &, ValueRange) {});
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

namespace {

/// A version of a task for a kind of processor.
struct Version {
  StringRef processor, suffix;
  int32_t level;
};

/// A function that works on [begin, end) of a parallel loop, in a version for
/// each kind of processor.
class Task {
public:
  Task(Builder &b, ModuleOp module, std::string name)
      : b(b), module(module), name(std::move(name)) {}

  /// `body` is called with the loop's index in each version.
  void define(Params &params, bool versions, function_ref<void(Value)> body);
  /// Runs the task over [0, count), by pieces of `grain`.
  void run(const Params &params, Value count, int64_t grain);

private:
  LLVM::LLVMFuncOp define(Params &params, StringRef suffix,
                          function_ref<void(Value)> body);
  LLVM::LLVMFuncOp declare(StringRef name, ArrayRef<Type> arguments);

  Builder &b;
  ModuleOp module;
  std::string name;
  SmallVector<std::pair<int32_t, LLVM::LLVMFuncOp>> versions;
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

void Task::define(Params &params, bool all, function_ref<void(Value)> body) {
  for (const Version &version :
       all ? getVersions() : getVersions().take_back()) {
    LLVM::LLVMFuncOp task = define(params, version.suffix, body);
    if (!version.processor.empty())
      task.setTargetCpu(version.processor);
    versions.push_back({version.level, task});
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

void emitForCPU(Program &program) {
  Builder &b = program.builder();
  auto module = program.getBody()->getParentOfType<ModuleOp>();
  for (const Plan &plan : program.getPlans()) {
    KernelOp kernel = plan.kernel;
    b.setLoc(kernel.getLoc());
    Params params = program.makeParams(plan);
    std::string name =
        program.getName(std::to_string(&plan - program.getPlans().data()));
    Value workers = params.getHost(Params::workers);
    Task task(b, module, name);
    task.define(params, /*versions=*/true, [&](Value worker) {
      WorkerCode(b, plan, params).emit(worker);
    });
    task.run(params, workers, 1);
    if (plan.delivers(DeliveryKind::segment)) {
      Task combine(b, module, name + "_nodes");
      combine.define(params, /*versions=*/false, [&](Value node) {
        emitCombineNode(b, plan, params, node, constant(b, 0), constant(b, 1));
      });
      PolyAttr nodes = cast<MapType>(kernel.getOwner().getType()).getTarget();
      combine.run(params, program.size(nodes), 1024);
    }
    if (plan.delivers(DeliveryKind::total)) {
      Task combine(b, module, name + "_totals");
      combine.define(params, /*versions=*/false, [&](Value) {
        emitCombineTotals(b, plan, params, constant(b, 0), constant(b, 1));
      });
      combine.run(params, constant(b, 1), 1);
    }
  }
}

} // namespace gyre::kernels
