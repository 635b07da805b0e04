//===- Inline.cpp - A contract of a contract is one contract --------------===//

#include "ContractForm.h"
#include "Patterns.h"

#include <cmath>

using namespace mlir;

namespace gyre {

/// Whether each result cell is one cell of the one operand times a number, or
/// zero: a transpose, regrouping, broadcast, part or scatter.
static bool isOneCell(const ContractForm &form) {
  if (form.inputs.size() != 1)
    return false;
  for (AxisId axis = 0; axis < form.sizes.size(); ++axis)
    if (!form.isWritten(axis) && !form.relation.has(axis))
      return false; // summed
  return form.relation.isInjectiveOn(
      [&](AxisId axis) { return form.isWritten(axis); });
}

/// Whether each cell of the one operand goes into at most one result cell: what
/// computes the operand is not computed more often when it is inlined.
static bool usesCellsOnce(const ContractForm &form) {
  if (form.inputs.size() != 1)
    return false;
  for (AxisId axis = 0; axis < form.sizes.size(); ++axis)
    if (!form.isRead(axis) && !form.relation.has(axis))
      return false; // broadcast
  return form.relation.isInjectiveOn(
      [&](AxisId axis) { return form.isRead(axis); });
}

/// Makes the groups of one dimension, as `inner` writes and `outer` reads it,
/// the same axes of `outer`. Fails where they split the dimension differently.
static LogicalResult unify(ContractForm &inner, AxisGroup written,
                           ContractForm &outer, AxisGroup read,
                           DenseMap<AxisId, AxisId> &outerAxis) {
  auto sizesOf = [](const ContractForm &form, const AxisGroup &group) {
    return llvm::map_to_vector(group,
                               [&](AxisId axis) { return form.sizes[axis]; });
  };
  if (sizesOf(inner, written) != sizesOf(outer, read)) {
    if (read.size() == 1 && !outer.relation.has(read[0])) {
      AxisGroup parts;
      for (AxisId axis : written)
        parts.push_back(outer.addAxis(inner.sizes[axis]));
      outer.substitute(read[0], parts);
      read = parts;
    } else if (written.size() == 1 && !inner.relation.has(written[0])) {
      AxisGroup parts;
      for (AxisId axis : read)
        parts.push_back(inner.addAxis(outer.sizes[axis]));
      inner.substitute(written[0], parts);
      written = parts;
    } else {
      return failure();
    }
  }
  for (auto [from, to] : llvm::zip_equal(written, read))
    outerAxis[from] = to;
  return success();
}

/// Whether a product of coefficients is a normal number in each accumulator
/// type but f16, with room for the values that it multiplies.
static bool isSafeCoefficient(double value) {
  return std::abs(value) >= 0x1p-64 && std::abs(value) <= 0x1p64;
}

/// `outer` with operand `position`, computed by `inner`, replaced by the
/// operands of `inner`.
static std::optional<ContractForm>
inlineOperand(ContractForm outer, unsigned position, ContractForm inner) {
  if (inner.acc != outer.acc)
    return std::nullopt;
  if (inner.precision != outer.precision) {
    // One that only moves and sums says nothing of products.
    if (!inner.precision && inner.inputs.size() == 1)
      inner.precision = outer.precision;
    else if (!outer.precision && outer.inputs.size() == 1)
      outer.precision = inner.precision;
    else
      return std::nullopt;
  }
  DenseMap<AxisId, AxisId> outerAxis;
  for (size_t i = 0; i < inner.result.size(); ++i)
    if (failed(unify(inner, inner.result[i], outer,
                     outer.subscripts[position][i], outerAxis)))
      return std::nullopt;
  auto translate = [&](AxisId axis) {
    auto [it, fresh] = outerAxis.try_emplace(axis, 0);
    if (fresh)
      it->second = outer.addAxis(inner.sizes[axis]);
    return it->second;
  };
  outer.inputs.erase(outer.inputs.begin() + position);
  outer.subscripts.erase(outer.subscripts.begin() + position);
  for (auto [i, input] : llvm::enumerate(inner.inputs)) {
    AxisSubscript subscript;
    for (const AxisGroup &group : inner.subscripts[i]) {
      AxisGroup &translated = subscript.emplace_back();
      for (AxisId axis : group)
        translated.push_back(translate(axis));
    }
    outer.inputs.insert(outer.inputs.begin() + position + i, input);
    outer.subscripts.insert(outer.subscripts.begin() + position + i, subscript);
  }
  TupleList translated = inner.relation;
  for (AxisId &axis : translated.axes)
    axis = translate(axis);
  // Tied axes of both may multiply; the tables are read at run time.
  size_t larger =
      std::max(outer.relation.tuples.size(), translated.tuples.size());
  if (outer.relation.tuples.size() * translated.tuples.size() > (1u << 20))
    return std::nullopt;
  outer.relation = TupleList::join(outer.relation, translated);
  if (outer.relation.tuples.size() > 2 * larger)
    return std::nullopt;
  // Axes of the operand that is gone: one that a tuple fixes is forgotten, one
  // that was free would count its cells, which no subscript can say.
  for (const auto &[from, axis] : outerAxis) {
    if (outer.isRead(axis) || outer.isWritten(axis))
      continue;
    if (!outer.relation.has(axis))
      return std::nullopt;
    outer.relation.project(axis);
  }
  if (outer.relation.axes.empty() && !outer.relation.isFree())
    return std::nullopt; // a factor needs a tuple to stand with
  if (!llvm::all_of(outer.relation.tuples, [](const auto &entry) {
        return isSafeCoefficient(entry.second);
      }))
    return std::nullopt;
  return outer;
}

namespace {
struct InlineContract final : OpRewritePattern<ContractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ContractOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<ContractForm> outer = ContractForm::get(op);
    if (!outer)
      return rewriter.notifyMatchFailure(op, "the relation is symbolic");
    for (auto [i, input] : llvm::enumerate(op.getInputs())) {
      auto producer = input.getDefiningOp<ContractOp>();
      std::optional<ContractForm> inner =
          producer ? ContractForm::get(producer) : std::nullopt;
      if (!inner || (!isOneCell(*inner) &&
                     !(producer->hasOneUse() && usesCellsOnce(*outer))))
        continue;
      std::optional<ContractForm> inlined = inlineOperand(*outer, i, *inner);
      if (!inlined)
        continue;
      rewriter.replaceOp(op, inlined->build(rewriter, op.getLoc()));
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no operand is worth inlining");
  }
};
} // namespace

void populateInlineContractPatterns(RewritePatternSet &patterns) {
  patterns.add<InlineContract>(patterns.getContext());
}

} // namespace gyre
