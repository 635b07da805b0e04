//===- Canonical.cpp - One form for equal contracts -----------------------===//

#include "ContractForm.h"
#include "Patterns.h"

#include <map>
#include <numeric>

using namespace mlir;

namespace gyre {

static unsigned getDepth(Block *block) {
  unsigned depth = 0;
  for (Operation *op = block->getParentOp(); op; op = op->getParentOp())
    ++depth;
  return depth;
}

/// Whether `a` comes before `b`: what an outer block defines, then arguments,
/// then program order.
static bool isDefinedBefore(Value a, Value b) {
  // Operands of one op are defined in blocks that hold each other.
  if (a.getParentBlock() != b.getParentBlock())
    return getDepth(a.getParentBlock()) < getDepth(b.getParentBlock());
  auto x = dyn_cast<BlockArgument>(a), y = dyn_cast<BlockArgument>(b);
  if (x || y)
    return x && (!y || x.getArgNumber() < y.getArgNumber());
  Operation *p = a.getDefiningOp(), *q = b.getDefiningOp();
  if (p != q)
    return p->isBeforeInBlock(q);
  return cast<OpResult>(a).getResultNumber() <
         cast<OpResult>(b).getResultNumber();
}

void sortOperands(ContractForm &form) {
  SmallVector<unsigned> order(form.inputs.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](unsigned i, unsigned j) {
    if (form.inputs[i] != form.inputs[j])
      return isDefinedBefore(form.inputs[i], form.inputs[j]);
    return i < j; // the same value twice: keep the order
  });
  ContractForm old = form;
  for (auto [to, from] : llvm::enumerate(order)) {
    form.inputs[to] = old.inputs[from];
    form.subscripts[to] = old.subscripts[from];
  }
}

/// Two axes that are equal in every tuple are one axis, unless they stand in
/// one subscript (a diagonal).
static bool mergeEqualAxes(ContractForm &form) {
  TupleList &relation = form.relation;
  for (size_t i = 0; i < relation.axes.size(); ++i) {
    for (size_t j = i + 1; j < relation.axes.size(); ++j) {
      AxisId x = relation.axes[i], y = relation.axes[j];
      auto both = [&](const AxisSubscript &subscript) {
        return ContractForm::contains(subscript, x) &&
               ContractForm::contains(subscript, y);
      };
      if (form.sizes[x] != form.sizes[y] || both(form.result) ||
          llvm::any_of(form.subscripts, both) ||
          !llvm::all_of(relation.tuples, [&](const auto &entry) {
            return entry.first[i] == entry.first[j];
          }))
        continue;
      form.substitute(y, {x});
      relation.project(y);
      return true;
    }
  }
  return false;
}

/// An axis that takes each of its values with each choice of the others, at one
/// coefficient, is not tied.
static bool freeUntiedAxis(ContractForm &form) {
  TupleList &relation = form.relation;
  for (size_t i = 0; i < relation.axes.size(); ++i) {
    AxisId axis = relation.axes[i];
    std::optional<int64_t> size = form.sizes[axis].getConstant();
    if (!size || relation.tuples.empty())
      continue;
    std::map<std::vector<int64_t>, std::pair<int64_t, double>> rests;
    bool untied = true;
    for (const auto &[tuple, coefficient] : relation.tuples) {
      std::vector<int64_t> rest(tuple.begin(), tuple.end());
      rest.erase(rest.begin() + i);
      auto [it, fresh] = rests.try_emplace(rest, 0, coefficient);
      ++it->second.first;
      untied &= it->second.second == coefficient;
    }
    for (const auto &[rest, seen] : rests)
      untied &= seen.first == *size;
    if (!untied)
      continue;
    TupleList reduced;
    reduced.axes = relation.axes;
    reduced.axes.erase(reduced.axes.begin() + i);
    for (const auto &[rest, seen] : rests)
      reduced.tuples.push_back(
          {SmallVector<int64_t>(rest.begin(), rest.end()), seen.second});
    // A factor needs a tuple to stand with.
    if (reduced.axes.empty() && !reduced.isFree())
      continue;
    relation = reduced;
    return true;
  }
  return false;
}

void untie(ContractForm &form) {
  while (mergeEqualAxes(form) || freeUntiedAxis(form)) {
  }
}

namespace {
struct CanonicalContract final : OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ContractOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<ContractForm> form = ContractForm::get(op);
    if (!form)
      return rewriter.notifyMatchFailure(op, "the relation is symbolic");
    if (form->relation.tuples.empty()) {
      rewriter.replaceOpWithNewOp<ConstantOp>(op, op.getType(),
                                              rewriter.getF64FloatAttr(0.0));
      return success();
    }
    untie(*form);
    if (form->inputs.size() == 1 && form->relation.isFree() &&
        form->subscripts[0] == form->result) {
      rewriter.replaceOp(op, form->inputs[0]);
      return success();
    }
    sortOperands(*form);
    ContractOp canonical = form->build(rewriter, op.getLoc());
    if (canonical.getSubscripts() == op.getSubscripts() &&
        canonical.getResultSubscript() == op.getResultSubscript() &&
        canonical.getDomain() == op.getDomain() &&
        canonical.getRelationAttr() == op.getRelationAttr() &&
        canonical.getAccAttr() == op.getAccAttr() &&
        canonical.getInputs() == op.getInputs()) {
      rewriter.eraseOp(canonical);
      return rewriter.notifyMatchFailure(op, "already canonical");
    }
    rewriter.replaceOp(op, canonical);
    return success();
  }
};
} // namespace

void populateCanonicalContractPatterns(RewritePatternSet &patterns) {
  patterns.add<CanonicalContract>(patterns.getContext());
}

} // namespace gyre
