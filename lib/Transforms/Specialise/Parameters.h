//===- Parameters.h - The values of a spec's parameters ---------*- C++ -*-===//

#ifndef GYRE_TRANSFORMS_SPECIALISE_PARAMETERS_H
#define GYRE_TRANSFORMS_SPECIALISE_PARAMETERS_H

#include "gyre/Dialect/Gyre.h"

#include "llvm/ADT/MapVector.h"

namespace gyre {

struct Parameters {
  llvm::MapVector<mlir::StringAttr, int64_t> sizes;
  llvm::MapVector<mlir::StringAttr, mlir::Type> types;
  /// They follow from `types`.
  llvm::MapVector<mlir::StringAttr, mlir::Type> accumulators;

  std::optional<int64_t> findSize(mlir::StringAttr name) const;
  mlir::Type findType(mlir::StringAttr name) const;
  /// `{L = 3 : i64, act = f32}`.
  mlir::DictionaryAttr toAttr(mlir::MLIRContext *context) const;
};

/// Gives each parameter of the spec its value: that of the one `name=value`
/// that names it, or its default.
llvm::FailureOr<Parameters>
readParameters(SpecOp spec, llvm::ArrayRef<std::string> assignments);

} // namespace gyre

#endif // GYRE_TRANSFORMS_SPECIALISE_PARAMETERS_H
