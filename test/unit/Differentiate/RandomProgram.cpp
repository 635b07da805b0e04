//===- RandomProgram.cpp - Random compositions of the primitives ----------===//

#include "RandomProgram.h"

#include "gyre/Dialect/ContractBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace gyre::test {

llvm::StringMap<int64_t> getSizes() {
  llvm::StringMap<int64_t> sizes;
  sizes["N"] = 3;
  sizes["E"] = 4;
  sizes["M"] = 2;
  return sizes;
}

static int64_t evaluate(PolyAttr size) {
  llvm::StringMap<int64_t> sizes = getSizes();
  return *size.substitute([&](StringAttr name) {
                return PolyAttr::constant(name.getContext(),
                                          sizes.lookup(name.getValue()));
              })
              .getConstant();
}

namespace {
class Generator {
public:
  Generator(MLIRContext &context, std::mt19937_64 &random)
      : context(context), random(random), builder(&context),
        loc(builder.getUnknownLoc()) {}

  RandomProgram run();

private:
  // Choices.
  int64_t below(int64_t n) { return random() % n; }
  bool chance(double p) { return (random() >> 11) * 0x1p-53 < p; }
  template <typename T> const T &pick(const std::vector<T> &from) {
    return from[below(from.size())];
  }

  // Sizes and types.
  PolyAttr fixed(int64_t n) { return PolyAttr::constant(&context, n); }
  PolyAttr named(StringRef n) {
    return PolyAttr::variable(builder.getStringAttr(n));
  }
  TensorType randomType();
  static TensorType typeOf(Value value) {
    return cast<TensorType>(value.getType());
  }
  /// A dimension of `value` that satisfies `test`, or -1.
  int64_t findDim(Value value, llvm::function_ref<bool(PolyAttr)> test);
  int64_t findFixedDim(Value value, int64_t least);

  // Values, each with a bound on its magnitude.
  Value add(Value value, double bound);
  Value input() { return pick(values); }
  double bound(Value value) { return bounds.lookup(value); }
  Value constant(double number, Value like);
  Value bounded(Value value);  // within [-1, 1]
  Value positive(Value value); // within [0.5, 2.5]
  Value sameType(Value value); // another value of that type

  // Steps; each adds values, or nothing where it does not fit.
  void step();
  void unary();
  void binary();
  void select();
  void contract();
  void index();
  void shape();
  void slots();

  MLIRContext &context;
  std::mt19937_64 &random;
  OpBuilder builder;
  Location loc;
  std::vector<Value> values;
  DenseMap<Value, double> bounds;
  Value map, padded;
};
} // namespace

//===----------------------------------------------------------------------===//
// Types and values
//===----------------------------------------------------------------------===//

TensorType Generator::randomType() {
  std::vector<PolyAttr> sizes = {named("N"), named("E"), named("M"), fixed(2),
                                 fixed(3),   fixed(4),   fixed(6)};
  SmallVector<PolyAttr> dims;
  for (int64_t rank = 1 + below(3); rank > 0; --rank)
    dims.push_back(pick(sizes));
  return TensorType::get(dims, builder.getF64Type());
}

int64_t Generator::findDim(Value value,
                           llvm::function_ref<bool(PolyAttr)> test) {
  std::vector<int64_t> fitting;
  for (auto [i, dim] : llvm::enumerate(typeOf(value).getDims()))
    if (test(dim))
      fitting.push_back(i);
  return fitting.empty() ? -1 : pick(fitting);
}

int64_t Generator::findFixedDim(Value value, int64_t least) {
  return findDim(value, [&](PolyAttr dim) {
    return dim.getConstant().value_or(0) >= least;
  });
}

Value Generator::add(Value value, double bound) {
  bounds[value] = bound;
  values.push_back(value);
  return value;
}

Value Generator::constant(double number, Value like) {
  return ConstantOp::create(builder, loc, like.getType(),
                            builder.getF64FloatAttr(number));
}

Value Generator::bounded(Value value) {
  if (bound(value) <= 1.0)
    return value;
  Value result = math::TanhOp::create(builder, loc, value);
  bounds[result] = 1.0;
  return result;
}

Value Generator::positive(Value value) {
  Value result =
      arith::AddFOp::create(builder, loc, bounded(value), constant(1.5, value));
  bounds[result] = 2.5;
  return result;
}

Value Generator::sameType(Value value) {
  std::vector<Value> fitting;
  for (Value other : values)
    if (other.getType() == value.getType())
      fitting.push_back(other);
  return pick(fitting);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void Generator::unary() {
  Value x = input();
  Value safe = bounded(x);
  switch (below(13)) {
  case 11: {
    // Numbers of all types are fp64 to the interpreter.
    TensorType narrow = typeOf(x).cloneWithElement(builder.getF32Type());
    Value there = ConvertOp::create(builder, loc, narrow, x);
    return void(
        add(ConvertOp::create(builder, loc, x.getType(), there), bound(x)));
  }
  case 0:
    return void(add(SigmoidOp::create(builder, loc, safe), 1));
  case 1:
    return void(add(SiluOp::create(builder, loc, safe), 1));
  case 2:
    return void(add(math::TanhOp::create(builder, loc, x), 1));
  case 3:
    return void(add(math::SinOp::create(builder, loc, safe), 1));
  case 4:
    return void(add(math::CosOp::create(builder, loc, safe), 1));
  case 5:
    return void(add(math::ExpOp::create(builder, loc, safe), 3));
  case 6:
    return void(add(math::LogOp::create(builder, loc, positive(x)), 1));
  case 7:
    return void(add(math::SqrtOp::create(builder, loc, positive(x)), 2));
  case 8:
    return void(add(math::RsqrtOp::create(builder, loc, positive(x)), 2));
  case 9:
    return void(add(math::AbsFOp::create(builder, loc, x), bound(x)));
  case 10:
    return void(add(arith::NegFOp::create(builder, loc, x), bound(x)));
  default:
    return void(add(constant(0.75, x), 1));
  }
}

void Generator::binary() {
  Value x = input(), y = sameType(x);
  double sum = bound(x) + bound(y);
  switch (below(7)) {
  case 0:
    return void(add(arith::AddFOp::create(builder, loc, x, y), sum));
  case 1:
    return void(add(arith::SubFOp::create(builder, loc, x, y), sum));
  case 2:
    return void(
        add(arith::MulFOp::create(builder, loc, x, y), bound(x) * bound(y)));
  case 3:
    return void(
        add(arith::DivFOp::create(builder, loc, x, positive(y)), 2 * bound(x)));
  case 4:
    return void(add(arith::MaximumFOp::create(builder, loc, x, y), sum));
  case 5:
    return void(add(arith::MinimumFOp::create(builder, loc, x, y), sum));
  default:
    return void(
        add(math::PowFOp::create(builder, loc, positive(x), bounded(y)), 2.5));
  }
}

void Generator::select() {
  Value x = input(), y = sameType(x), z = sameType(x);
  Value less = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, x,
                                     constant(0.2, x));
  add(SelectOp::create(builder, loc, less, y, z), std::max(bound(y), bound(z)));
}

/// Random subscripts, groups, broadcasts and relations.
void Generator::contract() {
  std::vector<AxisAttr> axes;
  SmallVector<ArrayAttr> subscripts;
  SmallVector<Value> inputs;
  double product = 1;
  auto newAxis = [&](PolyAttr size) {
    axes.push_back(AxisAttr::get(
        &context, builder.getStringAttr("a" + std::to_string(axes.size())),
        size));
    return axes.back();
  };
  for (int64_t count = 1 + below(3); count > 0; --count) {
    Value x = input();
    inputs.push_back(x);
    product *= bound(x);
    SmallVector<Attribute> entries;
    std::vector<StringAttr> used;
    for (PolyAttr dim : typeOf(x).getDims()) {
      SmallVector<PolyAttr> parts = {dim};
      int64_t size = dim.getConstant().value_or(0);
      if ((size == 4 || size == 6) && chance(0.5))
        parts = {fixed(2), fixed(size / 2)};
      SmallVector<Attribute> group;
      for (PolyAttr part : parts) {
        std::vector<AxisAttr> fitting;
        for (AxisAttr axis : axes)
          if (axis.getSize() == part &&
              !llvm::is_contained(used, axis.getName()))
            fitting.push_back(axis);
        AxisAttr axis =
            !fitting.empty() && chance(0.7) ? pick(fitting) : newAxis(part);
        used.push_back(axis.getName());
        group.push_back(axis.getName());
      }
      entries.push_back(builder.getArrayAttr(group));
    }
    subscripts.push_back(builder.getArrayAttr(entries));
  }
  int64_t volume = 1;
  for (AxisAttr axis : axes)
    volume *= evaluate(axis.getSize());
  if (volume > 2000)
    return;

  std::vector<AxisAttr> kept;
  for (AxisAttr axis : axes)
    if (chance(0.5) && kept.size() < 3)
      kept.push_back(axis);
  if (chance(0.25))
    kept.push_back(newAxis(fixed(2)));
  std::shuffle(kept.begin(), kept.end(), random);
  SmallVector<Attribute> entries;
  for (size_t i = 0; i < kept.size(); ++i) {
    SmallVector<Attribute> group = {kept[i].getName()};
    if (i + 1 < kept.size() && kept[i].getSize().getConstant() &&
        kept[i + 1].getSize().getConstant() && chance(0.4))
      group.push_back(kept[++i].getName());
    entries.push_back(builder.getArrayAttr(group));
  }

  std::vector<AxisAttr> tied;
  for (AxisAttr axis : axes)
    if (axis.getSize().getConstant() && chance(0.6))
      tied.push_back(axis);
  Attribute relation;
  double largest = 1;
  if (!tied.empty() && chance(0.6)) {
    SmallVector<StringAttr> names;
    SmallVector<int64_t> indices;
    SmallVector<double> coefficients;
    for (AxisAttr axis : tied)
      names.push_back(axis.getName());
    for (int64_t tuples = 1 + below(5); tuples > 0; --tuples) {
      for (AxisAttr axis : tied)
        indices.push_back(below(*axis.getSize().getConstant()));
      coefficients.push_back(pick(std::vector<double>{1.0, -1.0, 0.5}));
    }
    TuplesAttr merged =
        TuplesAttr::getCanonical(&context, names, indices, coefficients);
    // Tuples that were drawn twice have added up.
    for (double coefficient : merged.getCoefficients().asArrayRef())
      largest = std::max(largest, std::abs(coefficient));
    relation = merged;
  }
  Value result = buildContract(
      builder, loc, inputs, subscripts, builder.getArrayAttr(entries),
      SmallVector<AxisAttr>(axes.begin(), axes.end()), relation);
  int64_t cells = 1;
  for (PolyAttr dim : typeOf(result).getDims())
    cells *= evaluate(dim);
  bounds[result] =
      largest * product * std::max<double>(1, double(volume) / cells);
  add(bound(result) > 20 ? bounded(result) : result,
      bound(result) > 20 ? 1 : bound(result));
}

void Generator::index() {
  Value x = input();
  if (chance(0.15))
    return void(add(ValidOp::create(builder, loc,
                                    TensorType::get({fixed(2), named("M")},
                                                    builder.getF64Type()),
                                    padded),
                    1));
  int64_t edges = findDim(x, [&](PolyAttr d) { return d == named("E"); });
  if (edges >= 0 && chance(0.5))
    return void(add(SegmentSumOp::create(builder, loc, x, map,
                                         builder.getI64IntegerAttr(edges)),
                    4 * bound(x)));
  int64_t nodes = findDim(x, [&](PolyAttr d) { return d == named("N"); });
  if (nodes < 0 || typeOf(x).rank() > 2)
    return;
  auto axis = builder.getI64IntegerAttr(nodes);
  if (chance(0.5))
    return void(add(GatherOp::create(builder, loc, x, map, axis), bound(x)));
  Value neighbours =
      add(GatherOp::create(builder, loc, x, padded, axis), bound(x));
  if (chance(0.5))
    return void(add(
        SegmentSumOp::create(builder, loc, bounded(neighbours), padded, axis),
        4));
  SmallVector<PolyAttr> dims(typeOf(neighbours).getDims());
  dims.erase(dims.begin() + nodes);
  auto pooled = MaxSlotOp::create(
      builder, loc, TensorType::get(dims, builder.getF64Type()),
      TensorType::get(dims, builder.getI8Type()), neighbours, padded, axis,
      builder.getStringAttr("k"));
  add(pooled.getMax(), bound(x));
}

void Generator::shape() {
  Value x = input();
  int64_t dim = findFixedDim(x, 2);
  if (dim < 0)
    return;
  auto axis = builder.getI64IntegerAttr(dim);
  int64_t size = *typeOf(x).getDims()[dim].getConstant();
  switch (below(3)) {
  case 0: {
    int64_t from = below(size);
    return void(add(SliceOp::create(builder, loc, x, axis, fixed(from),
                                    fixed(1 + below(size - from))),
                    bound(x)));
  }
  case 1:
    return void(add(
        PadOp::create(builder, loc, x, axis, fixed(below(2)), fixed(below(3))),
        bound(x)));
  default: {
    Value y = sameType(x);
    return void(add(ConcatOp::create(builder, loc, ValueRange{x, y}, axis),
                    std::max(bound(x), bound(y))));
  }
  }
}

void Generator::slots() {
  Value x = input();
  int64_t dim = findFixedDim(x, 2);
  if (dim < 0)
    return;
  auto axis = builder.getI64IntegerAttr(dim);
  PolyAttr size = typeOf(x).getDims()[dim];
  SmallVector<PolyAttr> dims(typeOf(x).getDims());
  dims.erase(dims.begin() + dim);
  auto max = MaxSlotOp::create(builder, loc,
                               TensorType::get(dims, builder.getF64Type()),
                               TensorType::get(dims, builder.getI8Type()), x,
                               Value(), axis, StringAttr());
  add(max.getMax(), bound(x));
  Value y = sameType(x);
  Value picked =
      add(SelectSlotOp::create(builder, loc, y, max.getSlot(), axis), bound(y));
  add(SpreadSlotOp::create(builder, loc, sameType(picked), max.getSlot(), axis,
                           size),
      20);
}

void Generator::step() {
  switch (below(11)) {
  case 0:
  case 1:
    return unary();
  case 2:
  case 3:
    return binary();
  case 4:
    return select();
  case 5:
  case 6:
  case 7:
    return contract();
  case 8:
    return index();
  case 9:
    return shape();
  default:
    return slots();
  }
}

RandomProgram Generator::run() {
  RandomProgram program;
  program.module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(program.module->getBody());
  AxisAttr e = AxisAttr::get(&context, builder.getStringAttr("e"), named("E"));
  AxisAttr k = AxisAttr::get(&context, builder.getStringAttr("k"), fixed(2));
  AxisAttr n = AxisAttr::get(&context, builder.getStringAttr("n"), named("M"));
  SmallVector<Type> types = {
      MapType::get(&context, {e}, named("N"), /*padded=*/false),
      MapType::get(&context, {k, n}, named("N"), /*padded=*/true)};
  for (int i = 0; i < 3; ++i)
    types.push_back(randomType());
  program.func =
      FuncOp::create(builder, loc, "f", builder.getFunctionType(types, {}),
                     {"m", "p", "x", "y", "z"}, {});
  Block &body = program.func.getBody().front();
  map = body.getArgument(0);
  padded = body.getArgument(1);
  for (BlockArgument argument : body.getArguments().drop_front(2))
    add(argument, 1);
  builder.setInsertionPointToEnd(&body);
  for (int64_t steps = 3 + below(5); steps > 0; --steps)
    step();

  SmallVector<Value> results(values.end() - 2, values.end());
  SmallVector<Type> resultTypes;
  for (Value &result : results) {
    result = bounded(result);
    resultTypes.push_back(result.getType());
  }
  ReturnOp::create(builder, loc, results);
  program.func.setFunctionType(builder.getFunctionType(types, resultTypes));
  program.func.setResNamesAttr(builder.getStrArrayAttr({"u", "v"}));
  return program;
}

RandomProgram makeRandomProgram(MLIRContext &context, std::mt19937_64 &random) {
  return Generator(context, random).run();
}

std::vector<Argument> makeArguments(FuncOp func, std::mt19937_64 &random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Argument> arguments;
  for (Type type : func.getArgumentTypes()) {
    if (auto tensor = dyn_cast<TensorType>(type)) {
      Array array;
      int64_t cells = 1;
      for (PolyAttr dim : tensor.getDims()) {
        array.shape.push_back(evaluate(dim));
        cells *= array.shape.back();
      }
      for (; cells > 0; --cells)
        array.data.push_back(uniform(random));
      arguments.push_back(array);
      continue;
    }
    auto mapType = cast<MapType>(type);
    IndexMap map;
    map.target = evaluate(mapType.getTarget());
    map.padded = mapType.getPadded();
    int64_t entries = 1;
    for (PolyAttr size : mapType.getAxisSizes()) {
      map.axes.push_back(evaluate(size));
      entries *= map.axes.back();
    }
    int64_t firstSlot = entries / map.axes.front();
    for (int64_t i = 0; i < entries; ++i)
      map.index.push_back(random() %
                          (map.target + (map.padded && i >= firstSlot)));
    arguments.push_back(map);
  }
  return arguments;
}

} // namespace gyre::test
