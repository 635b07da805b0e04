//===- Types.cpp - Types: text form and invariants ------------------------===//

#include "gyre/Dialect/PolySyntax.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace gyre;

#define GET_TYPEDEF_CLASSES
#include "gyre/Dialect/GyreTypes.cpp.inc"

namespace gyre {

void GyreDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "gyre/Dialect/GyreTypes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// ElementType
//===----------------------------------------------------------------------===//

Type ElementType::parse(AsmParser &parser) {
  StringRef name;
  if (parser.parseLess() || parser.parseKeyword(&name) ||
      parser.parseGreater())
    return {};
  return ElementType::get(parser.getContext(),
                          StringAttr::get(parser.getContext(), name));
}

void ElementType::print(AsmPrinter &printer) const {
  printer << "<" << getName().getValue() << ">";
}

/// Nominal: arith asks for semantics while the type is still a parameter.
const llvm::fltSemantics &ElementType::getFloatSemantics() const {
  return llvm::APFloat::IEEEdouble();
}

//===----------------------------------------------------------------------===//
// TensorType
//===----------------------------------------------------------------------===//

TensorType TensorType::get(ArrayRef<PolyAttr> dims, Type elementType) {
  SmallVector<int64_t> shape;
  for (PolyAttr dim : dims)
    shape.push_back(dim.getConstant().value_or(ShapedType::kDynamic));
  return Base::get(elementType.getContext(), dims, elementType, shape);
}

TensorType TensorType::getChecked(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<PolyAttr> dims, Type elementType) {
  SmallVector<int64_t> shape;
  for (PolyAttr dim : dims)
    shape.push_back(dim.getConstant().value_or(ShapedType::kDynamic));
  return Base::getChecked(emitError, elementType.getContext(), dims,
                          elementType, shape);
}

LogicalResult TensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<PolyAttr> dims, Type elementType,
                                 ArrayRef<int64_t>) {
  if (!isa<FloatType, IntegerType>(elementType))
    return emitError() << "[tensor-element] expected a float or integer "
                          "element type, got "
                       << elementType;
  for (PolyAttr dim : dims)
    if (dim.getConstant().value_or(0) < 0)
      return emitError() << "[tensor-size] expected sizes of at least 0, got "
                         << dim.str();
  return success();
}

/// `E x 3*L + 1 x act`: each dimension is followed by an `x`; what is not, is
/// the element type, a bare name standing for a type parameter.
Type TensorType::parse(AsmParser &parser) {
  MLIRContext *context = parser.getContext();
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<PolyAttr> dims;
  Type element;
  if (parser.parseLess())
    return {};
  while (!element) {
    // A parenthesis starts a size here, though parseOptionalType would take it
    // for a function type.
    bool paren = succeeded(parser.parseOptionalLParen());
    if (!paren) {
      OptionalParseResult type = parser.parseOptionalType(element);
      if (type.has_value()) {
        if (failed(*type))
          return {};
        break;
      }
    }
    PolyAttr dim;
    SMLoc dimLoc = parser.getCurrentLocation();
    if (paren ? parsePolyAfterParen(parser, dim) : parsePoly(parser, dim))
      return {};
    if (succeeded(parser.parseOptionalKeyword("x"))) {
      dims.push_back(dim);
      continue;
    }
    StringAttr name = dim.getVariable();
    if (!name) {
      parser.emitError(dimLoc, "[tensor-syntax] expected ` x ` and an element "
                               "type after the size ")
          << dim.str();
      return {};
    }
    element = ElementType::get(context, name);
  }
  if (parser.parseGreater())
    return {};
  return TensorType::getChecked([&] { return parser.emitError(loc); }, dims,
                                element);
}

void TensorType::print(AsmPrinter &printer) const {
  printer << "<";
  for (PolyAttr dim : getDims())
    printer << dim.str() << " x ";
  if (auto parameter = dyn_cast<ElementType>(getElementType()))
    printer << parameter.getName().getValue();
  else
    printer << getElementType();
  printer << ">";
}

TensorType TensorType::cloneWithDims(ArrayRef<PolyAttr> dims) const {
  return get(dims, getElementType());
}

TensorType TensorType::cloneWithElement(Type element) const {
  return get(getDims(), element);
}

/// Upstream ops ask for the same shape with another element type; a new shape
/// comes with constant sizes, for it has no names.
ShapedType TensorType::cloneWith(std::optional<ArrayRef<int64_t>> shape,
                                 Type elementType) const {
  if (!shape || *shape == getShape())
    return cloneWithElement(elementType);
  SmallVector<PolyAttr> dims;
  for (int64_t size : *shape)
    dims.push_back(ShapedType::isDynamic(size)
                       ? PolyAttr::variable(StringAttr::get(getContext(), "_"))
                       : PolyAttr::constant(getContext(), size));
  return get(dims, elementType);
}

//===----------------------------------------------------------------------===//
// MapType
//===----------------------------------------------------------------------===//

LogicalResult MapType::verify(function_ref<InFlightDiagnostic()> emitError,
                              ArrayRef<AxisAttr> axes, PolyAttr, bool) {
  if (axes.empty())
    return emitError() << "[map-axes] expected at least one axis";
  for (size_t i = 0; i < axes.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (axes[i].getName() == axes[j].getName())
        return emitError() << "[map-axes] expected axes of different names, "
                              "got two of name "
                           << axes[i].getName();
  return success();
}

Type MapType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<AxisAttr> axes;
  PolyAttr target;
  auto parseOne = [&]() { return parseAxis(parser, axes.emplace_back()); };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne) ||
      parser.parseKeyword("to") || parsePoly(parser, target))
    return {};
  bool padded = succeeded(parser.parseOptionalComma());
  if (padded && parser.parseKeyword("padded"))
    return {};
  if (parser.parseGreater())
    return {};
  return MapType::getChecked([&] { return parser.emitError(loc); },
                             parser.getContext(), axes, target, padded);
}

void MapType::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getAxes(), printer,
                        [&](AxisAttr axis) { printAxis(printer, axis); });
  printer << "] to " << getTarget().str() << (getPadded() ? ", padded>" : ">");
}

SmallVector<PolyAttr> MapType::getAxisSizes() const {
  return llvm::map_to_vector(getAxes(),
                             [](AxisAttr axis) { return axis.getSize(); });
}

} // namespace gyre
