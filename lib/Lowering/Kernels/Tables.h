//===- Tables.h - Constant arrays of a module -------------------*- C++ -*-===//

#ifndef GYRE_LIB_LOWERING_KERNELS_TABLES_H
#define GYRE_LIB_LOWERING_KERNELS_TABLES_H

#include "View.h"

namespace gyre::kernels {

/// Constant arrays of a module, of the host or a device; equal ones are one.
class Tables {
public:
  Tables(Builder &b, mlir::Operation *module) : b(b), module(module) {}
  /// Element `at` of a constant array, as i64.
  mlir::Value load(llvm::ArrayRef<int32_t> elements, mlir::Value at);
  /// Element `at` of a constant array of numbers of a type.
  mlir::Value load(llvm::ArrayRef<double> elements, mlir::Type type,
                   mlir::Value at);

private:
  mlir::Value pointer(mlir::DenseElementsAttr elements, mlir::Value at);

  Builder &b;
  mlir::Operation *module;
};

} // namespace gyre::kernels

#endif // GYRE_LIB_LOWERING_KERNELS_TABLES_H
