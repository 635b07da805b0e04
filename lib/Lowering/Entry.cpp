//===- Entry.cpp - The signature of lowered functions ---------------------===//

#include "Entry.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gyre {

/// Runtime sizes in the order in which the operands name them.
static SmallVector<StringAttr> collectSizes(FuncOp func) {
  llvm::SetVector<StringAttr> names;
  auto visit = [&](PolyAttr size) {
    size.walkVariables([&](StringAttr name) { names.insert(name); });
  };
  for (Type type : llvm::concat<const Type>(func.getArgumentTypes(),
                                            func.getResultTypes())) {
    if (auto map = dyn_cast<MapType>(type)) {
      llvm::for_each(map.getAxisSizes(), visit);
      visit(map.getTarget());
    } else {
      llvm::for_each(cast<TensorType>(type).getDims(), visit);
    }
  }
  return names.takeVector();
}

EntryAttr makeEntry(FuncOp func, ArrayRef<EntryBufferAttr> buffers,
                    EntryDemands demands) {
  MLIRContext *context = func.getContext();
  auto operand = [&](Attribute name, Type type) {
    bool isTensor = isa<TensorType>(type);
    return EntryOperandAttr::get(context, cast<StringAttr>(name), type,
                                 isTensor && demands.compact,
                                 isTensor ? demands.alignment : 0);
  };
  SmallVector<EntryOperandAttr> arguments, results;
  for (auto [name, type] :
       llvm::zip_equal(func.getArgNames(), func.getArgumentTypes()))
    arguments.push_back(operand(name, type));
  for (auto [name, type] :
       llvm::zip_equal(func.getResNames(), func.getResultTypes()))
    results.push_back(operand(name, type));
  return EntryAttr::get(context, func.getSymNameAttr(), demands.device,
                        collectSizes(func), arguments, results, buffers);
}

PolyAttr countElements(TensorType type) {
  PolyAttr count = PolyAttr::constant(type.getContext(), 1);
  for (PolyAttr dim : type.getDims())
    count = count.mul(dim);
  return count;
}

Type getMemoryType(Type element) {
  bool isHalf = isa<Float16Type, BFloat16Type>(element);
  return isHalf ? IntegerType::get(element.getContext(), 16) : element;
}

/// A memref of any strides.
static Type getMemRefType(TensorType type) {
  SmallVector<int64_t> strides(type.rank(), ShapedType::kDynamic);
  auto layout =
      StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic, strides);
  return MemRefType::get(type.getShape(), getMemoryType(type.getElementType()),
                         layout);
}

func::FuncOp createEntryBody(OpBuilder &builder, FuncOp func, EntryAttr entry) {
  SmallVector<Type> types;
  auto map = MemRefType::get({ShapedType::kDynamic}, builder.getI32Type());
  for (EntryOperandAttr operand : llvm::concat<const EntryOperandAttr>(
           entry.getArguments(), entry.getResults())) {
    if (auto tensor = dyn_cast<TensorType>(operand.getType()))
      types.push_back(getMemRefType(tensor));
    else
      types.append(3, map);
  }
  types.append(entry.getSizes().size(), builder.getIndexType());
  types.push_back(MemRefType::get({ShapedType::kDynamic}, builder.getI8Type()));
  auto body = func::FuncOp::create(
      builder, func.getLoc(), (entry.getName().getValue() + "__body").str(),
      builder.getFunctionType(types, {}));
  body.addEntryBlock();
  body->setAttr("gyre.entry", entry);
  if (Attribute derivative = func->getAttr("gyre.derivative"))
    body->setAttr("gyre.derivative", derivative);
  body->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                builder.getUnitAttr());
  return body;
}

} // namespace gyre
