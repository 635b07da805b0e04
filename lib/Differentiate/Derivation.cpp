//===- Derivation.cpp - Builds one declared derivative --------------------===//
//
// The primal's body is cloned, its adjoint is appended by a reverse sweep, and
// what is left over (values that nothing uses, arguments that nothing needs) is
// dropped.
//
//===----------------------------------------------------------------------===//

#include "Derivation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace gyre {

static bool isFloatTensor(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && isa<FloatType>(tensor.getElementType());
}

static std::string listNames(ArrayAttr names) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(names.getAsValueRange<StringAttr>(), os,
                        [&](StringRef name) { os << "`" << name << "`"; });
  return text.empty() ? "none" : text;
}

namespace {
class Derivation {
public:
  Derivation(DeriveOp derive, FuncOp primal, UnneededArguments &unneeded,
             GradientObserver observer)
      : derive(derive), primal(primal), unneeded(unneeded), observer(observer),
        builder(derive) {}

  FailureOr<FuncOp> run();

private:
  // Step by step, in this order.
  LogicalResult readDeclaration();
  LogicalResult createFunction();
  void recordDeclaration();
  void cloneBody();
  LogicalResult sweep();
  LogicalResult replaceMissing();
  void finish();

  LogicalResult readNames(ArrayAttr names, bool results, StringRef list,
                          SmallVectorImpl<unsigned> &positions);
  LogicalResult readWrt();
  LogicalResult readExact();
  LogicalResult checkDifferentiable(unsigned position, bool result);
  LogicalResult checkArgumentNames();
  void findActive();
  void accumulate(Value value, Value cotangent);
  LogicalResult sweepOp(Operation *op);
  void eraseUnusedArguments();

  Block &body() { return func.getBody().front(); }

  DeriveOp derive;
  FuncOp primal;
  UnneededArguments &unneeded;
  GradientObserver observer;
  OpBuilder builder;
  FuncOp func;

  SmallVector<unsigned> wrt, given, saves, exact, exactSaves, without;
  UnneededArguments revived;
  SmallVector<StringRef> argNames, resNames;

  // The clone: the primal's returned values, its last op, what depends on
  // `wrt`.
  SmallVector<Value> returned;
  Operation *lastPrimalOp = nullptr;
  DenseSet<Value> active;
  DenseMap<Value, Value> cotangents;
};
} // namespace

//===----------------------------------------------------------------------===//
// The declaration
//===----------------------------------------------------------------------===//

LogicalResult Derivation::readNames(ArrayAttr names, bool results,
                                    StringRef list,
                                    SmallVectorImpl<unsigned> &positions) {
  if (!names)
    return success();
  for (StringRef name : names.getAsValueRange<StringAttr>()) {
    std::optional<unsigned> position =
        results ? primal.findRes(name) : primal.findArg(name);
    if (!position)
      return derive.emitError()
             << (results ? "[derive-result] expected results of @"
                         : "[derive-argument] expected arguments of @")
             << primal.getSymName() << " in `" << list << "` ("
             << listNames(results ? primal.getResNames() : primal.getArgNames())
             << "), got `" << name << "`";
    positions.push_back(*position);
  }
  return success();
}

/// Arguments, and what was not needed as one: that becomes an argument again,
/// behind all others, which nothing uses.
LogicalResult Derivation::readWrt() {
  for (StringAttr name : derive.getWrt().getAsRange<StringAttr>()) {
    const auto *absent = llvm::find_if(
        unneeded, [&](const auto &entry) { return entry.first == name; });
    if (primal.findArg(name.getValue()) || absent == unneeded.end()) {
      if (failed(readNames(builder.getArrayAttr(name), false, "wrt", wrt)))
        return failure();
      continue;
    }
    wrt.push_back(primal.getArgumentTypes().size() + revived.size());
    revived.push_back(*absent);
  }
  return success();
}

/// Arguments, and results that are saved.
LogicalResult Derivation::readExact() {
  if (!derive.getExactAttr())
    return success();
  SmallVector<Attribute> arguments;
  for (StringAttr name : derive.getExactAttr().getAsRange<StringAttr>()) {
    std::optional<unsigned> result = primal.findRes(name.getValue());
    if (result && llvm::is_contained(saves, *result) &&
        !primal.findArg(name.getValue()))
      exactSaves.push_back(*result);
    else
      arguments.push_back(name);
  }
  return readNames(builder.getArrayAttr(arguments), false, "exact", exact);
}

LogicalResult Derivation::checkDifferentiable(unsigned position, bool result) {
  unsigned numArgs = primal.getArgumentTypes().size();
  auto [name, type] =
      result ? std::pair(primal.getResName(position),
                         primal.getResultTypes()[position])
      : position < numArgs
          ? std::pair(primal.getArgName(position),
                      primal.getArgumentTypes()[position])
          : std::pair(revived[position - numArgs].first.getValue(),
                      revived[position - numArgs].second);
  if (isFloatTensor(type))
    return success();
  return derive.emitError("[derive-not-differentiable] expected ")
         << (result ? "result" : "argument") << " `" << name << "` of @"
         << primal.getSymName()
         << " to be a tensor of a floating-point type, got " << type;
}

LogicalResult Derivation::readDeclaration() {
  ArrayAttr givenNames = derive.getGivenAttr();
  if (failed(readWrt()) ||
      failed(readNames(givenNames, true, "given", given)) ||
      failed(readNames(derive.getSavesAttr(), true, "saves", saves)) ||
      failed(readExact()) ||
      failed(readNames(derive.getWithoutAttr(), false, "without", without)))
    return failure();
  for (unsigned position : exact)
    if (llvm::is_contained(without, position))
      return derive.emitError("[derive-contradiction] expected an argument in "
                              "`exact` or in `without`, got `")
             << primal.getArgName(position) << "` in both";
  // By default every result that can have a cotangent has one.
  if (!givenNames)
    for (auto [i, type] : llvm::enumerate(primal.getResultTypes()))
      if (isFloatTensor(type))
        given.push_back(i);
  for (unsigned position : wrt)
    if (failed(checkDifferentiable(position, /*result=*/false)))
      return failure();
  for (unsigned position : given)
    if (failed(checkDifferentiable(position, /*result=*/true)))
      return failure();
  return success();
}

/// Names of results differ already: the declaration's verifier looks at them.
LogicalResult Derivation::checkArgumentNames() {
  llvm::StringSet<> seen;
  for (StringRef name : argNames)
    if (!seen.insert(name).second)
      return derive.emitError("[derive-name-clash] expected arguments of "
                              "different names, got two of name `")
             << name << "`; rename it with `as`, or in @"
             << primal.getSymName();
  return success();
}

LogicalResult Derivation::createFunction() {
  SmallVector<Type> argTypes(primal.getArgumentTypes()), resTypes;
  for (unsigned i = 0, e = argTypes.size(); i < e; ++i)
    argNames.push_back(primal.getArgName(i));
  for (unsigned position : saves) {
    argTypes.push_back(primal.getResultTypes()[position]);
    argNames.push_back(primal.getResName(position));
  }
  ArrayAttr renamed = derive.getGivenNamesAttr();
  for (auto [i, position] : llvm::enumerate(given)) {
    argTypes.push_back(primal.getResultTypes()[position]);
    StringAttr name =
        renamed ? cast<StringAttr>(renamed[i])
                : builder.getStringAttr("g" + primal.getResName(position));
    argNames.push_back(name.getValue());
  }
  for (auto [name, type] : revived) {
    argTypes.push_back(type);
    argNames.push_back(name.getValue());
  }
  for (auto [i, position] : llvm::enumerate(wrt)) {
    if (position >= primal.getArgumentTypes().size())
      position += saves.size() + given.size();
    resTypes.push_back(argTypes[position]);
    resNames.push_back(cast<StringAttr>(derive.getWrtNames()[i]).getValue());
  }
  if (failed(checkArgumentNames()))
    return failure();
  func = FuncOp::create(builder, derive.getLoc(), derive.getSymName(),
                        builder.getFunctionType(argTypes, resTypes), argNames,
                        resNames);
  recordDeclaration();
  return success();
}

/// Leaves on the function what the declaration says: callers that chain
/// derivatives find it in the manifest.
void Derivation::recordDeclaration() {
  MLIRContext *context = func.getContext();
  unsigned numArgs = primal.getArgumentTypes().size();
  // What the primal does not take has no gradient that a caller could want.
  NamedAttrList gradients, cotangents;
  for (auto [position, name] : llvm::zip_equal(wrt, resNames))
    if (position < numArgs)
      gradients.append(primal.getArgName(position),
                       builder.getStringAttr(name));
  for (auto [i, position] : llvm::enumerate(given))
    cotangents.append(
        primal.getResName(position),
        builder.getStringAttr(argNames[numArgs + saves.size() + i]));
  NamedAttrList record;
  record.append("of", primal.getSymNameAttr());
  record.append("wrt", gradients.getDictionary(context));
  record.append("given", cotangents.getDictionary(context));
  func->setAttr("gyre.derivative", record.getDictionary(context));
}

//===----------------------------------------------------------------------===//
// The reverse sweep
//===----------------------------------------------------------------------===//

void Derivation::cloneBody() {
  builder.setInsertionPointToEnd(&body());
  IRMapping mapping;
  mapping.map(
      primal.getBody().getArguments(),
      body().getArguments().take_front(primal.getBody().getNumArguments()));
  for (Operation &op : primal.getBody().front().without_terminator())
    lastPrimalOp = builder.clone(op, mapping);
  for (Value value : primal.getReturn().getOperands())
    returned.push_back(mapping.lookup(value));
}

/// Values that depend on `wrt`, other than through `gyre.stop_gradient`.
void Derivation::findActive() {
  for (unsigned position : wrt)
    active.insert(body().getArgument(position));
  for (Operation &op : body()) {
    if (isa<StopGradientOp>(op) ||
        llvm::none_of(op.getOperands(),
                      [&](Value v) { return active.contains(v); }))
      continue;
    for (Value result : op.getResults())
      if (isFloatTensor(result.getType()))
        active.insert(result);
  }
}

void Derivation::accumulate(Value value, Value cotangent) {
  Value &sum = cotangents[value];
  sum = sum ? arith::AddFOp::create(builder, cotangent.getLoc(), sum, cotangent)
                  .getResult()
            : cotangent;
}

LogicalResult Derivation::sweepOp(Operation *op) {
  SmallVector<Value> resultCotangents;
  for (Value result : op->getResults())
    resultCotangents.push_back(cotangents.lookup(result));
  if (llvm::none_of(resultCotangents, [](Value v) { return v != nullptr; }))
    return success();
  SmallVector<bool> wanted;
  for (Value operand : op->getOperands())
    wanted.push_back(active.contains(operand));
  if (llvm::none_of(wanted, [](bool w) { return w; }))
    return success();
  auto rule = dyn_cast<DifferentiableOpInterface>(op);
  if (!rule) {
    InFlightDiagnostic diag = derive.emitError(
        "[derive-not-differentiable] expected ops that have a derivative "
        "between the arguments and the results, got ");
    diag << op->getName();
    diag.attachNote(op->getLoc()) << "used here";
    return diag;
  }
  SmallVector<Value> gradients(op->getNumOperands());
  if (failed(rule.buildVJP(builder, resultCotangents, wanted, gradients)))
    return failure();
  for (unsigned i = 0, e = gradients.size(); i < e; ++i) {
    if (!gradients[i] || !wanted[i])
      continue;
    if (observer)
      observer(builder, op, i, gradients[i]);
    accumulate(op->getOperand(i), gradients[i]);
  }
  return success();
}

LogicalResult Derivation::sweep() {
  findActive();
  SmallVector<Operation *> primalOps;
  for (Operation &op : body())
    primalOps.push_back(&op);
  unsigned first = primal.getArgumentTypes().size() + saves.size();
  for (auto [i, position] : llvm::enumerate(given))
    if (active.contains(returned[position]))
      accumulate(returned[position], body().getArgument(first + i));
  for (Operation *op : llvm::reverse(primalOps))
    if (failed(sweepOp(op)))
      return failure();
  SmallVector<Value> gradients;
  for (unsigned position : wrt) {
    Value argument = body().getArgument(position);
    Value gradient = cotangents.lookup(argument);
    // A requested gradient that nothing reaches is an exact zero.
    if (!gradient)
      gradient =
          ConstantOp::create(builder, derive.getLoc(), argument.getType(),
                             builder.getF64FloatAttr(0.0));
    gradients.push_back(gradient);
  }
  ReturnOp::create(builder, derive.getLoc(), gradients);
  return success();
}

//===----------------------------------------------------------------------===//
// Values that do not cross, and what is left over
//===----------------------------------------------------------------------===//

/// Replaces each use of a primal value by the adjoint with one that is built
/// from what the declaration lets cross.
LogicalResult Derivation::replaceMissing() {
  if (saves.empty() && exact.empty() && without.empty())
    return success(); // all of the primal is recomputed: the clone serves
  Block::iterator end =
      lastPrimalOp ? std::next(lastPrimalOp->getIterator()) : body().begin();
  SmallVector<OpOperand *> uses;
  auto collect = [&](Value value) {
    for (OpOperand &use : value.getUses()) {
      // Of a use inside a region, the op of this block that holds it counts.
      Operation *user = body().findAncestorOpInBlock(*use.getOwner());
      if (!lastPrimalOp || lastPrimalOp->isBeforeInBlock(user))
        uses.push_back(&use);
    }
  };
  unsigned numArgs = primal.getArgumentTypes().size();
  for (BlockArgument argument : body().getArguments().take_front(numArgs))
    collect(argument);
  for (Operation &op : llvm::make_range(body().begin(), end))
    llvm::for_each(op.getResults(), collect);

  Availability available(body(), end);
  for (unsigned i = 0; i < numArgs; ++i) {
    Value argument = body().getArgument(i);
    if (llvm::is_contained(exact, i))
      available.provideForDirectUses(argument, argument);
    else if (!llvm::is_contained(without, i))
      available.provide(argument, argument);
  }
  for (auto [i, position] : llvm::enumerate(saves)) {
    Value saved = body().getArgument(numArgs + i);
    if (llvm::is_contained(exactSaves, position))
      available.provideForDirectUses(returned[position], saved);
    else
      available.provide(returned[position], saved);
  }
  available.close();

  builder.setInsertionPoint(&body(), end);
  for (OpOperand *use : uses) {
    Value replacement = available.get(builder, use->get());
    if (!replacement) {
      InFlightDiagnostic diag = derive.emitError(
          "[derive-missing] expected each value that the derivative needs to "
          "be saved, or to be recomputed or recovered from what is; got one "
          "that is not");
      auto argument = dyn_cast<BlockArgument>(use->get());
      diag.attachNote(use->get().getLoc())
          << (argument
                  ? "argument `" + argNames[argument.getArgNumber()].str() +
                        "` is needed"
                  : std::string("this value is needed"));
      return diag;
    }
    use->set(replacement);
  }
  return success();
}

/// Adds the runtime sizes that `value`, an attribute or a type, mentions.
template <typename T>
static void collectSizes(T value, const llvm::StringSet<> &params,
                         SmallVectorImpl<StringRef> &sizes) {
  AttrTypeWalker walker;
  walker.addWalk([&](PolyAttr size) {
    size.walkVariables([&](StringAttr name) {
      if (!params.contains(name) && !llvm::is_contained(sizes, name.getValue()))
        sizes.push_back(name.getValue());
    });
  });
  walker.walk(value);
}

/// Whether an argument of that type tells the size at a call.
static bool bindsSize(Type type, StringRef name) {
  auto is = [&](PolyAttr size) {
    StringAttr variable = size.getVariable();
    return variable && variable.getValue() == name;
  };
  if (auto tensor = dyn_cast<TensorType>(type))
    return llvm::any_of(tensor.getDims(), is);
  auto map = cast<MapType>(type);
  return is(map.getTarget()) || llvm::any_of(map.getAxisSizes(), is);
}

/// Arguments that nothing uses are not taken, except the first that binds a
/// runtime size of the function which no other does.
void Derivation::eraseUnusedArguments() {
  // Parameters of a spec are known without an argument.
  llvm::StringSet<> params;
  if (auto spec = derive->getParentOfType<SpecOp>())
    for (ParamOp param : spec.getBody().getOps<ParamOp>())
      params.insert(param.getName());
  SmallVector<StringRef> needed;
  body().walk([&](Operation *op) {
    collectSizes(op->getAttrDictionary(), params, needed);
    for (Type type : op->getResultTypes())
      collectSizes(type, params, needed);
  });
  for (Type type : func.getResultTypes())
    collectSizes(type, params, needed);

  llvm::BitVector dropped(body().getNumArguments());
  for (BlockArgument argument : body().getArguments()) {
    if (argument.use_empty())
      dropped.set(argument.getArgNumber());
    else
      collectSizes(argument.getType(), params, needed);
  }
  // An argument that is kept for one size may mention others: the list grows.
  for (size_t i = 0; i < needed.size(); ++i) {
    std::optional<unsigned> keep;
    bool bound = false;
    for (BlockArgument argument : body().getArguments()) {
      if (!bindsSize(argument.getType(), needed[i]))
        continue;
      unsigned number = argument.getArgNumber();
      bound |= !dropped.test(number);
      if (!keep && !llvm::is_contained(without, number))
        keep = number;
    }
    if (bound || !keep)
      continue;
    dropped.reset(*keep);
    collectSizes(body().getArgument(*keep).getType(), params, needed);
  }

  SmallVector<Type> types;
  SmallVector<StringRef> names;
  for (BlockArgument argument : body().getArguments()) {
    unsigned number = argument.getArgNumber();
    auto name = builder.getStringAttr(argNames[number]);
    auto entry = std::pair(name, argument.getType());
    if (!dropped.test(number)) {
      types.push_back(argument.getType());
      names.push_back(argNames[number]);
      llvm::erase_if(unneeded,
                     [&](const auto &other) { return other.first == name; });
    } else if (!llvm::is_contained(without, number) &&
               !llvm::is_contained(unneeded, entry)) {
      unneeded.push_back(entry);
    }
  }
  body().eraseArguments(dropped);
  func.setFunctionType(builder.getFunctionType(types, func.getResultTypes()));
  func.setArgNamesAttr(builder.getStrArrayAttr(names));
}

void Derivation::finish() {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body())))
    if (isOpTriviallyDead(&op))
      op.erase();
  if (PrecisionAttr precision = derive.getPrecisionAttr())
    for (auto op : body().getOps<ContractOp>())
      op.setPrecisionAttr(precision);
  eraseUnusedArguments();
}

FailureOr<FuncOp> Derivation::run() {
  if (failed(readDeclaration()) || failed(createFunction()))
    return failure();
  cloneBody();
  if (failed(sweep()) || failed(replaceMissing())) {
    func.erase();
    return failure();
  }
  finish();
  return func;
}

FailureOr<FuncOp> buildDerivative(DeriveOp derive, FuncOp primal,
                                  UnneededArguments &unneeded,
                                  GradientObserver observer) {
  return Derivation(derive, primal, unneeded, observer).run();
}

} // namespace gyre
