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
                     Team &team, OwnWords &words, ValueRange coordinates)
    : b(b), plan(plan), params(params), team(team), words(words),
      coordinates(coordinates),
      ahead(b, plan, params, team, words, this->coordinates) {
  for (size_t i = 0; i < plan.results.size(); ++i)
    pending.push_back({LaneSums(b, team), {}, {}, {}});
  words.placeAfter(ahead.getBytes());
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

//===----------------------------------------------------------------------===//
// A row
//===----------------------------------------------------------------------===//

Values DeviceRow::emit(Value position, ValueRange carried) {
  Body current(b, plan.graph, plan.order, plan.schedule.getVector(),
               /*aligned=*/true);
  body = &current;
  current.invariants = invariants;
  SmallVector<NodeId> order(plan.getCarried(DeliveryKind::segment));
  llvm::append_range(order, plan.getCarried(DeliveryKind::total));
  Values next(carried.drop_front(order.size()));
  carried = carried.take_front(order.size());
  Value row = ahead.enter(position, next);
  plan.pointRows(
      b, params, coordinates, row, [&](Value map) { return ahead.nodeOf(map); },
      current);
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
  llvm::append_range(result, next);
  return result;
}

/// Writes zeros to rows that have cells which nothing goes into: to all cells,
/// as memory that is written in part would be read before. There is no loop,
/// for the reason that `finish` gives; threads that are left over write the
/// last cell, too.
void DeviceRow::clearRows() {
  int64_t threads = team.getWarps() * kWarp;
  bool any = false;
  for (unsigned i = 0; i < plan.results.size(); ++i) {
    if (!plan.isCleared(i))
      continue;
    any = true;
    const View &view = plan.results[i];
    Type type = view.getElementType();
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
    int64_t count = view.getRowCells();
    for (int64_t first = 0; first < count; first += threads) {
      Value cell = team.getThread();
      int64_t left = count - first;
      if (left < threads)
        cell = arith::MinSIOp::create(b, cell, constant(b, left - 1));
      Value base = results[i].pointer;
      Value pointer = LLVM::GEPOp::create(b, base.getType(), type, base, cell);
      pointer = LLVM::GEPOp::create(b, base.getType(), type, pointer,
                                    constant(b, first));
      LLVM::StoreOp::create(b, zero, pointer);
    }
  }
  if (any)
    team.synchronise();
}

/// Writes shared cells of a row, a cell a thread; threads that are left over
/// write the last one, too. Several loads are under way before the first store,
/// which would wait for one after the other.
void DeviceRow::storeCells(unsigned result,
                           ArrayRef<const DeliveredCell *> cells,
                           function_ref<Value(int64_t first)> get) {
  constexpr size_t together = 8;
  auto count = static_cast<int64_t>(cells.size());
  int64_t threads = team.getWarps() * kWarp;
  Values values, pointers;
  for (int64_t first = 0; first < count; first += threads) {
    values.push_back(get(first));
    pointers.push_back(
        ownPointer(result, values.back().getType(), [&](int64_t thread) {
          return cells[std::min(thread + first, count - 1)];
        }));
    if (values.size() < together && first + threads < count)
      continue;
    for (auto [value, pointer] : llvm::zip_equal(values, pointers))
      LLVM::StoreOp::create(b, value, pointer);
    values.clear();
    pointers.clear();
  }
}

Value DeviceRow::loadShared(NodeId node) {
  Value word = ahead.load(node);
  return word ? word : body->loadCell(plan.graph.node(node));
}

Value DeviceRow::loadAhead(NodeId node) {
  Value cell = ahead.load(node);
  if (cell || !ahead.isOfOwner(node))
    return cell;
  // The optimisers would load it once for all rows of the owner's node, and
  // have no registers left.
  return body->loadCell(plan.graph.node(node), /*isInvariant=*/false);
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

/// Where a thread's own cell is.
Value DeviceRow::ownPointer(
    unsigned result, Type type,
    function_ref<const DeliveredCell *(int64_t thread)> cellOf) {
  const RowPointer &row = results[result];
  auto offset = [&](int64_t thread) {
    return plan.results[result].offset(cellOf(thread)->index);
  };
  Value place = words.get(
      [&](int64_t thread) -> int32_t { return offset(thread).first; });
  // Cells lie far apart where an axis comes before that of the rows.
  bool isFar = false;
  for (int64_t thread = 0; thread < team.getWarps() * kWarp; ++thread)
    isFar |= offset(thread).second != 0;
  if (isFar) {
    Value times = words.get(
        [&](int64_t thread) -> int32_t { return offset(thread).second; });
    Value far = arith::MulIOp::create(b, times, row.rows);
    place = arith::AddIOp::create(b, place, far);
  }
  return LLVM::GEPOp::create(b, row.pointer.getType(), type, row.pointer,
                             place);
}

/// Threads that have the same sum write it to the same place: conditions would
/// keep values for long.
void DeviceRow::storeSums(unsigned result, Value sum, ArrayRef<int32_t> owned) {
  Value pointer = ownPointer(result, sum.getType(), [&](int64_t thread) {
    return pending[result].cells[owned[thread]];
  });
  LLVM::StoreOp::create(b, sum, pointer);
}

/// To [cell][warp] of the memory that the warps share.
void DeviceRow::keepSums(unsigned result, Value sum, ArrayRef<int32_t> owned) {
  Pending &cells = pending[result];
  Value number = words.get([&](int64_t thread) -> int32_t {
    return owned[thread % kWarp] + cells.stored.size();
  });
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

/// Adds the warps' sums. There is no loop: the optimiser would move what it can
/// of the row behind it, and keep what that needs.
void DeviceRow::finish(unsigned result) {
  Pending &cells = pending[result];
  Value last = constant(b, static_cast<int64_t>(cells.stored.size()) - 1);
  storeCells(result, cells.stored, [&](int64_t first) {
    Value number =
        arith::AddIOp::create(b, team.getThread(), constant(b, first));
    number = arith::MinSIOp::create(b, number, last);
    Value sum;
    for (int64_t warp = 0; warp < team.getWarps(); ++warp) {
      Value begin =
          arith::MulIOp::create(b, number, constant(b, team.getWarps()));
      Value at = arith::AddIOp::create(b, begin, constant(b, warp));
      Value part = memref::LoadOp::create(
          b, cells.memory,
          Value(arith::IndexCastOp::create(b, b.getIndexType(), at)));
      sum = sum ? Value(arith::AddFOp::create(b, sum, part)) : part;
    }
    return sum;
  });
}

} // namespace gyre::kernels
