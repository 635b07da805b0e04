//===- Rows.cpp - Which dimension of a value counts rows ------------------===//

#include "Rows.h"

#include "gyre/Dialect/PolySyntax.h"

using namespace mlir;

namespace gyre::fusion {

std::optional<unsigned> getRowsDim(Value value) {
  for (auto [i, dim] :
       llvm::enumerate(cast<TensorType>(value.getType()).getDims()))
    if (!dim.getConstant())
      return i;
  return std::nullopt;
}

PolyAttr getRows(Value value) {
  std::optional<unsigned> dim = getRowsDim(value);
  return dim ? cast<TensorType>(value.getType()).getDims()[*dim] : PolyAttr();
}

StringAttr getRowsAxis(ContractOp op) {
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>())
    if (!axis.getSize().getConstant())
      return axis.getName();
  return {};
}

static bool names(ArrayAttr subscript, StringAttr axis) {
  bool found = false;
  walkAxes(subscript, [&](StringAttr name) { found |= name == axis; });
  return found;
}

bool isTotal(Operation *op) {
  auto contract = dyn_cast<ContractOp>(op);
  if (!contract || contract.getInputs().size() != 1 ||
      contract.getRelationAttr())
    return false;
  StringAttr rows = getRowsAxis(contract);
  if (!rows)
    return false;
  SmallVector<Attribute> kept;
  for (Attribute entry : cast<ArrayAttr>(contract.getSubscripts()[0]))
    if (!names(ArrayAttr::get(op->getContext(), entry), rows))
      kept.push_back(entry);
  return ArrayRef<Attribute>(kept) ==
             contract.getResultSubscript().getValue() &&
         !names(contract.getResultSubscript(), rows);
}

LogicalResult checkOps(FuncOp func) {
  for (Operation &op : func.getBody().front()) {
    bool known =
        isa<ContractOp, GatherOp, SegmentSumOp, ValidOp, SliceOp, PadOp,
            ConcatOp, MaxSlotOp, SelectSlotOp, SpreadSlotOp, ConstantOp,
            ConvertOp, SelectOp, SigmoidOp, SiluOp, StopGradientOp, ReturnOp>(
            op) ||
        op.hasTrait<OpTrait::Elementwise>();
    if (!known)
      return op.emitError("[fuse-op] expected a primitive of the algebra "
                          "(gyre-specialise and gyre-decompose leave no "
                          "other), got ")
             << op.getName();
  }
  return success();
}

} // namespace gyre::fusion
