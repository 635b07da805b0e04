//===- SplitBlocks.cpp - Sums of blocks that do not overlap ---------------===//

#include "SplitBlocks.h"

#include "CellOps.h"
#include "TileOps.h"

#include "gyre/Dialect/ContractBuilder.h"
#include "gyre/Dialect/PolySyntax.h"
#include "gyre/Tiles/Product.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace gyre::fusion {

/// The one dimension in which a block is not all of the value, if it is at an
/// end of it: that, and where the block ends or begins.
static std::optional<std::pair<int64_t, PolyAttr>> getBorder(ContractOp placed,
                                                             bool &isFirst) {
  std::optional<SmallVector<PolyAttr>> offsets = tiles::getPlacement(placed);
  if (!offsets)
    return std::nullopt;
  auto from = cast<TensorType>(placed.getInputs().front().getType()).getDims();
  auto to = placed.getResult().getType().getDims();
  std::optional<std::pair<int64_t, PolyAttr>> border;
  for (auto [dim, offset] : llvm::enumerate(*offsets)) {
    if (from[dim] == to[dim])
      continue;
    isFirst = offset.isConstant(0);
    if (border || (!isFirst && offset.add(from[dim]) != to[dim]))
      return std::nullopt;
    border =
        std::make_pair(static_cast<int64_t>(dim), isFirst ? from[dim] : offset);
  }
  return border;
}

/// Whether all tuples of a contract are on the other side of the border.
static std::optional<BlockSplit::Cut> findCut(ContractOp op, int64_t dim,
                                              PolyAttr border, bool isUpper) {
  auto entry = cast<ArrayAttr>(op.getResultSubscript()[dim]);
  TuplesAttr tuples = op.getTuples();
  std::optional<int64_t> at = border.getConstant();
  if (!tuples || !at || entry.empty())
    return std::nullopt;
  auto axis = cast<StringAttr>(entry[0]);
  int64_t width = 1;
  for (Attribute name : ArrayRef(entry.getValue()).drop_front()) {
    std::optional<int64_t> size =
        op.getAxisSize(cast<StringAttr>(name)).getConstant();
    if (!size)
      return std::nullopt;
    width *= *size;
  }
  auto tied = llvm::find(tuples.getAxes(), axis);
  if (tied == tuples.getAxes().end() || *at % width != 0)
    return std::nullopt;
  BlockSplit::Cut cut{dim, axis, *at / width, isUpper};
  size_t position = tied - tuples.getAxes().begin();
  for (int64_t i = 0; i < tuples.size(); ++i)
    if ((tuples.tuple(i)[position] >= cut.at) != isUpper)
      return std::nullopt;
  return cut;
}

static Value slice(OpBuilder &b, Value value, int64_t dim, PolyAttr border,
                   bool isUpper) {
  PolyAttr size = cast<TensorType>(value.getType()).getDims()[dim];
  PolyAttr zero = PolyAttr::constant(b.getContext(), 0);
  PolyAttr minus = PolyAttr::constant(b.getContext(), -1);
  return SliceOp::create(b, value.getLoc(), value, b.getI64IntegerAttr(dim),
                         isUpper ? border : zero,
                         isUpper ? size.add(border.mul(minus)) : border);
}

/// Whether the operands have parts of that side, and the tuples reach all of
/// the result's.
static bool isWhole(ContractOp op, const BlockSplit::Cut &cut) {
  for (ArrayAttr subscript : op.getSubscripts().getAsRange<ArrayAttr>())
    for (ArrayAttr entry : subscript.getAsRange<ArrayAttr>())
      if (llvm::is_contained(entry, cut.axis) && entry[0] != cut.axis)
        return false;
  int64_t cells = 1;
  bool isKnown = true;
  walkAxes(op.getResultSubscript(), [&](StringAttr axis) {
    std::optional<int64_t> size = op.getAxisSize(axis).getConstant();
    if (!llvm::is_contained(op.getRelationAxes(), axis))
      return;
    isKnown &= size.has_value();
    int64_t all = size.value_or(1);
    if (axis == cut.axis)
      all = cut.isUpper ? all - cut.at : cut.at;
    cells *= all;
  });
  return isKnown && cells == op.getTuples().size();
}

/// The contract's part of the result that its tuples are in.
static Value restrict(OpBuilder &b, ContractOp op, const BlockSplit::Cut &cut) {
  SmallVector<Value> inputs;
  for (auto [input, subscript] :
       llvm::zip_equal(op.getInputs(), op.getSubscripts())) {
    Value part = input;
    for (auto [dim, entry] :
         llvm::enumerate(cast<ArrayAttr>(subscript).getAsRange<ArrayAttr>())) {
      if (!llvm::is_contained(entry, cut.axis))
        continue;
      PolyAttr border = PolyAttr::constant(b.getContext(), cut.at);
      for (Attribute name : ArrayRef(entry.getValue()).drop_front())
        border = border.mul(op.getAxisSize(cast<StringAttr>(name)));
      part = slice(b, part, dim, border, cut.isUpper);
    }
    inputs.push_back(part);
  }
  SmallVector<AxisAttr> sizes;
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>()) {
    PolyAttr size = axis.getSize();
    if (axis.getName() == cut.axis)
      size = PolyAttr::constant(
          b.getContext(), cut.isUpper ? *size.getConstant() - cut.at : cut.at);
    sizes.push_back(AxisAttr::get(b.getContext(), axis.getName(), size));
  }
  TuplesAttr tuples = op.getTuples();
  SmallVector<int64_t> indices(tuples.getIndices().asArrayRef());
  size_t width = tuples.getAxes().size();
  size_t tied =
      llvm::find(tuples.getAxes(), cut.axis) - tuples.getAxes().begin();
  if (cut.isUpper)
    for (size_t i = tied; i < indices.size(); i += width)
      indices[i] -= cut.at;
  auto subscripts = llvm::to_vector(op.getSubscripts().getAsRange<ArrayAttr>());
  return buildContract(
      b, op.getLoc(), inputs, subscripts, op.getResultSubscript(), sizes,
      TuplesAttr::getCanonical(b.getContext(), tuples.getAxes(), indices,
                               tuples.getCoefficients().asArrayRef()),
      op.getAccAttr(), op.getPrecisionAttr());
}

/// Which operand is an elementwise function of one product alone.
static std::optional<unsigned> findProduct(ContractOp op) {
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    Value value = input;
    while (Operation *source = value.getDefiningOp()) {
      if (!value.hasOneUse())
        break;
      if (multipliesRows(source) && needsCells(source))
        return i;
      if (!tiles::isElementwise(source) || source->getNumOperands() != 1)
        break;
      value = source->getOperand(0);
    }
  }
  return std::nullopt;
}

/// A term of a sum that has its tuples on that side of the border.
static std::optional<BlockSplit::Cut>
findBeside(Value value, int64_t dim, PolyAttr border, bool isUpper) {
  auto contract = value.getDefiningOp<ContractOp>();
  if (!contract || !value.hasOneUse() || contract.getInputs().size() != 2)
    return std::nullopt;
  auto found = findCut(contract, dim, border, isUpper);
  return found && isWhole(contract, *found) ? found : std::nullopt;
}

/// The first one of a sum, and of those sums among its terms that nothing else
/// uses.
static ContractOp findFirst(Value value, int64_t dim, PolyAttr border,
                            bool isUpper) {
  if (findBeside(value, dim, border, isUpper))
    return value.getDefiningOp<ContractOp>();
  auto sum = value.getDefiningOp<arith::AddFOp>();
  if (!sum || !value.hasOneUse())
    return {};
  for (Value term : sum->getOperands())
    if (ContractOp found = findFirst(term, dim, border, isUpper))
      return found;
  return {};
}

std::optional<BlockSplit> BlockSplit::find(arith::AddFOp sum, bool isLeft) {
  Value block = isLeft ? sum.getLhs() : sum.getRhs();
  Value beside = isLeft ? sum.getRhs() : sum.getLhs();
  auto placed = block.getDefiningOp<ContractOp>();
  if (!placed || !placed->hasOneUse())
    return std::nullopt;
  bool isFirst = false;
  auto border = getBorder(placed, isFirst);
  if (!border)
    return std::nullopt;
  ContractOp other =
      findFirst(beside, border->first, border->second, /*isUpper=*/isFirst);
  if (!other)
    return std::nullopt;
  return BlockSplit{sum,           placed,         other,   beside,
                    border->first, border->second, isFirst, {}};
}

/// A part of a term; none where it has zeros there.
Value BlockSplit::takePart(OpBuilder &b, Value value, bool isUpper) {
  for (bool side : {isFirst, !isFirst})
    if (auto cut = findBeside(value, dim, border, side))
      return side == isUpper
                 ? restrict(b, value.getDefiningOp<ContractOp>(), *cut)
                 : Value();
  auto sum = value.getDefiningOp<arith::AddFOp>();
  bool isSplit = sum && value.hasOneUse() &&
                 (findFirst(value, dim, border, isFirst) ||
                  findFirst(value, dim, border, !isFirst));
  if (!isSplit)
    return slice(b, value, dim, border, isUpper);
  // Each part has its own of the other terms.
  return addParts(b, takePart(b, sum.getLhs(), isUpper),
                  takePart(b, sum.getRhs(), isUpper));
}

Value BlockSplit::addParts(OpBuilder &b, Value x, Value y) {
  return x && y ? Value(arith::AddFOp::create(b, sum.getLoc(), x, y))
         : x    ? x
                : y;
}

void BlockSplit::apply() {
  OpBuilder b(sum);
  Value rest = takePart(b, beside, isFirst);
  // Of the block, without the zeros that are added to it.
  Value own =
      addParts(b, takePart(b, beside, !isFirst), placed.getInputs().front());
  auto copy = [&](OpOperand &of, Value value, Value more) -> Value {
    Operation *op = b.clone(*of.getOwner());
    op->setOperand(of.getOperandNumber(), value);
    op->setOperand(1 - of.getOperandNumber(), more);
    op->getResult(0).setType(value.getType());
    return op->getResult(0);
  };
  Operation *last = sum;
  while (last->hasOneUse() &&
         isa<arith::AddFOp, arith::SubFOp>(*last->user_begin())) {
    OpOperand &use = *last->use_begin();
    Value term = use.getOwner()->getOperand(1 - use.getOperandNumber());
    b.setInsertionPoint(use.getOwner());
    own = copy(use, own, slice(b, term, dim, border, !isFirst));
    rest = copy(use, rest, slice(b, term, dim, border, isFirst));
    last = use.getOwner();
  }
  SmallVector<Value> parts = {isFirst ? own : rest, isFirst ? rest : own};
  concat = ConcatOp::create(b, last->getLoc(), parts, dim);
  last->getResult(0).replaceAllUsesWith(concat.getResult());
}

void eraseUnused(FuncOp func) {
  Block &block = func.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.use_empty() &&
        isa<arith::AddFOp, arith::SubFOp, ContractOp, SliceOp>(op))
      op.erase();
}

static void split(arith::AddFOp sum) {
  for (bool isLeft : {true, false}) {
    std::optional<BlockSplit> found = BlockSplit::find(sum, isLeft);
    if (!found)
      continue;
    std::optional<unsigned> input = findProduct(found->other);
    if (!input || !tiles::getSpreads(found->other, *input))
      continue;
    found->apply();
    return;
  }
}

void splitBlocks(FuncOp func) {
  Block &block = func.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(block))
    if (auto sum = dyn_cast<arith::AddFOp>(op);
        sum && isa<TensorType>(sum.getType()))
      split(sum);
  eraseUnused(func);
}

} // namespace gyre::fusion
