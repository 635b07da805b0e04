//===- DeviceRow.cpp - A row of a team of threads -------------------------===//

#include "DeviceRow.h"

#include "Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gyre::kernels {

using cells::DeliveredCell;
using cells::Extent;
using cells::Node;
using cells::NodeId;

//===----------------------------------------------------------------------===//
// What all rows share
//===----------------------------------------------------------------------===//

DeviceRow::DeviceRow(Builder &b, const Plan &plan, const Params &params,
                     Team &team, Tables &tables, ValueRange coordinates)
    : b(b), plan(plan), params(params), team(team), tables(tables),
      coordinates(coordinates) {
  for (size_t i = 0; i < plan.results.size(); ++i)
    pending.push_back({LaneSums(b, team), {}, {}, {}});
  batchWords();
  Body first(b, plan.graph, plan.order, plan.schedule.getVector(),
             /*aligned=*/true);
  plan.pointShared(b, params, coordinates, first);
  first.loadInvariants();
  invariants = first.invariants;
  if (team.isOneWarp())
    return;
  // Each warp's sums over its lanes, of each cell.
  for (unsigned i = 0; i < plan.results.size(); ++i) {
    int64_t count = llvm::count_if(
        plan.graph.getDelivered(), [&](const DeliveredCell &cell) {
          return cell.result == i && plan.kind(i) == DeliveryKind::row &&
                 plan.graph.node(cell.node).extent == Extent::partial;
        });
    if (count > 0)
      pending[i].memory = team.allocate(plan.results[i].getElementType(),
                                        count * team.getWarps());
  }
}

/// Cuts the shared words of each value into batches of a warp, in the order of
/// their offsets.
void DeviceRow::batchWords() {
  for (auto &[value, view] : plan.views) {
    SmallVector<std::pair<int64_t, NodeId>> found;
    for (NodeId id = 0; id < plan.graph.getNodes().size(); ++id) {
      const Node &node = plan.graph.node(id);
      if (node.kind != Node::load || node.value != value ||
          node.extent != Extent::shared || plan.graph.isInvariant(id))
        continue;
      // A cell that is far from the row's others is loaded by itself.
      auto [fixed, timesRows] = view.offset(node.index);
      if (timesRows == 0 && llvm::isInt<32>(fixed))
        found.push_back({fixed, id});
    }
    llvm::sort(found);
    for (size_t begin = 0; begin < found.size(); begin += kWarp) {
      Batch batch;
      batch.value = value;
      SmallVector<int32_t> offsets;
      for (size_t i = 0; i < kWarp; ++i) {
        size_t at = std::min(begin + i, found.size() - 1);
        offsets.push_back(found[at].first);
        if (begin + i >= found.size())
          continue;
        words[found[at].second] = {batches.size(), i};
        batch.words.push_back(found[at].second);
      }
      batch.offset = tables.load(offsets, laneNumber());
      batches.push_back(batch);
    }
  }
}

//===----------------------------------------------------------------------===//
// A row
//===----------------------------------------------------------------------===//

Values DeviceRow::emit(Value row, ValueRange carried) {
  Body current(b, plan.graph, plan.order, plan.schedule.getVector(),
               /*aligned=*/true);
  body = &current;
  current.invariants = invariants;
  llvm::DenseMap<Value, Value> nodes;
  plan.pointRows(
      b, params, coordinates, row,
      [&](Value map) {
        Value &node = nodes[map];
        if (!node)
          node = loadIndex(b, params.get(Params::index, map), row);
        return node;
      },
      current);
  // Words are where the row begins, whatever the thread's cells.
  for (Batch &batch : batches) {
    const RowPointer &at = current.pointers[batch.value];
    Value pointer =
        LLVM::GEPOp::create(b, at.pointer.getType(), at.view->getElementType(),
                            at.pointer, batch.offset);
    batch.word = LLVM::LoadOp::create(
        b, at.view->getElementType(), pointer, at.view->getElementBytes(),
        /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/true);
  }
  results.clear();
  KernelOp kernel = plan.kernel;
  for (unsigned i = 0; i < plan.results.size(); ++i) {
    results.push_back({});
    if (plan.kind(i) == DeliveryKind::row)
      results[i] = plan.pointResult(
          b, i,
          {params.get(Params::result, i), params.getSize(kernel.getRows())},
          coordinates, row);
  }
  clearRows();

  carriedIn.clear();
  carriedOut.clear();
  SmallVector<NodeId> order(plan.getCarried(DeliveryKind::segment));
  llvm::append_range(order, plan.getCarried(DeliveryKind::total));
  for (auto [node, value] : llvm::zip_equal(order, carried))
    carriedIn[node] = carriedOut[node] = value;
  for (Pending &cells : pending) {
    cells.cells.clear();
    cells.stored.clear();
  }
  current.emit(*this);
  bool waits = false;
  for (unsigned i = 0; i < pending.size(); ++i) {
    flush(i);
    waits |= !pending[i].stored.empty();
  }
  if (waits) {
    team.synchronise();
    for (unsigned i = 0; i < pending.size(); ++i)
      finish(i);
    team.synchronise();
  }
  body = nullptr;
  Values result;
  for (NodeId node : order)
    result.push_back(carriedOut[node]);
  return result;
}

/// Writes zeros to rows that have cells which nothing goes into.
void DeviceRow::clearRows() {
  bool any = false;
  for (unsigned i = 0; i < plan.results.size(); ++i) {
    if (!plan.isCleared(i))
      continue;
    any = true;
    const View &view = plan.results[i];
    Value zero =
        arith::ConstantOp::create(b, b.getZeroAttr(view.getElementType()));
    scf::ForOp::create(b, team.getThread(), constant(b, view.getRowCells()),
                       constant(b, team.getWarps() * kWarp), {},
                       [&](OpBuilder &, Location, Value cell, ValueRange) {
                         Value pointer = LLVM::GEPOp::create(
                             b, results[i].pointer.getType(),
                             view.getElementType(), results[i].pointer, cell);
                         LLVM::StoreOp::create(b, zero, pointer);
                         scf::YieldOp::create(b);
                       });
  }
  if (any)
    team.synchronise();
}

Value DeviceRow::loadShared(NodeId node) {
  auto found = words.find(node);
  if (found == words.end())
    return body->loadCell(plan.graph.node(node));
  auto [batch, thread] = found->second;
  Value from = arith::ConstantOp::create(b, b.getI32IntegerAttr(thread));
  return team.shuffle(batches[batch].word, NVVM::ShflKind::idx, from);
}

Value DeviceRow::openCarried(NodeId node) { return carriedIn[node]; }

void DeviceRow::closeCarried(NodeId node, Value value) {
  carriedOut[node] = value;
}

Value DeviceRow::pointer(const DeliveredCell &cell) {
  const RowPointer &row = results[cell.result];
  return row.view->atCell(b, row.pointer, row.rows, cell.index);
}

Value DeviceRow::reduce(Value partial) { return team.sumAll(partial); }

void DeviceRow::deliver(const DeliveredCell &cell, Extent extent, Value value) {
  switch (extent) {
  case Extent::lane:
    return body->storeLanes(value, results[cell.result], pointer(cell));
  case Extent::shared:
    // By all threads.
    if (!plan.isCleared(cell.result) || !plan.isZero(cell.node))
      LLVM::StoreOp::create(b, value, pointer(cell));
    return;
  case Extent::partial:
    Pending &cells = pending[cell.result];
    cells.cells.push_back(&cell);
    cells.sums.add(value);
    if (cells.sums.isFull())
      flush(cell.result);
  }
}

//===----------------------------------------------------------------------===//
// Sums over the lanes
//===----------------------------------------------------------------------===//

Value DeviceRow::laneNumber() {
  return arith::ExtUIOp::create(b, b.getI64Type(), team.getLane());
}

int32_t DeviceRow::offsetOf(const DeliveredCell &cell) const {
  return plan.results[cell.result].offset(cell.index).first;
}

/// Threads that have the same sum write it to the same place: conditions would
/// keep values for long.
void DeviceRow::storeSums(unsigned result, Value sum, ArrayRef<int32_t> owned) {
  SmallVector<int32_t> offsets;
  for (int32_t number : owned)
    offsets.push_back(offsetOf(*pending[result].cells[number]));
  Value base = results[result].pointer;
  Value offset = tables.load(offsets, laneNumber());
  LLVM::StoreOp::create(
      b, sum,
      LLVM::GEPOp::create(b, base.getType(), sum.getType(), base, offset));
}

/// To [cell][warp] of the memory that the warps share.
void DeviceRow::keepSums(unsigned result, Value sum, ArrayRef<int32_t> owned) {
  Pending &cells = pending[result];
  SmallVector<int32_t> numbers;
  for (int32_t number : owned)
    numbers.push_back(number + cells.stored.size());
  Value number = tables.load(numbers, laneNumber());
  Value cell = arith::AddIOp::create(
      b, arith::MulIOp::create(b, number, constant(b, team.getWarps())),
      team.getWarp());
  memref::StoreOp::create(
      b, sum, cells.memory,
      Value(arith::IndexCastOp::create(b, b.getIndexType(), cell)));
}

/// Sums what is pending over each warp. One warp writes its sums to the row;
/// those of several are kept until all are there.
void DeviceRow::flush(unsigned result) {
  Pending &cells = pending[result];
  if (cells.cells.empty())
    return;
  SmallVector<int32_t> owned;
  Value sum = cells.sums.finish(owned);
  if (team.isOneWarp())
    storeSums(result, sum, owned);
  else
    keepSums(result, sum, owned);
  if (!team.isOneWarp())
    llvm::append_range(cells.stored, cells.cells);
  cells.cells.clear();
}

/// Adds the warps' sums, a cell a thread; threads that are left over take the
/// last cell, too. There is no loop: the optimiser would move what it can of
/// the row behind it, and keep what that needs.
void DeviceRow::finish(unsigned result) {
  Pending &cells = pending[result];
  if (cells.stored.empty())
    return;
  SmallVector<int32_t> offsets;
  for (const DeliveredCell *cell : cells.stored)
    offsets.push_back(offsetOf(*cell));
  auto count = static_cast<int64_t>(offsets.size());
  Value last = constant(b, count - 1);
  for (int64_t first = 0; first < count; first += team.getWarps() * kWarp) {
    Value number =
        arith::AddIOp::create(b, team.getThread(), constant(b, first));
    number = arith::MinSIOp::create(b, number, last);
    Value sum;
    for (int64_t warp = 0; warp < team.getWarps(); ++warp) {
      Value at = arith::AddIOp::create(
          b, arith::MulIOp::create(b, number, constant(b, team.getWarps())),
          constant(b, warp));
      Value part = memref::LoadOp::create(
          b, cells.memory,
          Value(arith::IndexCastOp::create(b, b.getIndexType(), at)));
      sum = sum ? Value(arith::AddFOp::create(b, sum, part)) : part;
    }
    Value base = results[result].pointer;
    Value offset = tables.load(offsets, number);
    LLVM::StoreOp::create(
        b, sum,
        LLVM::GEPOp::create(b, base.getType(), sum.getType(), base, offset));
  }
}

} // namespace gyre::kernels
