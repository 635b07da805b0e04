//===- FuseRows.cpp - The bodies of kernels of rows -----------------------===//

#include "Fuser.h"
#include "Rows.h"

#include "gyre/Cells/Axes.h"
#include "gyre/Dialect/ContractBuilder.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace gyre::fusion {

/// The row of a value that is in memory as a whole.
Value Fuser::load(Value value) {
  Value whole = findWhole(value);
  std::optional<unsigned> dim = getRowsDim(value);
  if (!dim)
    return whole;
  return RowOp::create(b, value.getLoc(), whole, *dim, Value());
}

Value Fuser::buildContractRow(ContractOp op) {
  StringAttr rows = getRowsAxis(op);
  auto drop = [&](Attribute subscript) {
    SmallVector<Attribute> kept;
    for (Attribute entry : cast<ArrayAttr>(subscript))
      if (!rows || cast<ArrayAttr>(entry) != b.getArrayAttr({rows}))
        kept.push_back(entry);
    return b.getArrayAttr(kept);
  };
  SmallVector<Value> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(compute(input));
  auto subscripts = llvm::map_to_vector(op.getSubscripts(), drop);
  SmallVector<AxisAttr> sizes;
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>())
    if (axis.getName() != rows)
      sizes.push_back(axis);
  return buildContract(
      b, op.getLoc(), inputs, subscripts, drop(op.getResultSubscript()), sizes,
      op.getRelationAttr(), op.getAccAttr(), op.getPrecisionAttr());
}

/// The value of the kernel's row, in its body.
Value Fuser::compute(Value value) {
  if (Value known = inBody.lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  Value result;
  if (!op || (delivered.contains(value) && stageOf(value) < stage &&
              !isCondition(value))) {
    result = load(value);
  } else if (auto gather = dyn_cast<GatherOp>(op)) {
    result = RowOp::create(b, op->getLoc(), findWhole(gather.getX()),
                           gather.getAxis(), gather.getMap());
  } else if (auto contract = dyn_cast<ContractOp>(op)) {
    result = buildContractRow(contract);
    origins[result.getDefiningOp()] = op;
  } else {
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, compute(operand));
    Operation *row = b.clone(*op, mapping);
    origins[row] = op;
    for (Value each : row->getResults()) {
      auto type = cast<TensorType>(each.getType());
      SmallVector<PolyAttr> dims(type.getDims());
      if (std::optional<unsigned> dim = getRowsDim(each))
        dims.erase(dims.begin() + *dim);
      each.setType(type.cloneWithDims(dims));
    }
    for (auto [from, to] : llvm::zip_equal(op->getResults(), row->getResults()))
      inBody[from] = to;
    return inBody[value];
  }
  return inBody[value] = result;
}

/// Gives a kernel without sums over a map the map that it gathers most over: so
/// the rows of a node are read once for all rows that refer to it.
static void chooseOwner(KernelOp kernel) {
  llvm::MapVector<Value, int64_t> cells;
  for (RowOp row : kernel.getBody().getOps<RowOp>()) {
    if (!row.getMap())
      continue;
    int64_t count = 1;
    for (int64_t size : cast<TensorType>(row.getResult().getType()).getShape())
      count *= size;
    cells[row.getMap()] += count;
  }
  auto most = llvm::max_element(
      cells, [](auto &a, auto &b) { return a.second < b.second; });
  if (most != cells.end())
    kernel.getOwnerMutable().assign(most->first);
}

void Fuser::buildRows(Group &group) {
  inBody.clear();
  origins.clear();
  Location loc = group.delivered.front().getLoc();
  SmallVector<Attribute> deliveries;
  SmallVector<Type> types;
  SmallVector<Value> sources;
  for (Value value : group.delivered) {
    Operation *op = value.getDefiningOp();
    types.push_back(value.getType());
    auto kind = DeliveryKind::total;
    int64_t axis = 0;
    sources.push_back(value);
    if (auto sum = dyn_cast_if_present<SegmentSumOp>(op)) {
      kind = DeliveryKind::segment;
      axis = sum.getAxis();
      sources.back() = sum.getRows();
    } else if (op && isTotal(op)) {
      sources.back() = op->getOperand(0);
    } else if (std::optional<unsigned> dim = getRowsDim(value)) {
      kind = DeliveryKind::row;
      axis = *dim;
    }
    deliveries.push_back(DeliveryAttr::get(func.getContext(), kind, axis));
  }
  kernel = KernelOp::create(b, loc, types, group.rows, group.owner,
                            b.getArrayAttr(deliveries), ScheduleAttr());
  b.createBlock(&kernel.getBody());
  SmallVector<Value> rows;
  for (Value source : sources)
    rows.push_back(compute(source));
  DeliverOp::create(b, loc, rows);
  if (!kernel.getOwner())
    chooseOwner(kernel);
  for (auto [value, result] :
       llvm::zip_equal(group.delivered, kernel.getResults()))
    delivered[value].push_back(result);
  checkBody();
}

/// An axis that stands twice in a product is no lane. A short one may be
/// unrolled; a long one that no relation ties multiplies rows by a matrix.
void Fuser::checkBody() {
  constexpr int64_t longest = 4;
  if (Operation *op = cells::BodyAxes::findMisfit(kernel)) {
    misfits.push_back(origins.lookup(op));
    return;
  }
  FailureOr<cells::BodyAxes> axes = cells::BodyAxes::get(kernel);
  if (failed(axes))
    return;
  for (auto op : kernel.getBody().getOps<ContractOp>())
    for (unsigned axis = 0; axis < axes->count(); ++axis)
      if (!axes->isTied(axis) && axes->size(axis) > longest &&
          axes->count(op, axis) > 1) {
        misfits.push_back(origins.lookup(op));
        break;
      }
}

} // namespace gyre::fusion
