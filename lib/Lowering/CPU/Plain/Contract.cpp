//===- Contract.cpp - gyre.contract as loops ------------------------------===//
//
// A loop for each axis of the result; in it, the cell is summed in a register
// and written once. The tuples of a relation are grouped by the result's cell:
// `starts[cell]` to `starts[cell + 1]` are those of a cell, none for an exact
// zero. A table has the cells of the ranges that the tuples use, and one more,
// without tuples, that stands for all cells outside: axes may be of any size.
// Sums run over the free axes of runtime size, then over the tuples, then over
// the other free axes, each ascending.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "../../RelationCells.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace gyre::plain {
namespace {

class ContractEmitter {
public:
  ContractEmitter(Emitter &e, ContractOp op);
  void emit();

private:
  void splitAxes();
  Value cellNumber();
  Value bound(StringAttr axis) { return e.size(op.getAxisSize(axis)); }
  SmallVector<Value> bounds(ArrayRef<StringAttr> axes);
  SmallVector<Value> position(ArrayAttr subscript);
  Value sumCell();
  Value product();
  Value round(Value value);

  Emitter &e;
  ContractOp op;
  TuplesAttr tuples;
  RelationCells cells;
  /// The accumulator's type, and the type in which its numbers are computed.
  Type acc, type;
  /// Axes of the result, in its order; axes that are summed: free ones of
  /// runtime size, tied ones, others.
  SmallVector<StringAttr> resultAxes, outer, tied, inner;
  llvm::DenseMap<StringAttr, Value> index;
  Value starts, indices, coefficients;
  std::optional<double> commonCoefficient;
  int64_t tupleCount = 0;
  Value tuple;
};

} // namespace

ContractEmitter::ContractEmitter(Emitter &e, ContractOp op)
    : e(e), op(op), tuples(op.getTuples()), cells(op),
      acc(op.getAccumulatorType()) {
  if (op.getPrecision() == Precision::fp64)
    acc = e.b.getF64Type();
  type = Emitter::computeType(acc);
  splitAxes();
  if (!tuples)
    return;
  tupleCount = tuples.size();
  if (tupleCount == 0)
    return;
  GroupedTuples grouped(tuples, cells, tied);
  if (!cells.axes.empty())
    starts = e.table(grouped.starts);
  if (!tied.empty())
    indices = e.table(grouped.indices);
  if (llvm::all_equal(grouped.coefficients))
    commonCoefficient = grouped.coefficients.front();
  else
    coefficients = e.table(grouped.coefficients, type);
}

void ContractEmitter::splitAxes() {
  auto inRelation = [&](StringAttr axis) {
    return llvm::is_contained(op.getRelationAxes(), axis);
  };
  for (ArrayAttr entry : op.getResultSubscript().getAsRange<ArrayAttr>())
    for (StringAttr axis : entry.getAsRange<StringAttr>())
      resultAxes.push_back(axis);
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>()) {
    StringAttr name = axis.getName();
    if (llvm::is_contained(resultAxes, name))
      continue;
    if (inRelation(name))
      tied.push_back(name);
    else
      (axis.getSize().getConstant() ? inner : outer).push_back(name);
  }
}

SmallVector<Value> ContractEmitter::bounds(ArrayRef<StringAttr> axes) {
  return llvm::map_to_vector(axes,
                             [&](StringAttr axis) { return bound(axis); });
}

/// The indices of a cell at the current indices of the axes.
SmallVector<Value> ContractEmitter::position(ArrayAttr subscript) {
  SmallVector<Value> indices;
  for (ArrayAttr entry : subscript.getAsRange<ArrayAttr>()) {
    auto axes = llvm::to_vector(entry.getAsRange<StringAttr>());
    auto values = llvm::map_to_vector(
        axes, [&](StringAttr axis) { return index.at(axis); });
    indices.push_back(e.linearise(values, bounds(axes)));
  }
  return indices;
}

/// A number of the accumulator's type, where arithmetic is in a wider one.
Value ContractEmitter::round(Value value) {
  if (acc == type)
    return value;
  Value rounded = arith::TruncFOp::create(e.b, acc, value);
  return arith::ExtFOp::create(e.b, type, rounded);
}

/// The coefficient and the operands' cells, multiplied from left to right.
Value ContractEmitter::product() {
  Value result;
  if (commonCoefficient && *commonCoefficient != 1)
    result = round(e.number(type, *commonCoefficient));
  else if (coefficients)
    result = round(e.read(coefficients, tuple));
  for (auto [input, subscript] :
       llvm::zip_equal(op.getInputs(), op.getSubscripts())) {
    Value cell = e.load(input, position(cast<ArrayAttr>(subscript)));
    cell = e.convert(cell, type);
    result = result ? round(e.mul(result, cell)) : cell;
  }
  return result;
}

/// The current cell's place in the table.
Value ContractEmitter::cellNumber() {
  SmallVector<Value> at, widths;
  Value inside;
  for (const RelationCells::Axis &axis : cells.axes) {
    Value i = index.at(axis.name);
    if (axis.first != 0)
      i = arith::SubIOp::create(e.b, i, e.index(axis.first));
    at.push_back(i);
    widths.push_back(e.index(axis.width()));
    // Unsigned: what lies before the range is beyond it, too.
    if (axis.whole)
      continue;
    Value within =
        arith::CmpIOp::create(e.b, arith::CmpIPredicate::ult, i, widths.back());
    inside = inside ? arith::AndIOp::create(e.b, inside, within) : within;
  }
  Value cell = e.linearise(at, widths);
  if (!inside)
    return cell;
  return arith::SelectOp::create(e.b, inside, cell, e.index(*cells.count()));
}

Value ContractEmitter::sumCell() {
  Value zero = e.number(type, 0);
  if (tuples && tupleCount == 0)
    return zero;
  SmallVector<StringAttr> axes(outer);
  SmallVector<Value> lower(outer.size(), e.index(0)), upper = bounds(outer);
  if (tuples) {
    Value first = e.index(0), last = e.index(tupleCount);
    if (!cells.axes.empty()) {
      Value cell = cellNumber();
      first = e.readIndex(starts, cell);
      last = e.readIndex(starts, e.add(cell, e.index(1)));
    }
    axes.push_back({}); // the tuple
    lower.push_back(first);
    upper.push_back(last);
  }
  axes.append(inner);
  lower.append(inner.size(), e.index(0));
  llvm::append_range(upper, bounds(inner));
  if (axes.empty())
    return product();

  auto body = [&](ValueRange at, ValueRange carried) -> SmallVector<Value> {
    for (auto [axis, value] : llvm::zip_equal(axes, at)) {
      if (axis)
        index[axis] = value;
      else
        tuple = value;
    }
    for (auto [i, axis] : llvm::enumerate(tied)) {
      Value row = e.mul(tuple, e.index(tied.size()));
      index[axis] = e.readIndex(indices, e.add(row, e.index(i)));
    }
    return {round(e.add(carried.front(), product()))};
  };
  return e.carry(lower, upper, zero, body).front();
}

void ContractEmitter::emit() {
  e.loops(bounds(resultAxes), [&](ValueRange at) {
    for (auto [axis, value] : llvm::zip_equal(resultAxes, at))
      index[axis] = value;
    Value sum = sumCell();
    e.store(sum, op.getResult(), position(op.getResultSubscript()));
  });
}

void emitContract(Emitter &e, ContractOp op) { ContractEmitter(e, op).emit(); }

} // namespace gyre::plain
