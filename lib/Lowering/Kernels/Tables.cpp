//===- Tables.cpp - Constant arrays of a module ---------------------------===//

#include "Tables.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace gyre::kernels {

Value Tables::pointer(DenseElementsAttr elements, Value at) {
  Type element = elements.getElementType();
  Block &block = module->getRegion(0).front();
  LLVM::GlobalOp table;
  unsigned number = 0;
  for (auto global : block.getOps<LLVM::GlobalOp>()) {
    if (global.getValueOrNull() == elements)
      table = global;
    ++number;
  }
  if (!table) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&block);
    table = LLVM::GlobalOp::create(
        b, LLVM::LLVMArrayType::get(element, elements.getNumElements()),
        /*isConstant=*/true, LLVM::Linkage::Internal,
        "gyre_table_" + std::to_string(number), elements);
  }
  auto type = LLVM::LLVMPointerType::get(b.getContext());
  Value base = LLVM::AddressOfOp::create(b, type, table.getSymName());
  return LLVM::GEPOp::create(b, type, element, base, at);
}

static Value loadConstant(Builder &b, Type type, Value pointer) {
  return LLVM::LoadOp::create(
      b, type, pointer, type.getIntOrFloatBitWidth() / 8,
      /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/true);
}

Value Tables::load(ArrayRef<int32_t> elements, Value at) {
  auto type = RankedTensorType::get({static_cast<int64_t>(elements.size())},
                                    b.getI32Type());
  Value from = pointer(DenseElementsAttr::get(type, elements), at);
  return arith::ExtSIOp::create(b, b.getI64Type(),
                                loadConstant(b, b.getI32Type(), from));
}

Value Tables::load(ArrayRef<double> elements, Type type, Value at) {
  auto values = llvm::map_to_vector(elements, [&](double value) {
    return cast<Attribute>(b.getFloatAttr(type, value));
  });
  auto tensor =
      RankedTensorType::get({static_cast<int64_t>(elements.size())}, type);
  return loadConstant(b, type,
                      pointer(DenseElementsAttr::get(tensor, values), at));
}

} // namespace gyre::kernels
