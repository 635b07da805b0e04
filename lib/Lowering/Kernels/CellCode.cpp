//===- CellCode.cpp - The code of one cell of a value ---------------------===//

#include "CellCode.h"

#include "CellKernels.h"
#include "Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;

namespace gyre::kernels {

Type getMemoryElement(Type element) {
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8)
                              : element;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value CellCode::number(Type type, double value) {
  if (isa<FloatType>(type))
    return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
  return arith::ConstantOp::create(
      b, b.getIntegerAttr(type, static_cast<int64_t>(value)));
}

/// Arrays begin at multiples of that many bytes.
static constexpr int64_t kAlignment = 16;

/// A number up to the alignment that a position is a multiple of.
static int64_t findDivisor(Value position, unsigned depth = 0) {
  constexpr unsigned deepest = 16;
  APInt known;
  if (matchPattern(position, m_ConstantInt(&known)))
    return std::gcd(known.getSExtValue(), kAlignment);
  Operation *op = position.getDefiningOp();
  if (!op || depth == deepest)
    return 1;
  auto of = [&](unsigned i) {
    return findDivisor(op->getOperand(i), depth + 1);
  };
  if (isa<arith::AddIOp, arith::SubIOp, arith::RemUIOp>(op))
    return std::gcd(of(0), of(1));
  if (isa<arith::MulIOp>(op))
    return std::gcd(of(0) * of(1), kAlignment);
  if (isa<arith::ExtUIOp>(op))
    return of(0);
  return 1;
}

int64_t CellCode::getDivisor(Value position) { return findDivisor(position); }

/// An index as what is not known, perhaps nothing, and what is.
static std::pair<Value, int64_t> splitKnown(Value index) {
  APInt known;
  if (matchPattern(index, m_ConstantInt(&known)))
    return {{}, known.getSExtValue()};
  auto sum = index.getDefiningOp<arith::AddIOp>();
  if (sum && matchPattern(sum.getRhs(), m_ConstantInt(&known)))
    return {sum.getLhs(), known.getSExtValue()};
  return {index, 0};
}

std::optional<int64_t> CellCode::getDistance(Value from, Value to) {
  auto [first, before] = splitKnown(from);
  auto [second, after] = splitKnown(to);
  return first == second ? std::optional(after - before) : std::nullopt;
}

Value CellCode::add(Value x, Value y) {
  if (isa<FloatType>(x.getType()))
    return arith::AddFOp::create(b, x, y);
  if (!x.getType().isInteger(64))
    return arith::AddIOp::create(b, x, y);
  auto [left, first] = splitKnown(x);
  auto [right, second] = splitKnown(y);
  int64_t known = first + second;
  if (!left && !right)
    return constant(b, known);
  Value sum = left && right ? make<arith::AddIOp>(left, right)
              : left        ? left
                            : right;
  if (known == 0)
    return sum;
  return make<arith::AddIOp>(sum,
                             size(PolyAttr::constant(b.getContext(), known)));
}

Value CellCode::scale(Value x, int64_t by) {
  auto [unknown, known] = splitKnown(x);
  if (!unknown || by == 0)
    return constant(b, known * by);
  if (by == 1)
    return x;
  Value product = make<arith::MulIOp>(
      unknown, size(PolyAttr::constant(b.getContext(), by)));
  return add(product, constant(b, known * by));
}

Value CellCode::less(Value x, Value y) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, y);
}

Value CellCode::convert(Value number, Type type) {
  unsigned from = number.getType().getIntOrFloatBitWidth();
  if (number.getType() == type)
    return number;
  if (from < type.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, type, number);
  return arith::TruncFOp::create(b, type, number);
}

Value CellCode::remember(std::vector<const void *> key, Compute compute) {
  Value &value = made[key];
  if (!value || value.getParentBlock() != b.getInsertionBlock())
    value = compute();
  return value;
}

template <typename Op> Value CellCode::make(Value x, Value y) {
  return remember({TypeID::get<Op>().getAsOpaquePointer(),
                   x.getAsOpaquePointer(), y.getAsOpaquePointer()},
                  [&]() -> Value { return Op::create(b, x, y); });
}

Value CellCode::size(PolyAttr size) {
  return remember({size.getAsOpaquePointer()}, [&] {
    std::optional<int64_t> known = size.getConstant();
    return known ? constant(b, *known) : emitSize(b, params, size);
  });
}

Value CellCode::count(ArrayRef<PolyAttr> sizes) {
  PolyAttr product = PolyAttr::constant(b.getContext(), 1);
  for (PolyAttr each : sizes)
    product = product.mul(each);
  return size(product);
}

/// An index by a size that is not known.
Value CellCode::multiply(Value x, PolyAttr by) {
  auto [unknown, known] = splitKnown(x);
  if (unknown)
    return make<arith::MulIOp>(x, size(by));
  Value times = size(PolyAttr::constant(b.getContext(), known));
  return known == 0 ? times : make<arith::MulIOp>(times, size(by));
}

Value CellCode::linearise(ValueRange index, ArrayRef<PolyAttr> sizes) {
  Value position;
  for (auto [at, each] : llvm::zip_equal(index, sizes)) {
    if (std::optional<int64_t> known = each.getConstant(); position && known)
      position = scale(position, *known);
    else if (position)
      position = multiply(position, each);
    position = position ? add(position, at) : at;
  }
  return position ? position : constant(b, 0);
}

Values CellCode::delinearise(Value position, ArrayRef<PolyAttr> sizes) {
  Values index(sizes.size());
  for (size_t i = sizes.size(); i-- > 1;) {
    Value width = size(sizes[i]);
    // What is less than what all the rest are multiples of is left over.
    int64_t over = 0;
    if (auto [unknown, known] = splitKnown(position);
        unknown && known > 0 && sizes[i].getConstant()) {
      over = known % std::gcd(getDivisor(unknown), *sizes[i].getConstant());
      position = add(position, constant(b, -over));
    }
    index[i] = add(make<arith::RemUIOp>(position, width), constant(b, over));
    position = make<arith::DivUIOp>(position, width);
  }
  if (!sizes.empty())
    index[0] = position;
  return index;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

Values CellCode::loop(Value lo, Value hi, ValueRange initial, LoopBody body) {
  auto loop = scf::ForOp::create(
      b, lo, hi, constant(b, 1), initial,
      [&](OpBuilder &, Location, Value at, ValueRange carried) {
        known.emplace_back();
        scf::YieldOp::create(b, body(at, carried));
        known.pop_back();
      });
  return Values(loop.getResults());
}

Value CellCode::onlyIf(Value condition, Type type, Compute value) {
  auto branch = scf::IfOp::create(
      b, condition,
      [&](OpBuilder &, Location) {
        known.emplace_back();
        scf::YieldOp::create(b, value());
        known.pop_back();
      },
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, number(type, 0)); });
  return branch.getResult(0);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Neighbours are loaded and stored at once where it is known that they may be.
static unsigned getAlignment(Type element, LLVM::GEPOp pointer) {
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  int64_t divisor = findDivisor(pointer.getDynamicIndices().front());
  return std::gcd(divisor * bytes, kAlignment);
}

Value CellCode::load(Value value, ValueRange index) {
  Type element = elementOf(value), memory = getMemoryElement(element);
  Value base = params.get(Params::tensor, value);
  Value position = linearise(index, dimsOf(value));
  auto pointer = LLVM::GEPOp::create(b, base.getType(), memory, base, position);
  Value number =
      LLVM::LoadOp::create(b, memory, pointer, getAlignment(memory, pointer),
                           /*isVolatile=*/false, /*isNonTemporal=*/false,
                           /*isInvariant=*/value != written);
  if (memory == element)
    return number;
  return arith::TruncIOp::create(b, element, number);
}

void CellCode::store(Value number, Type element, Value array, Value position) {
  Type memory = getMemoryElement(element);
  if (memory != element)
    number = arith::ExtUIOp::create(b, memory, number);
  auto pointer =
      LLVM::GEPOp::create(b, array.getType(), memory, array, position);
  LLVM::StoreOp::create(b, number, pointer, getAlignment(memory, pointer));
}

Value CellCode::get(Value value, ValueRange index) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getParentOp() != kernel) {
    std::vector<void *> key{value.getAsOpaquePointer()};
    for (Value at : index)
      key.push_back(at.getAsOpaquePointer());
    for (auto &scope : known)
      if (auto it = scope.find(key); it != scope.end())
        return it->second.front();
    Value loaded = load(value, index);
    known.back()[key] = {loaded};
    return loaded;
  }
  unsigned result = cast<OpResult>(value).getResultNumber();
  std::vector<void *> key{op};
  for (Value at : index)
    key.push_back(at.getAsOpaquePointer());
  for (auto &scope : known)
    if (auto it = scope.find(key); it != scope.end())
      return it->second[result];
  Values computed = compute(op, index);
  known.back()[key] = computed;
  return computed[result];
}

void CellCode::provide(Value value, ValueRange index, Value number) {
  Operation *op = value.getDefiningOp();
  std::vector<void *> key{op && op->getParentOp() == kernel
                              ? static_cast<void *>(op)
                              : value.getAsOpaquePointer()};
  for (Value at : index)
    key.push_back(at.getAsOpaquePointer());
  known.back()[key] = {number};
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Values CellCode::compute(Operation *op, ValueRange index) {
  b.setLoc(op->getLoc());
  return llvm::TypeSwitch<Operation *, Values>(op)
      .Case<ContractOp>([&](ContractOp op) -> Values {
        return {convert(getSum(op, index), elementOf(op.getResult()))};
      })
      .Case<GatherOp>([&](auto op) -> Values { return {gather(op, index)}; })
      .Case<SegmentSumOp>(
          [&](auto op) -> Values { return {segmentSum(op, index)}; })
      .Case<ValidOp>([&](ValidOp op) -> Values {
        Type type = elementOf(op.getResult());
        Value at = node(op.getMap(), index);
        Value inside = isNode(at, cast<MapType>(op.getMap().getType()));
        Value one = number(type, 1), zero = number(type, 0);
        return {arith::SelectOp::create(b, inside, one, zero)};
      })
      .Case<SliceOp>([&](SliceOp op) -> Values {
        int64_t axis = op.getAxis();
        Value at = add(index[axis], size(op.getFrom()));
        return {get(op.getX(), replaceAt(index, axis, 1, at))};
      })
      .Case<PadOp>([&](auto op) -> Values { return {pad(op, index)}; })
      .Case<ConcatOp>([&](auto op) -> Values { return {concat(op, index)}; })
      .Case<MaxSlotOp>([&](auto op) { return maxSlot(op, index); })
      .Case<SelectSlotOp>(
          [&](auto op) -> Values { return {selectSlot(op, index)}; })
      .Case<SpreadSlotOp>(
          [&](auto op) -> Values { return {spreadSlot(op, index)}; })
      .Case<ConstantOp>([&](ConstantOp op) -> Values {
        return {
            number(elementOf(op.getResult()), op.getValue().convertToDouble())};
      })
      .Default([&](Operation *op) -> Values {
        Values operands;
        for (Value operand : op->getOperands())
          operands.push_back(get(operand, index));
        return {emitElementwise(b, op, operands)};
      });
}

Value CellCode::isNode(Value node, MapType map) {
  return less(node, size(map.getTarget()));
}

Value CellCode::node(Value map, ValueRange index) {
  auto type = cast<MapType>(map.getType());
  return loadIndex(b, params.get(Params::index, map),
                   linearise(index, type.getAxisSizes()));
}

} // namespace gyre::kernels
