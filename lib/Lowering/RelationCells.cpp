//===- RelationCells.cpp - Cells that a relation reaches ------------------===//

#include "RelationCells.h"

#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace gyre {

RelationCells::RelationCells(ContractOp op) {
  TuplesAttr tuples = op.getTuples();
  if (!tuples || tuples.size() == 0)
    return;
  for (ArrayAttr entry : op.getResultSubscript().getAsRange<ArrayAttr>())
    for (StringAttr name : entry.getAsRange<StringAttr>()) {
      auto tied = llvm::find(tuples.getAxes(), name);
      if (tied == tuples.getAxes().end())
        continue;
      size_t position = tied - tuples.getAxes().begin();
      int64_t first = tuples.tuple(0)[position], last = first;
      for (int64_t i = 1; i < tuples.size(); ++i) {
        first = std::min(first, tuples.tuple(i)[position]);
        last = std::max(last, tuples.tuple(i)[position]);
      }
      bool whole = first == 0 && op.getAxisSize(name).isConstant(last + 1);
      axes.push_back({name, position, first, last, whole});
    }
}

std::optional<int64_t> RelationCells::count() const {
  int64_t count = 1;
  for (const Axis &axis : axes)
    if (llvm::MulOverflow(count, axis.width(), count))
      return std::nullopt;
  return count;
}

bool RelationCells::coverResult() const {
  return llvm::all_of(axes, [](const Axis &axis) { return axis.whole; });
}

int64_t RelationCells::cellOf(ArrayRef<int64_t> tuple) const {
  int64_t cell = 0;
  for (const Axis &axis : axes)
    cell = cell * axis.width() + tuple[axis.position] - axis.first;
  return cell;
}

GroupedTuples::GroupedTuples(TuplesAttr tuples, const RelationCells &cells,
                             ArrayRef<StringAttr> summed) {
  auto positionOf = [&](StringAttr axis) {
    return llvm::find(tuples.getAxes(), axis) - tuples.getAxes().begin();
  };
  SmallVector<std::pair<int64_t, int64_t>> order;
  for (int64_t i = 0; i < tuples.size(); ++i)
    order.push_back({cells.cellOf(tuples.tuple(i)), i});
  llvm::sort(order);
  starts.assign(*cells.count() + 1 + !cells.coverResult(), 0);
  for (auto [cell, i] : order) {
    ++starts[cell + 1];
    for (StringAttr axis : summed)
      indices.push_back(tuples.tuple(i)[positionOf(axis)]);
    coefficients.push_back(tuples.coefficient(i));
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
}

} // namespace gyre
