//===- Rules.h - Vector-Jacobian products, a rule a primitive ---*- C++ -*-===//

#ifndef GYRE_DIFFERENTIATE_RULES_H
#define GYRE_DIFFERENTIATE_RULES_H

#include "mlir/IR/DialectRegistry.h"

namespace gyre {

/// Attaches `DifferentiableOpInterface` to each op that has a rule.
void registerDifferentiationRules(mlir::DialectRegistry &registry);

} // namespace gyre

#endif // GYRE_DIFFERENTIATE_RULES_H
