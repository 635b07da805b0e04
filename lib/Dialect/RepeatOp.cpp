//===- RepeatOp.cpp - A static number of layers ---------------------------===//

#include "gyre/Dialect/OpSyntax.h"

using namespace mlir;

namespace gyre {

/// Type of one row of the leading dimension; null when there is none.
static TensorType getRowType(Type type) {
  auto tensor = cast<TensorType>(type);
  if (tensor.rank() == 0)
    return {};
  return tensor.cloneWithDims(tensor.getDims().drop_front());
}

//===----------------------------------------------------------------------===//
// Text form
//===----------------------------------------------------------------------===//

ParseResult RepeatOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  PolyAttr count;
  if (parsePoly(parser, count))
    return failure();
  result.addAttribute(getCountAttrName(result.name), count);

  SmallVector<OpAsmParser::Argument> blockArgs;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  int32_t segments[2] = {0, 0};
  for (int segment : {0, 1}) {
    if (failed(parser.parseOptionalKeyword(segment == 0 ? "carry" : "slice")))
      continue;
    auto parseOne = [&]() -> ParseResult {
      ++segments[segment];
      return failure(parser.parseArgument(blockArgs.emplace_back()) ||
                     parser.parseEqual() ||
                     parser.parseOperand(operands.emplace_back()) ||
                     parser.parseColonType(types.emplace_back()));
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
      return failure();
  }
  for (auto [i, argument] : llvm::enumerate(blockArgs)) {
    argument.type = types[i];
    if (static_cast<int32_t>(i) < segments[0])
      continue;
    auto tensor = dyn_cast<TensorType>(types[i]);
    if (!tensor || tensor.rank() == 0)
      return parser.emitError(loc, "[repeat-slice] expected a sliced value "
                                   "with a leading dimension, got ")
             << types[i];
    argument.type = getRowType(tensor);
  }
  result.addAttribute(getOperandSegmentSizesAttrName(result.name),
                      builder.getDenseI32ArrayAttr(segments));
  if (parser.parseArrow() || parser.parseLParen())
    return failure();
  if (failed(parser.parseOptionalRParen()) &&
      (parser.parseTypeList(result.types) || parser.parseRParen()))
    return failure();
  return failure(
      parser.resolveOperands(operands, types, loc, result.operands) ||
      parseOtherAttributes(parser, result, /*withKeyword=*/true) ||
      parser.parseRegion(*result.addRegion(), blockArgs));
}

void RepeatOp::print(OpAsmPrinter &printer) {
  printer << " " << getCount().str();
  auto printList = [&](StringRef keyword, OperandRange operands,
                       unsigned first) {
    if (operands.empty())
      return;
    printer << " " << keyword << " (";
    llvm::interleaveComma(llvm::enumerate(operands), printer, [&](auto entry) {
      printer << getBody().getArgument(first + entry.index()) << " = "
              << entry.value() << " : " << entry.value().getType();
    });
    printer << ")";
  };
  printList("carry", getCarried(), 0);
  printList("slice", getSliced(), getCarried().size());
  printer << " -> (";
  llvm::interleaveComma(getResultTypes(), printer);
  printer << ")";
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getCountAttrName(), getOperandSegmentSizesAttrName()});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// Invariants
//===----------------------------------------------------------------------===//

LogicalResult RepeatOp::verifyRegions() {
  std::optional<int64_t> count = getCount().getConstant();
  if (count && *count < 0)
    return emitError("[repeat-count] expected a count of at least 0, got ")
           << *count;
  SmallVector<Type> expected(getCarried().getTypes());
  for (Value sliced : getSliced()) {
    TensorType row = getRowType(sliced.getType());
    if (!row)
      return emitError("[repeat-slice] expected a sliced value with a "
                       "leading dimension, got ")
             << sliced.getType();
    std::optional<int64_t> left = cast<TensorType>(sliced.getType())
                                      .getDims()
                                      .front()
                                      .sub(getCount())
                                      .getConstant();
    if (left && *left < 0)
      return emitError("[repeat-slice] expected a leading dimension of at "
                       "least ")
             << getCount().str() << ", got " << sliced.getType();
    expected.push_back(row);
  }
  Block &block = getBody().front();
  if (block.getArgumentTypes() != TypeRange(expected)) {
    InFlightDiagnostic diag = emitError(
        "[repeat-block] expected the carried values and the rows of the sliced "
        "ones as arguments of the body, (");
    llvm::interleaveComma(expected, diag);
    diag << "), got (";
    llvm::interleaveComma(block.getArgumentTypes(), diag);
    return diag << ")";
  }
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield)
    return emitError("[repeat-yield] expected gyre.yield at the end, got ")
           << block.back().getName();
  size_t carried = getCarried().size();
  if (yield.getNumOperands() < carried ||
      TypeRange(yield.getOperands().take_front(carried)) !=
          TypeRange(getCarried())) {
    InFlightDiagnostic diag = yield.emitError(
        "[repeat-yield] expected the carried values first, of types (");
    llvm::interleaveComma(getCarried().getTypes(), diag);
    diag << "), got (";
    llvm::interleaveComma(yield.getOperandTypes(), diag);
    return diag << ")";
  }
  if (yield.getNumOperands() != getNumResults())
    return yield.emitError("[repeat-yield] expected a value for each of ")
           << getNumResults() << " results, got " << yield.getNumOperands();
  for (auto [i, type] : llvm::enumerate(getResultTypes())) {
    auto result = cast<TensorType>(type);
    auto yielded = cast<TensorType>(yield.getOperand(i).getType());
    if (i >= carried) {
      SmallVector<PolyAttr> dims = {getCount()};
      llvm::append_range(dims, yielded.getDims());
      yielded = yielded.cloneWithDims(dims);
    }
    if (result != yielded)
      return emitError("[repeat-result] expected result ")
             << i << " to be " << yielded << ", got " << result;
  }
  return success();
}

} // namespace gyre
