//===- Product.cpp - Contracts that are products of matrices --------------===//

#include "gyre/Tiles/Product.h"

#include "gyre/Dialect/PolySyntax.h"

using namespace mlir;

namespace gyre::tiles {

using AxisSet = llvm::SmallDenseSet<StringAttr>;

static AxisSet getAxes(ArrayAttr subscript) {
  AxisSet axes;
  walkAxes(subscript, [&](StringAttr axis) { axes.insert(axis); });
  return axes;
}

/// The axes in the order in which a subscript names them.
static SmallVector<AxisAttr> sortBy(ArrayAttr subscript,
                                    ArrayRef<AxisAttr> axes) {
  SmallVector<AxisAttr> sorted;
  walkAxes(subscript, [&](StringAttr name) {
    for (AxisAttr axis : axes)
      if (axis.getName() == name)
        sorted.push_back(axis);
  });
  return sorted;
}

/// Axes that have one index. False where a relation gives others more.
static bool fixAxes(ContractOp op, Product &product) {
  if (op.getRelationAttr()) {
    TuplesAttr tuples = op.getTuples();
    if (!tuples || tuples.size() != 1)
      return false;
    for (auto [axis, index] :
         llvm::zip_equal(tuples.getAxes(), tuples.tuple(0)))
      product.fixed[axis] = index;
    product.coefficient = tuples.coefficient(0);
  }
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>())
    if (axis.getSize().isConstant(1))
      product.fixed.try_emplace(axis.getName(), 0);
  return true;
}

std::optional<Product> Product::get(ContractOp op) {
  Product product;
  product.op = op;
  if (op.getInputs().size() != 2 || !fixAxes(op, product))
    return std::nullopt;
  AxisSet first = getAxes(cast<ArrayAttr>(op.getSubscripts()[0]));
  AxisSet second = getAxes(cast<ArrayAttr>(op.getSubscripts()[1]));
  AxisSet written = getAxes(op.getResultSubscript());
  SmallVector<AxisAttr> batch, ofFirst, ofSecond, depth;
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>()) {
    StringAttr name = axis.getName();
    if (product.fixed.contains(name))
      continue;
    bool inFirst = first.contains(name), inSecond = second.contains(name);
    if (!inFirst && !inSecond)
      return std::nullopt;
    if (!written.contains(name))
      depth.push_back(axis);
    else if (inFirst && inSecond)
      batch.push_back(axis);
    else
      (inFirst ? ofFirst : ofSecond).push_back(axis);
  }
  StringAttr innermost;
  walkAxes(op.getResultSubscript(), [&](StringAttr name) {
    for (AxisAttr axis : llvm::concat<AxisAttr>(ofFirst, ofSecond))
      if (axis.getName() == name)
        innermost = name;
  });
  if (!innermost)
    return std::nullopt;
  product.columnsInput = second.contains(innermost) ? 1 : 0;
  product.rowsInput = 1 - product.columnsInput;
  if (product.columnsInput == 0)
    std::swap(ofFirst, ofSecond);
  product.batch = sortBy(op.getResultSubscript(), batch);
  product.rows = sortBy(op.getResultSubscript(), ofFirst);
  product.columns = sortBy(op.getResultSubscript(), ofSecond);
  for (bool fixedSize : {false, true})
    for (AxisAttr axis : depth)
      if (axis.getSize().getConstant().has_value() == fixedSize)
        product.depth.push_back(axis);
  return product;
}

bool Product::coversResult() const {
  bool covers = true;
  ContractOp contract = op;
  walkAxes(contract.getResultSubscript(), [&](StringAttr axis) {
    covers &= !fixed.contains(axis) || contract.getAxisSize(axis).isConstant(1);
  });
  return covers;
}

PolyAttr Product::count(ArrayRef<AxisAttr> axes) const {
  ContractOp contract = op;
  PolyAttr product = PolyAttr::constant(contract.getContext(), 1);
  for (AxisAttr axis : axes)
    product = product.mul(axis.getSize());
  return product;
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

bool isElementwise(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<SigmoidOp, SiluOp, SelectOp, ConvertOp, StopGradientOp>(op);
}

/// Whether each cell of a contract's operand is one cell of the result, of the
/// same value, and no index of either is a part of a group.
static bool permutes(ContractOp op) {
  if (op.getInputs().size() != 1 || op.getRelationAttr())
    return false;
  auto isPlain = [&](Attribute subscript) {
    return llvm::all_of(cast<ArrayAttr>(subscript).getAsRange<ArrayAttr>(),
                        [&](ArrayAttr entry) { return entry.size() == 1; });
  };
  AxisSet from = getAxes(cast<ArrayAttr>(op.getSubscripts()[0]));
  AxisSet to = getAxes(op.getResultSubscript());
  auto isKept = [&](AxisAttr axis) {
    return axis.getSize().isConstant(1) ||
           (from.contains(axis.getName()) && to.contains(axis.getName()));
  };
  return isPlain(op.getSubscripts()[0]) && isPlain(op.getResultSubscript()) &&
         op.getAccumulatorType() == op.getResult().getType().getElementType() &&
         llvm::all_of(op.getDomain().getAsRange<AxisAttr>(), isKept);
}

/// Whether a cell takes a loop to compute.
static bool sums(Operation *op) {
  if (isa<SegmentSumOp, MaxSlotOp>(op))
    return true;
  auto contract = dyn_cast<ContractOp>(op);
  if (!contract)
    return false;
  AxisSet written = getAxes(contract.getResultSubscript());
  return llvm::any_of(
      contract.getDomain().getAsRange<AxisAttr>(), [&](AxisAttr axis) {
        return !axis.getSize().isConstant(1) &&
               !written.contains(axis.getName()) &&
               !llvm::is_contained(contract.getRelationAxes(), axis.getName());
      });
}

namespace {
class PieceFinder {
public:
  PieceFinder(CellsOp kernel, Pieces &pieces)
      : kernel(kernel), pieces(pieces) {}

  bool find(SmallVector<Value> values, SmallVector<PolyAttr> shift);

private:
  Operation *inBody(Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->getParentOp() == kernel ? op : nullptr;
  }
  bool findInConcat(ArrayRef<Value> values, ArrayRef<PolyAttr> shift);
  bool findProduct(Value value, ContractOp &product);
  bool isLight(Value value);

  CellsOp kernel;
  Pieces &pieces;
};
} // namespace

/// Whether the cells that a product's cell meets are computed without loops.
bool PieceFinder::isLight(Value value) {
  Operation *op = inBody(value);
  if (!op)
    return true;
  return !sums(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
    return isa<MapType>(operand.getType()) || isLight(operand);
  });
}

/// Finds the one product that a value is an elementwise function of.
bool PieceFinder::findProduct(Value value, ContractOp &product) {
  Operation *op = inBody(value);
  if (!op)
    return true;
  if (auto contract = dyn_cast<ContractOp>(op); contract && sums(op)) {
    if (product && product != contract)
      return false;
    product = contract;
    return llvm::all_of(contract.getInputs(),
                        [&](Value input) { return isLight(input); });
  }
  if (!isElementwise(op))
    return isLight(value);
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return findProduct(operand, product);
  });
}

/// Values that are put together alike are pieces by themselves.
bool PieceFinder::findInConcat(ArrayRef<Value> values,
                               ArrayRef<PolyAttr> shift) {
  auto first = cast<ConcatOp>(inBody(values.front()));
  size_t count = first.getInputs().size();
  int64_t axis = first.getAxis();
  auto sizeOf = [&](Value input) {
    return cast<TensorType>(input.getType()).getDims()[axis];
  };
  for (Value value : values) {
    auto other = dyn_cast_if_present<ConcatOp>(inBody(value));
    if (!other || other.getAxis() != first.getAxis() ||
        other.getInputs().size() != count)
      return false;
    for (auto [a, b] : llvm::zip_equal(first.getInputs(), other.getInputs()))
      if (sizeOf(a) != sizeOf(b))
        return false;
  }
  SmallVector<PolyAttr> at(shift);
  for (size_t i = 0; i < count; ++i) {
    auto inputs = llvm::map_to_vector(values, [&](Value value) -> Value {
      return cast<ConcatOp>(inBody(value)).getInputs()[i];
    });
    if (!find(inputs, at))
      return false;
    at[axis] = at[axis].add(sizeOf(inputs.front()));
  }
  return true;
}

bool PieceFinder::find(SmallVector<Value> values, SmallVector<PolyAttr> shift) {
  Operation *op = inBody(values.front());
  if (isa_and_present<ConcatOp>(op))
    return findInConcat(values, shift);
  if (auto pad = dyn_cast_if_present<PadOp>(op); pad && values.size() == 1) {
    pieces.coverResults = false;
    shift[pad.getAxis()] = shift[pad.getAxis()].add(pad.getLow());
    return find({pad.getX()}, shift);
  }
  Piece piece;
  if (values.size() == 1)
    while (auto move =
               dyn_cast_if_present<ContractOp>(inBody(values.front()))) {
      if (!permutes(move))
        break;
      piece.moves.insert(piece.moves.begin(), move);
      values = {move.getInputs().front()};
    }
  ContractOp contract;
  for (Value value : values)
    if (!findProduct(value, contract))
      return false;
  if (!contract)
    return false;
  std::optional<Product> product = Product::get(contract);
  if (!product)
    return false;
  // Functions of the zeros beside a product's cells need not be zero.
  if (!product->coversResult()) {
    if (values.size() != 1 || values.front() != contract.getResult())
      return false;
    pieces.coverResults = false;
  }
  piece.product = *product;
  piece.values = values;
  piece.shift = shift;
  pieces.pieces.push_back(piece);
  return true;
}

std::optional<Pieces> Pieces::get(CellsOp kernel) {
  Pieces pieces;
  SmallVector<Value> values(kernel.getDeliver().getValues());
  auto type = cast<TensorType>(values.front().getType());
  SmallVector<PolyAttr> shift(type.rank(),
                              PolyAttr::constant(kernel.getContext(), 0));
  if (!PieceFinder(kernel, pieces).find(values, shift))
    return std::nullopt;
  return pieces;
}

} // namespace gyre::tiles
