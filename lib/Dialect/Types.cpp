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
  StringAttr name;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parseName(parser, name) || parser.parseGreater())
    return {};
  // In a tensor type the bare name would be read as something else.
  if (name == "x" || isElementTypeName(name)) {
    parser.emitError(loc, "[name-syntax] expected a name other than `x` and "
                          "builtin types, got `")
        << name.getValue() << "`";
    return {};
  }
  return ElementType::get(parser.getContext(), name);
}

void ElementType::print(AsmPrinter &printer) const {
  printer << "<" << getName().getValue() << ">";
}

/// Nominal: arith and math ask whether an element is a float, and the float
/// interface asks for semantics. Those of the widest choice, so that nobody
/// takes a parameter for narrower than what may stand in its place.
const llvm::fltSemantics &ElementType::getFloatSemantics() const {
  return llvm::APFloat::IEEEdouble();
}

//===----------------------------------------------------------------------===//
// TensorType
//===----------------------------------------------------------------------===//

/// The sizes as upstream ops see them.
static SmallVector<int64_t> getShape(ArrayRef<PolyAttr> dims) {
  return llvm::map_to_vector(dims, [](PolyAttr dim) {
    return dim.getConstant().value_or(ShapedType::kDynamic);
  });
}

TensorType TensorType::get(ArrayRef<PolyAttr> dims, Type elementType) {
  return Base::get(elementType.getContext(), dims, elementType,
                   gyre::getShape(dims));
}

TensorType TensorType::getChecked(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<PolyAttr> dims, Type elementType) {
  return Base::getChecked(emitError, elementType.getContext(), dims,
                          elementType, gyre::getShape(dims));
}

bool TensorType::isSupportedFloat(Type type) {
  return isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(type);
}

static bool isSupportedElement(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return TensorType::isSupportedFloat(type) || isa<ElementType>(type) ||
         (integer && integer.isSignless() &&
          llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth()));
}

/// The first size that is negative, or larger than 64 bits hold; null when all
/// may be sizes.
static PolyAttr findBadSize(ArrayRef<PolyAttr> dims) {
  for (PolyAttr dim : dims)
    if (dim.getConstant().value_or(0) < 0)
      return dim;
  return {};
}

LogicalResult TensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<PolyAttr> dims, Type elementType,
                                 ArrayRef<int64_t>) {
  if (!isSupportedElement(elementType))
    return emitError() << "[tensor-element] expected an element type of f64, "
                          "f32, f16, bf16, i1, i8, i16, i32, i64 or a type "
                          "parameter, got "
                       << elementType;
  if (PolyAttr dim = findBadSize(dims))
    return emitError() << "[tensor-size] expected sizes of at least 0, got "
                       << dim.str();
  return success();
}

TensorType TensorType::getOperand(std::optional<Location> loc, Value operand) {
  if (auto type = dyn_cast<TensorType>(operand.getType()))
    return type;
  (void)emitOptionalError(loc, "[tensor-operand] expected a gyre tensor, got ",
                          operand.getType());
  return {};
}

LogicalResult TensorType::infer(std::optional<Location> loc,
                                ArrayRef<PolyAttr> dims, Type elementType,
                                SmallVectorImpl<Type> &inferred) {
  if (PolyAttr dim = findBadSize(dims))
    return emitOptionalError(
        loc, "[tensor-size] expected sizes of at least 0, got ", dim.str());
  inferred.push_back(get(dims, elementType));
  return success();
}

/// The type parameter that ends a tensor type, read as the size `dim`.
static Type getParameter(AsmParser &parser, SMLoc loc, PolyAttr dim) {
  StringRef rest;
  (void)parser.parseOptionalKeyword(&rest);
  StringAttr name = dim.getVariable();
  // Without spaces `4x3xf32` is read as `4` and `x3xf32`, and `Nx3xf32` as a
  // name.
  if (rest.starts_with("x") ||
      (name && rest.empty() &&
       isElementTypeName(name.getValue().rsplit('x').second))) {
    parser.emitError(loc, "[tensor-syntax] expected dimensions that are "
                          "separated by ` x `, with spaces, got `")
        << dim.str() << rest << "`";
    return {};
  }
  if (!name || !rest.empty()) {
    parser.emitError(loc, "[tensor-syntax] expected ` x ` and an element type "
                          "after the size ")
        << dim.str();
    return {};
  }
  return ElementType::get(parser.getContext(), name);
}

/// `E x 3*L + 1 x act`: each dimension is followed by an `x`; what is not, is
/// the element type, a bare name standing for a type parameter.
Type TensorType::parse(AsmParser &parser) {
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
    element = getParameter(parser, dimLoc, dim);
    if (!element)
      return {};
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

/// Upstream ops ask for the same shape with another element type. A dimension
/// of another shape keeps its name where the sizes agree; an unknown size that
/// has no name to keep is called `_`, which equals no size that a spec binds.
ShapedType TensorType::cloneWith(std::optional<ArrayRef<int64_t>> shape,
                                 Type elementType) const {
  if (!shape || *shape == getShape())
    return cloneWithElement(elementType);
  SmallVector<PolyAttr> dims;
  for (auto [i, size] : llvm::enumerate(*shape)) {
    if (shape->size() == getShape().size() && size == getShape()[i])
      dims.push_back(getDims()[i]);
    else if (ShapedType::isDynamic(size))
      dims.push_back(PolyAttr::variable(StringAttr::get(getContext(), "_")));
    else
      dims.push_back(PolyAttr::constant(getContext(), size));
  }
  return get(dims, elementType);
}

//===----------------------------------------------------------------------===//
// MapType
//===----------------------------------------------------------------------===//

LogicalResult MapType::verify(function_ref<InFlightDiagnostic()> emitError,
                              ArrayRef<AxisAttr> axes, PolyAttr target, bool) {
  if (axes.empty())
    return emitError() << "[map-axes] expected at least one axis, got none";
  for (size_t i = 0; i < axes.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (axes[i].getName() == axes[j].getName())
        return emitError() << "[map-axes] expected axes of different names, "
                              "got two of name `"
                           << axes[i].getName().getValue() << "`";
  SmallVector<PolyAttr> sizes = {target};
  for (AxisAttr axis : axes)
    sizes.push_back(axis.getSize());
  if (PolyAttr size = findBadSize(sizes))
    return emitError() << "[map-size] expected sizes of at least 0, got "
                       << size.str();
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

MapType MapType::getOperand(std::optional<Location> loc, Value operand) {
  if (auto type = dyn_cast<MapType>(operand.getType()))
    return type;
  (void)emitOptionalError(loc, "[map-operand] expected a gyre map, got ",
                          operand.getType());
  return {};
}

} // namespace gyre
