//===- CellOps.cpp - What is computed cell by cell ------------------------===//

#include "CellOps.h"

#include "Rows.h"
#include "Units.h"

#include "gyre/Dialect/PolySyntax.h"

#include <set>

using namespace mlir;

namespace gyre::fusion {

/// A contract that uses each cell of a row more often than that, along axes
/// that no relation ties, multiplies rows by a matrix: its products would not
/// fit a body. Ranks of factorised coefficients are up to 8.
static constexpr int64_t kMostReuse = 8;
/// Values without rows that have more cells are no part of a row's work.
static constexpr int64_t kMostShared = 64;

//===----------------------------------------------------------------------===//
// What rows take
//===----------------------------------------------------------------------===//

bool fitsRows(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return true;
  Type element = tensor.getElementType();
  if (!isa<FloatType>(element) && !element.isInteger(1))
    return false;
  unsigned counts = 0;
  for (PolyAttr dim : tensor.getDims()) {
    counts += !dim.getConstant();
    if (!dim.getConstant() && !dim.getVariable())
      return false;
  }
  return counts <= 1;
}

static bool fitsRows(MapType map) {
  return map.getAxes().size() == 1 && !map.getPadded() &&
         map.getAxes()[0].getSize().getVariable() &&
         map.getTarget().getVariable();
}

/// How often a contract uses cells of rows along free axes, at least.
static int64_t countReuse(ContractOp op) {
  int64_t products = 1;
  llvm::DenseMap<StringAttr, int64_t> sizes;
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>()) {
    std::optional<int64_t> size = axis.getSize().getConstant();
    if (!size || llvm::is_contained(op.getRelationAxes(), axis.getName()))
      continue;
    sizes[axis.getName()] = *size;
    products = llvm::SaturatingMultiply<uint64_t>(products, *size);
  }
  int64_t most = 1;
  auto visit = [&](Attribute subscript) {
    int64_t cells = 1;
    llvm::SmallDenseSet<StringAttr> seen;
    walkAxes(cast<ArrayAttr>(subscript), [&](StringAttr axis) {
      auto size = sizes.find(axis);
      if (size != sizes.end() && seen.insert(axis).second)
        cells *= size->second;
    });
    most = std::max(most, cells);
  };
  for (auto [input, subscript] :
       llvm::zip_equal(op.getInputs(), op.getSubscripts()))
    if (getRowsDim(input))
      visit(subscript);
  if (getRowsDim(op.getResult()))
    visit(op.getResultSubscript());
  return products / most;
}

static bool fitsRows(ContractOp op) {
  unsigned counts = 0;
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>())
    counts += !axis.getSize().getConstant();
  if (counts > 1)
    return false;
  Type element = op.getResult().getType().getElementType();
  if (op.getAccumulatorType() != element ||
      (op.getPrecision() == Precision::fp64 && !element.isF64()))
    return false;
  StringAttr rows = getRowsAxis(op);
  if (!rows)
    return true;
  if (llvm::is_contained(op.getRelationAxes(), rows))
    return false;
  auto isApart = [&](Attribute subscript) {
    return llvm::all_of(cast<ArrayAttr>(subscript), [&](Attribute entry) {
      auto group = cast<ArrayAttr>(entry);
      return group.size() == 1 || !llvm::is_contained(group, rows);
    });
  };
  return llvm::all_of(op.getSubscripts(), isApart) &&
         isApart(op.getResultSubscript()) &&
         (op.getInputs().size() == 1 || countReuse(op) <= kMostReuse);
}

/// Cells of a value without rows, or products of a contract without.
static int64_t countCells(Operation *op) {
  auto multiply = [](int64_t a, PolyAttr size) -> int64_t {
    return llvm::SaturatingMultiply<uint64_t>(a,
                                              size.getConstant().value_or(1));
  };
  int64_t cells = 1;
  if (auto contract = dyn_cast<ContractOp>(op)) {
    for (AxisAttr axis : contract.getDomain().getAsRange<AxisAttr>())
      cells = multiply(cells, axis.getSize());
  } else {
    for (PolyAttr size : cast<TensorType>(op->getResult(0).getType()).getDims())
      cells = multiply(cells, size);
  }
  return cells;
}

bool needsCells(Operation *op) {
  if (isa<ReturnOp>(op))
    return false;
  auto fits = [](Type type) { return fitsRows(type); };
  if (!llvm::all_of(op->getOperandTypes(), fits) ||
      !llvm::all_of(op->getResultTypes(), fits) ||
      isa<ValidOp, SliceOp, PadOp, ConcatOp, MaxSlotOp, SelectSlotOp,
          SpreadSlotOp>(op))
    return true;
  if (auto gather = dyn_cast<GatherOp>(op))
    return !fitsRows(cast<MapType>(gather.getMap().getType())) ||
           !isa<FloatType>(
               cast<TensorType>(gather.getX().getType()).getElementType());
  if (auto sum = dyn_cast<SegmentSumOp>(op))
    return !fitsRows(cast<MapType>(sum.getMap().getType()));
  if (auto contract = dyn_cast<ContractOp>(op))
    if (!fitsRows(contract))
      return true;
  // Numbers of all rows together are no rows of halves.
  if (isa<ConvertOp>(op) && !getRowsDim(op->getResult(0)))
    return true;
  return !isa<ConstantOp>(op) && !getRowsDim(op->getResult(0)) &&
         llvm::none_of(op->getOperands(),
                       [](Value operand) {
                         return isa<TensorType>(operand.getType()) &&
                                getRowsDim(operand);
                       }) &&
         countCells(op) > kMostShared;
}

//===----------------------------------------------------------------------===//
// What is computed where it is used
//===----------------------------------------------------------------------===//

/// How many tuples a relation has for a cell of an operand, or of the result.
static bool isListedOnce(ContractOp op, ArrayAttr subscript) {
  TuplesAttr tuples = op.getTuples();
  if (!tuples)
    return true;
  SmallVector<unsigned> positions;
  walkAxes(subscript, [&](StringAttr axis) {
    auto it = llvm::find(tuples.getAxes(), axis);
    if (it != tuples.getAxes().end())
      positions.push_back(it - tuples.getAxes().begin());
  });
  std::set<std::vector<int64_t>> seen;
  for (int64_t i = 0; i < tuples.size(); ++i) {
    std::vector<int64_t> cell;
    for (unsigned position : positions)
      cell.push_back(tuples.tuple(i)[position]);
    if (!seen.insert(cell).second)
      return false;
  }
  return true;
}

bool namesEachOnce(ContractOp op, ArrayAttr subscript) {
  llvm::SmallDenseSet<StringAttr> named;
  walkAxes(subscript, [&](StringAttr axis) { named.insert(axis); });
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>())
    if (!named.contains(axis.getName()) && !axis.getSize().isConstant(1) &&
        !llvm::is_contained(op.getRelationAxes(), axis.getName()))
      return false;
  return isListedOnce(op, subscript);
}

bool movesCells(Operation *op) {
  if (isa<GatherOp, SliceOp, ValidOp, StopGradientOp, ConstantOp, ConvertOp>(
          op))
    return true;
  auto contract = dyn_cast<ContractOp>(op);
  return contract && contract.getInputs().size() == 1 &&
         namesEachOnce(contract, contract.getResultSubscript());
}

bool repeats(Operation *op, Value operand) {
  if (isa<GatherOp>(op))
    return true;
  auto contract = dyn_cast<ContractOp>(op);
  if (!contract)
    return false;
  for (auto [input, subscript] :
       llvm::zip_equal(contract.getInputs(), contract.getSubscripts()))
    if (input == operand &&
        !namesEachOnce(contract, cast<ArrayAttr>(subscript)))
      return true;
  return false;
}

static bool isTruth(Value value) {
  auto type = dyn_cast<TensorType>(value.getType());
  return type && type.getElementType().isInteger(1);
}

bool isCondition(Value value) {
  Operation *op = value.getDefiningOp();
  return op && isTruth(value) &&
         (isa<ConstantOp, SelectOp>(op) ||
          OpTrait::hasElementwiseMappableTraits(op));
}

/// Cells of a row of a value, or of all of it.
static int64_t countRowCells(Value value) {
  int64_t cells = 1;
  for (PolyAttr size : cast<TensorType>(value.getType()).getDims())
    cells = llvm::SaturatingMultiply<uint64_t>(cells,
                                               size.getConstant().value_or(1));
  return cells;
}

/// How many cells are loaded for a row of a value; each value once.
static int64_t countLoads(Value value, function_ref<bool(Value)> isThere,
                          llvm::SmallDenseSet<Value> &seen) {
  if (!seen.insert(value).second)
    return 0;
  if (isThere(value))
    return countRowCells(value);
  Operation *op = value.getDefiningOp();
  int64_t loads = 0;
  for (Value operand : op->getOperands())
    if (isa<TensorType>(operand.getType()))
      loads += countLoads(operand, isThere, seen);
  // Of what it moves it reads no more cells than it has.
  return movesCells(op) ? std::min(loads, countRowCells(value)) : loads;
}

bool isCheap(Value value, function_ref<bool(Value)> isThere) {
  llvm::SmallDenseSet<Value> seen;
  return !isThere(value) &&
         countLoads(value, isThere, seen) <= countRowCells(value);
}

CellOps::CellOps(FuncOp func, const llvm::DenseSet<Operation *> &others,
                 bool tiles) {
  for (Operation &op : func.getBody().front()) {
    if (others.contains(&op) || needsCells(&op))
      ops.insert(&op);
    if (op.removeDiscardableAttr(kStoredAttr)) {
      ops.insert(&op);
      stored.insert(op.getResult(0));
    }
    if (auto unit =
            cast_if_present<IntegerAttr>(op.removeDiscardableAttr(kUnitAttr))) {
      ops.insert(&op);
      units[&op] = unit.getInt();
    }
  }
  followTruths(func);
  if (tiles)
    followOnTiles(func);
  else
    followProducts(func);
}

/// Truth values in memory, arguments and results among them, are of kernels of
/// cells: of what loads or delivers them.
void CellOps::followTruths(FuncOp func) {
  for (Operation &op : func.getBody().front().without_terminator())
    if (llvm::any_of(op.getOperands(), [&](Value operand) {
          return isTruth(operand) && !isCondition(operand);
        }))
      ops.insert(&op);
  for (Operation &op :
       llvm::reverse(func.getBody().front().without_terminator()))
    if (llvm::any_of(op.getResults(), isTruth) &&
        llvm::any_of(op.getUsers(), [&](Operation *user) {
          return isa<ReturnOp>(user) || contains(user);
        }))
      ops.insert(&op);
}

/// Whether the op sums over rows, or more, to what has none: such a sum is long
/// and has few cells, so that it is best a kernel of its own.
static bool sumsToOne(Operation *op) {
  auto contract = dyn_cast<ContractOp>(op);
  return contract && getRowsAxis(contract) && !getRowsDim(contract.getResult());
}

bool CellOps::takesIn(Operation *user, Value operand, bool repeated) const {
  Operation *op = operand.getDefiningOp();
  if (!op || stored.contains(operand))
    return false;
  std::optional<int64_t> own = getUnit(op), unit = getUnit(user);
  if (own)
    return own == unit;
  if (movesCells(op))
    return true;
  if (unit)
    return false;
  return contains(op) && !sumsToOne(op) && !repeated &&
         !computesAgain(user, operand) &&
         llvm::all_of(op->getUsers(),
                      [&](Operation *other) { return other == user; });
}

} // namespace gyre::fusion
