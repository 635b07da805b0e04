//===- Tables.cpp - Constant arrays of a module ---------------------------===//

#include "Tables.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace gyre::kernels {

static std::string getName(DenseElementsAttr elements) {
  ArrayRef<char> raw = elements.getRawData();
  uint64_t bits = llvm::xxh3_64bits(StringRef(raw.data(), raw.size()));
  std::string name;
  llvm::raw_string_ostream os(name);
  os << "gyre_table_" << elements.getElementType() << "_"
     << elements.getNumElements() << "_"
     << llvm::format_hex_no_prefix(bits, 16);
  return name;
}

Value Tables::pointer(DenseElementsAttr elements, Value at) {
  Type element = elements.getElementType();
  // Named after what is in it: a kernel is then the same text in all modules.
  std::string name = getName(elements);
  auto table = SymbolTable::lookupSymbolIn(module, name);
  for (; table && cast<LLVM::GlobalOp>(table).getValueOrNull() != elements;
       table = SymbolTable::lookupSymbolIn(module, name))
    name += "_";
  if (!table) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&module->getRegion(0).front());
    LLVM::GlobalOp::create(
        b, LLVM::LLVMArrayType::get(element, elements.getNumElements()),
        /*isConstant=*/true, LLVM::Linkage::Internal, name, elements);
  }
  auto type = LLVM::LLVMPointerType::get(b.getContext());
  Value base = LLVM::AddressOfOp::create(b, type, name);
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
