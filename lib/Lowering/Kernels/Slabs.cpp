//===- Slabs.cpp - Slabs of a tile, one after another ---------------------===//

#include "Slabs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gyre::kernels {

Slabs::Slabs(Builder &b, Shape shape, Value memory, Value thread,
             std::optional<int64_t> known, Value begin, Value end)
    : b(b), shape(shape), memory(memory), thread(thread), known(known) {
  // Then it is counted in one register.
  if (this->known && *this->known >= (int64_t(1) << 30))
    this->known = std::nullopt;
  first = this->known ? number(0) : begin;
  last = this->known ? number(*this->known) : end;
}

Value Slabs::number(int64_t depth) {
  return known ? constant32(b, depth) : constant(b, depth);
}

void Slabs::copyIfAny(Value stage, Value k) {
  Value exists = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, k, last);
  scf::IfOp::create(b, exists, [&](OpBuilder &, Location) {
    copy(stage,
         known ? Value(arith::ExtUIOp::create(b, b.getI64Type(), k)) : k);
    scf::YieldOp::create(b);
  });
  NVVM::CpAsyncCommitGroupOp::create(b);
}

void Slabs::fill() {
  for (int64_t i = 0; i + 1 < shape.stages; ++i) {
    Value stage = constant32(b, i * shape.stageBytes);
    copyIfAny(stage, arith::AddIOp::create(b, first, number(i * shape.depth)));
  }
  reads = constant32(b, 0);
  writes = constant32(b, (shape.stages - 1) * shape.stageBytes);
}

void Slabs::wait(int64_t onTheirWay, Value arriving) {
  NVVM::CpAsyncWaitGroupOp::create(b, onTheirWay);
  if (arrived)
    arrived(getRows(arriving), getColumns(arriving));
  // They would not see yet what threads have copied.
  if (shape.ofWarpgroups)
    NVVM::FenceProxyOp::create(
        b, NVVM::ProxyKind::async_shared,
        NVVM::SharedSpaceAttr::get(b.getContext(),
                                   NVVM::SharedSpace::shared_cta));
  gpu::BarrierOp::create(b);
}

void Slabs::copyNext(const Turn &turn) {
  copyIfAny(turn.writes,
            arith::AddIOp::create(b, turn.k,
                                  number((shape.stages - 1) * shape.depth)));
}

Value Slabs::getNext(Value stage) {
  Value after =
      arith::AddIOp::create(b, stage, constant32(b, shape.stageBytes));
  Value isEnd =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, after,
                            constant32(b, shape.stages * shape.stageBytes));
  return arith::SelectOp::create(b, isEnd, constant32(b, 0), after);
}

Value Slabs::getRows(Value stage) {
  return LLVM::GEPOp::create(b, memory.getType(), b.getI8Type(), memory, stage);
}

Value Slabs::getColumns(Value stage) {
  auto bytes = static_cast<int32_t>(shape.rowBytes);
  return LLVM::GEPOp::create(b, memory.getType(), b.getI8Type(), getRows(stage),
                             ArrayRef<LLVM::GEPArg>{bytes});
}

Values Slabs::run(Value from, Value to, ValueRange carried, Body body) {
  Values all(carried);
  all.push_back(reads);
  all.push_back(writes);
  auto loop = scf::ForOp::create(
      b, from, to, number(shape.depth), all,
      [&](OpBuilder &, Location, Value k, ValueRange carried) {
        Turn turn{k, carried.drop_back().back(), carried.back()};
        Values next = body(turn, carried.drop_back(2));
        next.push_back(getNext(turn.reads));
        next.push_back(getNext(turn.writes));
        scf::YieldOp::create(b, next);
      });
  reads = loop.getResults().drop_back().back();
  writes = loop.getResults().back();
  return Values(loop.getResults().drop_back(2));
}

void Slabs::runInParts(int64_t most, function_ref<void(Value, Value)> body) {
  auto loop = scf::ForOp::create(
      b, first, last, number(most), ValueRange{reads, writes},
      [&](OpBuilder &, Location, Value from, ValueRange carried) {
        reads = carried[0];
        writes = carried[1];
        Value to = arith::MinSIOp::create(
            b, arith::AddIOp::create(b, from, number(most)), last);
        body(from, to);
        scf::YieldOp::create(b, ValueRange{reads, writes});
      });
  reads = loop.getResult(0);
  writes = loop.getResult(1);
}

Totals Slabs::makeTotals(Type element, int64_t count) {
  Totals totals(b, memory, shape.stages * shape.stageBytes, thread,
                shape.threads, element);
  totalBytes = totals.getBytes(count);
  return totals;
}

} // namespace gyre::kernels
