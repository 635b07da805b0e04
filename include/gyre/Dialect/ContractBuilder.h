//===- ContractBuilder.h - Builds gyre.contract -----------------*- C++ -*-===//

#ifndef GYRE_DIALECT_CONTRACTBUILDER_H
#define GYRE_DIALECT_CONTRACTBUILDER_H

#include "gyre/Dialect/Gyre.h"

namespace gyre {

/// Builds a contract. `sizes` has an entry for each axis of the subscripts (and
/// may have others); the domain lists the axes in the order of their first
/// appearance, as the parser does, so that equal contracts have equal
/// attributes.
ContractOp buildContract(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::ValueRange inputs,
                         llvm::ArrayRef<mlir::ArrayAttr> subscripts,
                         mlir::ArrayAttr resultSubscript,
                         llvm::ArrayRef<AxisAttr> sizes,
                         mlir::Attribute relation = {}, mlir::TypeAttr acc = {},
                         PrecisionAttr precision = {});

/// The accumulator of a contract that names none: f32 for f16 and bf16, else
/// the operands' own type.
mlir::Type getImpliedAccumulator(mlir::Type element);

} // namespace gyre

#endif // GYRE_DIALECT_CONTRACTBUILDER_H
