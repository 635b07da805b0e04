//===- EvaluateRelation.h - From comprehensions to tuples -------*- C++ -*-===//

#ifndef GYRE_TRANSFORMS_EVALUATERELATION_H
#define GYRE_TRANSFORMS_EVALUATERELATION_H

#include "gyre/Dialect/Gyre.h"

namespace gyre {

/// The value of a parameter, nullopt where the name is none.
using ParameterLookup =
    llvm::function_ref<std::optional<int64_t>(mlir::StringAttr)>;

/// Whether the relation names nothing but its own iterators.
bool isClosed(RelationAttr relation);

/// Lists the tuples of a relation whose names are iterators and parameters.
/// Iterators hide parameters of the same name. Says what is wrong, through
/// `emitError`, when another name occurs (`[specialise-relation]`), when the
/// list would not end soon (`[specialise-relation-size]`), or when coefficients
/// of equal tuples have no finite sum (`[relation-coefficient]`).
llvm::FailureOr<TuplesAttr>
evaluateRelation(RelationAttr relation, ParameterLookup lookup,
                 llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace gyre

#endif // GYRE_TRANSFORMS_EVALUATERELATION_H
