//===- PartSplit.h - Numbers as sums of shorter ones ------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_PARTSPLIT_H
#define GYRE_LIB_LOWERING_KERNELS_PARTSPLIT_H

#include "View.h"

#include "gyre/Dialect/Gyre.h"

namespace gyre::kernels {

/// How a mode of precision takes numbers of f32 apart: each part is what the
/// parts before leave, rounded to the format; the second one times `scale`.
/// Products of parts p and q are taken where p + q < parts.
struct PartSplit {
  enum Format { tf32, f16, bf16 };
  Format format;
  int64_t parts;
  /// Other than one only where there are two parts.
  double scale = 1;

  /// Of a mode of matrix units.
  static PartSplit get(Precision mode);

  /// Each part in registers: of one number, or of two for formats of 16 bits,
  /// the first in the lower half.
  llvm::SmallVector<Values> apply(Builder &b,
                                  llvm::ArrayRef<mlir::Value> numbers) const;

private:
  mlir::Value round(Builder &b, llvm::ArrayRef<mlir::Value> numbers) const;
  mlir::Value widen(Builder &b, mlir::Value word, int64_t number) const;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_PARTSPLIT_H
