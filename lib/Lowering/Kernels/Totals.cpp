//===- Totals.cpp - Sums of sums, in shared memory ------------------------===//

#include "Totals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gyre::kernels {

static constexpr unsigned kAlignment = 16;

/// Threads that are neighbours have neighbours.
Value Totals::point(int64_t number) {
  Value own = arith::MulIOp::create(
      b, thread, constant32(b, getVector().getNumElements()));
  own = LLVM::GEPOp::create(b, memory.getType(), element, memory, own);
  auto bytes = static_cast<int32_t>(first + getBytes(number));
  return LLVM::GEPOp::create(b, memory.getType(), b.getI8Type(), own,
                             ArrayRef<LLVM::GEPArg>{bytes});
}

void Totals::store(ValueRange totals) {
  VectorType type = getVector();
  int64_t width = type.getNumElements();
  for (int64_t i = 0, end = totals.size(); i < end; i += width) {
    Value some =
        vector::FromElementsOp::create(b, type, totals.slice(i, width));
    LLVM::StoreOp::create(b, some, point(i), kAlignment);
  }
}

Values Totals::load(int64_t count) {
  VectorType type = getVector();
  Values totals;
  for (int64_t i = 0; i < count; i += type.getNumElements()) {
    Value some = LLVM::LoadOp::create(b, type, point(i), kAlignment);
    for (int64_t j = 0; j < type.getNumElements(); ++j)
      totals.push_back(vector::ExtractOp::create(b, some, j));
  }
  return totals;
}

} // namespace gyre::kernels
