//===- Plan.h - The order of a contract's products --------------*- C++ -*-===//

#ifndef GYRE_LIB_TRANSFORMS_PLANCONTRACTIONS_PLAN_H
#define GYRE_LIB_TRANSFORMS_PLANCONTRACTIONS_PLAN_H

#include "Step.h"

namespace gyre {

/// Steps in their order; the last one computes the contract's result.
using Plan = std::vector<Step>;

/// Whether there is more than one way, or more than two operands.
bool needsPlan(const ContractForm &form);

/// Which part of the cost of forming a value a plan has to bear, 0 to 1.
using ShareFn = llvm::function_ref<double(ValueId)>;

/// The cheapest plan.
Plan makePlan(Product product, ValueNumbers &numbers, ShareFn share);

/// Results of all steps that a plan can begin with.
llvm::SmallVector<ValueId> getFirstResults(const Product &product,
                                           ValueNumbers &numbers);

} // namespace gyre

#endif // GYRE_LIB_TRANSFORMS_PLANCONTRACTIONS_PLAN_H
