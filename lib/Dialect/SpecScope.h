//===- SpecScope.h - Names that a spec's functions may use ------*- C++ -*-===//

#ifndef GYRE_LIB_DIALECT_SPECSCOPE_H
#define GYRE_LIB_DIALECT_SPECSCOPE_H

#include "gyre/Dialect/Gyre.h"

#include "llvm/ADT/StringSet.h"

namespace gyre {

/// Checks that what functions and conditions name is a parameter, or is bound
/// where it may be: sizes by arguments, iterators by their relation.
llvm::LogicalResult verifySpecNames(SpecOp spec,
                                    const llvm::StringSet<> &params,
                                    const llvm::StringSet<> &typeParams);

} // namespace gyre

#endif // GYRE_LIB_DIALECT_SPECSCOPE_H
