//===- CellContract.cpp - A cell of a contract ----------------------------===//
//
// Sums run over the free axes of runtime size, then over the tuples of the
// relation, then over the other free axes, each ascending.
//
//===----------------------------------------------------------------------===//

#include "CellCode.h"

#include "../RelationCells.h"

#include "gyre/Dialect/PolySyntax.h"
#include "gyre/Tiles/Spread.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace gyre::kernels {

class CellContract {
public:
  CellContract(CellCode &code, ContractOp op);
  Value sum(ValueRange index, std::optional<std::pair<Value, Value>> range);

private:
  void splitAxes();
  void bindResult(ValueRange position);
  Values position(ArrayAttr subscript);
  SmallVector<PolyAttr> sizes(ArrayRef<StringAttr> axes);
  Value sumOuter(Value zero, std::optional<std::pair<Value, Value>> range);
  Value sumTuples(Value before);
  Value sumTerms(Value before, ArrayRef<tiles::Spread> terms);
  Value getCoefficient(Value tuple);
  Value sumInner(Value before, ArrayRef<StringAttr> axes, Value tuple);
  Value cellNumber();
  Value addProduct(Value before, Value coefficient);

  CellCode &code;
  Builder &b;
  ContractOp op;
  TuplesAttr tuples;
  RelationCells cells;
  Type type;
  /// Axes that are summed: free ones of runtime size, tied ones, others.
  SmallVector<StringAttr> outer, tied, inner;
  std::optional<GroupedTuples> grouped;
  llvm::DenseMap<StringAttr, Value> at;
};

CellContract::CellContract(CellCode &code, ContractOp op)
    : code(code), b(code.b), op(op), tuples(op.getTuples()), cells(op),
      type(op.getAccumulatorType()) {
  if (op.getPrecision() == Precision::fp64)
    type = b.getF64Type();
  splitAxes();
  if (tuples && tuples.size() > 0)
    grouped.emplace(tuples, cells, tied);
}

void CellContract::splitAxes() {
  llvm::SmallDenseSet<StringAttr> written;
  walkAxes(op.getResultSubscript(),
           [&](StringAttr axis) { written.insert(axis); });
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>()) {
    StringAttr name = axis.getName();
    if (written.contains(name))
      continue;
    if (llvm::is_contained(op.getRelationAxes(), name))
      tied.push_back(name);
    else
      (axis.getSize().getConstant() ? inner : outer).push_back(name);
  }
}

SmallVector<PolyAttr> CellContract::sizes(ArrayRef<StringAttr> axes) {
  return llvm::map_to_vector(
      axes, [&](StringAttr axis) { return op.getAxisSize(axis); });
}

/// The indices of the result's axes, of a cell.
void CellContract::bindResult(ValueRange position) {
  for (auto [entry, place] : llvm::zip_equal(
           op.getResultSubscript().getAsRange<ArrayAttr>(), position)) {
    auto axes = llvm::to_vector(entry.getAsRange<StringAttr>());
    for (auto [axis, value] :
         llvm::zip_equal(axes, code.delinearise(place, sizes(axes))))
      at[axis] = value;
  }
}

Values CellContract::position(ArrayAttr subscript) {
  Values position;
  for (ArrayAttr entry : subscript.getAsRange<ArrayAttr>()) {
    auto axes = llvm::to_vector(entry.getAsRange<StringAttr>());
    auto values =
        llvm::map_to_vector(axes, [&](StringAttr axis) { return at.at(axis); });
    position.push_back(code.linearise(values, sizes(axes)));
  }
  return position;
}

/// The current cell's place in the table of the relation.
Value CellContract::cellNumber() {
  Value number = constant(b, 0), inside;
  for (const RelationCells::Axis &axis : cells.axes) {
    Value i = at.at(axis.name), width = constant(b, axis.width());
    if (axis.first != 0)
      i = arith::SubIOp::create(b, i, constant(b, axis.first));
    number = code.add(arith::MulIOp::create(b, number, width), i);
    if (axis.whole)
      continue;
    // Unsigned: what lies before the range is beyond it, too.
    Value within = code.less(i, width);
    inside = inside ? Value(arith::AndIOp::create(b, inside, within)) : within;
  }
  if (!inside)
    return number;
  return arith::SelectOp::create(b, inside, number,
                                 constant(b, *cells.count()));
}

/// Products and sums may become one instruction, rounded once.
Value CellContract::addProduct(Value before, Value coefficient) {
  auto contraction = arith::FastMathFlagsAttr::get(
      b.getContext(), arith::FastMathFlags::contract);
  Value product = coefficient;
  for (auto [input, subscript] :
       llvm::zip_equal(op.getInputs(), op.getSubscripts())) {
    Value cell = code.convert(
        code.get(input, position(cast<ArrayAttr>(subscript))), type);
    product = product
                  ? Value(arith::MulFOp::create(b, product, cell, contraction))
                  : cell;
  }
  return arith::AddFOp::create(b, before, product, contraction);
}

/// The coefficient of a tuple; null if it is one.
Value CellContract::getCoefficient(Value tuple) {
  if (!llvm::all_equal(grouped->coefficients))
    return code.tables.load(grouped->coefficients, type, tuple);
  double all = grouped->coefficients.front();
  return all == 1.0 ? Value() : code.number(type, all);
}

Value CellContract::sumInner(Value before, ArrayRef<StringAttr> axes,
                             Value tuple) {
  if (axes.empty())
    return addProduct(before, tuple ? getCoefficient(tuple) : Value());
  Value first = constant(b, 0);
  Value end = code.size(op.getAxisSize(axes.front()));
  return code.loop(first, end, before, [&](Value i, ValueRange sum) -> Values {
    at[axes.front()] = i;
    return {sumInner(sum[0], axes.drop_front(), tuple)};
  })[0];
}

/// Straight-line code for the terms of a cell.
Value CellContract::sumTerms(Value before, ArrayRef<tiles::Spread> terms) {
  for (StringAttr axis : inner)
    at[axis] = constant(b, 0);
  for (const tiles::Spread &term : terms) {
    for (const tiles::Spread::Tie &tie : term.ties) {
      Value index = code.scale(at.at(term.along), tie.step);
      at[tie.axis] = code.add(index, constant(b, tie.first));
    }
    Value coefficient;
    if (term.coefficient != 1.0)
      coefficient = code.number(type, term.coefficient);
    before = addProduct(before, coefficient);
  }
  return before;
}

Value CellContract::sumTuples(Value before) {
  if (!tuples)
    return sumInner(before, inner, {});
  bool hasOneOfEach = llvm::all_of(inner, [&](StringAttr axis) {
    return op.getAxisSize(axis).isConstant(1);
  });
  if (code.isStraight && hasOneOfEach)
    if (auto terms = tiles::getTerms(op))
      return sumTerms(before, *terms);
  Value first = constant(b, 0), last = constant(b, tuples.size());
  if (!cells.axes.empty()) {
    Value cell = cellNumber();
    auto starts = llvm::map_to_vector(
        grouped->starts, [](int64_t start) { return int32_t(start); });
    first = code.tables.load(starts, cell);
    last = code.tables.load(starts, code.add(cell, constant(b, 1)));
  }
  auto indices = llvm::map_to_vector(
      grouped->indices, [](int64_t index) { return int32_t(index); });
  return code.loop(
      first, last, before, [&](Value tuple, ValueRange sum) -> Values {
        for (auto [i, axis] : llvm::enumerate(tied)) {
          Value row = arith::MulIOp::create(b, tuple, constant(b, tied.size()));
          at[axis] = code.tables.load(indices, code.add(row, constant(b, i)));
        }
        return {sumInner(sum[0], inner, tuple)};
      })[0];
}

Value CellContract::sumOuter(Value zero,
                             std::optional<std::pair<Value, Value>> range) {
  if (outer.empty())
    return sumTuples(zero);
  SmallVector<PolyAttr> widths = sizes(outer);
  Value lo = range ? range->first : constant(b, 0);
  Value hi = range ? range->second : code.count(widths);
  return code.loop(lo, hi, zero, [&](Value place, ValueRange sum) -> Values {
    for (auto [axis, value] :
         llvm::zip_equal(outer, code.delinearise(place, widths)))
      at[axis] = value;
    return {sumTuples(sum[0])};
  })[0];
}

Value CellContract::sum(ValueRange index,
                        std::optional<std::pair<Value, Value>> range) {
  Value zero = code.number(type, 0);
  if (tuples && tuples.size() == 0)
    return zero;
  bindResult(index);
  return sumOuter(zero, range);
}

Value CellCode::getSum(ContractOp op, ValueRange index,
                       std::optional<std::pair<Value, Value>> range) {
  return CellContract(*this, op).sum(index, range);
}

} // namespace gyre::kernels
