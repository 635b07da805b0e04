//===- Product.cpp - Contracts that are products of matrices --------------===//

#include "gyre/Tiles/Product.h"

#include "AxisSet.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;

namespace gyre::tiles {

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

int64_t Product::estimate(ArrayRef<AxisAttr> axes) const {
  constexpr int64_t large = int64_t(1) << 20;
  int64_t count = 1;
  for (AxisAttr axis : axes)
    count = llvm::SaturatingMultiply<uint64_t>(
        count, axis.getSize().getConstant().value_or(large));
  return std::min(count, std::numeric_limits<int64_t>::max() / 2);
}

bool Product::pays() const {
  constexpr int64_t fewest = 8, fewestCells = 4096, fewestWeights = 256;
  int64_t ofRows = estimate(rows), ofColumns = estimate(columns);
  int64_t ofDepth = estimate(depth);
  return std::min({ofRows, ofColumns, ofDepth}) >= fewest &&
         llvm::SaturatingMultiply<uint64_t>(ofRows, ofColumns) >= fewestCells &&
         llvm::SaturatingMultiply<uint64_t>(std::min(ofRows, ofColumns),
                                            ofDepth) >= fewestWeights;
}

std::optional<Precision> Product::getMatrixMode() const {
  ContractOp contract = op;
  std::optional<Precision> precision = contract.getPrecision();
  if (!precision || *precision == Precision::ieee ||
      *precision == Precision::fp64 || !contract.getAccumulatorType().isF32())
    return std::nullopt;
  return precision;
}

int64_t countParts(Precision mode) {
  switch (mode) {
  case Precision::tf32:
  case Precision::bf16:
  case Precision::fp16:
    return 1;
  case Precision::tf32x3:
  case Precision::bf16x3:
  case Precision::fp16x3:
    return 2;
  case Precision::bf16x6:
    return 3;
  case Precision::ieee:
  case Precision::fp64:
    break;
  }
  llvm_unreachable("not a mode of matrix units");
}

static bool isTF32(std::optional<Precision> mode) {
  return mode == Precision::tf32 || mode == Precision::tf32x3;
}

int64_t Product::countMostAdded() const {
  return isTF32(getMatrixMode()) ? kMostAdded / 2 : kMostAdded;
}

bool Product::addsOnMatrixUnits(int64_t before) const {
  return !isTF32(getMatrixMode()) &&
         before + estimate(depth) <= countMostAdded();
}

bool Product::hasSharedColumns() const {
  auto isKnown = [&](ArrayRef<AxisAttr> axes) {
    return count(axes).getConstant().has_value();
  };
  return isKnown(columns) && isKnown(depth) && isKnown(batch) && !isKnown(rows);
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

bool isElementwise(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<SigmoidOp, SiluOp, SelectOp, ConvertOp, StopGradientOp>(op);
}

/// Whether each cell of a contract's operand is one cell of the result, of the
/// same value.
static bool permutes(ContractOp op) {
  if (op.getInputs().size() != 1 || op.getRelationAttr())
    return false;
  AxisSet from = getAxes(cast<ArrayAttr>(op.getSubscripts()[0]));
  AxisSet to = getAxes(op.getResultSubscript());
  auto isKept = [&](AxisAttr axis) {
    return axis.getSize().isConstant(1) ||
           (from.contains(axis.getName()) && to.contains(axis.getName()));
  };
  return op.getAccumulatorType() == op.getResult().getType().getElementType() &&
         llvm::all_of(op.getDomain().getAsRange<AxisAttr>(), isKept);
}

std::optional<SmallVector<PolyAttr>> getPlacement(ContractOp op) {
  TuplesAttr tuples = op.getTuples();
  if (op.getInputs().size() != 1 || !tuples || tuples.size() != 1 ||
      tuples.coefficient(0) != 1.0 ||
      op.getAccumulatorType() != op.getResult().getType().getElementType())
    return std::nullopt;
  auto from = cast<ArrayAttr>(op.getSubscripts()[0]);
  ArrayAttr to = op.getResultSubscript();
  if (from.size() != to.size())
    return std::nullopt;
  SmallVector<PolyAttr> offsets;
  AxisSet seen;
  for (auto [operand, result] : llvm::zip_equal(from.getAsRange<ArrayAttr>(),
                                                to.getAsRange<ArrayAttr>())) {
    PolyAttr offset = PolyAttr::constant(op.getContext(), 0), width;
    if (operand.size() != 1 || result.empty() ||
        result[result.size() - 1] != operand[0] ||
        !seen.insert(cast<StringAttr>(operand[0])).second)
      return std::nullopt;
    SmallVector<StringAttr> names(result.getAsRange<StringAttr>());
    for (StringAttr name : llvm::reverse(names)) {
      auto tied = llvm::find(tuples.getAxes(), name);
      bool isTied = tied != tuples.getAxes().end();
      // The operand's axis runs freely, the others of the group do not.
      if (isTied == !width)
        return std::nullopt;
      if (isTied)
        offset = offset.add(width.mul(PolyAttr::constant(
            op.getContext(),
            tuples.tuple(0)[tied - tuples.getAxes().begin()])));
      PolyAttr size = op.getAxisSize(name);
      width = width ? width.mul(size) : size;
    }
    offsets.push_back(offset);
  }
  return offsets;
}

bool sums(Operation *op) {
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

/// Finds the products that the cells of a value come of.
class ProductFinder {
public:
  /// A contract, or the last addition of a sum of products.
  struct Found {
    Operation *product;
    Steps steps;
  };

  explicit ProductFinder(CellsOp kernel) : kernel(kernel) {}

  /// `steps`: those from the value on. False if some cells come of none.
  /// `alike`: contracts whose cells, of an operand, go where the value's do.
  bool find(Value value, Steps steps,
            ArrayRef<std::pair<ContractOp, unsigned>> alike = {});

  std::vector<Found> found;
  std::vector<std::pair<Value, Steps>> others;
  /// Whether what is not found is zero, or `rest`, and not all is found.
  bool hasZeros = false;
  Value rest;

private:
  Operation *inBody(Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->getParentOp() == kernel ? op : nullptr;
  }
  bool isLight(Value value);
  struct Base {
    Value value;
    /// Contracts, and the operands of these that are functions of what the
    /// value's multiplies, or computed without loops.
    SmallVector<std::pair<ContractOp, unsigned>, 1> alike;
    /// Those that may be such.
    SmallVector<ContractOp, 1> light;
    llvm::SmallDenseSet<Value> visited;
  };
  bool findBase(Value value, Base &base);
  std::optional<unsigned> findHeavy(ContractOp op);
  void addLight(Base &base);
  bool hasBaseOf(ContractOp op, ContractOp other);
  bool findPieces(ConcatOp op, const Steps &steps);
  bool findSpread(ContractOp op, const Steps &steps,
                  ArrayRef<std::pair<ContractOp, unsigned>> alike);
  bool findZeros(Operation *op, const Steps &steps);
  bool findPlaced(Operation *op, ArrayRef<PolyAttr> offsets,
                  const Steps &steps);

  CellsOp kernel;
  llvm::SmallDenseMap<Value, bool> light;
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

/// Whether cells only change their place.
static bool moves(const Steps &steps) {
  return llvm::all_of(steps, [](const Step &step) {
    return step.kind == Step::shift || step.kind == Step::move;
  });
}

/// Whether cells are computed without loops.
bool ProductFinder::isLight(Value value) {
  Operation *op = inBody(value);
  if (!op)
    return true;
  if (auto known = light.find(value); known != light.end())
    return known->second;
  bool isIt = !sums(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
    return isa<MapType>(operand.getType()) || isLight(operand);
  });
  return light[value] = isIt;
}

/// Finds the one value that elementwise ops are a function of, beside what is
/// computed without loops.
bool ProductFinder::findBase(Value value, Base &base) {
  if (!base.visited.insert(value).second)
    return true;
  Operation *op = inBody(value);
  if (isLight(value)) {
    if (auto contract = dyn_cast_if_present<ContractOp>(op))
      base.light.push_back(contract);
    return true;
  }
  if (isElementwise(op) && !ProductSum::get(value))
    return llvm::all_of(op->getOperands(),
                        [&](Value operand) { return findBase(operand, base); });
  auto contract = dyn_cast<ContractOp>(op);
  auto first = base.value ? base.value.getDefiningOp<ContractOp>() : nullptr;
  if (base.value && base.value != value) {
    if (!contract || !first || !hasBaseOf(first, contract))
      return false;
    base.alike.push_back({contract, *findHeavy(contract)});
    return true;
  }
  base.value = value;
  return true;
}

/// The operand that takes a loop to compute, if it is one of two.
std::optional<unsigned> ProductFinder::findHeavy(ContractOp op) {
  if (op.getInputs().size() != 2 || sums(op))
    return std::nullopt;
  bool first = isLight(op.getInputs()[0]), second = isLight(op.getInputs()[1]);
  return first == second ? std::nullopt : std::optional<unsigned>(first);
}

/// Whether a contract multiplies a function of what another one multiplies, to
/// the same cells.
bool ProductFinder::hasBaseOf(ContractOp op, ContractOp other) {
  std::optional<unsigned> own = findHeavy(op), its = findHeavy(other);
  Base ofOwn, ofIts;
  return own && its && goAlike(op, *own, other, *its) &&
         findBase(op.getInputs()[*own], ofOwn) &&
         findBase(other.getInputs()[*its], ofIts) &&
         ofOwn.value == ofIts.value && ofOwn.alike.empty() &&
         ofIts.alike.empty();
}

/// Of contracts of light values, those whose cells go where the base's do.
void ProductFinder::addLight(Base &base) {
  auto first = base.value.getDefiningOp<ContractOp>();
  std::optional<unsigned> own = first ? findHeavy(first) : std::nullopt;
  if (!own)
    return;
  for (ContractOp other : base.light)
    for (unsigned its : {0, 1})
      if (other.getInputs().size() == 2 && goAlike(first, *own, other, its)) {
        base.alike.push_back({other, its});
        break;
      }
}

bool ProductFinder::findPieces(ConcatOp op, const Steps &steps) {
  int64_t axis = op.getAxis();
  PolyAttr at = PolyAttr::constant(op.getContext(), 0);
  for (Value input : op.getInputs()) {
    Steps all = prepend({Step::shift, axis, at, op, {}}, steps);
    if (isLight(input) && moves(steps))
      others.push_back({input, all});
    else if (!find(input, all))
      return false;
    at = at.add(cast<TensorType>(input.getType()).getDims()[axis]);
  }
  return true;
}

/// A product with what is computed without loops, of cells that relations tie.
bool ProductFinder::findSpread(
    ContractOp op, const Steps &steps,
    ArrayRef<std::pair<ContractOp, unsigned>> alike) {
  for (unsigned input = 0; input < op.getInputs().size(); ++input) {
    if (isLight(op.getInputs()[input]))
      continue;
    std::optional<SmallVector<Spread, 2>> spreads = getSpreads(op, input);
    if (!spreads || !isLight(op.getInputs()[1 - input]))
      return false;
    if (!coversResult(op)) {
      hasZeros = true;
      if (computes(steps))
        return false;
    }
    for (auto [family, spread] : llvm::enumerate(*spreads)) {
      Step step{Step::spread, 0, {}, op, {}, spread, input, {}};
      for (auto [other, its] : alike) {
        step.alike.push_back({Step::spread,
                              0,
                              {},
                              other,
                              {},
                              (*getSpreads(other, its)) [family],
                              its,
                              {}});
      }
      if (!find(op.getInputs()[input], prepend(step, steps)))
        return false;
    }
    return true;
  }
  return false;
}

/// What has zeros beside it: they are zeros, too, of what is delivered, or the
/// cells of what is added to them last.
bool ProductFinder::findZeros(Operation *op, const Steps &steps) {
  hasZeros = true;
  if (!computes(steps))
    return true;
  auto sum = steps.front().value.getDefiningOp<arith::AddFOp>();
  if (steps.size() != 1 || !sum || rest)
    return false;
  // What else is computed of it is not zero where it is.
  Value placed = op->getResult(0);
  if (sum.getLhs() != placed && sum.getRhs() != placed)
    return false;
  rest = sum.getLhs() == placed ? sum.getRhs() : sum.getLhs();
  return !inBody(rest) && rest != placed;
}

/// Of an operand that has zeros beside it.
bool ProductFinder::findPlaced(Operation *op, ArrayRef<PolyAttr> offsets,
                               const Steps &steps) {
  if (!findZeros(op, steps))
    return false;
  Steps all = steps;
  for (auto [axis, offset] : llvm::enumerate(offsets))
    if (!offset.isConstant(0))
      all = prepend({Step::shift, static_cast<int64_t>(axis), offset, op, {}},
                    all);
  return find(op->getOperand(0), all);
}

bool ProductFinder::find(Value value, Steps steps,
                         ArrayRef<std::pair<ContractOp, unsigned>> alike) {
  Operation *op = inBody(value);
  if (!op || isLight(value))
    return false;
  if (isElementwise(op)) {
    if (std::optional<ProductSum> sum = ProductSum::get(value)) {
      found.push_back({op, steps});
      return llvm::all_of(sum->terms, [&](const Product &term) {
        return llvm::all_of(ContractOp(term.op).getInputs(),
                            [&](Value input) { return isLight(input); });
      });
    }
    Base base;
    if (!findBase(value, base))
      return false;
    addLight(base);
    return find(
        base.value,
        prepend({Step::compute, 0, {}, inBody(base.value), value}, steps),
        base.alike);
  }
  if (auto concat = dyn_cast<ConcatOp>(op))
    return findPieces(concat, steps);
  if (auto pad = dyn_cast<PadOp>(op)) {
    auto type = cast<TensorType>(pad.getResult().getType());
    SmallVector<PolyAttr> offsets(type.getDims().size(),
                                  PolyAttr::constant(op->getContext(), 0));
    offsets[pad.getAxis()] = pad.getLow();
    return findPlaced(op, offsets, steps);
  }
  auto contract = dyn_cast<ContractOp>(op);
  if (!contract)
    return false;
  if (auto offsets = getPlacement(contract))
    return findPlaced(op, *offsets, steps);
  if (!sums(contract) && contract.getInputs().size() == 2)
    return findSpread(contract, steps, alike);
  if (!sums(contract))
    return permutes(contract) &&
           find(contract.getInputs().front(),
                prepend({Step::move, 0, {}, op, {}}, steps));
  std::optional<Product> product = Product::get(contract);
  if (!product || (!product->coversResult() && !findZeros(contract, steps)))
    return false;
  found.push_back({contract, steps});
  return llvm::all_of(contract.getInputs(),
                      [&](Value input) { return isLight(input); });
}

/// What is added to a product's sums: the product alone, or all of a sum.
static SmallVector<Product, 1> findTerms(Operation *op) {
  SmallVector<Product, 1> terms;
  if (auto contract = dyn_cast<ContractOp>(op)) {
    if (std::optional<Product> product = Product::get(contract))
      terms.push_back(*product);
  } else {
    llvm::append_range(terms, ProductSum::get(op->getResult(0))->terms);
  }
  return terms;
}

std::optional<Pieces> Pieces::get(CellsOp kernel) {
  Pieces pieces;
  SmallVector<Operation *> products;
  for (unsigned number = 0; number < kernel.getNumResults(); ++number) {
    ProductFinder finder(kernel);
    if (!finder.find(kernel.getDeliver().getValues()[number], {}))
      return std::nullopt;
    pieces.coverResults &= !finder.hasZeros;
    bool isFirst = pieces.pieces.empty();
    if (finder.rest && kernel.getNumResults() != 1)
      return std::nullopt;
    pieces.rest = finder.rest;
    for (const auto &[other, steps] : finder.others)
      pieces.others.push_back({number, other, steps});
    llvm::MapVector<Operation *, SmallVector<Steps, 1>> ways;
    for (const ProductFinder::Found &found : finder.found)
      ways[found.product].push_back(found.steps);
    if (isFirst) {
      pieces.pieces.resize(ways.size());
      for (auto &[product, steps] : ways)
        products.push_back(product);
    }
    if (pieces.pieces.size() != ways.size())
      return std::nullopt;
    for (auto [piece, product, found] :
         llvm::zip_equal(pieces.pieces, products, ways)) {
      if (found.first != product)
        return std::nullopt;
      piece.terms = findTerms(product);
      piece.steps.push_back(found.second);
    }
  }
  if (pieces.pieces.empty())
    return std::nullopt;
  return pieces;
}

} // namespace gyre::tiles
