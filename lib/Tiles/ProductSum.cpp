//===- ProductSum.cpp - Sums of products of matrices ----------------------===//

#include "gyre/Tiles/Product.h"

#include "gyre/Dialect/PolySyntax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;

namespace gyre::tiles {

/// Which of some axes it is.
static std::optional<size_t> findAxis(ArrayRef<AxisAttr> axes,
                                      StringAttr name) {
  for (auto [i, axis] : llvm::enumerate(axes))
    if (axis.getName() == name)
      return i;
  return std::nullopt;
}

/// Whether an axis of the one result is counted as one of the other is.
static bool isSameAxis(const Product &x, StringAttr ofX, const Product &y,
                       StringAttr ofY) {
  ContractOp first = x.op, second = y.op;
  return first.getAxisSize(ofX) == second.getAxisSize(ofY) &&
         findAxis(x.batch, ofX) == findAxis(y.batch, ofY) &&
         findAxis(x.rows, ofX) == findAxis(y.rows, ofY) &&
         findAxis(x.columns, ofX) == findAxis(y.columns, ofY);
}

bool areAlike(const Product &x, const Product &y) {
  ContractOp first = x.op, second = y.op;
  if (first.getResult().getType() != second.getResult().getType() ||
      first.getAccumulatorType() != second.getAccumulatorType() ||
      first.getPrecision() != second.getPrecision() ||
      x.coefficient != y.coefficient)
    return false;
  for (auto [ofX, ofY] :
       llvm::zip_equal(first.getResultSubscript().getAsRange<ArrayAttr>(),
                       second.getResultSubscript().getAsRange<ArrayAttr>())) {
    if (ofX.size() != ofY.size())
      return false;
    for (auto [a, b] : llvm::zip_equal(ofX.getAsRange<StringAttr>(),
                                       ofY.getAsRange<StringAttr>()))
      if (!isSameAxis(x, a, y, b))
        return false;
  }
  return true;
}

/// Whether terms are stored as they are summed: so their sum is not rounded
/// between.
static bool keepsSums(const Product &product) {
  ContractOp op = product.op;
  return op.getAccumulatorType() == op.getResult().getType().getElementType();
}

static bool addTerms(Value value, ProductSum &sum) {
  constexpr size_t most = 4;
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (auto contract = dyn_cast<ContractOp>(op)) {
    std::optional<Product> product = Product::get(contract);
    if (!product || !product->coversResult() || !product->pays() ||
        sum.terms.size() == most ||
        (!sum.terms.empty() && !areAlike(sum.terms.front(), *product)))
      return false;
    sum.terms.push_back(*product);
  } else if (!isa<arith::AddFOp>(op) ||
             !llvm::all_of(op->getOperands(),
                           [&](Value operand) {
                             Operation *source = operand.getDefiningOp();
                             return operand.hasOneUse() && source &&
                                    source->getBlock() == op->getBlock() &&
                                    addTerms(operand, sum);
                           }) ||
             !keepsSums(sum.terms.front())) {
    return false;
  }
  sum.ops.push_back(op);
  return true;
}

std::optional<ProductSum> ProductSum::get(Value value) {
  ProductSum sum;
  if (!addTerms(value, sum))
    return std::nullopt;
  return sum;
}

int64_t Piece::estimateDepth() const {
  int64_t depth = 0;
  for (const Product &term : terms)
    depth = llvm::SaturatingAdd<uint64_t>(depth, term.estimate(term.depth));
  return std::min(depth, std::numeric_limits<int64_t>::max() / 2);
}

} // namespace gyre::tiles
