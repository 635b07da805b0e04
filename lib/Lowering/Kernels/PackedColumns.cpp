//===- PackedColumns.cpp - Columns that are split once --------------------===//

#include "PackedColumns.h"

#include "TileOperand.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gyre::kernels {

std::optional<PackedColumns> PackedColumns::get(CellsOp kernel,
                                                const tiles::Product &product,
                                                int64_t first, int64_t before) {
  std::optional<Precision> mode = product.getMatrixMode();
  std::optional<TileAttr> tile = kernel.getTile();
  if (!mode || !tile || kernel.getParts() || !product.hasSharedColumns() ||
      tile->getDepth() % kStep != 0)
    return std::nullopt;
  PackedColumns packed(PartSplit::get(*mode));
  packed.ofWarpgroups = tile->getWarpgroups();
  packed.adds = product.addsOnMatrixUnits(before);
  packed.mostAdded = product.countMostAdded();
  packed.columns = tile->getColumns();
  packed.depth = tile->getDepth();
  packed.batches = *product.count(product.batch).getConstant();
  packed.tiles = llvm::divideCeil(*product.count(product.columns).getConstant(),
                                  packed.columns);
  packed.whole = *product.count(product.depth).getConstant();
  packed.slabs = llvm::divideCeil(packed.whole, packed.depth);
  packed.first = first;
  return packed;
}

Value PackedColumns::getBatch(Builder &b, Value at) const {
  return arith::DivUIOp::create(b, at,
                                constant(b, tiles * slabs * getTileThreads()));
}

void PackedColumns::pack(Builder &b, TileOperand &operand, Value buffer,
                         Value at) const {
  auto take = [&](int64_t count) -> Value {
    Value rest = arith::RemUIOp::create(b, at, constant(b, count));
    at = arith::DivUIOp::create(b, at, constant(b, count));
    return rest;
  };
  auto times = [&](Value x, int64_t by) -> Value {
    return arith::MulIOp::create(b, x, constant(b, by));
  };
  auto add = [&](ValueRange terms) -> Value {
    Value sum = terms.front();
    for (Value term : terms.drop_front())
      sum = arith::AddIOp::create(b, sum, term);
    return sum;
  };
  auto over = [&](Value x, int64_t by) -> std::pair<Value, Value> {
    return {arith::DivUIOp::create(b, x, constant(b, by)),
            arith::RemUIOp::create(b, x, constant(b, by))};
  };
  Value lane = take(kLanes), step = take(depth / kStep);
  Value eight = take(columns / kEight), slab = take(slabs), tile = take(tiles);
  auto [n, q] = over(lane, 4);
  // Column n of eight of a matrix unit; a lane's sums of two neighbouring
  // eights are of four neighbours.
  auto [sixteen, odd] = over(eight, 2);
  auto [pair, second] = over(n, 2);
  Value column = add({times(tile, columns), times(sixteen, 16), times(pair, 4),
                      times(odd, 2), second});
  Value k = add({times(slab, depth), times(step, kStep), times(q, 4)});
  Values numbers;
  Value end = constant(b, whole);
  for (int64_t i = 0; i < 4; ++i)
    numbers.push_back(operand.getCell(column, add({k, constant(b, i)}), end));
  // Batches are what is left.
  Value start =
      add({times(add({times(add({times(at, tiles), tile}), slabs), slab}),
                 getSlabWords()),
           constant(b, first)});
  int64_t ofLane = ofWarpgroups ? 1 : getStepWords();
  Value inPart = add({times(step, getPlace(0, 0, 1)), times(lane, ofLane)});
  Type word = b.getI32Type();
  for (auto [part, words] : llvm::enumerate(split.apply(b, numbers))) {
    Values own;
    for (Value value : words)
      own.push_back(value.getType() == word
                        ? value
                        : Value(LLVM::BitcastOp::create(b, word, value)));
    Value place =
        add({start, inPart, times(eight, getPlace(1, 0, 0)),
             constant(b, getPlace(0, static_cast<int64_t>(part), 0))});
    Value to = LLVM::GEPOp::create(b, buffer.getType(), word, buffer, place);
    if (ofWarpgroups) {
      for (auto [i, value] : llvm::enumerate(own)) {
        auto apart = static_cast<int32_t>(i * kLanes);
        LLVM::StoreOp::create(
            b, value,
            LLVM::GEPOp::create(b, to.getType(), word, to,
                                ArrayRef<LLVM::GEPArg>{apart}));
      }
      continue;
    }
    LLVM::StoreOp::create(b,
                          vector::FromElementsOp::create(
                              b, VectorType::get({getStepWords()}, word), own),
                          to, getStepWords() * kWordBytes);
  }
}

Value PackedColumns::begin(Builder &b, Value buffer, Value batch, Value tile,
                           Value thread) const {
  constexpr int64_t width = 16;
  Value number = arith::AddIOp::create(
      b, arith::MulIOp::create(b, batch, constant(b, tiles)), tile);
  Value bytes =
      arith::MulIOp::create(b, number, constant(b, slabs * getSlabBytes()));
  Value own = arith::ExtUIOp::create(b, b.getI64Type(), thread);
  own = arith::MulIOp::create(b, own, constant(b, width));
  bytes = arith::AddIOp::create(b, bytes, own);
  bytes = arith::AddIOp::create(b, bytes, constant(b, first * kWordBytes));
  auto global = LLVM::LLVMPointerType::get(
      b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  return LLVM::AddrSpaceCastOp::create(
      b, global,
      LLVM::GEPOp::create(b, buffer.getType(), b.getI8Type(), buffer, bytes));
}

void PackedColumns::copy(Builder &b, Value from, Value to, Value k,
                         Value thread, int64_t threads) const {
  constexpr int64_t width = 16;
  auto advance = [&](Value pointer, Value bytes) -> Value {
    return LLVM::GEPOp::create(b, pointer.getType(), b.getI8Type(), pointer,
                               bytes);
  };
  auto advanceBy = [&](Value pointer, int64_t bytes) -> Value {
    return LLVM::GEPOp::create(
        b, pointer.getType(), b.getI8Type(), pointer,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)});
  };
  // Slabs lie one after the other.
  from = advance(
      from, arith::MulIOp::create(b, k, constant(b, getSlabBytes() / depth)));
  to = advance(to, arith::MulIOp::create(b, thread, constant32(b, width)));
  shareAccesses(b, thread, threads, getSlabBytes() / width, [&](int64_t i) {
    int64_t at = i * threads * width;
    NVVM::CpAsyncOp::create(b, advanceBy(to, at), advanceBy(from, at), width,
                            NVVM::LoadCacheModifierKind::CG, Value());
  });
}

} // namespace gyre::kernels
