//===- JoinProducts.cpp - Sums of products of matrices --------------------===//

#include "JoinProducts.h"

#include "CellOps.h"
#include "TileOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace gyre::fusion {

using tiles::ProductSum;

static bool areOfRows(const ProductSum &sum) {
  return llvm::all_of(sum.terms, [](const tiles::Product &term) {
    return multipliesRows(term.op) && needsCells(term.op);
  });
}

std::optional<ProductSum> getJoined(Operation *op) {
  if (!isa<arith::AddFOp>(op) || !isa<TensorType>(op->getResult(0).getType()))
    return std::nullopt;
  std::optional<ProductSum> sum = ProductSum::get(op->getResult(0));
  return sum && areOfRows(*sum) ? sum : std::nullopt;
}

/// The terms of a sum of sums that nothing else uses.
static void findTerms(Value value, SmallVectorImpl<Value> &terms) {
  auto sum = value.getDefiningOp<arith::AddFOp>();
  if (!sum || !value.hasOneUse())
    return terms.push_back(value);
  findTerms(sum.getLhs(), terms);
  findTerms(sum.getRhs(), terms);
}

/// The products among some terms that are like one of them, more than one.
static SmallVector<Value> findAlike(ArrayRef<Value> terms, size_t first) {
  SmallVector<Value> alike;
  std::optional<tiles::Product> like;
  for (Value term : terms.drop_front(first)) {
    std::optional<ProductSum> own;
    if (term.hasOneUse() && term.getDefiningOp<ContractOp>())
      own = ProductSum::get(term);
    if (!own || !areOfRows(*own))
      continue;
    if (!like)
      like = own->terms.front();
    if (tiles::areAlike(*like, own->terms.front()))
      alike.push_back(term);
  }
  return alike.size() > 1 ? alike : SmallVector<Value>();
}

static void join(arith::AddFOp sum) {
  SmallVector<Value> terms;
  findTerms(sum.getLhs(), terms);
  findTerms(sum.getRhs(), terms);
  for (size_t first = 0; first < terms.size(); ++first) {
    SmallVector<Value> alike = findAlike(terms, first);
    if (alike.empty() || alike.size() == terms.size())
      continue;
    OpBuilder b(sum);
    SmallVector<Value> sorted(alike);
    for (Value term : terms)
      if (!llvm::is_contained(alike, term))
        sorted.push_back(term);
    Value total = sorted.front();
    for (Value term : ArrayRef(sorted).drop_front())
      total = arith::AddFOp::create(b, sum.getLoc(), total, term);
    sum.replaceAllUsesWith(total);
    return;
  }
}

void joinProducts(FuncOp func) {
  Block &block = func.getBody().front();
  auto isLast = [](arith::AddFOp sum) {
    return !sum->hasOneUse() || !isa<arith::AddFOp>(*sum->user_begin());
  };
  for (auto sum : llvm::make_early_inc_range(block.getOps<arith::AddFOp>()))
    if (isa<TensorType>(sum.getType()) && isLast(sum))
      join(sum);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.use_empty() && isa<arith::AddFOp>(op))
      op.erase();
}

} // namespace gyre::fusion
