//===- Patterns.h - Rewrites of contracts -----------------------*- C++ -*-===//

#ifndef GYRE_LIB_TRANSFORMS_SIMPLIFY_PATTERNS_H
#define GYRE_LIB_TRANSFORMS_SIMPLIFY_PATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace gyre {

/// Operands in the order of their definitions, axes named by first appearance,
/// relations without axes that they do not tie; identities and empty relations
/// replaced.
void populateCanonicalContractPatterns(mlir::RewritePatternSet &patterns);

/// A contract that reads another's result reads that one's operands instead,
/// where no product is taken more often.
void populateInlineContractPatterns(mlir::RewritePatternSet &patterns);

} // namespace gyre

#endif // GYRE_LIB_TRANSFORMS_SIMPLIFY_PATTERNS_H
