//===- SinkSums.cpp - Sums over rows last ---------------------------------===//

#include "SinkSums.h"

#include "CellOps.h"
#include "Rows.h"

#include "gyre/Dialect/ContractBuilder.h"
#include "gyre/Dialect/PolySyntax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace gyre::fusion {

/// Sums the leading dimension of `rows`, which counts them.
static Value buildTotal(OpBuilder &b, Location loc, Value rows, TypeAttr acc) {
  auto type = cast<TensorType>(rows.getType());
  SmallVector<Attribute> all, kept;
  SmallVector<AxisAttr> sizes;
  for (auto [i, dim] : llvm::enumerate(type.getDims())) {
    StringAttr axis =
        b.getStringAttr(i == 0 ? std::string("e") : "i" + std::to_string(i));
    sizes.push_back(AxisAttr::get(b.getContext(), axis, dim));
    all.push_back(b.getArrayAttr({axis}));
    if (i > 0)
      kept.push_back(all.back());
  }
  return buildContract(b, loc, rows, b.getArrayAttr(all), b.getArrayAttr(kept),
                       sizes, {}, acc);
}

/// Splits a contract that sums rows.
static void splitTotal(ContractOp op) {
  StringAttr rows = getRowsAxis(op);
  bool written = false;
  walkAxes(op.getResultSubscript(),
           [&](StringAttr axis) { written |= axis == rows; });
  if (!rows || written || isTotal(op) || needsCells(op))
    return;
  OpBuilder b(op);
  SmallVector<Attribute> result = {b.getArrayAttr({rows})};
  llvm::append_range(result, op.getResultSubscript());
  auto subscripts = llvm::to_vector(op.getSubscripts().getAsRange<ArrayAttr>());
  auto sizes = llvm::to_vector(op.getDomain().getAsRange<AxisAttr>());
  Value each = buildContract(
      b, op.getLoc(), op.getInputs(), subscripts, b.getArrayAttr(result), sizes,
      op.getRelationAttr(), op.getAccAttr(), op.getPrecisionAttr());
  op.replaceAllUsesWith(buildTotal(b, op.getLoc(), each, op.getAccAttr()));
  op.erase();
}

/// The operand of a sum over rows, if `value` is one of the same kind as
/// `like`.
static Value getSummed(Value value, Operation *like) {
  Operation *op = value.getDefiningOp();
  if (!op || !like || op->getName() != like->getName())
    return {};
  if (auto sum = dyn_cast<SegmentSumOp>(op)) {
    auto other = cast<SegmentSumOp>(like);
    bool same =
        sum.getMap() == other.getMap() && sum.getAxis() == other.getAxis();
    return same ? sum.getRows() : Value();
  }
  // The names of axes do not matter; which of them counts rows, types say.
  bool same =
      isTotal(op) && isTotal(like) &&
      cast<ContractOp>(op).getAccAttr() == cast<ContractOp>(like).getAccAttr();
  return same ? op->getOperand(0) : Value();
}

/// sum(a) + sum(b) = sum(a + b).
static bool sink(Operation &op) {
  if (!isa<arith::AddFOp, arith::SubFOp, arith::NegFOp>(op))
    return false;
  Operation *first = op.getOperand(0).getDefiningOp();
  SmallVector<Value> summed;
  for (Value operand : op.getOperands()) {
    summed.push_back(getSummed(operand, first));
    if (!summed.back() || summed.back().getType() != summed[0].getType())
      return false;
  }
  OpBuilder b(&op);
  Operation *inner = b.clone(op);
  inner->setOperands(summed);
  inner->getResult(0).setType(summed[0].getType());
  Operation *outer = b.clone(*first);
  outer->setOperand(0, inner->getResult(0));
  op.getResult(0).replaceAllUsesWith(outer->getResult(0));
  op.erase();
  return true;
}

void sinkSums(FuncOp func) {
  Block &block = func.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(block))
    if (auto contract = dyn_cast<ContractOp>(op))
      splitTotal(contract);
  // Operands come first, so chains sink in one go.
  for (Operation &op : llvm::make_early_inc_range(block))
    sink(op);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.use_empty() && isa<ContractOp, SegmentSumOp>(op))
      op.erase();
}

} // namespace gyre::fusion
