//===- Stack.cpp - Values that lie where they would be copied -------------===//

#include "Stack.h"

#include "../Entry.h"

#include "gyre/Dialect/PolySyntax.h"

using namespace mlir;

namespace gyre::kernels {

/// Arrays begin at multiples of that many bytes.
static constexpr int64_t kAlignment = 16;

/// Whether the result has the operand's cells in the operand's order.
static bool keepsOrder(ContractOp op) {
  if (op.getInputs().size() != 1 || op.getRelationAttr() ||
      op.getAccumulatorType() != op.getResult().getType().getElementType())
    return false;
  SmallVector<StringAttr> from, to;
  auto list = [&](ArrayAttr subscript, SmallVectorImpl<StringAttr> &axes) {
    walkAxes(subscript, [&](StringAttr axis) {
      if (!op.getAxisSize(axis).isConstant(1))
        axes.push_back(axis);
    });
  };
  list(cast<ArrayAttr>(op.getSubscripts()[0]), from);
  list(op.getResultSubscript(), to);
  return from == to;
}

/// The value from outside of a kernel whose cells a value of its body has, in
/// their order; null if it is computed.
static Value findSource(CellsOp kernel, Value value) {
  while (value.getParentRegion() == &kernel.getBody()) {
    auto contract = value.getDefiningOp<ContractOp>();
    if (!contract || !keepsOrder(contract))
      return {};
    value = contract.getInputs().front();
  }
  return value;
}

static bool isAligned(PolyAttr offset, TensorType type) {
  int64_t bytes =
      std::max(1u, type.getElementType().getIntOrFloatBitWidth() / 8);
  return llvm::all_of(offset.getCoefs(), [&](int64_t coef) {
    return coef * bytes % kAlignment == 0;
  });
}

/// Adds a value that is a part of an array, without gaps.
bool Stacks::addPart(CellsOp kernel, const Returned &returned) {
  if (kernel.getNumResults() != 1 || returned.contains(kernel.getResult(0)))
    return false;
  Value value = kernel.getDeliver().getValues().front();
  PolyAttr offset = PolyAttr::constant(kernel.getContext(), 0);
  bool isPart = false;
  while (value.getParentRegion() == &kernel.getBody()) {
    if (auto contract = value.getDefiningOp<ContractOp>();
        contract && keepsOrder(contract)) {
      value = contract.getInputs().front();
      continue;
    }
    auto slice = value.getDefiningOp<SliceOp>();
    auto dims = slice ? cast<TensorType>(slice.getX().getType()).getDims()
                      : ArrayRef<PolyAttr>();
    int64_t axis = slice ? slice.getAxis() : 0;
    if (!slice || !llvm::all_of(dims.take_front(axis), [](PolyAttr size) {
          return size.isConstant(1);
        }))
      return false;
    PolyAttr begin = slice.getFrom();
    for (PolyAttr size : dims.drop_front(axis + 1))
      begin = begin.mul(size);
    offset = offset.add(begin);
    value = slice.getX();
    isPart = true;
  }
  if (!isPart || !isAligned(offset, cast<TensorType>(value.getType())))
    return false;
  places[kernel.getResult(0)] = {value, offset};
  done.insert(kernel);
  return true;
}

/// Whether other values are in the array of this one.
bool Stacks::isArray(Value value) const {
  return llvm::any_of(
      places, [&](const auto &entry) { return entry.second.array == value; });
}

/// The value from outside that tiles are added to last, cell by cell.
static Value findAddend(CellsOp kernel, const tiles::Pieces &pieces) {
  if (pieces.rest)
    return pieces.rest;
  // Parts are added up, and others' cells are written, by other threads.
  if (kernel.getNumResults() != 1 || !pieces.coverResults ||
      !pieces.others.empty() || kernel.getParts())
    return {};
  auto sum =
      kernel.getDeliver().getValues().front().getDefiningOp<arith::AddFOp>();
  if (!sum || sum->getParentOp() != kernel)
    return {};
  for (Value operand : sum->getOperands())
    if (operand.getParentRegion() != &kernel.getBody())
      return operand;
  return {};
}

/// How often a kernel reads a value that no later one reads, nor what lies in
/// its array; none where one does, or where the kernel reads what lies there.
std::optional<unsigned> Stacks::countLastUses(Value value,
                                              CellsOp kernel) const {
  unsigned uses = 0;
  for (Operation *user : value.getUsers()) {
    if (user->getParentOp() == kernel) {
      ++uses;
      continue;
    }
    Operation *other = kernel->getBlock()->findAncestorOpInBlock(*user);
    if (!other->isBeforeInBlock(kernel))
      return std::nullopt;
  }
  for (const auto &[part, place] : places)
    if (place.array == value && countLastUses(part, kernel) != 0u)
      return std::nullopt;
  return uses;
}

/// Where tiles are added to a value that nothing needs afterwards, it is
/// written to the array of the sum.
void Stacks::addInPlace(CellsOp kernel, const tiles::Pieces &pieces,
                        const Returned &returned) {
  Value addend = findAddend(kernel, pieces);
  if (!addend || !addend.getDefiningOp() || returned.contains(addend) ||
      places.contains(addend))
    return;
  // Each cell is read once, by the thread that writes it.
  if (countLastUses(addend, kernel) != 1u)
    return;
  places[addend] = {kernel.getResult(0),
                    PolyAttr::constant(kernel.getContext(), 0)};
  addends[kernel] = addend;
}

/// The dimension whose cells lie side by side.
static size_t getInnermost(ArrayRef<PolyAttr> sizes) {
  while (sizes.size() > 1 && sizes.back().isConstant(1))
    sizes = sizes.drop_back();
  return sizes.size();
}

/// Blocks that a kernel of tiles puts beside its own ones, and that nothing
/// else needs, if they are tiles, too.
void Stacks::addBeside(CellsOp kernel, const tiles::Pieces &pieces,
                       const Returned &returned) {
  // Zeros are written to a whole result before its pieces are.
  if (!pieces.coverResults)
    return;
  for (const auto &[number, value, steps] : pieces.others) {
    Value result = kernel.getResult(number);
    auto sizes = cast<TensorType>(result.getType()).getDims();
    auto writer = value.getDefiningOp<CellsOp>();
    // Its rows begin at other places where its axes move.
    if (!llvm::all_of(steps, [](const tiles::Step &step) {
          return step.kind == tiles::Step::shift;
        }))
      continue;
    if (!writer || writer == kernel || !writer.getTile() || writer.getParts() ||
        !value.hasOneUse() || returned.contains(value) ||
        places.contains(value) || isArray(value))
      continue;
    std::optional<tiles::Pieces> own = tiles::Pieces::get(writer);
    unsigned place = cast<OpResult>(value).getResultNumber();
    if (!own || !own->coverResults || own->rest ||
        llvm::any_of(own->others, [&](const tiles::Pieces::Other &other) {
          return other.result == place;
        }))
      continue;
    auto type = cast<TensorType>(value.getType());
    PolyAttr offset = PolyAttr::constant(kernel.getContext(), 0);
    for (const tiles::Step &step : steps) {
      PolyAttr begin = step.by;
      for (PolyAttr size : sizes.drop_front(step.axis + 1))
        begin = begin.mul(size);
      offset = offset.add(begin);
    }
    // The writer knows its own sizes: what lies side by side by these does so
    // in the array, and rows begin where vectors may, too.
    bool fits = isAligned(offset, type) &&
                getInnermost(type.getDims()) == getInnermost(sizes);
    for (auto [size, all] : llvm::zip_equal(type.getDims(), sizes))
      fits &= size == all || (all.getConstant() && isAligned(all, type));
    if (fits)
      places[value] = {result, offset, SmallVector<PolyAttr>(sizes)};
  }
}

ArrayRef<PolyAttr> Stacks::getSizes(Value value) const {
  auto place = places.find(value);
  if (place == places.end() || place->second.sizes.empty())
    return cast<TensorType>(value.getType()).getDims();
  return place->second.sizes;
}

void Stacks::add(CellsOp kernel, const Returned &returned) {
  if (kernel.getTile())
    if (std::optional<tiles::Pieces> pieces = tiles::Pieces::get(kernel)) {
      addInPlace(kernel, *pieces, returned);
      addBeside(kernel, *pieces, returned);
    }
  if (addPart(kernel, returned))
    return;
  if (kernel.getNumResults() != 1)
    return;
  Value delivered = kernel.getDeliver().getValues().front();
  SmallVector<Value> pieces = {delivered};
  auto concat = delivered.getDefiningOp<ConcatOp>();
  if (concat && concat->getParentOp() == kernel) {
    pieces.assign(concat.getInputs().begin(), concat.getInputs().end());
    auto dims = cast<TensorType>(delivered.getType()).getDims();
    // Each lies in one piece.
    if (!llvm::all_of(dims.take_front(concat.getAxis()),
                      [](PolyAttr size) { return size.isConstant(1); }))
      return;
  }
  llvm::MapVector<Value, Place> found;
  PolyAttr offset = PolyAttr::constant(kernel.getContext(), 0);
  for (Value piece : pieces) {
    Value source = findSource(kernel, piece);
    Operation *writer = source ? source.getDefiningOp() : nullptr;
    if (!writer || returned.contains(source) || places.contains(source) ||
        found.contains(source))
      return;
    auto type = cast<TensorType>(source.getType());
    if (!isAligned(offset, type))
      return;
    found[source] = {kernel.getResult(0), offset};
    offset = offset.add(countElements(type));
  }
  for (auto &[value, place] : found)
    places[value] = place;
  done.insert(kernel);
}

Stacks Stacks::get(FuncOp func) {
  Stacks stacks;
  Returned returned;
  returned.insert_range(func.getReturn().getOperands());
  for (auto kernel : func.getBody().front().getOps<CellsOp>())
    stacks.add(kernel, returned);
  return stacks;
}

void Stacks::visit(function_ref<void(Value, Place)> visit) const {
  llvm::SmallDenseSet<Value> visited;
  std::function<void(Value)> visitFrom = [&](Value value) {
    auto place = places.find(value);
    if (place == places.end() || !visited.insert(value).second)
      return;
    visitFrom(place->second.array);
    visit(value, place->second);
  };
  for (auto &[value, place] : places)
    visitFrom(value);
}

} // namespace gyre::kernels
