//===- Plan.cpp - The order of a contract's products ----------------------===//

#include "Plan.h"

namespace gyre {

/// More operands are too many for all orders.
static constexpr unsigned exhaustiveOperands = 5;

bool needsPlan(const ContractForm &form) {
  unsigned count = form.subscripts.size();
  if (count != 2)
    return count > 2;
  return hasOwnSum(form, 0) || hasOwnSum(form, 1);
}

namespace {
class Planner {
public:
  Planner(ValueNumbers &numbers, ShareFn share)
      : numbers(numbers), share(share) {}

  Plan run(Product product) {
    Plan greedy;
    while (product.operands.size() > exhaustiveOperands)
      greedy.push_back(takeCheapest(product));
    Plan none;
    search(product, 0, none, {});
    llvm::append_range(greedy, best);
    return greedy;
  }

private:
  Cost price(const Step &step) const { return step.cost * share(step.result); }

  Step takeCheapest(Product &product);
  void search(const Product &product, unsigned firstOwnSum, Plan &steps,
              Cost cost);

  ValueNumbers &numbers;
  ShareFn share;
  Plan best;
  std::optional<Cost> bestCost;
};
} // namespace

static llvm::ArrayRef<TiedSums> getChoices(const ContractForm &form,
                                           llvm::ArrayRef<unsigned> positions) {
  static constexpr TiedSums choices[] = {TiedSums::now, TiedSums::later};
  return llvm::ArrayRef(choices).take_front(hasTiedSum(form, positions) ? 2
                                                                        : 1);
}

Step Planner::takeCheapest(Product &product) {
  std::optional<Step> cheapest;
  Product left;
  unsigned count = product.operands.size();
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = i + 1; j < count; ++j)
      for (TiedSums tiedSums : getChoices(product.form, {i, j})) {
        Product rest = product;
        Step step = split(rest, {i, j}, tiedSums, numbers);
        if (cheapest && !(price(step) < price(*cheapest)))
          continue;
        cheapest = std::move(step);
        left = std::move(rest);
      }
  product = std::move(left);
  return *std::move(cheapest);
}

/// Sums of one operand come before all products, where their order does not
/// matter.
void Planner::search(const Product &product, unsigned firstOwnSum, Plan &steps,
                     Cost cost) {
  if (bestCost && !(cost < *bestCost))
    return;
  unsigned count = product.operands.size();
  auto follow = [&](llvm::ArrayRef<unsigned> positions, TiedSums tiedSums,
                    unsigned nextOwnSum) {
    Product left = product;
    Step step = split(left, positions, tiedSums, numbers);
    Cost total = cost + price(step);
    steps.push_back(std::move(step));
    search(left, nextOwnSum, steps, total);
    steps.pop_back();
  };
  if (count == 2) {
    Step last = makeLastStep(product, numbers);
    Cost total = cost + price(last);
    if (!bestCost || total < *bestCost) {
      bestCost = total;
      best = steps;
      best.push_back(std::move(last));
    }
  } else {
    for (unsigned i = 0; i < count; ++i)
      for (unsigned j = i + 1; j < count; ++j)
        for (TiedSums tiedSums : getChoices(product.form, {i, j}))
          follow({i, j}, tiedSums, exhaustiveOperands);
  }
  // The operand that a sum replaces stands last: those before it keep their
  // positions.
  for (unsigned i = firstOwnSum; i < count; ++i)
    if (hasOwnSum(product.form, i))
      follow({i}, TiedSums::now, i);
}

Plan makePlan(Product product, ValueNumbers &numbers, ShareFn share) {
  return Planner(numbers, share).run(std::move(product));
}

llvm::SmallVector<ValueId> getFirstResults(const Product &product,
                                           ValueNumbers &numbers) {
  llvm::SmallVector<ValueId> results;
  unsigned count = product.operands.size();
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = i + 1; j < count; ++j)
      for (TiedSums tiedSums : getChoices(product.form, {i, j})) {
        Product left = product;
        results.push_back(split(left, {i, j}, tiedSums, numbers).result);
      }
  return results;
}

} // namespace gyre
