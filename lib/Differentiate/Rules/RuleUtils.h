//===- RuleUtils.h - What the rules share -----------------------*- C++ -*-===//

#ifndef GYRE_LIB_DIFFERENTIATE_RULES_RULEUTILS_H
#define GYRE_LIB_DIFFERENTIATE_RULES_RULEUTILS_H

#include "gyre/Dialect/Gyre.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace gyre::rules {

/// The arithmetic of a rule, on values of one type.
class Arithmetic {
public:
  Arithmetic(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::Value add(mlir::Value a, mlir::Value b) {
    return mlir::arith::AddFOp::create(builder, loc, a, b);
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) {
    return mlir::arith::SubFOp::create(builder, loc, a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) {
    return mlir::arith::MulFOp::create(builder, loc, a, b);
  }
  mlir::Value div(mlir::Value a, mlir::Value b) {
    return mlir::arith::DivFOp::create(builder, loc, a, b);
  }
  mlir::Value neg(mlir::Value a) {
    return mlir::arith::NegFOp::create(builder, loc, a);
  }
  /// A constant of the type of `like`.
  mlir::Value constant(double value, mlir::Value like) {
    return ConstantOp::create(builder, loc, like.getType(),
                              builder.getF64FloatAttr(value));
  }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return SelectOp::create(builder, loc, condition, a, b);
  }
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a,
                      mlir::Value b) {
    return mlir::arith::CmpFOp::create(builder, loc, predicate, a, b);
  }

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// A rule is a static function on the op's own class:
///   static void vjp(OpT op, OpBuilder &, ArrayRef<Value> cotangents,
///                   ArrayRef<bool> wanted, MutableArrayRef<Value> gradients);
template <typename RuleT, typename OpT>
struct RuleModel
    : DifferentiableOpInterface::ExternalModel<RuleModel<RuleT, OpT>, OpT> {
  llvm::LogicalResult
  buildVJP(mlir::Operation *op, mlir::OpBuilder &builder,
           llvm::ArrayRef<mlir::Value> cotangents, llvm::ArrayRef<bool> wanted,
           llvm::MutableArrayRef<mlir::Value> gradients) const {
    RuleT::vjp(llvm::cast<OpT>(op), builder, cotangents, wanted, gradients);
    return llvm::success();
  }
};

template <typename RuleT, typename OpT>
void attach(mlir::MLIRContext *context) {
  OpT::template attachInterface<RuleModel<RuleT, OpT>>(*context);
}

void registerIndexRules(mlir::MLIRContext *context);
void registerContractRules(mlir::MLIRContext *context);
void registerElementwiseRules(mlir::MLIRContext *context);
void registerShapeRules(mlir::MLIRContext *context);
void registerSlotRules(mlir::MLIRContext *context);
void registerArithRules(mlir::MLIRContext *context);
void registerMathRules(mlir::MLIRContext *context);

} // namespace gyre::rules

#endif // GYRE_LIB_DIFFERENTIATE_RULES_RULEUTILS_H
