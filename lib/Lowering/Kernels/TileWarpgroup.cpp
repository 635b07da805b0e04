//===- TileWarpgroup.cpp - Products by warpgroups -------------------------===//
//
// Four warps multiply 64 rows by all columns of a tile at once (wgmma): the
// rows from registers, split into parts by the lane that reads them, and packed
// columns from where they are (PackedColumns.h). Which number is which of the
// instruction's is free as in TileMatrix.cpp, and the same: lane 4 g + q of a
// warp has depths 4 q to 4 q + 3 of 16, and columns 4 q to 4 q + 3 of 16; of 32
// rows that follow each other, two of the rows 4 g to 4 g + 3, and the warp
// beside it has the other two.
//
// A slab's products are one statement, which ends when they do: nothing else
// may touch what they read and add to before. Meanwhile other warps prepare
// theirs.
//
//===----------------------------------------------------------------------===//

#include "TileProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gyre::kernels {

namespace {

/// Depth of a unit of packed columns.
constexpr int64_t kDepth = 16;

class WarpgroupProduct final : public TileProduct {
public:
  WarpgroupProduct(Builder &b, Precision mode, const Slab &rows,
                   const Slab &columns, const PackedColumns &packed,
                   Value thread);

  Values zeros() override;
  Values add(Value rowSlab, Value columnSlab, ValueRange sums) override;
  Values finish(ValueRange sums) override;
  Value getRow(int64_t i) override;
  Value getColumn(int64_t j) override;
  int64_t getNeighbours() const override { return 4; }

private:
  /// Sums of a thread; and all that it adds to, with their corrections.
  int64_t countSums() const { return rows.ofThread * columns.ofThread; }
  int64_t countAll() const {
    return split.parts == 1 ? countSums() : 2 * countSums();
  }
  Value correct(ValueRange all, int64_t i);
  SmallVector<Values> readRows(Value slab, int64_t depth);
  Value describe(Value columnSlab);
  Values multiply(ValueRange sums, ValueRange words, Value columnSlab);
  std::string getStatements(int64_t wordsOfStep) const;

  PartSplit split;
  PackedColumns packed;
  Value firstRow, rowLane, depthLane;
};

} // namespace

WarpgroupProduct::WarpgroupProduct(Builder &b, Precision mode, const Slab &rows,
                                   const Slab &columns,
                                   const PackedColumns &packed, Value thread)
    : TileProduct(b, rows, columns), split(PartSplit::get(mode)),
      packed(packed) {
  auto over = [&](Value x, int64_t by) -> std::pair<Value, Value> {
    return {arith::DivUIOp::create(b, x, constant32(b, by)),
            arith::RemUIOp::create(b, x, constant32(b, by))};
  };
  auto times = [&](Value x, int64_t by) -> Value {
    return arith::MulIOp::create(b, x, constant32(b, by));
  };
  auto [warp, lane] = over(thread, 32);
  auto [pair, second] = over(warp, 2);
  std::tie(rowLane, depthLane) = over(lane, 4);
  Value ofPair = times(pair, 32), ofWarp = times(second, 2);
  firstRow = arith::AddIOp::create(b, ofPair, ofWarp);
}

Value WarpgroupProduct::getRow(int64_t i) {
  Value row = arith::AddIOp::create(
      b, firstRow,
      Value(arith::MulIOp::create(b, rowLane, constant32(b, int64_t(4)))));
  row = arith::ExtUIOp::create(b, b.getI64Type(), row);
  return arith::AddIOp::create(b, row, constant(b, i));
}

Value WarpgroupProduct::getColumn(int64_t j) {
  Value column = arith::MulIOp::create(b, depthLane, constant32(b, 4));
  column = arith::ExtUIOp::create(b, b.getI64Type(), column);
  return arith::AddIOp::create(b, column, constant(b, 16 * (j / 4) + j % 4));
}

Values WarpgroupProduct::zeros() {
  if (!packed.addsToSums())
    return TileProduct::zeros();
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  return Values(countAll(), zero);
}

/// Sum `i`, of all that was added.
Value WarpgroupProduct::correct(ValueRange all, int64_t i) {
  if (split.parts == 1)
    return all[i];
  auto contraction = arith::FastMathFlagsAttr::get(
      b.getContext(), arith::FastMathFlags::contract);
  Value unscale =
      arith::ConstantOp::create(b, b.getF32FloatAttr(float(1 / split.scale)));
  Value correction =
      arith::MulFOp::create(b, all[countSums() + i], unscale, contraction);
  return arith::AddFOp::create(b, all[i], correction, contraction);
}

Values WarpgroupProduct::finish(ValueRange sums) {
  Values own(sums.take_front(countSums()));
  if (packed.addsToSums())
    for (int64_t i = 0; i < countSums(); ++i)
      own[i] = correct(sums, i);
  // The lane's sums of two rows lie eight columns of one, then of the other.
  Values byRows(countSums());
  for (int64_t i = 0; i < countSums(); ++i) {
    int64_t pair = i / 4, row = i % 4 / 2, column = 2 * pair + i % 2;
    byRows[row * columns.ofThread + column] = own[i];
  }
  return byRows;
}

/// The parts of the lane's numbers of its rows, at 16 depths: for each row and
/// part, words.
SmallVector<Values> WarpgroupProduct::readRows(Value slab, int64_t depth) {
  constexpr int64_t several = 4;
  int64_t pitch = rows.getPitch();
  auto swizzle = rows.getSwizzle();
  auto times = [&](Value x, int64_t by) -> Value {
    return arith::MulIOp::create(b, x, constant32(b, by));
  };
  auto add = [&](Value x, Value y) -> Value {
    return arith::AddIOp::create(b, x, y);
  };
  auto load = [&](Value offset, int64_t more, int64_t count) -> Value {
    Value at = LLVM::GEPOp::create(b, slab.getType(), rows.element, slab,
                                   add(offset, constant32(b, more)));
    return LLVM::LoadOp::create(b, VectorType::get({count}, rows.element), at,
                                count * rows.getElementBytes());
  };
  SmallVector<Values> numbers(rows.ofThread, Values(several));
  if (rows.alongDepth) {
    Value along = add(times(depthLane, several), constant32(b, depth));
    // Rows of a lane differ in bits that exchange nothing.
    Value bits =
        arith::AndIOp::create(b, rowLane, constant32(b, swizzle->mask));
    along = arith::XOrIOp::create(b, along, times(bits, 1 << swizzle->to));
    Value offset =
        add(times(add(firstRow, times(rowLane, several)), pitch), along);
    for (int64_t i = 0; i < rows.ofThread; ++i) {
      Value loaded = load(offset, i * pitch, several);
      for (int64_t k = 0; k < several; ++k)
        numbers[i][k] = vector::ExtractOp::create(b, loaded, k);
    }
  } else {
    Value cell = arith::XOrIOp::create(b, times(rowLane, several),
                                       times(depthLane, 1 << swizzle->to));
    Value offset = add(times(depthLane, several * pitch), add(firstRow, cell));
    for (int64_t k = 0; k < several; ++k) {
      Value loaded = load(offset, (depth + k) * pitch, rows.ofThread);
      for (int64_t i = 0; i < rows.ofThread; ++i)
        numbers[i][k] = vector::ExtractOp::create(b, loaded, i);
    }
  }
  SmallVector<Values> words;
  for (ArrayRef<Value> own : numbers)
    llvm::append_range(words, split.apply(b, own));
  return words;
}

/// What a matrix unit is told of the slab of columns: where it is, and how far
/// from a matrix of eight columns and 16 bytes of depth it is to the next one
/// along the depth, and along the columns; in units of 16 bytes.
Value WarpgroupProduct::describe(Value columnSlab) {
  constexpr int64_t mask = 0x3ffff, unit = 16, wordBytes = 4;
  constexpr int64_t alongDepth = 8 * 16 / unit;
  int64_t alongColumns = packed.getEightWords() * wordBytes / unit;
  Value at = LLVM::PtrToIntOp::create(b, b.getI32Type(), columnSlab);
  at = arith::AndIOp::create(b, at, constant32(b, mask));
  at = arith::DivUIOp::create(b, at, constant32(b, unit));
  at = arith::ExtUIOp::create(b, b.getI64Type(), at);
  return arith::OrIOp::create(
      b, at, constant(b, alongDepth << 16 | alongColumns << 32));
}

/// All products of a slab. Operands: what is added to, and a register for the
/// description of some columns; what was there before; words of rows, of each
/// step of depth the parts, and of these what the instructions take; the
/// description of the first columns; and what is true.
std::string WarpgroupProduct::getStatements(int64_t wordsOfStep) const {
  constexpr int64_t ofInstruction = 4, unit = 16, wordBytes = 4;
  bool isTF32 = split.format == PartSplit::tf32;
  StringRef format = isTF32                           ? "tf32"
                     : split.format == PartSplit::f16 ? "f16"
                                                      : "bf16";
  std::string text;
  llvm::raw_string_ostream os(text);
  auto list = [&](int64_t first, int64_t count) {
    os << "{";
    for (int64_t i = 0; i < count; ++i)
      os << (i ? ", $" : "$") << first + i;
    os << "}";
  };
  int64_t scratch = countAll(), words = 2 * countAll() + 1;
  int64_t steps = rows.depth / kDepth, first = words + steps * wordsOfStep;
  int64_t always = first + 1, ofPart = wordsOfStep / split.parts;
  os << "wgmma.fence.sync.aligned;\n";
  auto multiply = [&](int64_t step, int64_t part, int64_t columnPart,
                      int64_t number) {
    int64_t place = packed.getPlace(0, columnPart, step) * wordBytes / unit +
                    number * 2 * 8 * 16 / unit;
    os << "add.s64 $" << scratch << ", $" << first << ", " << place
       << ";\nwgmma.mma_async.sync.aligned.m64n" << columns.extent << "k"
       << (isTF32 ? 8 : 16) << ".f32." << format << "." << format << " ";
    bool isMain = part == 0 && columnPart == 0;
    list(isMain ? 0 : countSums(), countSums());
    os << ", ";
    list(words + step * wordsOfStep + part * ofPart + number * ofInstruction,
         ofInstruction);
    os << ", $" << scratch << ", $" << always << ", 1, 1"
       << (isTF32 ? "" : ", 0") << ";\n";
  };
  for (int64_t step = 0; step < steps; ++step)
    for (int64_t number = 0; number < ofPart / ofInstruction; ++number)
      // The smallest products first.
      for (int64_t order = split.parts - 1; order >= 0; --order)
        for (int64_t part = 0; part <= order; ++part)
          multiply(step, part, order - part, number);
  os << "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;";
  return text;
}

Values WarpgroupProduct::multiply(ValueRange sums, ValueRange words,
                                  Value columnSlab) {
  Values operands(sums);
  llvm::append_range(operands, words);
  operands.push_back(describe(columnSlab));
  operands.push_back(
      arith::ConstantOp::create(b, b.getBoolAttr(/*value=*/true)));
  std::string constraints;
  llvm::raw_string_ostream os(constraints);
  for (size_t i = 0; i < sums.size(); ++i)
    os << "=f,";
  os << "=&l,";
  for (size_t i = 0; i < sums.size(); ++i)
    os << i << ",";
  for (size_t i = 0; i < words.size(); ++i)
    os << "r,";
  os << "l,b";
  SmallVector<Type> types(sums.size(), b.getF32Type());
  types.push_back(b.getI64Type());
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  int64_t wordsOfStep = words.size() * kDepth / rows.depth;
  Value result =
      LLVM::InlineAsmOp::create(
          b, type, operands, getStatements(wordsOfStep), constraints,
          /*has_side_effects=*/true, /*is_align_stack=*/false,
          LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
          ArrayAttr())
          .getResult(0);
  Values added;
  for (size_t i = 0; i < sums.size(); ++i)
    added.push_back(
        LLVM::ExtractValueOp::create(b, result, static_cast<int64_t>(i)));
  return added;
}

Values WarpgroupProduct::add(Value rowSlab, Value columnSlab, ValueRange sums) {
  Values words;
  for (int64_t depth = 0; depth < rows.depth; depth += kDepth) {
    SmallVector<Values> ofRows = readRows(rowSlab, depth);
    for (int64_t part = 0; part < split.parts; ++part) {
      const Values &first = ofRows[part], &second = ofRows[split.parts + part];
      for (auto [x, y] : llvm::zip_equal(first, second))
        for (Value word : {x, y})
          words.push_back(
              word.getType() == b.getI32Type()
                  ? word
                  : Value(LLVM::BitcastOp::create(b, b.getI32Type(), word)));
    }
  }
  if (packed.addsToSums())
    return multiply(sums, words, columnSlab);
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  Values added = multiply(Values(countAll(), zero), words, columnSlab);
  Values result;
  for (auto [i, sum] : llvm::enumerate(sums)) {
    Value own = correct(added, static_cast<int64_t>(i));
    result.push_back(arith::AddFOp::create(b, sum, own));
  }
  return result;
}

std::unique_ptr<TileProduct>
createWarpgroupProduct(Builder &b, Precision mode, const Slab &rows,
                       const Slab &columns, const PackedColumns &packed,
                       Value thread) {
  return std::make_unique<WarpgroupProduct>(b, mode, rows, columns, packed,
                                            thread);
}

} // namespace gyre::kernels
