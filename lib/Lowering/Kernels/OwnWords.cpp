//===- OwnWords.cpp - Constants of each thread of a team ------------------===//

#include "OwnWords.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace gyre::kernels {

static constexpr int64_t kWordBytes = 4;

OwnWords::OwnWords(Builder &b, Team &team, Tables &tables, int64_t teams,
                   Value number)
    : b(b), team(team), tables(tables), threads(team.getWarps() * kWarp),
      teams(teams) {
  Value first = arith::MulIOp::create(b, number, constant(b, threads));
  own = arith::AddIOp::create(b, first, team.getThread());
  start = own.getDefiningOp();
}

int64_t OwnWords::getBytes() const {
  return slots.size() * threads * teams * kWordBytes;
}

Value OwnWords::get(function_ref<int32_t(int64_t)> word) {
  std::vector<int32_t> elements;
  for (int64_t thread = 0; thread < threads; ++thread)
    elements.push_back(word(thread));
  int64_t next = begin + getBytes();
  Value &slot = slots[elements];
  if (!slot) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfter(start);
    // All have one base, and constant offsets from it.
    slot = team.getDynamicMemory();
    Type type = slot.getType();
    slot = LLVM::GEPOp::create(b, type, b.getI32Type(), slot, own);
    slot = LLVM::GEPOp::create(b, type, b.getI8Type(), slot, constant(b, next));
    Value element = tables.load(elements, team.getThread());
    element = arith::TruncIOp::create(b, b.getI32Type(), element);
    start = LLVM::StoreOp::create(b, element, slot);
  }
  Value kept = LLVM::LoadOp::create(b, b.getI32Type(), slot, kWordBytes,
                                    /*isVolatile=*/true);
  return arith::ExtSIOp::create(b, b.getI64Type(), kept);
}

} // namespace gyre::kernels
