//===- InferredTypes.h - Types that follow from the rest --------*- C++ -*-===//

#ifndef GYRE_DIALECT_INFERREDTYPES_H
#define GYRE_DIALECT_INFERREDTYPES_H

#include "mlir/IR/OpDefinition.h"

namespace gyre {

/// Infers an op's types again and compares them: one error, that of the
/// inference or `[result-type]`.
llvm::LogicalResult verifyInferredTypes(mlir::Operation *op);

/// Of ops whose result types follow from operands and attributes.
template <typename ConcreteOp>
class InferredTypes
    : public mlir::OpTrait::TraitBase<ConcreteOp, InferredTypes> {
public:
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyInferredTypes(op);
  }
};

} // namespace gyre

#endif // GYRE_DIALECT_INFERREDTYPES_H
