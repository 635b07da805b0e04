//===- Unroll.cpp - Layers one after the other ----------------------------===//

#include "Unroll.h"

#include "gyre/Dialect/ContractBuilder.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace gyre {

namespace {

/// Layers are few; this many ops mean a mistake.
constexpr int64_t maxOps = int64_t(1) << 20;

class Unroller {
public:
  LogicalResult unroll(RepeatOp op);

private:
  LogicalResult check(RepeatOp op);
  /// All of the body for one layer; returns what it yields.
  SmallVector<Value> addLayer(OpBuilder &builder, RepeatOp op, int64_t layer,
                              ValueRange carried);

  int64_t opsLeft = maxOps;
};

} // namespace

static LogicalResult checkFloat(RepeatOp op, TypeRange types) {
  for (Type type : types)
    if (!isa<FloatType>(cast<TensorType>(type).getElementType()))
      return op.emitError("[specialise-repeat] expected sliced and stacked "
                          "values of a floating-point type, got ")
             << type;
  return success();
}

LogicalResult Unroller::check(RepeatOp op) {
  std::optional<int64_t> count = op.getCount().getConstant();
  if (!count)
    return op.emitError("[specialise-repeat] expected a count made of "
                        "parameters, got ")
           << op.getCount().str();
  size_t carried = op.getCarried().size();
  if (failed(checkFloat(op, op.getSliced().getTypes())) ||
      failed(checkFloat(op, op.getResults().drop_front(carried).getTypes())))
    return failure();
  // Each sliced and each stacked value takes one more op.
  int64_t ops = llvm::range_size(op.getBody().front()) + op.getSliced().size() +
                op.getNumResults();
  if (*count > opsLeft / ops)
    return op.emitError("[specialise-repeat] expected layers of at most ")
           << maxOps << " ops, got " << *count << " layers of " << ops;
  opsLeft -= *count * ops;
  return success();
}

/// `[t, a0, a1, ...]`, without the layer's axis `t` when `withLayer` is unset.
static ArrayAttr getSubscript(Builder &builder, int64_t rank, bool withLayer) {
  SmallVector<Attribute> entries;
  auto add = [&](const Twine &name) {
    entries.push_back(builder.getArrayAttr(builder.getStringAttr(name)));
  };
  if (withLayer)
    add("t");
  for (int64_t i = 0; i < rank; ++i)
    add("a" + Twine(i));
  return builder.getArrayAttr(entries);
}

/// Axes of a row, behind that of the layers, whose size is `layers`.
static SmallVector<AxisAttr> getSizes(Builder &builder, PolyAttr layers,
                                      ArrayRef<PolyAttr> row) {
  auto get = [&](const Twine &name, PolyAttr size) {
    return AxisAttr::get(builder.getContext(), builder.getStringAttr(name),
                         size);
  };
  SmallVector<AxisAttr> axes = {get("t", layers)};
  for (auto [i, size] : llvm::enumerate(row))
    axes.push_back(get("a" + Twine(i), size));
  return axes;
}

/// Row `layer` of the leading dimension.
static Value takeRow(OpBuilder &builder, Location loc, Value stack,
                     int64_t layer) {
  ArrayRef<PolyAttr> dims = cast<TensorType>(stack.getType()).getDims();
  int64_t rank = dims.size() - 1;
  auto relation =
      TuplesAttr::getCanonical(builder.getContext(), builder.getStringAttr("t"),
                               /*indices=*/layer, /*coefficients=*/1.0);
  return buildContract(builder, loc, stack, getSubscript(builder, rank, true),
                       getSubscript(builder, rank, false),
                       getSizes(builder, dims.front(), dims.drop_front()),
                       relation);
}

/// One row each of the leading dimension.
static Value stackRows(OpBuilder &builder, Location loc, ValueRange rows,
                       TensorType type) {
  if (rows.empty())
    return ConstantOp::create(builder, loc, type, llvm::APFloat(0.0));
  int64_t rank = type.rank() - 1;
  auto one = PolyAttr::constant(builder.getContext(), 1);
  SmallVector<Value> expanded;
  for (Value row : rows)
    expanded.push_back(
        buildContract(builder, loc, row, getSubscript(builder, rank, false),
                      getSubscript(builder, rank, true),
                      getSizes(builder, one, type.getDims().drop_front())));
  if (expanded.size() == 1)
    return expanded.front();
  return ConcatOp::create(builder, loc, expanded, /*axis=*/0);
}

SmallVector<Value> Unroller::addLayer(OpBuilder &builder, RepeatOp op,
                                      int64_t layer, ValueRange carried) {
  IRMapping mapping;
  ValueRange arguments = op.getBody().getArguments();
  mapping.map(arguments.take_front(carried.size()), carried);
  for (auto [argument, stack] :
       llvm::zip_equal(arguments.drop_front(carried.size()), op.getSliced()))
    mapping.map(argument, takeRow(builder, op.getLoc(), stack, layer));
  Block &body = op.getBody().front();
  for (Operation &inner : body.without_terminator())
    builder.clone(inner, mapping);
  return llvm::map_to_vector(
      body.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

LogicalResult Unroller::unroll(RepeatOp op) {
  if (failed(check(op)))
    return failure();
  OpBuilder builder(op);
  int64_t count = *op.getCount().getConstant();
  SmallVector<Value> carried(op.getCarried());
  SmallVector<SmallVector<Value>> stacks(op.getNumResults() - carried.size());
  for (int64_t layer = 0; layer < count; ++layer) {
    SmallVector<Value> yielded = addLayer(builder, op, layer, carried);
    llvm::copy(ArrayRef(yielded).take_front(carried.size()), carried.begin());
    for (auto [stack, row] :
         llvm::zip_equal(stacks, ArrayRef(yielded).drop_front(carried.size())))
      stack.push_back(row);
  }
  SmallVector<Value> results = carried;
  for (auto [stack, result] :
       llvm::zip_equal(stacks, op.getResults().drop_front(carried.size())))
    results.push_back(stackRows(builder, op.getLoc(), stack,
                                cast<TensorType>(result.getType())));
  op.replaceAllUsesWith(results);
  op.erase();
  return success();
}

LogicalResult unrollRepeats(FuncOp func) {
  Unroller unroller;
  // Inner ones first, so that a layer that is copied has none left.
  WalkResult walk = func.walk<WalkOrder::PostOrder>([&](RepeatOp op) {
    return failed(unroller.unroll(op)) ? WalkResult::interrupt()
                                       : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

} // namespace gyre
