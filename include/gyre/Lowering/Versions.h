//===- Versions.h - One code for several processors -------------*- C++ -*-===//

#ifndef GYRE_LOWERING_VERSIONS_H
#define GYRE_LOWERING_VERSIONS_H

#include "llvm/ADT/StringRef.h"

namespace gyre {

/// An attribute of declarations of `llvm.func`: the function whose code they
/// get, for the processor that they name. It is optimised once: instructions
/// are chosen later.
inline constexpr llvm::StringLiteral kVersionOfAttr = "gyre.version_of";

} // namespace gyre

#endif // GYRE_LOWERING_VERSIONS_H
