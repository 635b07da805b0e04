//===- Products.cpp - The products of a contract's cells ------------------===//

#include "GraphBuilder.h"

#include "gyre/Dialect/PolySyntax.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gyre::cells {

/// Bodies with more products or delivered cells than that are no row kernels.
static constexpr uint64_t kMostTerms = 100000;

LogicalResult GraphBuilder::countTerms(Operation *op, uint64_t times,
                                       ArrayRef<unsigned> list) {
  for (unsigned axis : list)
    if (!isLane(axis))
      times = llvm::SaturatingMultiply<uint64_t>(times, axes.size(axis));
  terms = llvm::SaturatingAdd(terms, times);
  if (terms > kMostTerms)
    return op->emitError("[schedule-size] expected a body of at most ")
           << kMostTerms << " products and delivered cells, got more";
  return success();
}

LogicalResult GraphBuilder::checkLanes(Value value) {
  SmallVector<unsigned> found;
  for (unsigned axis : axes.of(value))
    if (isLane(axis))
      found.push_back(axis);
  if (found.empty() || found == lanes)
    return success();
  return emitError(value.getLoc())
         << "[schedule-lanes] expected values with all lane axes, in their "
            "order, or none of them, got "
         << found.size() << " of " << lanes.size() << " in " << value.getType();
}

/// A sum over the lanes adds products of cells at the same place.
LogicalResult GraphBuilder::checkLanes(ContractOp op) {
  for (unsigned lane : lanes)
    if (axes.isTied(lane) || axes.count(op, lane) > 1)
      return op.emitError(
          "[schedule-lanes] expected lane axes that no relation "
          "ties and that stand once in each contract, got "
          "others");
  return success();
}

void GraphBuilder::forEachIndex(
    ArrayRef<unsigned> list,
    function_ref<void(const CellIndex &)> visit) const {
  CellIndex index(list.size(), 0);
  for (unsigned axis : list)
    if (axes.size(axis) == 0)
      return;
  while (true) {
    visit(index);
    size_t i = list.size();
    while (i > 0) {
      --i;
      if (!isLane(list[i]) && ++index[i] < axes.size(list[i]))
        break;
      index[i] = 0;
      if (i == 0)
        return;
    }
    if (list.empty())
      return;
  }
}

CellIndex GraphBuilder::split(int64_t value, ArrayRef<unsigned> list) const {
  CellIndex index(list.size(), 0);
  for (size_t i = list.size(); i > 0; --i) {
    index[i - 1] = value % axes.size(list[i - 1]);
    value /= axes.size(list[i - 1]);
  }
  return index;
}

/// Lists the products of all cells of a contract's result.
LogicalResult GraphBuilder::expand(ContractOp op) {
  ContractCells &cells = contracts[op];
  llvm::DenseMap<StringAttr, CellIndex> at;
  SmallVector<StringAttr> freeNames;
  AxisList freeAxes;
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>())
    if (!llvm::is_contained(op.getRelationAxes(), axis.getName())) {
      freeNames.push_back(axis.getName());
      llvm::append_range(freeAxes, axes.of(op, axis.getName()));
    }
  TuplesAttr tuples = op.getTuples();
  if (op.getRelationAttr() && !tuples)
    return op.emitError("[schedule-relation] expected an evaluated relation "
                        "(gyre-specialise evaluates it), got a comprehension");
  if (failed(countTerms(op, tuples ? tuples.size() : 1, freeAxes)))
    return failure();
  auto indexOf = [&](ArrayAttr subscript) {
    CellIndex index;
    walkAxes(subscript, [&](StringAttr name) {
      llvm::append_range(index, at.find(name)->second);
    });
    return index;
  };
  auto visit = [&](double coefficient) {
    forEachIndex(freeAxes, [&](const CellIndex &index) {
      ArrayRef<int64_t> left = index;
      for (StringAttr name : freeNames) {
        size_t count = axes.of(op, name).size();
        at[name] = CellIndex(left.take_front(count));
        left = left.drop_front(count);
      }
      ContractCells::Product product{coefficient, {}};
      for (ArrayAttr subscript : op.getSubscripts().getAsRange<ArrayAttr>())
        product.inputs.push_back(indexOf(subscript));
      cells.products[indexOf(op.getResultSubscript())].push_back(product);
    });
  };
  if (tuples) {
    for (int64_t i = 0; i < tuples.size(); ++i) {
      for (auto [name, value] :
           llvm::zip_equal(tuples.getAxes(), tuples.tuple(i)))
        at[name] = split(value, axes.of(op, name));
      visit(tuples.coefficient(i));
    }
  } else {
    visit(1.0);
  }
  return success();
}

} // namespace gyre::cells
