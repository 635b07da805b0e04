//===- Warp.cpp - Lanes that are threads ----------------------------------===//

#include "Warp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gyre::kernels {

Team::Team(Builder &b, gpu::GPUFuncOp func, Value thread, int64_t threads,
           int64_t vector, int64_t width, Value first)
    : b(b), func(func), thread(thread), threads(threads) {
  Value warpSize = constant(b, kWarp);
  lane = arith::TruncIOp::create(b, b.getI32Type(),
                                 arith::RemUIOp::create(b, thread, warpSize));
  warp = arith::DivUIOp::create(b, thread, warpSize);
  start = arith::MulIOp::create(b, thread, constant(b, vector));
  if (first)
    start = arith::AddIOp::create(b, first, start);
  if (first ? width % (threads * vector) == 0 : threads * vector == width)
    return;
  active = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, start,
                                 constant(b, width));
  start = arith::MinSIOp::create(b, start, constant(b, width - vector));
}

Value Team::orZero(Value value) {
  if (!active)
    return value;
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(value.getType()));
  return arith::SelectOp::create(b, active, value, zero);
}

void Team::synchroniseWarp() {
  constexpr int32_t allThreads = -1;
  NVVM::SyncWarpOp::create(b, constant32(b, allThreads));
}

void Team::synchronise() {
  if (isOneWarp())
    synchroniseWarp();
  else
    gpu::BarrierOp::create(b);
}

/// gpu.shuffle is pure: what was moved before would be kept in a register for
/// as long as it is moved again.
Value Team::shuffle(Value value, NVVM::ShflKind kind, Value offset) {
  constexpr int32_t allThreads = -1, wholeWarp = kWarp - 1;
  auto move = [&](Value word) -> Value {
    Value threads = constant32(b, allThreads), mask = constant32(b, wholeWarp);
    return NVVM::ShflOp::create(b, word.getType(), threads, word, offset, mask,
                                kind, /*return_value_and_is_valid=*/UnitAttr());
  };
  unsigned width = value.getType().getIntOrFloatBitWidth();
  if (width < 32) {
    Type bits = b.getIntegerType(width);
    Value word = arith::ExtUIOp::create(
        b, b.getI32Type(), arith::BitcastOp::create(b, bits, value));
    word = arith::TruncIOp::create(b, bits, move(word));
    return arith::BitcastOp::create(b, value.getType(), word);
  }
  if (width == 32)
    return move(value);
  // Two words.
  auto words = VectorType::get({2}, b.getI32Type());
  auto single = VectorType::get({1}, value.getType());
  Value pair = vector::BitCastOp::create(
      b, words, vector::BroadcastOp::create(b, single, value));
  SmallVector<Value> moved;
  for (int64_t i = 0; i < 2; ++i)
    moved.push_back(move(vector::ExtractOp::create(b, pair, i)));
  Value result = vector::BitCastOp::create(
      b, single, vector::FromElementsOp::create(b, words, moved));
  return vector::ExtractOp::create(b, result, int64_t(0));
}

Value Team::exchange(Value value, int64_t distance) {
  return shuffle(value, NVVM::ShflKind::bfly, constant32(b, distance));
}

Value Team::hasLaneBit(int64_t bit) {
  Value masked = arith::AndIOp::create(b, lane, constant32(b, bit));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, masked,
                               constant32(b, 0));
}

Value Team::addCells(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return value;
  // The last product that a cell is may join the sum in one instruction.
  auto contract = arith::FastMathFlagsAttr::get(b.getContext(),
                                                arith::FastMathFlags::contract);
  Value sum = vector::ExtractOp::create(b, value, int64_t(0));
  for (int64_t i = 1; i < type.getNumElements(); ++i)
    sum = arith::AddFOp::create(b, sum, vector::ExtractOp::create(b, value, i),
                                contract);
  return sum;
}

Value Team::sumAll(Value value) {
  value = orZero(addCells(value));
  for (int64_t distance = kWarp / 2; distance > 0; distance /= 2)
    value = arith::AddFOp::create(b, value, exchange(value, distance));
  if (isOneWarp())
    return value;
  if (!scratch)
    scratch = allocate(value.getType(), getWarps());
  auto index = [&](Value at) -> Value {
    return arith::IndexCastOp::create(b, b.getIndexType(), at);
  };
  memref::StoreOp::create(b, value, scratch, index(warp));
  synchronise();
  Value sum;
  for (int64_t i = 0; i < getWarps(); ++i) {
    Value part = memref::LoadOp::create(b, scratch, index(constant(b, i)));
    sum = sum ? Value(arith::AddFOp::create(b, sum, part)) : part;
  }
  synchronise();
  return sum;
}

Value Team::allocate(Type element, int64_t elements) {
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  // Loads of neighbours become one, which asks for more than an element's
  // alignment.
  constexpr int64_t alignment = 16;
  unsigned number = func.getNumWorkgroupAttributions();
  Value memory = func.addWorkgroupAttribution(
      MemRefType::get({elements}, element, MemRefLayoutAttrInterface(), space),
      b.getLoc());
  func.setWorkgroupAttributionAttr(number,
                                   LLVM::LLVMDialect::getAlignAttrName(),
                                   b.getI64IntegerAttr(alignment));
  return memory;
}

Value Team::getDynamicMemory() { return kernels::getDynamicMemory(b, func); }

Value getDynamicMemory(Builder &b, gpu::GPUFuncOp func) {
  constexpr StringLiteral name = "gyre_shared";
  constexpr unsigned alignment = 16;
  constexpr auto space = static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared);
  auto module = func->getParentOfType<gpu::GPUModuleOp>();
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(b.getI8Type(), 0),
                           /*isConstant=*/false, LLVM::Linkage::External, name,
                           Attribute(), alignment, space);
  }
  return LLVM::AddressOfOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext(), space), name);
}

} // namespace gyre::kernels
