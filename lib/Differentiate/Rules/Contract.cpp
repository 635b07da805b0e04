//===- Contract.cpp - The adjoint of a contract is a contract -------------===//

#include "RuleUtils.h"
#include "gyre/Dialect/ContractBuilder.h"

using namespace mlir;

namespace gyre::rules {

namespace {
/// Exchanges the operand and the result, over the same relation: a cell of the
/// operand collects the cotangent of each result cell that it took part in,
/// times the same coefficient and the other operands.
struct Contract {
  static void vjp(ContractOp op, OpBuilder &b, ArrayRef<Value> cotangents,
                  ArrayRef<bool> wanted, MutableArrayRef<Value> gradients) {
    auto domain = llvm::to_vector(op.getDomain().getAsRange<AxisAttr>());
    for (unsigned i = 0, e = op.getInputs().size(); i < e; ++i) {
      if (!wanted[i])
        continue;
      SmallVector<Value> inputs(op.getInputs());
      SmallVector<ArrayAttr> subscripts =
          llvm::to_vector(op.getSubscripts().getAsRange<ArrayAttr>());
      ArrayAttr resultSubscript = subscripts[i];
      inputs[i] = cotangents[0];
      subscripts[i] = op.getResultSubscript();
      gradients[i] = buildContract(
          b, op.getLoc(), inputs, subscripts, resultSubscript, domain,
          op.getRelationAttr(), op.getAccAttr(), op.getPrecisionAttr());
    }
  }
};
} // namespace

void registerContractRules(MLIRContext *context) {
  attach<Contract, ContractOp>(context);
}

} // namespace gyre::rules
