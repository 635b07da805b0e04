//===- KernelOps.cpp - Fused kernels with an owner domain -----------------===//

#include "gyre/Dialect/Gyre.h"
#include "gyre/Dialect/OpSyntax.h"
#include "gyre/Dialect/PolySyntax.h"

using namespace mlir;

namespace gyre {

LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<Place>, int64_t vector,
                                   int64_t lanes, int64_t workers, int64_t span,
                                   int64_t teams, int64_t warps, int64_t alive,
                                   int64_t heavy) {
  for (int64_t number : {vector, lanes, workers, span, teams, warps})
    if (number < 1)
      return emitError() << "[schedule-number] expected positive numbers, got "
                         << number;
  if (alive < 0)
    return emitError() << "[schedule-number] expected 0 or more vectors alive, "
                          "got "
                       << alive;
  if (heavy < 0)
    return emitError() << "[schedule-number] expected 0 or more rows of a "
                          "heavy node, got "
                       << heavy;
  return success();
}

LogicalResult TileAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t rows, int64_t columns, int64_t depth,
                               int64_t threadRows, int64_t threadColumns,
                               int64_t stages, int64_t warps, bool warpgroups) {
  constexpr int64_t several = 4, warp = 32, mostThreads = 1024;
  constexpr int64_t ofGroup = 4 * warp, mostColumns = 256;
  constexpr int64_t mostStages = 8, mostDepth = 256, mostCells = 512;
  for (int64_t number :
       {rows, columns, depth, threadRows, threadColumns, stages, warps})
    if (number < 1)
      return emitError() << "[tile-number] expected positive numbers, got "
                         << number;
  // All copies to fill the stages, and the steps of a slab, are straight-line
  // code.
  if (stages < 2 || stages > mostStages)
    return emitError() << "[tile-number] expected two to " << mostStages
                       << " stages, got " << stages;
  if (depth > mostDepth)
    return emitError() << "[tile-number] expected a depth of at most "
                       << mostDepth << ", got " << depth;
  if (threadRows > mostCells || threadColumns > mostCells / threadRows)
    return emitError() << "[tile-number] expected at most " << mostCells
                       << " cells of a thread, got " << threadRows << " x "
                       << threadColumns;
  if (warpgroups && (threadRows != 2 || 4 * threadColumns != columns ||
                     rows / threadRows * 4 % ofGroup != 0 || stages < 3))
    return emitError() << "[tile-warpgroups] expected whole warpgroups, of "
                          "whose threads each has 2 rows and a quarter of the "
                          "block's columns, and 3 stages or more, got "
                       << threadRows << " x " << threadColumns << " of " << rows
                       << " x " << columns << " in " << stages;
  if (warpgroups && (columns > mostColumns || depth % warp != 0))
    return emitError() << "[tile-warpgroups] expected at most " << mostColumns
                       << " columns and a depth in 32s, got " << columns
                       << " and " << depth;
  for (int64_t number :
       {depth, warpgroups ? several : threadRows, threadColumns})
    if (number % several != 0)
      return emitError() << "[tile-number] expected a depth and a thread's "
                            "rows and columns in fours, got "
                         << number;
  if (rows % threadRows != 0 || columns % threadColumns != 0)
    return emitError() << "[tile-threads] expected threads that share " << rows
                       << " x " << columns << " cells evenly, got "
                       << threadRows << " x " << threadColumns << " each";
  int64_t threads = rows / threadRows * (columns / threadColumns);
  if (threads % warp != 0 || threads > mostThreads)
    return emitError() << "[tile-threads] expected whole warps, at most "
                       << mostThreads << " threads, got " << threads;
  return success();
}

//===----------------------------------------------------------------------===//
// gyre.kernel
//===----------------------------------------------------------------------===//

DeliverOp KernelOp::getDeliver() {
  return cast<DeliverOp>(getBody().front().getTerminator());
}

static PolyAttr countRows(MapType map) {
  PolyAttr rows = PolyAttr::constant(map.getContext(), 1);
  for (PolyAttr size : map.getAxisSizes())
    rows = rows.mul(size);
  return rows;
}

/// The type of what a kernel makes of a value of its body; null where the
/// delivery does not fit it.
static Type getResultType(KernelOp kernel, DeliveryAttr delivery,
                          TensorType value) {
  if (delivery.getKind() == DeliveryKind::total)
    return delivery.getAxis() == 0 ? value : Type();
  if (delivery.getAxis() < 0 || delivery.getAxis() > value.rank())
    return {};
  SmallVector<PolyAttr> dims(value.getDims());
  PolyAttr size = kernel.getRows();
  if (delivery.getKind() == DeliveryKind::segment)
    size = cast<MapType>(kernel.getOwner().getType()).getTarget();
  dims.insert(dims.begin() + delivery.getAxis(), size);
  return value.cloneWithDims(dims);
}

LogicalResult KernelOp::verifyRegions() {
  if (Value owner = getOwner()) {
    PolyAttr rows = countRows(cast<MapType>(owner.getType()));
    if (rows != getRows())
      return emitError("[kernel-owner] expected an owner of ")
             << getRows().str() << " references, got " << rows.str();
  }
  auto deliver = dyn_cast<DeliverOp>(getBody().front().back());
  if (!deliver)
    return emitError("[kernel-delivery] expected gyre.deliver at the end, got ")
           << getBody().front().back().getName();
  size_t values = deliver.getValues().size();
  if (values == 0)
    return emitError("[kernel-delivery] expected a value to deliver, got none");
  if (getDeliveries().size() != values || getNumResults() != values)
    return emitError("[kernel-delivery] expected a delivery and a result for "
                     "each of ")
           << values << " values, got " << getDeliveries().size()
           << " deliveries and " << getNumResults() << " results";
  for (unsigned i = 0; i < values; ++i) {
    DeliveryAttr delivery = getDelivery(i);
    if (delivery.getKind() == DeliveryKind::segment && !getOwner())
      return emitError("[kernel-owner] expected an owner, to deliver segments "
                       "of, got none");
    auto value = cast<TensorType>(deliver.getValues()[i].getType());
    Type expected = getResultType(*this, delivery, value);
    if (!expected)
      return emitError("[kernel-result] expected a delivery that fits ")
             << value << ", got " << delivery;
    if (getResult(i).getType() != expected)
      return emitError("[kernel-result] expected result ")
             << i << " to be " << expected << ", got "
             << getResult(i).getType();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// gyre.cells
//===----------------------------------------------------------------------===//

DeliverOp CellsOp::getDeliver() {
  return cast<DeliverOp>(getBody().front().getTerminator());
}

ContractOp CellsOp::getSum() {
  ValueRange values = getDeliver().getValues();
  auto contract = values.front().getDefiningOp<ContractOp>();
  if (values.size() != 1 || !contract || contract->getParentOp() != *this)
    return {};
  for (AxisAttr axis : contract.getDomain().getAsRange<AxisAttr>()) {
    bool written = false;
    walkAxes(contract.getResultSubscript(),
             [&](StringAttr name) { written |= name == axis.getName(); });
    if (!written && !axis.getSize().getConstant() &&
        !llvm::is_contained(contract.getRelationAxes(), axis.getName()))
      return contract;
  }
  return {};
}

LogicalResult CellsOp::verifyRegions() {
  auto deliver = dyn_cast<DeliverOp>(getBody().front().back());
  if (!deliver)
    return emitError("[cells-delivery] expected gyre.deliver at the end, got ")
           << getBody().front().back().getName();
  ValueRange values = deliver.getValues();
  if (values.empty())
    return emitError("[cells-delivery] expected a value to deliver, got none");
  if (values.getTypes() != getResultTypes())
    return emitError("[cells-delivery] expected results of the types ")
           << values.getTypes() << ", got " << getResultTypes();
  if (!getParts())
    return success();
  if (*getParts() < 1)
    return emitError("[cells-parts] expected a positive number of parts, got ")
           << *getParts();
  if (!getSum())
    return emitError("[cells-parts] expected one value, a contract that sums "
                     "an axis of runtime size, to be cut into parts, got "
                     "others");
  return success();
}

//===----------------------------------------------------------------------===//
// gyre.row
//===----------------------------------------------------------------------===//

LogicalResult RowOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc,
                                      RowOp::Adaptor adaptor,
                                      SmallVectorImpl<Type> &inferred) {
  TensorType x = TensorType::getOperand(loc, adaptor.getX());
  if (!x)
    return failure();
  int64_t axis = adaptor.getAxis();
  if (axis < 0 || axis >= x.rank())
    return emitOptionalError(loc, "[row-axis] expected an axis in [0, ",
                             x.rank(), "), got ", axis);
  SmallVector<PolyAttr> dims(x.getDims());
  dims.erase(dims.begin() + axis);
  return TensorType::infer(loc, dims, x.getElementType(), inferred);
}

LogicalResult RowOp::verify() {
  PolyAttr rows = (*this)->getParentOfType<KernelOp>().getRows();
  PolyAttr expected = rows;
  if (Value map = getMap()) {
    auto type = cast<MapType>(map.getType());
    if (countRows(type) != rows)
      return emitError("[row-size] expected a map of ")
             << rows.str() << " references, got " << type;
    expected = type.getTarget();
  }
  PolyAttr size = cast<TensorType>(getX().getType()).getDims()[getAxis()];
  if (size != expected)
    return emitError("[row-size] expected dimension ")
           << getAxis() << " to be " << expected.str() << ", got "
           << size.str();
  return success();
}

} // namespace gyre
