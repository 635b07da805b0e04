//===- TileProduct.cpp - Products by fused multiply-adds ------------------===//

#include "TileProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gyre::kernels {

/// Steps of depth that are straight-line code. More of it does not stay in the
/// memory that a multiprocessor has for instructions.
static constexpr int64_t kUnrolled = 8;

std::unique_ptr<TileProduct>
TileProduct::create(Builder &b, const tiles::Product &product, const Slab &rows,
                    const Slab &columns,
                    const std::optional<PackedColumns> &packed, Value thread) {
  std::optional<Precision> mode = product.getMatrixMode();
  if (mode && packed && packed->isOfWarpgroups())
    return createWarpgroupProduct(b, *mode, rows, columns, *packed, thread);
  if (mode)
    return createMatrixProduct(b, *mode, rows, columns, packed, thread);
  return createMultiplyAdds(b, rows, columns, thread);
}

Values SlabProduct::zeros() {
  Value zero = arith::ConstantOp::create(b, b.getFloatAttr(rows.element, 0.0));
  return Values(rows.ofThread * columns.ofThread, zero);
}

Values SlabProduct::addRange(Slabs &slabs, Value from, Value to,
                             ValueRange sums) {
  return finish(
      slabs.run(from, to, sums, [&](const Slabs::Turn &turn, ValueRange sums) {
        slabs.wait(slabs.getStages() - 2, turn.reads);
        slabs.copyNext(turn);
        return add(slabs.getRows(turn.reads), slabs.getColumns(turn.reads),
                   sums);
      }));
}

Values SlabProduct::multiply(Slabs &slabs, ValueRange before) {
  slabs.fill();
  std::optional<int64_t> most = getMostAdded(), known = slabs.getKnown();
  if (!most)
    return addRange(slabs, slabs.getFirst(), slabs.getLast(),
                    before.empty() ? zeros() : Values(before));
  assert(before.empty() && "what is finished is one product's");
  if (known && *known <= *most)
    return addRange(slabs, slabs.getFirst(), slabs.getLast(), zeros());
  // Sums of so many steps are added up in memory: there are no registers.
  Values none(rows.ofThread * columns.ofThread,
              arith::ConstantOp::create(b, b.getFloatAttr(rows.element, 0.0)));
  Totals totals = slabs.makeTotals(rows.element, none.size());
  totals.store(none);
  slabs.runInParts(*most / rows.depth * rows.depth, [&](Value from, Value to) {
    Values sums = addRange(slabs, from, to, zeros());
    Values all = totals.load(none.size());
    for (auto [total, sum] : llvm::zip_equal(all, sums))
      total = arith::AddFOp::create(b, total, sum);
    totals.store(all);
  });
  return totals.load(none.size());
}

Value TileProduct::loadVector(const Slab &slab, Value pointer,
                              int64_t element) {
  constexpr unsigned alignment = 16;
  Value at = LLVM::GEPOp::create(
      b, pointer.getType(), slab.element, pointer,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(element)});
  return LLVM::LoadOp::create(
      b, VectorType::get({slab.getVector()}, slab.element), at, alignment);
}

namespace {

class MultiplyAdds final : public SlabProduct {
public:
  MultiplyAdds(Builder &b, const Slab &rows, const Slab &columns, Value thread);

  Values add(Value rowSlab, Value columnSlab, ValueRange sums) override;
  Value getRow(int64_t i) override { return getPlace(rows, rowThread, i); }
  Value getColumn(int64_t j) override {
    return getPlace(columns, columnThread, j);
  }
  int64_t getNeighbours() const override { return columns.getNeighbours(); }

private:
  /// The numbers of a slab that one step of depth reads.
  using Fragment = Values;

  Value getPlace(const Slab &slab, Value thread, int64_t i);
  /// Those of `vector` steps of depth.
  SmallVector<Fragment> load(const Slab &slab, Value pointer, int64_t depth);
  /// Where the thread's first cell is in a slab.
  Value point(const Slab &slab, Value pointer, Value thread);
  Values addSteps(Value rowSlab, Value columnSlab, int64_t depth,
                  ValueRange sums);

  Value rowThread, columnThread;
};

} // namespace

MultiplyAdds::MultiplyAdds(Builder &b, const Slab &rows, const Slab &columns,
                           Value thread)
    : SlabProduct(b, rows, columns) {
  Value across = constant32(b, columns.getThreads());
  columnThread = arith::RemUIOp::create(b, thread, across);
  rowThread = arith::DivUIOp::create(b, thread, across);
}

Value MultiplyAdds::getPlace(const Slab &slab, Value thread, int64_t i) {
  Value first =
      arith::MulIOp::create(b, thread, constant32(b, slab.getNeighbours()));
  first = arith::ExtUIOp::create(b, b.getI64Type(), first);
  return arith::AddIOp::create(b, first, constant(b, slab.getPlace(i)));
}

Value MultiplyAdds::point(const Slab &slab, Value pointer, Value thread) {
  int64_t stride = slab.alongDepth ? slab.getPitch() : slab.getVector();
  Value offset = arith::MulIOp::create(b, thread, constant32(b, stride));
  return LLVM::GEPOp::create(b, pointer.getType(), slab.element, pointer,
                             offset);
}

SmallVector<MultiplyAdds::Fragment>
MultiplyAdds::load(const Slab &slab, Value pointer, int64_t depth) {
  int64_t vector = slab.getVector();
  SmallVector<Fragment> fragments(vector, Fragment(slab.ofThread));
  if (slab.alongDepth) {
    for (int64_t i = 0; i < slab.ofThread; ++i) {
      Value loaded =
          loadVector(slab, pointer, slab.getPlace(i) * slab.getPitch() + depth);
      for (int64_t k = 0; k < vector; ++k)
        fragments[k][i] = vector::ExtractOp::create(b, loaded, k);
    }
    return fragments;
  }
  for (int64_t k = 0; k < vector; ++k)
    for (int64_t i = 0; i < slab.ofThread; i += vector) {
      Value loaded = loadVector(
          slab, pointer, (depth + k) * slab.getPitch() + slab.getPlace(i));
      for (int64_t j = 0; j < vector; ++j)
        fragments[k][i + j] = vector::ExtractOp::create(b, loaded, j);
    }
  return fragments;
}

Values MultiplyAdds::addSteps(Value rowSlab, Value columnSlab, int64_t depth,
                              ValueRange sums) {
  // Products and sums may become one instruction, rounded once.
  auto contraction = arith::FastMathFlagsAttr::get(
      b.getContext(), arith::FastMathFlags::contract);
  Values result(sums);
  for (int64_t k = 0; k < depth; k += rows.getVector()) {
    auto rowNumbers = load(rows, rowSlab, k);
    auto columnNumbers = load(columns, columnSlab, k);
    for (auto [ofRow, ofColumn] : llvm::zip_equal(rowNumbers, columnNumbers))
      for (auto [i, x] : llvm::enumerate(ofRow))
        for (auto [j, y] : llvm::enumerate(ofColumn)) {
          Value &sum = result[i * columns.ofThread + j];
          Value product = arith::MulFOp::create(b, x, y, contraction);
          sum = arith::AddFOp::create(b, sum, product, contraction);
        }
  }
  return result;
}

Values MultiplyAdds::add(Value rowSlab, Value columnSlab, ValueRange sums) {
  rowSlab = point(rows, rowSlab, rowThread);
  columnSlab = point(columns, columnSlab, columnThread);
  if (rows.depth <= kUnrolled || rows.depth % kUnrolled != 0)
    return addSteps(rowSlab, columnSlab, rows.depth, sums);
  Value first = constant32(b, 0), last = constant32(b, rows.depth);
  auto loop = scf::ForOp::create(
      b, first, last, constant32(b, kUnrolled), sums,
      [&](OpBuilder &, Location, Value depth, ValueRange carried) {
        auto advance = [&](const Slab &slab, Value pointer) -> Value {
          int64_t stride = slab.alongDepth ? 1 : slab.getPitch();
          Value offset = arith::MulIOp::create(b, depth, constant32(b, stride));
          return LLVM::GEPOp::create(b, pointer.getType(), slab.element,
                                     pointer, offset);
        };
        Value ofRows = advance(rows, rowSlab);
        Value ofColumns = advance(columns, columnSlab);
        scf::YieldOp::create(b,
                             addSteps(ofRows, ofColumns, kUnrolled, carried));
      });
  return Values(loop.getResults());
}

std::unique_ptr<TileProduct> createMultiplyAdds(Builder &b, const Slab &rows,
                                                const Slab &columns,
                                                Value thread) {
  return std::make_unique<MultiplyAdds>(b, rows, columns, thread);
}

} // namespace gyre::kernels
