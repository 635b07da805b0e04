//===- Names.h - Names that reach C -----------------------------*- C++ -*-===//

#ifndef GYRE_LIB_EMIT_NAMES_H
#define GYRE_LIB_EMIT_NAMES_H

#include "gyre/Dialect/Gyre.h"

namespace gyre::emit {

/// Whether it is an identifier of C and C++ and no keyword of either.
bool isIdentifier(llvm::StringRef name);

/// An identifier like `name` that may be a parameter's in a header: no macro of
/// the C library's headers, which may stand before it, and nothing of the
/// runtime's.
std::string toIdentifier(llvm::StringRef name);

/// Reports functions whose symbols C could not say, or that would stand in for
/// others: keywords, reserved names, what the C library or the runtime has,
/// equal symbols.
mlir::LogicalResult checkNames(mlir::ModuleOp module);

} // namespace gyre::emit

#endif // GYRE_LIB_EMIT_NAMES_H
