//===- SpecOps.cpp - Specs, parameters, alternatives ----------------------===//

#include "gyre/Dialect/OpSyntax.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace gyre {

//===----------------------------------------------------------------------===//
// Shared directives
//===----------------------------------------------------------------------===//

ParseResult parsePlainInteger(OpAsmParser &parser, IntegerAttr &result) {
  int64_t value;
  if (parser.parseInteger(value))
    return failure();
  result = parser.getBuilder().getI64IntegerAttr(value);
  return success();
}

void printPlainInteger(OpAsmPrinter &printer, Operation *, IntegerAttr value) {
  printer << value.getInt();
}

ParseResult parsePlainFloat(OpAsmParser &parser, FloatAttr &result) {
  bool negative = succeeded(parser.parseOptionalMinus());
  double value;
  if (parser.parseFloat(value))
    return failure();
  result = parser.getBuilder().getF64FloatAttr(negative ? -value : value);
  return success();
}

void printPlainFloat(OpAsmPrinter &printer, Operation *, FloatAttr value) {
  printer.printFloat(value.getValue());
}

ParseResult parseName(OpAsmParser &parser, StringAttr &result) {
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  result = parser.getBuilder().getStringAttr(name);
  return success();
}

void printName(OpAsmPrinter &printer, Operation *, StringAttr name) {
  printer << name.getValue();
}

static ParseResult parseInterval(OpAsmParser &parser, IntegerAttr &lower,
                                 IntegerAttr &upper) {
  return failure(parser.parseLSquare() || parsePlainInteger(parser, lower) ||
                 parser.parseComma() || parsePlainInteger(parser, upper) ||
                 parser.parseRSquare());
}

static void printInterval(OpAsmPrinter &printer, Operation *,
                          IntegerAttr lower, IntegerAttr upper) {
  printer << "[" << lower.getInt() << ", " << upper.getInt() << "]";
}

static ParseResult parseConditions(OpAsmParser &parser, ArrayAttr &result) {
  SmallVector<Attribute> conditions;
  do {
    ConditionAttr condition;
    if (parseCondition(parser, condition))
      return failure();
    conditions.push_back(condition);
  } while (succeeded(parser.parseOptionalKeyword("and")));
  result = parser.getBuilder().getArrayAttr(conditions);
  return success();
}

static void printConditions(OpAsmPrinter &printer, Operation *,
                            ArrayAttr conditions) {
  llvm::interleave(
      conditions, printer,
      [&](Attribute condition) {
        printer << cast<ConditionAttr>(condition).str();
      },
      " and ");
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

LogicalResult ParamOp::verify() {
  int64_t lower = getLower(), upper = getUpper();
  if (lower > upper)
    return emitOpError("[param-range] expected a lower bound that is at most "
                       "the upper one, got [")
           << lower << ", " << upper << "]";
  if (std::optional<uint64_t> value = getDefaultValue()) {
    int64_t given = static_cast<int64_t>(*value);
    if (given < lower || given > upper)
      return emitOpError("[param-range] expected a default in [")
             << lower << ", " << upper << "], got " << given;
  }
  return success();
}

LogicalResult TypeParamOp::verify() {
  for (Type type : getChoices().getAsValueRange<TypeAttr>())
    if (!isa<FloatType>(type))
      return emitOpError("[type-param-float] expected floating-point types, "
                         "got ")
             << type;
  if (TypeAttr value = getDefaultValueAttr())
    if (!llvm::is_contained(getChoices(), value))
      return emitOpError("[type-param-default] expected one of the choices, "
                         "got ")
             << value.getValue();
  return success();
}

//===----------------------------------------------------------------------===//
// SpecOp, AlternativeOp
//===----------------------------------------------------------------------===//

LogicalResult AlternativeOp::verifyRegions() {
  for (Operation &child : *getBody().begin())
    if (!isa<FuncOp, DeriveOp>(child))
      return child.emitError("[alternative-child] expected gyre.func or "
                             "gyre.derive in an alternative, got ")
             << child.getName();
  return success();
}

/// Names that a call binds: tensor dimensions that are exactly a name, and
/// sizes of maps that are.
static llvm::StringSet<> getBoundSizes(FuncOp func) {
  llvm::StringSet<> bound;
  auto bind = [&](PolyAttr size) {
    if (StringAttr name = size.getVariable())
      bound.insert(name);
  };
  for (Type type : func.getArgumentTypes()) {
    if (auto tensor = dyn_cast<TensorType>(type)) {
      llvm::for_each(tensor.getDims(), bind);
    } else if (auto map = dyn_cast<MapType>(type)) {
      llvm::for_each(map.getAxisSizes(), bind);
      bind(map.getTarget());
    }
  }
  return bound;
}

/// Checks the sizes of arguments and results: those of the body follow from
/// them, or from sizes that its ops introduce out of parameters.
static LogicalResult verifySizes(FuncOp func, const llvm::StringSet<> &params) {
  llvm::StringSet<> bound = getBoundSizes(func);
  auto check = [&](PolyAttr size) -> LogicalResult {
    StringAttr unknown;
    size.walkVariables([&](StringAttr name) {
      if (!params.contains(name) && !bound.contains(name))
        unknown = name;
    });
    if (unknown)
      return func.emitOpError("[spec-size-bound] expected each size to be a "
                              "parameter or to be bound by an argument, got `")
             << unknown.getValue() << "`, which is neither";
    return success();
  };
  auto checkType = [&](Type type) -> LogicalResult {
    if (auto map = dyn_cast<MapType>(type)) {
      for (PolyAttr size : map.getAxisSizes())
        if (failed(check(size)))
          return failure();
      return check(map.getTarget());
    }
    if (auto tensor = dyn_cast<TensorType>(type))
      for (PolyAttr size : tensor.getDims())
        if (failed(check(size)))
          return failure();
    return success();
  };
  for (Type type : func.getArgumentTypes())
    if (failed(checkType(type)))
      return failure();
  for (Type type : func.getResultTypes())
    if (failed(checkType(type)))
      return failure();
  WalkResult walk = func.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (failed(checkType(type)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult SpecOp::verifyRegions() {
  llvm::StringSet<> params, typeParams;
  for (Operation &child : *getBody().begin()) {
    if (!isa<ParamOp, TypeParamOp, AlternativeOp, FuncOp, DeriveOp>(child))
      return child.emitError("[spec-child] expected a parameter, a function, a "
                             "derivative or an alternative in a spec, got ")
             << child.getName();
    bool fresh = true;
    StringRef name;
    if (auto param = dyn_cast<ParamOp>(child))
      fresh = params.insert(name = param.getName()).second;
    else if (auto param = dyn_cast<TypeParamOp>(child))
      fresh = typeParams.insert(name = param.getName()).second;
    if (!fresh || (params.contains(name) && typeParams.contains(name)))
      return child.emitError("[spec-param-unique] expected parameters of "
                             "different names, got two of name \"")
             << name << "\"";
  }
  WalkResult walk = getOperation()->walk([&](FuncOp func) {
    return failed(verifySizes(func, params)) ? WalkResult::interrupt()
                                             : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

} // namespace gyre

// The formats of all ops use the directives above, so their definitions live here.
using namespace gyre;
#define GET_OP_CLASSES
#include "gyre/Dialect/GyreOps.cpp.inc"
