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

Values walkRows(Builder &b, const RowRange &range, ValueRange totals,
                RowBody row) {
  Value step = range.step ? range.step : constant(b, 1);
  auto loop = scf::ForOp::create(
      b, range.lo, range.hi, step, totals,
      [&](OpBuilder &, Location, Value at, ValueRange carried) {
        scf::YieldOp::create(b, row(at, carried));
      });
  return Values(loop.getResults());
}

/// The first position at or after `stop` that is whole steps after `position`.
static Value goOn(Builder &b, Value position, Value stop, Value step) {
  if (!step)
    return stop;
  // Positions fit 32 bits, of which quotients are cheaper.
  auto narrow = [&](Value value) -> Value {
    return arith::TruncIOp::create(b, b.getI32Type(), value);
  };
  // There is a row at the position, so it is before `stop`.
  Value left = arith::SubIOp::create(b, stop, next(b, position));
  Value steps = arith::DivUIOp::create(b, narrow(left), narrow(step));
  steps = next(b, arith::ExtUIOp::create(b, b.getI64Type(), steps));
  return arith::AddIOp::create(b, position,
                               arith::MulIOp::create(b, steps, step));
}

Values walkOwner(Builder &b, const OwnerArrays &owner, const RowRange &rows,
                 ValueRange totals, NodeStart start, RowBody row, NodeEnd end) {
  auto [lo, hi, step] = rows;
  Values initial = {lo, findNode(b, owner, lo)};
  llvm::append_range(initial, totals);
  auto loop = whileLoop(
      b, initial,
      [&, hi = hi](ValueRange at) {
        return compare(b, arith::CmpIPredicate::slt, at[0], hi);
      },
      [&, lo = lo, hi = hi, step = step](ValueRange at) -> Values {
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
        Values after = walkRows(b, {position, stop, step}, carried, row);
        Value then = goOn(b, position, stop, step);
        end(range, ArrayRef(after).take_front(sums));
        // Nodes without rows are skipped.
        auto skip = whileLoop(
            b, {next(b, node)},
            [&](ValueRange at) -> Value {
              Value more = compare(b, arith::CmpIPredicate::slt, then, hi);
              Value inside = arith::SelectOp::create(b, more, at[0], node);
              Value until = loadIndex(b, owner.ptr, next(b, inside));
              Value empty = compare(b, arith::CmpIPredicate::sle, until, then);
              return arith::AndIOp::create(b, more, empty);
            },
            [&](ValueRange at) -> Values { return {next(b, at[0])}; });
        Values result = {then, skip.getResult(0)};
        llvm::append_range(result, ArrayRef(after).drop_front(sums));
        return result;
      });
  return Values(loop.getResults().drop_front(2));
}

} // namespace gyre::kernels
