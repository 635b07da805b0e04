//===- Step.cpp - One step of a contraction plan --------------------------===//
//
// A contract is, for each choice w of the axes of its result,
//
//   y[w] = sum over t in R, over f:  c(t) * product_i X_i[t, f, w],
//
// t the tied axes, f the summed free ones. Let P be the operands of a step and
// D the others, N the axes that D or the result have. A free axis outside N
// stands in P alone, so its sum moves inside. For the tied axes there are two
// ways.
//
// 1. Later. With r the part of t that P has,
//      y[w] = sum_t sum_f' c(t) * (sum_f'' product_P X[r, ..]) * product_D X:
//    the step forms T[r, ..] = sum_f'' product_P X without a coefficient, for
//    the r that tuples have; R stays as it is, T having the axes r.
//
// 2. Now, where P has tied axes s outside N. With k the tied axes in N,
//    t = (s, k), and D depends on k alone:
//      y[w] = sum over k in R|N, over f':
//                (sum_{s : (s, k) in R} sum_f'' c(s, k) * product_P X) *
//                product_D X:
//    the step forms T[k, ..], the bracket, over the whole of R. What is left
//    sums over each k that a tuple has once, at coefficient 1.
//
// Either way T is formed, and read, only where tuples list it.
//
//===----------------------------------------------------------------------===//

#include "Step.h"

#include <numeric>

using namespace mlir;

namespace gyre {

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

/// So long that what depends on no runtime size is next to nothing.
static constexpr double runtimeSize = 65536;

static double estimate(PolyAttr size) {
  double sum = 0;
  for (auto [coefficient, monomial] :
       llvm::zip_equal(size.getCoefs(), size.getMonomials()))
    sum += double(coefficient) * std::pow(runtimeSize, double(monomial.size()));
  return sum;
}

/// Visits the axes over which terms range, beside the tuples.
static void forEachFreeAxis(const ContractForm &form,
                            llvm::function_ref<void(AxisId)> visit) {
  for (AxisId axis = 0; axis < form.sizes.size(); ++axis)
    if (!form.relation.has(axis) && form.isRead(axis))
      visit(axis);
}

static bool isSummed(const ContractForm &form) {
  bool summed = !form.relation.isInjectiveOn(
      [&](AxisId axis) { return form.isWritten(axis); });
  forEachFreeAxis(form, [&](AxisId axis) { summed |= !form.isWritten(axis); });
  return summed;
}

/// Of one term.
static int64_t countMultiplyAddsOfTerm(const ContractForm &form) {
  if (form.subscripts.size() > 1)
    return form.subscripts.size() - 1;
  return isSummed(form) ? 1 : 0;
}

PolyAttr countMultiplyAdds(const ContractForm &form) {
  MLIRContext *context = form.sizes.empty() ? form.inputs.front().getContext()
                                            : form.sizes.front().getContext();
  PolyAttr count = PolyAttr::constant(context, form.relation.tuples.size());
  forEachFreeAxis(form,
                  [&](AxisId axis) { count = count.mul(form.sizes[axis]); });
  return count.mul(PolyAttr::constant(context, countMultiplyAddsOfTerm(form)));
}

/// A step that moves cells still has to read them.
static double estimateWork(const ContractForm &form) {
  double work = form.relation.tuples.size();
  forEachFreeAxis(form,
                  [&](AxisId axis) { work *= estimate(form.sizes[axis]); });
  return work * std::max<int64_t>(1, countMultiplyAddsOfTerm(form));
}

static double estimateCells(const ContractForm &form) {
  double cells = 1;
  for (const AxisGroup &group : form.result)
    for (AxisId axis : group)
      cells *= estimate(form.sizes[axis]);
  return cells;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

ValueId ValueNumbers::get(Value value) {
  auto [it, fresh] = values.try_emplace(value, next);
  next += fresh;
  return it->second;
}

static int64_t bits(const void *pointer) {
  return reinterpret_cast<int64_t>(pointer);
}

ValueId ValueNumbers::get(const Product &product) {
  const ContractForm &form = product.form;
  // Axes by first appearance; tuples in the order that this gives.
  std::vector<int64_t> key = {bits(form.precision.getAsOpaquePointer()),
                              bits(form.acc.getAsOpaquePointer())};
  SmallVector<AxisId> order;
  auto add = [&](const AxisSubscript &subscript) {
    key.push_back(subscript.size());
    for (const AxisGroup &group : subscript) {
      key.push_back(group.size());
      for (AxisId axis : group) {
        key.push_back(llvm::find(order, axis) - order.begin());
        if (key.back() == int64_t(order.size()))
          order.push_back(axis);
      }
    }
  };
  for (auto [operand, subscript] :
       llvm::zip_equal(product.operands, form.subscripts)) {
    key.push_back(operand);
    add(subscript);
  }
  add(form.result);
  for (AxisId axis : order)
    key.push_back(bits(form.sizes[axis].getAsOpaquePointer()));
  SmallVector<size_t> positions;
  for (auto [number, axis] : llvm::enumerate(order))
    if (form.relation.has(axis)) {
      key.push_back(number);
      positions.push_back(llvm::find(form.relation.axes, axis) -
                          form.relation.axes.begin());
    }
  std::vector<std::vector<int64_t>> tuples;
  for (const auto &[tuple, coefficient] : form.relation.tuples) {
    std::vector<int64_t> &entry = tuples.emplace_back();
    for (size_t position : positions)
      entry.push_back(tuple[position]);
    entry.push_back(llvm::bit_cast<int64_t>(coefficient));
  }
  llvm::sort(tuples);
  for (const std::vector<int64_t> &entry : tuples)
    llvm::append_range(key, entry);
  auto [it, fresh] = products.try_emplace(key, next);
  next += fresh;
  return it->second;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// The tuples' parts on the axes that `keep` names, each once, at
/// coefficient 1.
static TupleList listParts(TupleList relation,
                           llvm::function_ref<bool(AxisId)> keep) {
  for (auto &entry : relation.tuples)
    entry.second = 1; // so that none cancel
  for (AxisId axis : SmallVector<AxisId>(relation.axes))
    if (!keep(axis))
      relation.project(axis);
  for (auto &entry : relation.tuples)
    entry.second = 1;
  return relation;
}

static void sortByNumber(Product &product) {
  SmallVector<unsigned> order(product.operands.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](unsigned i, unsigned j) {
    return std::tie(product.operands[i], i) < std::tie(product.operands[j], j);
  });
  Product old = product;
  for (auto [to, from] : llvm::enumerate(order)) {
    product.operands[to] = old.operands[from];
    product.form.subscripts[to] = old.form.subscripts[from];
  }
}

Step makeLastStep(Product product, ValueNumbers &numbers) {
  sortByNumber(product);
  ValueId id = numbers.get(product);
  double work = estimateWork(product.form);
  return {std::move(product), id, {work, 0}};
}

bool hasOwnSum(const ContractForm &form, unsigned position) {
  auto isOwn = [&](AxisId axis) {
    return ContractForm::contains(form.subscripts[position], axis) &&
           !form.isWritten(axis) &&
           llvm::count_if(form.subscripts, [&](const AxisSubscript &subscript) {
             return ContractForm::contains(subscript, axis);
           }) == 1;
  };
  for (AxisId axis = 0; axis < form.sizes.size(); ++axis)
    if (isOwn(axis))
      return true;
  return false;
}

/// Axes of an intermediate: first those of runtime size, then tied ones, then
/// the rest. `axes` are the same ones as the remaining contract calls them.
static void orderAxes(ContractForm &step, SmallVectorImpl<AxisId> &axes) {
  SmallVector<unsigned> order(axes.size());
  std::iota(order.begin(), order.end(), 0);
  auto rank = [&](unsigned position) {
    AxisId axis = step.result[position].front();
    if (!step.sizes[axis].getConstant())
      return 0;
    return step.relation.has(axis) ? 1 : 2;
  };
  llvm::sort(order, [&](unsigned i, unsigned j) {
    return std::pair(rank(i), i) < std::pair(rank(j), j);
  });
  AxisSubscript result;
  SmallVector<AxisId> ordered;
  for (unsigned position : order) {
    result.push_back(step.result[position]);
    ordered.push_back(axes[position]);
  }
  step.result = result;
  axes.assign(ordered.begin(), ordered.end());
}

bool hasTiedSum(const ContractForm &form, ArrayRef<unsigned> positions) {
  return llvm::any_of(form.relation.axes, [&](AxisId axis) {
    bool taken = false, left = form.isWritten(axis);
    for (auto [i, subscript] : llvm::enumerate(form.subscripts))
      (llvm::is_contained(positions, i) ? taken : left) |=
          ContractForm::contains(subscript, axis);
    return taken && !left;
  });
}

Step split(Product &product, ArrayRef<unsigned> positions, TiedSums tiedSums,
           ValueNumbers &numbers) {
  ContractForm &form = product.form;
  Product taken;
  taken.form.sizes = form.sizes;
  taken.form.acc = form.acc;
  taken.form.precision = form.precision;
  Product left = taken;
  left.form.result = form.result;
  for (unsigned i = 0; i < form.subscripts.size(); ++i) {
    Product &to = llvm::is_contained(positions, i) ? taken : left;
    to.operands.push_back(product.operands[i]);
    to.form.subscripts.push_back(form.subscripts[i]);
  }
  sortByNumber(taken);

  bool sumsTied = tiedSums == TiedSums::now && hasTiedSum(form, positions);
  auto isNeeded = [&](AxisId axis) {
    return left.form.isRead(axis) || left.form.isWritten(axis) ||
           (!sumsTied && form.relation.has(axis));
  };
  SmallVector<AxisId> axes;
  auto keep = [&](AxisId axis) {
    if (isNeeded(axis) && !llvm::is_contained(axes, axis))
      axes.push_back(axis);
  };
  for (const AxisSubscript &subscript : taken.form.subscripts)
    for (const AxisGroup &group : subscript)
      llvm::for_each(group, keep);
  if (sumsTied) {
    llvm::for_each(form.relation.axes, keep);
    taken.form.relation = form.relation;
    left.form.relation = listParts(form.relation, isNeeded);
  } else {
    taken.form.relation = listParts(
        form.relation, [&](AxisId axis) { return taken.form.isRead(axis); });
    left.form.relation = form.relation;
  }
  for (AxisId axis : axes)
    taken.form.result.push_back({axis});
  untie(taken.form);
  orderAxes(taken.form, axes);

  ValueId id = numbers.get(taken);
  left.operands.push_back(id);
  AxisSubscript &subscript = left.form.subscripts.emplace_back();
  for (AxisId axis : axes)
    subscript.push_back({axis});
  untie(left.form);
  product = std::move(left);
  Cost cost = {estimateWork(taken.form), estimateCells(taken.form)};
  return {std::move(taken), id, cost};
}

} // namespace gyre
