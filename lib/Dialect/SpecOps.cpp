//===- SpecOps.cpp - Specs, parameters, alternatives ----------------------===//

#include "SpecScope.h"
#include "gyre/Dialect/OpSyntax.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace gyre {

//===----------------------------------------------------------------------===//
// Directives
//===----------------------------------------------------------------------===//

static ParseResult parseInterval(OpAsmParser &parser, IntegerAttr &lower,
                                 IntegerAttr &upper) {
  return failure(parser.parseLSquare() || parsePlainInteger(parser, lower) ||
                 parser.parseComma() || parsePlainInteger(parser, upper) ||
                 parser.parseRSquare());
}

static void printInterval(OpAsmPrinter &printer, Operation *, IntegerAttr lower,
                          IntegerAttr upper) {
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

/// A parameter's name stands in sizes, or as the last word of a tensor type.
static LogicalResult verifyParameterName(Operation *op, StringRef name) {
  if (failed(verifyNames(op, name)))
    return failure();
  if (name == "x" || isElementTypeName(name))
    return op->emitError("[name-syntax] expected a name other than `x` and "
                         "builtin types, got `")
           << name << "`";
  return success();
}

LogicalResult ParamOp::verify() {
  if (failed(verifyParameterName(*this, getName())))
    return failure();
  int64_t lower = getLower(), upper = getUpper();
  if (lower > upper)
    return emitError("[param-range] expected a lower bound that is at most "
                     "the upper one, got [")
           << lower << ", " << upper << "]";
  if (std::optional<uint64_t> value = getDefaultValue()) {
    int64_t given = static_cast<int64_t>(*value);
    if (given < lower || given > upper)
      return emitError("[param-range] expected a default in [")
             << lower << ", " << upper << "], got " << given;
  }
  return success();
}

LogicalResult TypeParamOp::verify() {
  if (failed(verifyParameterName(*this, getName())))
    return failure();
  if (getChoices().empty())
    return emitError("[type-param-float] expected at least one type, got "
                     "none");
  for (Type type : getChoices().getAsValueRange<TypeAttr>())
    if (!TensorType::isSupportedFloat(type))
      return emitError("[type-param-float] expected f64, f32, f16 or bf16, "
                       "got ")
             << type;
  if (TypeAttr value = getDefaultValueAttr())
    if (!isa<ElementType>(value.getValue()) &&
        !llvm::is_contained(getChoices(), value))
      return emitError("[type-param-default] expected one of the choices, or "
                       "another type parameter, got ")
             << value.getValue();
  return success();
}

LogicalResult AccumulatorOp::verify() {
  return verifyParameterName(*this, getName());
}

//===----------------------------------------------------------------------===//
// SpecOp, AlternativeOp
//===----------------------------------------------------------------------===//

LogicalResult AlternativeOp::verify() {
  if (getConditions().empty())
    return emitError("[alternative-condition] expected at least one "
                     "condition, got none");
  return success();
}

LogicalResult AlternativeOp::verifyRegions() {
  for (Operation &child : getBody().front())
    if (!isa<FuncOp, DeriveOp>(child))
      return child.emitError("[alternative-child] expected gyre.func or "
                             "gyre.derive in an alternative, got ")
             << child.getName();
  return success();
}

LogicalResult SpecOp::verify() { return verifyNames(*this, getSymName()); }

/// The type parameter that a parameter or an accumulator refers to, or nothing.
static StringRef getReference(Operation &child) {
  if (auto accumulator = dyn_cast<AccumulatorOp>(child))
    return accumulator.getOf();
  if (auto param = dyn_cast<TypeParamOp>(child))
    if (TypeAttr value = param.getDefaultValueAttr())
      if (auto element = dyn_cast<ElementType>(value.getValue()))
        return element.getName();
  return {};
}

LogicalResult SpecOp::verifyRegions() {
  llvm::StringSet<> params, typeParams, referable;
  for (Operation &child : getBody().front()) {
    if (!isa<ParamOp, TypeParamOp, AccumulatorOp, AlternativeOp, FuncOp,
             DeriveOp>(child))
      return child.emitError("[spec-child] expected a parameter, a function, "
                             "a derivative or an alternative in a spec, got ")
             << child.getName();
    StringRef reference = getReference(child);
    if (!reference.empty() && !referable.contains(reference))
      return child.emitError("[spec-type-order] expected a type parameter that "
                             "stands before, got `")
             << reference << "`";
    bool fresh = true;
    StringRef name;
    if (auto param = dyn_cast<ParamOp>(child)) {
      fresh = params.insert(name = param.getName()).second;
    } else if (auto param = dyn_cast<TypeParamOp>(child)) {
      fresh = typeParams.insert(name = param.getName()).second;
      referable.insert(name);
    } else if (auto accumulator = dyn_cast<AccumulatorOp>(child)) {
      fresh = typeParams.insert(name = accumulator.getName()).second;
    }
    if (!fresh || (params.contains(name) && typeParams.contains(name)))
      return child.emitError("[spec-param-unique] expected parameters of "
                             "different names, got two of name `")
             << name << "`";
  }
  return verifySpecNames(*this, params, typeParams);
}

} // namespace gyre

// The formats of all ops use the directives above, so their definitions live
// here.
using namespace gyre;
#define GET_OP_CLASSES
#include "gyre/Dialect/GyreOps.cpp.inc"
