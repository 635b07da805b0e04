//===- Interpreter.cpp - One op after another -----------------------------===//

#include "gyre/Interpreter/Interpreter.h"

#include "Semantics.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <deque>

using namespace mlir;

namespace gyre {

namespace {
class Interpreter {
public:
  explicit Interpreter(FuncOp func) : func(func) {}

  LogicalResult bind(ArrayRef<Argument> arguments,
                     const llvm::StringMap<int64_t> &given);
  LogicalResult run();
  std::vector<Array> getResults();

private:
  void bindSizes(unsigned i, const Argument &argument);
  LogicalResult bindTensor(unsigned i, const Array &array);
  LogicalResult bindMap(unsigned i, const IndexMap &map);
  LogicalResult checkShape(unsigned i, ArrayRef<PolyAttr> dims,
                           ArrayRef<int64_t> shape, size_t count);

  LogicalResult run(Operation &op);
  LogicalResult evaluate(Operation *op, Operands inputs,
                         ArrayRef<Array *> results);

  /// ` for argument `x``, with what stands before the name.
  std::string quote(StringRef before, unsigned i) {
    return (before + " argument `" + func.getArgName(i) + "`").str();
  }
  const Array &get(Value value) { return *arrays.at(value); }
  /// The map that a value is; null for no value.
  const IndexMap *getMap(Value value) {
    return value ? maps.at(value) : nullptr;
  }

  FuncOp func;
  Sizes sizes;
  llvm::DenseMap<Value, const Array *> arrays;
  llvm::DenseMap<Value, const IndexMap *> maps;
  // A deque never moves what it holds.
  std::deque<Array> arrayStorage;
  std::deque<IndexMap> mapStorage;
};
} // namespace

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

void Interpreter::bindSizes(unsigned i, const Argument &argument) {
  std::string source = ("`" + func.getArgName(i) + "`").str();
  Type type = func.getArgumentTypes()[i];
  auto *array = std::get_if<Array>(&argument);
  auto *map = std::get_if<IndexMap>(&argument);
  if (auto tensor = dyn_cast<TensorType>(type); tensor && array) {
    for (auto [dim, size] : llvm::zip(tensor.getDims(), array->shape))
      sizes.bind(dim, size, source);
  } else if (auto mapType = dyn_cast<MapType>(type); mapType && map) {
    for (auto [dim, size] : llvm::zip(mapType.getAxisSizes(), map->axes))
      sizes.bind(dim, size, source);
    if (map->target != IndexMap::kInferred)
      sizes.bind(mapType.getTarget(), map->target, source);
  }
}

LogicalResult Interpreter::checkShape(unsigned i, ArrayRef<PolyAttr> dims,
                                      ArrayRef<int64_t> shape, size_t count) {
  if (shape.size() != dims.size())
    return func.emitError("[interpret-rank] expected ")
           << dims.size() << " dimensions" << quote(" for", i) << ", got "
           << shape.size();
  FailureOr<SmallVector<int64_t>> expected = sizes.evaluate(func, dims);
  if (failed(expected))
    return failure();
  int64_t product = 1;
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    if (shape[dim] != (*expected)[dim])
      return func.emitError("[interpret-shape] expected ")
             << (*expected)[dim] << sizes.explain(dims[dim])
             << " for dimension " << dim << " (" << dims[dim].str() << ")"
             << quote(" of", i) << ", got " << shape[dim];
    product *= shape[dim];
  }
  if (count != static_cast<size_t>(product))
    return func.emitError("[interpret-element-count] expected ")
           << product << " elements" << quote(" for", i) << ", got " << count;
  return success();
}

LogicalResult Interpreter::bindTensor(unsigned i, const Array &array) {
  auto type = cast<TensorType>(func.getArgumentTypes()[i]);
  if (failed(checkShape(i, type.getDims(), array.shape, array.data.size())))
    return failure();
  if (isa<IntegerType>(type.getElementType()))
    for (double value : array.data)
      if (!(std::abs(value) <= 0x1p53) || value != std::floor(value))
        return func.emitError("[interpret-integer] expected integers")
               << quote(" for", i) << ", got " << value;
  arrays[func.getArgument(i)] = &array;
  return success();
}

LogicalResult Interpreter::bindMap(unsigned i, const IndexMap &map) {
  auto type = cast<MapType>(func.getArgumentTypes()[i]);
  if (map.padded != type.getPadded())
    return func.emitError("[interpret-map-padded] expected a map ")
           << (type.getPadded() ? "with" : "without") << " padding"
           << quote(" for", i) << ", got one "
           << (map.padded ? "with" : "without");
  if (failed(checkShape(i, type.getAxisSizes(), map.axes, map.index.size())))
    return failure();
  FailureOr<int64_t> target = sizes.evaluate(func, type.getTarget());
  if (failed(target))
    return failure();
  if (map.target != IndexMap::kInferred && map.target != *target)
    return func.emitError("[interpret-map-target] expected ")
           << *target << sizes.explain(type.getTarget()) << " for the target ("
           << type.getTarget().str() << ")" << quote(" of", i) << ", got "
           << map.target;
  for (size_t e = 0; e < map.index.size(); ++e) {
    int64_t node = map.index[e];
    if (node >= 0 && (map.padded || node < *target))
      continue;
    InFlightDiagnostic diag =
        func.emitError("[interpret-map-index] expected indices ");
    if (map.padded)
      diag << "of at least 0";
    else
      diag << "in [0, " << *target << ")";
    return diag << quote(" for", i) << ", got " << node << " at position " << e;
  }
  mapStorage.push_back(map);
  mapStorage.back().target = *target;
  maps[func.getArgument(i)] = &mapStorage.back();
  return success();
}

LogicalResult Interpreter::bind(ArrayRef<Argument> arguments,
                                const llvm::StringMap<int64_t> &given) {
  unsigned count = func.getNumArguments();
  if (arguments.size() != count)
    return func.emitError("[interpret-argument-count] expected ")
           << count << " arguments, got " << arguments.size();
  for (const auto &size : given)
    sizes.bind(size.getKey(), size.getValue(), "the given sizes");
  for (unsigned i = 0; i < count; ++i)
    bindSizes(i, arguments[i]);
  for (unsigned i = 0; i < count; ++i) {
    auto *array = std::get_if<Array>(&arguments[i]);
    auto *map = std::get_if<IndexMap>(&arguments[i]);
    bool wantsArray = isa<TensorType>(func.getArgumentTypes()[i]);
    if (wantsArray != static_cast<bool>(array))
      return func.emitError("[interpret-argument-kind] expected ")
             << (wantsArray ? "a tensor" : "an index map") << quote(" for", i)
             << ", got " << (wantsArray ? "an index map" : "a tensor");
    if (failed(array ? bindTensor(i, *array) : bindMap(i, *map)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult Interpreter::evaluate(Operation *op, Operands inputs,
                                    ArrayRef<Array *> results) {
  if (isElementwise(op)) {
    elementwise(op, inputs, *results[0]);
    return success();
  }
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<ContractOp>([&](ContractOp op) {
        return contract(op, sizes, inputs, *results[0]);
      })
      .Case<GatherOp>([&](GatherOp op) {
        gather(*inputs[0], *getMap(op.getMap()), op.getAxis(), *results[0]);
        return success();
      })
      .Case<SegmentSumOp>([&](SegmentSumOp op) {
        segmentSum(*inputs[0], *getMap(op.getMap()), op.getAxis(), *results[0]);
        return success();
      })
      .Case<ValidOp>([&](ValidOp op) {
        valid(*getMap(op.getMap()), *results[0]);
        return success();
      })
      .Case<SliceOp>([&](SliceOp op) -> LogicalResult {
        int64_t size = inputs[0]->shape[op.getAxis()];
        int64_t part = results[0]->shape[op.getAxis()];
        FailureOr<int64_t> from = sizes.evaluate(op, op.getFrom());
        if (failed(from))
          return failure();
        if (*from > size || part > size - *from)
          return op.emitError("[interpret-slice-range] expected positions in "
                              "[0, ")
                 << size << "), got " << part << " from " << *from;
        slice(*inputs[0], op.getAxis(), *from, *results[0]);
        return success();
      })
      .Case<PadOp>([&](PadOp op) -> LogicalResult {
        FailureOr<int64_t> low = sizes.evaluate(op, op.getLow());
        if (failed(low) || failed(sizes.evaluate(op, op.getHigh())))
          return failure();
        insert(*inputs[0], op.getAxis(), *low, *results[0]);
        return success();
      })
      .Case<ConcatOp>([&](ConcatOp op) {
        int64_t low = 0;
        for (const Array *input : inputs) {
          insert(*input, op.getAxis(), low, *results[0]);
          low += input->shape[op.getAxis()];
        }
        return success();
      })
      .Case<MaxSlotOp>([&](MaxSlotOp op) {
        return maxSlot(op, *inputs[0], getMap(op.getMap()), *results[0],
                       *results[1]);
      })
      .Case<SelectSlotOp>([&](SelectSlotOp op) {
        return selectSlot(op, *inputs[0], *inputs[1], op.getAxis(),
                          *results[0]);
      })
      .Case<SpreadSlotOp>([&](SpreadSlotOp op) {
        return spreadSlot(op, *inputs[0], *inputs[1], op.getAxis(),
                          *results[0]);
      })
      .Case<DecomposableOpInterface>([](DecomposableOpInterface op) {
        return op->emitError("[interpret-primitive] expected a primitive, got ")
               << op->getName() << ": run gyre-decompose first";
      })
      .Case<RepeatOp>([](RepeatOp op) {
        return op.emitError("[interpret-primitive] expected a primitive, got ")
               << op->getName() << ": run gyre-specialise first";
      })
      .Default([](Operation *op) {
        return op->emitError("[interpret-primitive] expected a primitive or an "
                             "elementwise op, got ")
               << op->getName();
      });
}

LogicalResult Interpreter::run(Operation &op) {
  SmallVector<const Array *> inputs;
  for (Value operand : op.getOperands())
    inputs.push_back(arrays.lookup(operand));
  SmallVector<Array *> results;
  for (Value result : op.getResults()) {
    FailureOr<SmallVector<int64_t>> shape =
        sizes.evaluate(&op, cast<TensorType>(result.getType()).getDims());
    if (failed(shape))
      return failure();
    size_t count = 1;
    for (int64_t size : *shape)
      count *= size;
    arrayStorage.push_back({std::move(*shape), std::vector<double>(count)});
    results.push_back(&arrayStorage.back());
    arrays[result] = results.back();
  }
  return evaluate(&op, inputs, results);
}

LogicalResult Interpreter::run() {
  for (Operation &op : func.getBody().front().without_terminator())
    if (failed(run(op)))
      return failure();
  return success();
}

std::vector<Array> Interpreter::getResults() {
  std::vector<Array> results;
  for (Value value : func.getReturn().getOperands())
    results.push_back(get(value));
  return results;
}

FailureOr<std::vector<Array>> interpret(FuncOp func,
                                        ArrayRef<Argument> arguments,
                                        const llvm::StringMap<int64_t> &sizes) {
  Interpreter interpreter(func);
  if (failed(interpreter.bind(arguments, sizes)) || failed(interpreter.run()))
    return failure();
  return interpreter.getResults();
}

} // namespace gyre
