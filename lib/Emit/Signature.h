//===- Signature.h - Signatures in the runtime's terms ----------*- C++ -*-===//

#ifndef GYRE_LIB_EMIT_SIGNATURE_H
#define GYRE_LIB_EMIT_SIGNATURE_H

#include "gyre/Dialect/Gyre.h"
#include "gyre/Runtime/EntryTable.h"

namespace gyre::emit {

/// The signatures of a module's lowered functions, in their order.
llvm::SmallVector<EntryAttr> getEntries(mlir::ModuleOp module);

/// `gyre.spec` of the module; an empty string where there is none.
llvm::StringRef getSpecName(mlir::ModuleOp module);

/// How the ABI and manifests call an element type.
struct Dtype {
  gyre_dtype code;
  llvm::StringRef name;
};
std::optional<Dtype> getDtype(mlir::Type element);

/// The table that gyre_rt_enter checks calls against.
entry::Table encode(EntryAttr entry);

/// The symbols of an entry point, in the order: typed, packed, workspace.
std::array<std::string, 3> getSymbols(EntryAttr entry);

} // namespace gyre::emit

#endif // GYRE_LIB_EMIT_SIGNATURE_H
