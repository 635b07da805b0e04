//===- Warp.cpp - Lanes that are threads ----------------------------------===//

#include "Warp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gyre::kernels {

static Value constant32(Builder &b, int32_t value) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
}

Team::Team(Builder &b, gpu::GPUFuncOp func, Value thread, int64_t threads,
           int64_t vector, int64_t width)
    : b(b), func(func), thread(thread), threads(threads) {
  Value warpSize = constant(b, kWarp);
  lane = arith::TruncIOp::create(b, b.getI32Type(),
                                 arith::RemUIOp::create(b, thread, warpSize));
  warp = arith::DivUIOp::create(b, thread, warpSize);
  start = arith::MulIOp::create(b, thread, constant(b, vector));
  if (threads * vector == width)
    return;
  active = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, start,
                                 constant(b, width));
  start = arith::SelectOp::create(b, active, start, constant(b, 0));
}

static void buildIf(Builder &b, Value condition, function_ref<void()> build) {
  scf::IfOp::create(b, condition, [&](OpBuilder &, Location) {
    build();
    scf::YieldOp::create(b);
  });
}

void Team::ifActive(function_ref<void()> build) {
  if (active)
    buildIf(b, active, build);
  else
    build();
}

void Team::ifFirst(function_ref<void()> build) {
  buildIf(b,
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread,
                                constant(b, 0)),
          build);
}

Value Team::orZero(Value value) {
  if (!active)
    return value;
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(value.getType()));
  return arith::SelectOp::create(b, active, value, zero);
}

void Team::synchronise() {
  if (isOneWarp())
    NVVM::SyncWarpOp::create(b, constant32(b, -1));
  else
    gpu::BarrierOp::create(b);
}

Value Team::shuffle(Value value, gpu::ShuffleMode mode, Value offset) {
  auto move = [&](Value word) -> Value {
    return gpu::ShuffleOp::create(b, word, offset, constant32(b, kWarp), mode)
        .getShuffleResult();
  };
  if (value.getType().getIntOrFloatBitWidth() <= 32)
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
  return shuffle(value, gpu::ShuffleMode::XOR, constant32(b, distance));
}

Value Team::addCells(Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return value;
  Value sum = vector::ExtractOp::create(b, value, int64_t(0));
  for (int64_t i = 1; i < type.getNumElements(); ++i)
    sum = arith::AddFOp::create(b, sum, vector::ExtractOp::create(b, value, i));
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

Value Team::sumEach(ArrayRef<Value> values, int64_t &shift) {
  SmallVector<Value> left;
  for (Value value : values)
    left.push_back(orZero(addCells(value)));
  Value zero =
      arith::ConstantOp::create(b, b.getZeroAttr(left.front().getType()));
  left.resize(llvm::PowerOf2Ceil(left.size()), zero);
  shift = llvm::Log2_64(kWarp / left.size());
  // Halves of the values go to halves of the threads, until each has one.
  int64_t distance = kWarp / 2;
  for (; left.size() > 1; distance /= 2) {
    Value bit = arith::AndIOp::create(b, lane, constant32(b, distance));
    Value upper = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bit,
                                        constant32(b, 0));
    size_t half = left.size() / 2;
    for (size_t i = 0; i < half; ++i) {
      Value keep = arith::SelectOp::create(b, upper, left[i + half], left[i]);
      Value send = arith::SelectOp::create(b, upper, left[i], left[i + half]);
      left[i] = arith::AddFOp::create(b, keep, exchange(send, distance));
    }
    left.resize(half);
  }
  for (; distance > 0; distance /= 2)
    left[0] = arith::AddFOp::create(b, left[0], exchange(left[0], distance));
  return left[0];
}

Value Team::allocate(Type element, int64_t elements) {
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  return func.addWorkgroupAttribution(
      MemRefType::get({elements}, element, MemRefLayoutAttrInterface(), space),
      b.getLoc());
}

} // namespace gyre::kernels
