//===- JoinPads.cpp - Sums of pads that are concatenations ----------------===//

#include "JoinPads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace gyre::fusion {

/// The terms of a sum, and of those sums among them that nothing else uses.
static void collectTerms(Value value, SmallVectorImpl<Value> &terms) {
  auto sum = value.getDefiningOp<arith::AddFOp>();
  if (!sum || !value.hasOneUse())
    return terms.push_back(value);
  for (Value operand : sum->getOperands())
    collectTerms(operand, terms);
}

/// Takes pads along one axis out of `terms` that follow one another from its
/// begin to its end.
static SmallVector<PadOp> takeParts(SmallVectorImpl<Value> &terms,
                                    int64_t axis) {
  SmallVector<PadOp> parts;
  PolyAttr at;
  while (true) {
    auto next = llvm::find_if(terms, [&](Value term) {
      auto pad = term.getDefiningOp<PadOp>();
      if (!pad || !term.hasOneUse() ||
          static_cast<int64_t>(pad.getAxis()) != axis ||
          llvm::is_contained(parts, pad))
        return false;
      return at ? pad.getLow() == at : pad.getLow().isConstant(0);
    });
    if (next == terms.end())
      return {};
    auto pad = (*next).getDefiningOp<PadOp>();
    parts.push_back(pad);
    auto type = cast<TensorType>(pad.getX().getType());
    at = pad.getLow().add(type.getDims()[axis]);
    if (pad.getHigh().isConstant(0))
      break;
  }
  llvm::erase_if(terms, [&](Value term) {
    auto pad = term.getDefiningOp<PadOp>();
    return pad && llvm::is_contained(parts, pad);
  });
  return parts;
}

static void join(arith::AddFOp sum) {
  SmallVector<Value> terms;
  for (Value operand : sum->getOperands())
    collectTerms(operand, terms);
  OpBuilder b(sum);
  auto type = cast<TensorType>(sum.getType());
  bool joined = false;
  for (int64_t axis = 0; axis < type.rank(); ++axis) {
    SmallVector<PadOp> parts = takeParts(terms, axis);
    if (parts.size() < 2) {
      for (PadOp pad : parts)
        terms.push_back(pad.getResult());
      continue;
    }
    auto inputs = llvm::map_to_vector(
        parts, [](PadOp pad) -> Value { return pad.getX(); });
    terms.push_back(ConcatOp::create(b, sum.getLoc(), inputs, axis));
    joined = true;
  }
  if (!joined)
    return;
  Value result = terms.front();
  for (Value term : ArrayRef(terms).drop_front())
    result = arith::AddFOp::create(b, sum.getLoc(), result, term);
  sum.replaceAllUsesWith(result);
}

void joinPads(FuncOp func) {
  Block &block = func.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto sum = dyn_cast<arith::AddFOp>(op);
    // Only whole sums.
    if (!sum || !isa<TensorType>(sum.getType()) ||
        (sum->hasOneUse() && isa<arith::AddFOp>(*sum->user_begin())))
      continue;
    join(sum);
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.use_empty() && isa<arith::AddFOp, PadOp>(op))
      op.erase();
}

} // namespace gyre::fusion
