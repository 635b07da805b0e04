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

/// Has the entry point refuse calls in which `size` is negative.
static void require(PolyAttr size, SmallVectorImpl<EntryBufferAttr> &buffers) {
  if (llvm::all_of(size.getCoefs(), [](int64_t coef) { return coef >= 0; }))
    return;
  auto buffer = EntryBufferAttr::get(size.getContext(), 0, size);
  if (!llvm::is_contained(buffers, buffer))
    buffers.push_back(buffer);
}

void requireSizes(Operation *op, SmallVectorImpl<EntryBufferAttr> &buffers) {
  auto require = [&](PolyAttr size) { gyre::require(size, buffers); };
  if (auto slice = dyn_cast<SliceOp>(op)) {
    PolyAttr dim =
        cast<TensorType>(slice.getX().getType()).getDims()[slice.getAxis()];
    require(slice.getFrom());
    require(dim.sub(slice.getFrom()).sub(slice.getSize()));
  } else if (auto pad = dyn_cast<PadOp>(op)) {
    require(pad.getLow());
    require(pad.getHigh());
  } else if (auto max = dyn_cast<MaxSlotOp>(op)) {
    // A slot is unsigned; its type must hold the last one.
    unsigned width = cast<TensorType>(max.getSlot().getType())
                         .getElementType()
                         .getIntOrFloatBitWidth();
    PolyAttr slots =
        cast<TensorType>(max.getX().getType()).getDims()[max.getReducedDim()];
    if (width < 63)
      require(
          PolyAttr::constant(op->getContext(), int64_t(1) << width).sub(slots));
  } else if (auto contract = dyn_cast<ContractOp>(op)) {
    TuplesAttr tuples = contract.getTuples();
    if (!tuples)
      return;
    for (auto [position, axis] : llvm::enumerate(tuples.getAxes())) {
      int64_t last = -1;
      for (int64_t i = 0; i < tuples.size(); ++i)
        last = std::max(last, tuples.tuple(i)[position]);
      require(contract.getAxisSize(axis).sub(
          PolyAttr::constant(op->getContext(), last + 1)));
    }
  }
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
