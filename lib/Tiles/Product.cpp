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

std::optional<Precision> Product::getMatrixMode() const {
  ContractOp contract = op;
  std::optional<Precision> precision = contract.getPrecision();
  if (!precision || *precision == Precision::ieee ||
      *precision == Precision::fp64 || !contract.getAccumulatorType().isF32())
    return std::nullopt;
  return precision;
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

using Steps = SmallVector<Step, 2>;

/// Finds the products that the cells of a value come of.
class ProductFinder {
public:
  struct Found {
    ContractOp product;
    Steps steps;
  };

  explicit ProductFinder(CellsOp kernel) : kernel(kernel) {}

  /// `steps`: those from the value on. False if some cells come of none.
  bool find(Value value, Steps steps);

  SmallVector<Found> found;
  /// Whether what is not found is zero, and not all is found.
  bool hasZeros = false;

private:
  Operation *inBody(Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->getParentOp() == kernel ? op : nullptr;
  }
  bool isLight(Value value);
  bool findBase(Value value, Value &base);
  bool findPieces(ConcatOp op, const Steps &steps);

  CellsOp kernel;
};

} // namespace

static Steps prepend(Step step, const Steps &steps) {
  Steps all = {step};
  llvm::append_range(all, steps);
  return all;
}

/// Zeros stay zeros when they are moved, not when something is computed.
static bool computes(const Steps &steps) {
  return llvm::any_of(
      steps, [](const Step &step) { return step.kind == Step::compute; });
}

/// Whether cells are computed without loops.
bool ProductFinder::isLight(Value value) {
  Operation *op = inBody(value);
  if (!op)
    return true;
  return !sums(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
    return isa<MapType>(operand.getType()) || isLight(operand);
  });
}

/// Finds the one value that elementwise ops are a function of, beside what is
/// computed without loops.
bool ProductFinder::findBase(Value value, Value &base) {
  if (isLight(value))
    return true;
  Operation *op = inBody(value);
  if (isElementwise(op))
    return llvm::all_of(op->getOperands(),
                        [&](Value operand) { return findBase(operand, base); });
  if (base && base != value)
    return false;
  base = value;
  return true;
}

bool ProductFinder::findPieces(ConcatOp op, const Steps &steps) {
  int64_t axis = op.getAxis();
  PolyAttr at = PolyAttr::constant(op.getContext(), 0);
  for (Value input : op.getInputs()) {
    if (!find(input, prepend({Step::shift, axis, at, op, {}}, steps)))
      return false;
    at = at.add(cast<TensorType>(input.getType()).getDims()[axis]);
  }
  return true;
}

bool ProductFinder::find(Value value, Steps steps) {
  Operation *op = inBody(value);
  if (!op || isLight(value))
    return false;
  if (isElementwise(op)) {
    Value base;
    return findBase(value, base) &&
           find(base,
                prepend({Step::compute, 0, {}, inBody(base), value}, steps));
  }
  if (auto concat = dyn_cast<ConcatOp>(op))
    return findPieces(concat, steps);
  if (auto pad = dyn_cast<PadOp>(op)) {
    hasZeros = true;
    return !computes(steps) &&
           find(pad.getX(), prepend({Step::shift,
                                     static_cast<int64_t>(pad.getAxis()),
                                     pad.getLow(),
                                     op,
                                     {}},
                                    steps));
  }
  auto contract = dyn_cast<ContractOp>(op);
  if (!contract)
    return false;
  if (!sums(contract))
    return permutes(contract) &&
           find(contract.getInputs().front(),
                prepend({Step::move, 0, {}, op, {}}, steps));
  found.push_back({contract, steps});
  return llvm::all_of(contract.getInputs(),
                      [&](Value input) { return isLight(input); });
}

std::optional<Pieces> Pieces::get(CellsOp kernel) {
  Pieces pieces;
  for (Value value : kernel.getDeliver().getValues()) {
    ProductFinder finder(kernel);
    if (!finder.find(value, {}))
      return std::nullopt;
    pieces.coverResults &= !finder.hasZeros;
    bool isFirst = pieces.pieces.empty();
    if (isFirst)
      pieces.pieces.resize(finder.found.size());
    if (pieces.pieces.size() != finder.found.size())
      return std::nullopt;
    for (auto [piece, found] : llvm::zip_equal(pieces.pieces, finder.found)) {
      std::optional<Product> product = Product::get(found.product);
      if (!product || (!isFirst && piece.product.op != product->op))
        return std::nullopt;
      if (!product->coversResult()) {
        if (computes(found.steps))
          return std::nullopt;
        pieces.coverResults = false;
      }
      piece.product = *product;
      piece.steps.push_back(found.steps);
    }
  }
  return pieces;
}

} // namespace gyre::tiles
