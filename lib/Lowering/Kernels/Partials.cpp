//===- Partials.cpp - Where sums over rows go, and their sums -------------===//
//
// A node whose rows several workers have got no sum yet: their partial rows are
// added in the order of the workers. Nodes without rows get zeros, unless a
// worker of their own wrote them.
//
//===----------------------------------------------------------------------===//

#include "Partials.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gyre::kernels {

TargetRow getSegmentTarget(Builder &b, const Plan &plan, const Params &params,
                           unsigned result, const NodeRange &node,
                           Value worker) {
  auto choose = [&](Value whole, Value part) -> Value {
    return arith::SelectOp::create(b, node.all, whole, part);
  };
  Value twice = arith::MulIOp::create(b, worker, constant(b, 2));
  Value slot = arith::AddIOp::create(b, twice, node.slot);
  return {{choose(params.get(Params::result, result),
                  params.get(Params::partial, result)),
           choose(params.getSize(plan.getResultRows(result)),
                  constant(b, plan.getPartialRows(result)))},
          choose(node.node, slot)};
}

Array getTotalTarget(Builder &b, const Plan &plan, const Params &params,
                     unsigned result, Value worker) {
  const View &view = plan.results[result];
  Value base = params.get(Params::partial, result);
  Value offset =
      arith::MulIOp::create(b, worker, constant(b, view.getRowCells()));
  return {LLVM::GEPOp::create(b, base.getType(), view.getElementType(), base,
                              offset),
          {}};
}

void forEachRowCell(Builder &b, const View &view, Value lane, Value lanes,
                    function_ref<void(Value)> visit) {
  scf::ForOp::create(b, lane, constant(b, view.getRowCells()), lanes, {},
                     [&](OpBuilder &, Location, Value cell, ValueRange) {
                       visit(cell);
                       scf::YieldOp::create(b);
                     });
}

static Value load(Builder &b, Type element, Value pointer) {
  return LLVM::LoadOp::create(b, element, pointer);
}

/// A node's sum of the partial rows [first, last] of one cell.
static Value sumPartials(Builder &b, const View &view, const Array &partial,
                         Value cell, Value begins, Value first, Value last,
                         Value span) {
  Type element = view.getElementType();
  Value zero = arith::ConstantOp::create(b, b.getFloatAttr(element, 0.0));
  Value after = arith::AddIOp::create(b, last, constant(b, 1));
  auto loop = scf::ForOp::create(
      b, first, after, constant(b, 1), zero,
      [&](OpBuilder &, Location, Value worker, ValueRange sum) {
        // A node that does not begin with the range is the range's last.
        Value lo = arith::MulIOp::create(b, worker, span);
        Value inside =
            arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, begins, lo);
        Value slot = arith::ExtUIOp::create(b, b.getI64Type(), inside);
        Value row = arith::AddIOp::create(
            b, arith::MulIOp::create(b, worker, constant(b, 2)), slot);
        Value pointer = view.atRowCell(b, partial, row, cell);
        scf::YieldOp::create(b, Value(arith::AddFOp::create(
                                    b, sum[0], load(b, element, pointer))));
      });
  return loop.getResult(0);
}

void emitCombineNode(Builder &b, const Plan &plan, const Params &params,
                     Value node, Value lane, Value lanes) {
  Value owner = KernelOp(plan.kernel).getOwner();
  Value ptr = params.get(Params::ptr, owner);
  Value span = params.get(Params::span);
  Value begins = loadIndex(b, ptr, node);
  Value ends =
      loadIndex(b, ptr, arith::AddIOp::create(b, node, constant(b, 1)));
  Value last = arith::DivSIOp::create(
      b, arith::SubIOp::create(b, ends, constant(b, 1)), span);
  Value first = arith::DivSIOp::create(b, begins, span);
  Value empty =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, begins, ends);
  Value shared =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, first, last);
  Value writes = arith::OrIOp::create(b, empty, shared);
  // Where each node has a worker, only heavy ones are left.
  if (plan.schedule.getHeavy() > 0)
    writes =
        arith::CmpIOp::create(b, arith::CmpIPredicate::sgt,
                              arith::SubIOp::create(b, ends, begins), span);
  // Without rows the range of workers is empty, too, and the sum a zero.
  Value none = arith::SubIOp::create(b, first, constant(b, 1));
  last = arith::SelectOp::create(b, empty, none, last);
  scf::IfOp::create(b, writes, [&](OpBuilder &, Location) {
    for (unsigned i = 0; i < plan.results.size(); ++i) {
      if (plan.kind(i) != DeliveryKind::segment)
        continue;
      const View &view = plan.results[i];
      Array out{params.get(Params::result, i),
                params.getSize(plan.getResultRows(i))};
      Array partial{params.get(Params::partial, i),
                    constant(b, plan.getPartialRows(i))};
      forEachRowCell(b, view, lane, lanes, [&](Value cell) {
        Value sum =
            sumPartials(b, view, partial, cell, begins, first, last, span);
        LLVM::StoreOp::create(b, sum, view.atRowCell(b, out, node, cell));
      });
    }
    scf::YieldOp::create(b);
  });
}

void emitCombineTotals(Builder &b, const Plan &plan, const Params &params,
                       Value lane, Value lanes) {
  Value workers = params.get(Params::workers);
  for (unsigned i = 0; i < plan.results.size(); ++i) {
    if (plan.kind(i) != DeliveryKind::total)
      continue;
    const View &view = plan.results[i];
    Type element = view.getElementType();
    Value out = params.get(Params::result, i);
    Value partial = params.get(Params::partial, i);
    Value rowCells = constant(b, view.getRowCells());
    forEachRowCell(b, view, lane, lanes, [&](Value cell) {
      Value zero = arith::ConstantOp::create(b, b.getFloatAttr(element, 0.0));
      auto at = [&](Value base, Value offset) -> Value {
        return LLVM::GEPOp::create(b, base.getType(), element, base, offset);
      };
      Value first = constant(b, 0), step = constant(b, 1);
      auto loop = scf::ForOp::create(
          b, first, workers, step, zero,
          [&](OpBuilder &, Location, Value worker, ValueRange sum) {
            Value offset = arith::AddIOp::create(
                b, arith::MulIOp::create(b, worker, rowCells), cell);
            Value part = load(b, element, at(partial, offset));
            scf::YieldOp::create(b,
                                 Value(arith::AddFOp::create(b, sum[0], part)));
          });
      LLVM::StoreOp::create(b, loop.getResult(0), at(out, cell));
    });
  }
}

} // namespace gyre::kernels
