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

static LogicalResult checkType(Operation *op, Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return success();
  SmallVector<PolyAttr> counts;
  for (PolyAttr dim : tensor.getDims())
    if (!dim.getConstant())
      counts.push_back(dim);
  if (counts.size() > 1)
    return op->emitError("[fuse-rows] expected values with one dimension of "
                         "runtime size at most, got ")
           << type;
  if (counts.size() == 1 && !counts[0].getVariable())
    return op->emitError("[fuse-rows] expected dimensions that are constants "
                         "or one runtime size, got ")
           << counts[0].str() << " in " << type;
  return success();
}

static LogicalResult checkMap(Operation *op, Value map) {
  auto type = cast<MapType>(map.getType());
  if (type.getAxes().size() == 1 && !type.getPadded() &&
      type.getAxes()[0].getSize().getVariable() &&
      type.getTarget().getVariable())
    return success();
  return op->emitError("[fuse-map] expected a map of one axis without pads, "
                       "from one runtime size to another, got ")
         << type;
}

static LogicalResult checkContract(ContractOp op) {
  unsigned counts = 0;
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>())
    counts += !axis.getSize().getConstant();
  if (counts > 1)
    return op.emitError("[fuse-rows] expected a contract over one axis of "
                        "runtime size at most, got ")
           << counts;
  StringAttr rows = getRowsAxis(op);
  if (rows && llvm::is_contained(op.getRelationAxes(), rows))
    return op.emitError("[fuse-rows] expected a relation over axes of constant "
                        "sizes, got axis `")
           << rows.getValue() << "`";
  auto isApart = [&](Attribute subscript) {
    return llvm::all_of(cast<ArrayAttr>(subscript), [&](Attribute entry) {
      auto group = cast<ArrayAttr>(entry);
      return group.size() == 1 || !llvm::is_contained(group, rows);
    });
  };
  if (rows && (!llvm::all_of(op.getSubscripts(), isApart) ||
               !isApart(op.getResultSubscript())))
    return op.emitError(
               "[fuse-rows] expected a dimension of its own for axis `")
           << rows.getValue() << "`, got a group";
  return success();
}

static LogicalResult checkOp(Operation &op) {
  for (Type type : op.getResultTypes())
    if (failed(checkType(&op, type)))
      return failure();
  if (auto contract = dyn_cast<ContractOp>(op))
    return checkContract(contract);
  if (auto gather = dyn_cast<GatherOp>(op))
    return checkMap(&op, gather.getMap());
  if (auto sum = dyn_cast<SegmentSumOp>(op))
    return checkMap(&op, sum.getMap());
  if (isa<ConstantOp, SelectOp, SigmoidOp, SiluOp, StopGradientOp, ReturnOp>(
          op) ||
      op.hasTrait<OpTrait::Elementwise>())
    return success();
  return op.emitError("[fuse-op] expected gathers, segment sums, contracts and "
                      "elementwise ops, got ")
         << op.getName();
}

LogicalResult checkRows(FuncOp func) {
  for (Type type : func.getArgumentTypes())
    if (failed(checkType(func, type)))
      return failure();
  for (Operation &op : func.getBody().front())
    if (failed(checkOp(op)))
      return failure();
  return success();
}

} // namespace gyre::fusion
