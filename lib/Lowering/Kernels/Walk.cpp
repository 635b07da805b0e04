//===- Walk.cpp - The rows of a worker, node by node ----------------------===//

#include "Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gyre::kernels {

static Value compare(Builder &b, arith::CmpIPredicate predicate, Value x,
                     Value y) {
  return arith::CmpIOp::create(b, predicate, x, y);
}

static Value next(Builder &b, Value value) {
  return arith::AddIOp::create(b, value, constant(b, 1));
}

Value loadIndex(Builder &b, Value array, Value position) {
  Value pointer =
      LLVM::GEPOp::create(b, array.getType(), b.getI32Type(), array, position);
  Value value = LLVM::LoadOp::create(b, b.getI32Type(), pointer, 4,
                                     /*isVolatile=*/false,
                                     /*isNonTemporal=*/false,
                                     /*isInvariant=*/true);
  return arith::ExtUIOp::create(b, b.getI64Type(), value);
}

static scf::WhileOp whileLoop(Builder &b, ValueRange initial,
                              function_ref<Value(ValueRange)> condition,
                              function_ref<Values(ValueRange)> body) {
  return scf::WhileOp::create(
      b, initial.getTypes(), initial,
      [&](OpBuilder &, Location, ValueRange arguments) {
        scf::ConditionOp::create(b, condition(arguments), arguments);
      },
      [&](OpBuilder &, Location, ValueRange arguments) {
        scf::YieldOp::create(b, body(arguments));
      });
}

/// The last node that begins at or before `position`; it has a row there.
static Value findNode(Builder &b, const OwnerArrays &owner, Value position) {
  auto loop = whileLoop(
      b, {constant(b, 0), owner.nodes},
      [&](ValueRange range) -> Value {
        Value width = arith::SubIOp::create(b, range[1], range[0]);
        return compare(b, arith::CmpIPredicate::sgt, width, constant(b, 1));
      },
      [&](ValueRange range) -> Values {
        Value sum = arith::AddIOp::create(b, range[0], range[1]);
        Value middle = arith::ShRUIOp::create(b, sum, constant(b, 1));
        Value begins = loadIndex(b, owner.ptr, middle);
        Value low = compare(b, arith::CmpIPredicate::sle, begins, position);
        return {arith::SelectOp::create(b, low, middle, range[0]),
                arith::SelectOp::create(b, low, range[1], middle)};
      });
  return loop.getResult(0);
}

/// Of a range's two workers the first has the rows of the node that the range
/// begins with, the other those of the one that it ends with, if it is another.
static Values findHeavy(Builder &b, const OwnerArrays &owner, Value rows,
                        Value span, Value worker) {
  Value one = constant(b, 1);
  Value begin =
      arith::MulIOp::create(b, arith::ShRUIOp::create(b, worker, one), span);
  Value end =
      arith::MinSIOp::create(b, arith::AddIOp::create(b, begin, span), rows);
  Value slot = arith::AndIOp::create(b, worker, one);
  Value isFirst = compare(b, arith::CmpIPredicate::eq, slot, constant(b, 0));
  Value at = arith::SelectOp::create(b, isFirst, begin,
                                     arith::SubIOp::create(b, end, one));
  Value node = loadIndex(b, owner.index, loadIndex(b, owner.order, at));
  Value begins = loadIndex(b, owner.ptr, node);
  Value ends = loadIndex(b, owner.ptr, next(b, node));
  Value length = arith::SubIOp::create(b, ends, begins);
  Value isHeavy = compare(b, arith::CmpIPredicate::sgt, length, span);
  Value isInside = compare(b, arith::CmpIPredicate::sgt, begins, begin);
  Value isOther = arith::OrIOp::create(b, isFirst, isInside);
  return {node, arith::MaxSIOp::create(b, begins, begin),
          arith::MinSIOp::create(b, ends, end), slot,
          arith::AndIOp::create(b, isHeavy, isOther)};
}

NodeRun findRun(Builder &b, const OwnerArrays &owner, Value rows, Value span,
                Value worker) {
  Value ranges = arith::CeilDivSIOp::create(b, rows, span);
  Value before = arith::MulIOp::create(b, ranges, constant(b, 2));
  Value isOfRange = compare(b, arith::CmpIPredicate::slt, worker, before);
  auto run = scf::IfOp::create(
      b, isOfRange,
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(b, findHeavy(b, owner, rows, span, worker));
      },
      [&](OpBuilder &, Location) {
        Value node = arith::SubIOp::create(b, worker, before);
        Value begins = loadIndex(b, owner.ptr, node);
        Value ends = loadIndex(b, owner.ptr, next(b, node));
        Value length = arith::SubIOp::create(b, ends, begins);
        Value isLight = compare(b, arith::CmpIPredicate::sle, length, span);
        scf::YieldOp::create(
            b, Values{node, begins, ends, constant(b, 0), isLight});
      });
  Value isNode = arith::XOrIOp::create(
      b, isOfRange, arith::ConstantOp::create(b, b.getBoolAttr(true)));
  return {{run.getResult(0), isNode, run.getResult(3)},
          run.getResult(1),
          run.getResult(2),
          run.getResult(4)};
}

Values walkRows(Builder &b, Value lo, Value hi, ValueRange totals,
                RowBody row) {
  auto loop = scf::ForOp::create(
      b, lo, hi, constant(b, 1), totals,
      [&](OpBuilder &, Location, Value at, ValueRange carried) {
        scf::YieldOp::create(b, row(at, carried));
      });
  return Values(loop.getResults());
}

Values walkOwner(Builder &b, const OwnerArrays &owner, Value lo, Value hi,
                 ValueRange totals, NodeStart start, RowBody row, NodeEnd end) {
  Values initial = {lo, findNode(b, owner, lo)};
  llvm::append_range(initial, totals);
  auto loop = whileLoop(
      b, initial,
      [&](ValueRange at) {
        return compare(b, arith::CmpIPredicate::slt, at[0], hi);
      },
      [&](ValueRange at) -> Values {
        Value position = at[0], node = at[1];
        Value begins = loadIndex(b, owner.ptr, node);
        Value ends = loadIndex(b, owner.ptr, next(b, node));
        Value stop = arith::MinSIOp::create(b, ends, hi);
        Value fromStart =
            compare(b, arith::CmpIPredicate::eq, position, begins);
        Value toEnd = compare(b, arith::CmpIPredicate::eq, stop, ends);
        Value first = compare(b, arith::CmpIPredicate::eq, position, lo);
        Value all = arith::AndIOp::create(b, fromStart, toEnd);
        Value zero = constant(b, 0), one = constant(b, 1);
        NodeRange range{node, all,
                        arith::SelectOp::create(b, first, zero, one)};
        Values carried = start(range);
        size_t sums = carried.size();
        llvm::append_range(carried, at.drop_front(2));
        Values after = walkRows(b, position, stop, carried, row);
        end(range, ArrayRef(after).take_front(sums));
        // Nodes without rows are skipped.
        auto skip = whileLoop(
            b, {next(b, node)},
            [&](ValueRange at) -> Value {
              Value more = compare(b, arith::CmpIPredicate::slt, stop, hi);
              Value inside = arith::SelectOp::create(b, more, at[0], node);
              Value until = loadIndex(b, owner.ptr, next(b, inside));
              Value empty = compare(b, arith::CmpIPredicate::sle, until, stop);
              return arith::AndIOp::create(b, more, empty);
            },
            [&](ValueRange at) -> Values { return {next(b, at[0])}; });
        Values result = {stop, skip.getResult(0)};
        llvm::append_range(result, ArrayRef(after).drop_front(sums));
        return result;
      });
  return Values(loop.getResults().drop_front(2));
}

} // namespace gyre::kernels
