//===- FuncOp.cpp - Functions with named arguments and results ------------===//

#include "gyre/Dialect/OpSyntax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace gyre {

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(),
                             result.attributes) ||
      parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren,
                               /*allowType=*/true))
    return failure();

  SmallVector<Attribute> argNames, resNames;
  SmallVector<Type> argTypes, resTypes;
  for (const OpAsmParser::Argument &argument : arguments) {
    argNames.push_back(
        builder.getStringAttr(argument.ssaName.name.drop_front()));
    argTypes.push_back(argument.type);
  }
  auto parseResult = [&]() -> ParseResult {
    StringAttr resName;
    if (parseName(parser, resName) ||
        parser.parseColonType(resTypes.emplace_back()))
      return failure();
    resNames.push_back(resName);
    return success();
  };
  if (succeeded(parser.parseOptionalArrow()) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseResult))
    return failure();

  result.addAttribute(
      getFunctionTypeAttrName(result.name),
      TypeAttr::get(builder.getFunctionType(argTypes, resTypes)));
  result.addAttribute(getArgNamesAttrName(result.name),
                      builder.getArrayAttr(argNames));
  result.addAttribute(getResNamesAttrName(result.name),
                      builder.getArrayAttr(resNames));
  return failure(parseOtherAttributes(parser, result, /*withKeyword=*/true,
                                      {"arg_attrs", "res_attrs"}) ||
                 parser.parseRegion(*result.addRegion(), arguments));
}

void FuncOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getSymName());
  printer << "(";
  llvm::interleaveComma(
      getBody().getArguments(), printer,
      [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ")";
  if (!getResultTypes().empty()) {
    printer << " -> (";
    llvm::interleaveComma(llvm::seq<unsigned>(0, getResultTypes().size()),
                          printer, [&](unsigned i) {
                            printer << getResName(i) << ": "
                                    << getResultTypes()[i];
                          });
    printer << ")";
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {SymbolTable::getSymbolAttrName(), getFunctionTypeAttrName(),
       getArgNamesAttrName(), getResNamesAttrName()});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

void FuncOp::getAsmBlockArgumentNames(Region &region,
                                      OpAsmSetValueNameFn setName) {
  // The names are the ABI, so they survive a round trip through the SSA names.
  // An op that is about to be refused is printed too: no name may be one.
  for (auto [argument, name] : llvm::zip(region.getArguments(), getArgNames()))
    if (auto text = dyn_cast<StringAttr>(name))
      setName(argument, text.getValue());
}

std::optional<unsigned> FuncOp::findArg(StringRef name) {
  for (unsigned i = 0, e = getArgNames().size(); i < e; ++i)
    if (getArgName(i) == name)
      return i;
  return std::nullopt;
}

std::optional<unsigned> FuncOp::findRes(StringRef name) {
  for (unsigned i = 0, e = getResNames().size(); i < e; ++i)
    if (getResName(i) == name)
      return i;
  return std::nullopt;
}

ReturnOp FuncOp::getReturn() {
  return cast<ReturnOp>(getBody().front().getTerminator());
}

FuncOp FuncOp::create(OpBuilder &builder, Location loc, StringRef name,
                      FunctionType type, ArrayRef<StringRef> argNames,
                      ArrayRef<StringRef> resNames) {
  auto func = FuncOp::create(builder, loc, name, type,
                             builder.getStrArrayAttr(argNames),
                             builder.getStrArrayAttr(resNames),
                             /*arg_attrs=*/ArrayAttr(),
                             /*res_attrs=*/ArrayAttr());
  Block &block = func.getBody().emplaceBlock();
  for (Type argument : type.getInputs())
    block.addArgument(argument, loc);
  return func;
}

//===----------------------------------------------------------------------===//
// Invariants
//===----------------------------------------------------------------------===//

LogicalResult FuncOp::verify() {
  if (getArgNames().size() != getArgumentTypes().size() ||
      getResNames().size() != getResultTypes().size())
    return emitError("[func-name-count] expected names for ")
           << getArgumentTypes().size() << " arguments and "
           << getResultTypes().size() << " results, got "
           << getArgNames().size() << " and " << getResNames().size();
  if (failed(verifyNames(*this, getSymName())))
    return failure();
  for (ArrayAttr names : {getArgNames(), getResNames()}) {
    llvm::StringSet<> seen;
    for (StringRef name : names.getAsValueRange<StringAttr>()) {
      if (failed(verifyNames(*this, name)))
        return failure();
      if (!seen.insert(name).second)
        return emitError("[func-name-unique] expected different names, got "
                         "two of name `")
               << name << "`";
    }
  }
  for (Type type : getArgumentTypes())
    if (!isa<TensorType, MapType>(type))
      return emitError("[func-argument-type] expected a gyre tensor or map, "
                       "got ")
             << type;
  for (Type type : getResultTypes())
    if (!isa<TensorType>(type))
      return emitError("[func-result-type] expected a gyre tensor, got ")
             << type;
  return success();
}

/// Upstream verifiers compare shapes, where all runtime sizes look alike.
static LogicalResult verifyNamedSizes(Operation *op) {
  TensorType first;
  for (Type type :
       llvm::concat<const Type>(op->getOperandTypes(), op->getResultTypes())) {
    auto tensor = dyn_cast<TensorType>(type);
    if (!tensor)
      return op->emitError("[func-elementwise-type] expected gyre tensors, "
                           "got ")
             << type;
    if (!first)
      first = tensor;
    if (tensor.getDims() != first.getDims())
      return op->emitError("[func-elementwise-type] expected operands and "
                           "results of the same named sizes, got ")
             << first << " and " << type;
  }
  return success();
}

/// The upstream ops of the algebra: those that the interpreter evaluates, that
/// have a derivative (but for comparisons) and that every lowering knows.
static bool isElementwisePrimitive(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp, arith::CmpFOp,
             math::ExpOp, math::LogOp, math::SqrtOp, math::RsqrtOp,
             math::TanhOp, math::SinOp, math::CosOp, math::AbsFOp,
             math::PowFOp>(op);
}

static LogicalResult verifyBodyOp(Operation *op) {
  if (op->getName().getDialectNamespace() == "gyre")
    return success();
  if (!isElementwisePrimitive(op))
    return op->emitError("[func-op] expected an op of gyre or an elementwise "
                         "one that it knows (arith.addf, subf, mulf, divf, "
                         "negf, maximumf, minimumf, cmpf; math.exp, log, sqrt, "
                         "rsqrt, tanh, sin, cos, absf, powf), got ")
           << op->getName();
  // Bits must not depend on what a code generator makes of a flag.
  if (auto flagged = dyn_cast<arith::ArithFastMathInterface>(op))
    if (arith::FastMathFlagsAttr flags = flagged.getFastMathFlagsAttr())
      if (flags.getValue() != arith::FastMathFlags::none)
        return op->emitError("[func-fastmath] expected no fastmath flags, got ")
               << flags;
  return verifyNamedSizes(op);
}

LogicalResult FuncOp::verifyRegions() {
  Block &block = getBody().front();
  auto ret = dyn_cast<ReturnOp>(block.back());
  if (!ret)
    return emitError("[func-return] expected gyre.return at the end, got ")
           << block.back().getName();
  if (ret.getOperandTypes() != getResultTypes()) {
    InFlightDiagnostic diag =
        ret.emitError("[func-return] expected values of types (");
    llvm::interleaveComma(getResultTypes(), diag);
    diag << "), got (";
    llvm::interleaveComma(ret.getOperandTypes(), diag);
    return diag << ")";
  }
  WalkResult walk = getBody().walk(
      [](Operation *op) { return WalkResult(verifyBodyOp(op)); });
  return failure(walk.wasInterrupted());
}

} // namespace gyre
