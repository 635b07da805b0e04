//===- PlanContractions.cpp - Contracts of many operands by steps ---------===//

#include "gyre/Transforms/Passes.h"

#include "Plan.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_PLANCONTRACTIONS
#include "gyre/Transforms/Passes.h.inc"

namespace {
struct PlannedContract {
  ContractOp op;
  Product product;
  Plan plan;
  bool isOpen; // whether there is something to plan
};

/// The contracts of one block, in their order.
class BlockPlanner {
public:
  explicit BlockPlanner(Block &block);
  bool isEmpty() const { return contracts.empty(); }
  void makePlans();
  void carryOut(bool remarks);

private:
  void countUses(const Plan &plan, int change) {
    for (const Step &step : plan)
      uses[step.result] += change;
  }
  DenseMap<ValueId, unsigned> countFirstResults();
  Cost improvePlans(llvm::function_ref<unsigned(ValueId)> interest);
  Value emit(const Step &step, OpBuilder &builder, Location loc,
             PolyAttr &multiplyAdds);

  ValueNumbers numbers;
  std::vector<PlannedContract> contracts;
  DenseMap<ValueId, unsigned> uses; // of steps' results, in how many plans
  DenseMap<ValueId, Value> values;  // those that exist already
};
} // namespace

/// An intermediate has the operands' element type: in a wider accumulator the
/// whole product is rounded once, steps would be each.
static bool isRoundedOnce(ContractOp op) {
  return op.getAccumulatorType() !=
         cast<TensorType>(op.getResult().getType()).getElementType();
}

BlockPlanner::BlockPlanner(Block &block) {
  DenseSet<Value> settled; // known by what computes them
  for (ContractOp op : block.getOps<ContractOp>()) {
    std::optional<ContractForm> form = ContractForm::get(op);
    if (!form || form->relation.tuples.empty())
      continue;
    Product product;
    for (Value input : form->inputs) {
      product.operands.push_back(numbers.get(input));
      if (!settled.contains(input))
        values.try_emplace(product.operands.back(), input);
    }
    form->inputs.clear();
    product.form = *std::move(form);
    untie(product.form);
    bool isOpen = !isRoundedOnce(op) && needsPlan(product.form);
    Plan plan;
    if (!isOpen) {
      plan.push_back(makeLastStep(product, numbers));
      numbers.set(op.getResult(), plan.back().result);
      settled.insert(op.getResult());
      countUses(plan, 1);
    }
    contracts.push_back({op, std::move(product), std::move(plan), isOpen});
  }
}

/// How many contracts can begin with a step, of those that can.
DenseMap<ValueId, unsigned> BlockPlanner::countFirstResults() {
  DenseMap<ValueId, unsigned> counts;
  for (const PlannedContract &contract : contracts) {
    if (!contract.isOpen)
      continue;
    SmallVector<ValueId> results = getFirstResults(contract.product, numbers);
    llvm::sort(results);
    results.erase(llvm::unique(results), results.end());
    for (ValueId result : results)
      ++counts[result];
  }
  return counts;
}

/// Contracts are planned in turn, given the steps of the others, until nothing
/// changes: a step that one of them takes costs another nothing. No turn after
/// the first makes the whole dearer. In the first, `interest` says how many
/// could share a step.
Cost BlockPlanner::improvePlans(
    llvm::function_ref<unsigned(ValueId)> interest) {
  constexpr unsigned turns = 4;
  bool changed = true;
  for (unsigned turn = 0; changed && turn < turns; ++turn) {
    auto share = [&](ValueId id) {
      if (uses.lookup(id) > 0)
        return 0.0;
      return turn == 0 ? 1.0 / std::max(1u, interest(id)) : 1.0;
    };
    changed = false;
    for (PlannedContract &contract : contracts) {
      if (!contract.isOpen)
        continue;
      countUses(contract.plan, -1);
      Plan plan = makePlan(contract.product, numbers, share);
      countUses(plan, 1);
      changed |=
          !llvm::equal(plan, contract.plan, [](const Step &a, const Step &b) {
            return a.result == b.result;
          });
      contract.plan = std::move(plan);
    }
  }
  Cost total;
  DenseSet<ValueId> counted;
  for (const PlannedContract &contract : contracts)
    for (const Step &step : contract.plan)
      if (counted.insert(step.result).second)
        total = total + step.cost;
  return total;
}

/// What is best in turn may be far from what is best together, so that there
/// are two beginnings: each contract for itself, and each with a view to the
/// others.
void BlockPlanner::makePlans() {
  DenseMap<ValueId, unsigned> counts = countFirstResults();
  Cost alone = improvePlans([](ValueId) { return 1; });
  std::vector<Plan> plans;
  for (PlannedContract &contract : contracts) {
    plans.push_back(contract.plan);
    if (contract.isOpen) {
      countUses(contract.plan, -1);
      contract.plan.clear();
    }
  }
  Cost together = improvePlans([&](ValueId id) { return counts.lookup(id); });
  if (together < alone)
    return;
  for (auto [contract, plan] : llvm::zip_equal(contracts, plans))
    contract.plan = std::move(plan);
}

Value BlockPlanner::emit(const Step &step, OpBuilder &builder, Location loc,
                         PolyAttr &multiplyAdds) {
  Value &value = values[step.result];
  if (value)
    return value;
  ContractForm form = step.product.form;
  for (ValueId operand : step.product.operands)
    form.inputs.push_back(values.lookup(operand));
  sortOperands(form);
  multiplyAdds = multiplyAdds.add(countMultiplyAdds(form));
  return value = form.build(builder, loc);
}

void BlockPlanner::carryOut(bool remarks) {
  Operation *parent = contracts.front().op->getParentOp();
  PolyAttr zero = PolyAttr::constant(parent->getContext(), 0);
  PolyAttr allBefore = zero, allAfter = zero;
  for (PlannedContract &contract : contracts) {
    ContractOp op = contract.op;
    ContractForm whole = contract.product.form;
    whole.inputs.assign(op.getInputs().begin(), op.getInputs().end());
    PolyAttr before = countMultiplyAdds(whole), after = zero;
    allBefore = allBefore.add(before);
    Value &result = values[contract.plan.back().result];
    if (contract.plan.size() == 1 && !result) {
      result = op.getResult();
      allAfter = allAfter.add(before);
      continue;
    }
    OpBuilder builder(op);
    Value last;
    for (const Step &step : contract.plan)
      last = emit(step, builder, op.getLoc(), after);
    allAfter = allAfter.add(after);
    if (remarks)
      op.emitRemark() << "product of " << op.getInputs().size()
                      << " operands: " << before.str()
                      << " multiply-adds as a whole, " << after.str()
                      << " more by steps";
    // Later plans know the old result by its number.
    values[numbers.get(op.getResult())] = last;
    op.getResult().replaceAllUsesWith(last);
    op.erase();
  }
  if (remarks)
    parent->emitRemark() << "contracts: " << allBefore.str()
                         << " multiply-adds as they were, " << allAfter.str()
                         << " by steps";
}

namespace {
struct PlanContractionsPass final
    : impl::PlanContractionsBase<PlanContractionsPass> {
  using PlanContractionsBase::PlanContractionsBase;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks) {
      BlockPlanner planner(*block);
      if (planner.isEmpty())
        continue;
      planner.makePlans();
      planner.carryOut(remarks);
    }
  }
};
} // namespace

} // namespace gyre
