//===- Manifest.h - What gyrec wrote about a library ------------*- C++ -*-===//

#ifndef GYRE_TOOLS_GYRE_RUN_MANIFEST_H
#define GYRE_TOOLS_GYRE_RUN_MANIFEST_H

#include "gyre/Dialect/Gyre.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace gyre {

/// A function of a compiled library, as a manifest describes it.
struct CompiledFunction {
  struct Operand {
    std::string name;
    bool isMap = false;
    std::string dtype;                 // of a tensor
    llvm::SmallVector<PolyAttr> shape; // of a map: the sizes of its axes
    PolyAttr target;                   // of a map
    bool padded = false;               // of a map
  };

  std::string library;
  std::string packedSymbol, workspaceSymbol;
  llvm::SmallVector<std::string> sizes;
  std::vector<Operand> arguments, results;

  /// Reads the function `name` of the manifest at `path`; its sizes live in
  /// `context`.
  static llvm::Expected<CompiledFunction>
  read(llvm::StringRef path, llvm::StringRef name, mlir::MLIRContext &context);
};

} // namespace gyre

#endif // GYRE_TOOLS_GYRE_RUN_MANIFEST_H
