//===- Manifest.h - What gyrec wrote about a library ------------*- C++ -*-===//

#ifndef GYRE_TOOLS_GYRE_RUN_MANIFEST_H
#define GYRE_TOOLS_GYRE_RUN_MANIFEST_H

#include "SizeExpr.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <optional>

namespace gyre {

/// A function of a compiled library, as a manifest describes it.
struct CompiledFunction {
  struct Operand {
    std::string name;
    bool isMap = false;
    std::string dtype;           // of a tensor
    std::vector<SizeExpr> shape; // of a map: the sizes of its axes
    SizeExpr target;             // of a map
    bool padded = false;         // of a map
  };

  /// What `gyre.derive` declared: gradients by the names of the primal's
  /// arguments, cotangents by those of its results.
  struct Derivative {
    std::string of;
    std::map<std::string, std::string> wrt, given;
  };

  std::string name;
  std::string target; // cpu or cuda
  std::string library;
  std::string packedSymbol, workspaceSymbol;
  llvm::SmallVector<std::string> sizes;
  std::vector<Operand> arguments, results;
  std::optional<Derivative> derivative;

  /// Null for none of that name.
  const Operand *findArgument(llvm::StringRef name) const;
  const Operand *findResult(llvm::StringRef name) const;

  /// Reads all functions of the manifest at `path`.
  static llvm::Expected<std::vector<CompiledFunction>>
  readAll(llvm::StringRef path);
  /// Reads the function `name` of the manifest at `path`.
  static llvm::Expected<CompiledFunction> read(llvm::StringRef path,
                                               llvm::StringRef name);
};

/// A shape at these sizes.
llvm::Expected<llvm::SmallVector<int64_t>>
evaluateShape(const std::vector<SizeExpr> &shape,
              const llvm::StringMap<int64_t> &sizes);

} // namespace gyre

#endif // GYRE_TOOLS_GYRE_RUN_MANIFEST_H
