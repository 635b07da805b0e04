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
// The products of 16 steps of depth are one statement, and another one waits
// for them: nothing else may touch what they read and add to before. Meanwhile
// threads prepare the next steps.
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

  Values multiply(Slabs &slabs, ValueRange before) override;
  Value getRow(int64_t i) override;
  Value getColumn(int64_t j) override;
  int64_t getNeighbours() const override { return 4; }

private:
  /// Sums of a thread; and all that it adds to, with their corrections.
  int64_t countSums() const { return rows.ofThread * columns.ofThread; }
  int64_t countAll() const {
    return split.parts == 1 ? countSums() : 2 * countSums();
  }
  int64_t countSteps() const { return rows.depth / kDepth; }
  /// The sums of all that was added.
  Values finish(ValueRange added);
  SmallVector<Values> readRows(Value slab, int64_t depth);
  /// The words that a thread has of the rows of a step.
  Values prepare(Value rowSlab, int64_t step);
  Value describe(Value columnSlab);
  std::string getStatements(int64_t words, int64_t step) const;
  Values change(ValueRange added, ValueRange others, StringRef scratch,
                StringRef constraints, StringRef statements);
  /// Adds the products of a step, which are there when they are waited for:
  /// until then nothing else may touch what they are added to.
  Values begin(ValueRange words, Value columnSlab, int64_t step,
               ValueRange added);
  Values wait(ValueRange added);
  /// A thread's sums lie eight columns of one row, then of the other.
  Values order(ValueRange sums);

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

Values WarpgroupProduct::finish(ValueRange added) {
  Values sums(added.take_front(countSums()));
  if (split.parts == 1)
    return sums;
  auto contraction = arith::FastMathFlagsAttr::get(
      b.getContext(), arith::FastMathFlags::contract);
  Value unscale =
      arith::ConstantOp::create(b, b.getF32FloatAttr(float(1 / split.scale)));
  for (auto [sum, correction] :
       llvm::zip_equal(sums, added.drop_front(countSums())))
    sum = arith::AddFOp::create(
        b, sum, arith::MulFOp::create(b, correction, unscale, contraction),
        contraction);
  return sums;
}

Values WarpgroupProduct::order(ValueRange sums) {
  Values ordered(countSums());
  for (auto [i, sum] : llvm::enumerate(sums)) {
    auto eight = static_cast<int64_t>(i) / 4, row = int64_t(i) % 4 / 2;
    ordered[row * columns.ofThread + 2 * eight + int64_t(i) % 2] = sum;
  }
  return ordered;
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

/// All products of a step. Operands: what is added to, and a register for the
/// description of some columns; what was there before; words of rows, of the
/// parts what the instructions take; the description of the slab's columns; and
/// what is true.
std::string WarpgroupProduct::getStatements(int64_t count, int64_t step) const {
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
  int64_t first = words + count, always = first + 1;
  int64_t ofPart = count / split.parts;
  os << "wgmma.fence.sync.aligned;\n";
  auto multiply = [&](int64_t part, int64_t columnPart, int64_t number) {
    int64_t place = packed.getPlace(0, columnPart, step) * wordBytes / unit +
                    number * 2 * 8 * 16 / unit;
    os << "add.s64 $" << scratch << ", $" << first << ", " << place
       << ";\nwgmma.mma_async.sync.aligned.m64n" << columns.extent << "k"
       << (isTF32 ? 8 : 16) << ".f32." << format << "." << format << " ";
    bool isMain = part == 0 && columnPart == 0;
    list(isMain ? 0 : countSums(), countSums());
    os << ", ";
    list(words + part * ofPart + number * ofInstruction, ofInstruction);
    os << ", $" << scratch << ", $" << always << ", 1, 1"
       << (isTF32 ? "" : ", 0") << ";\n";
  };
  for (int64_t number = 0; number < ofPart / ofInstruction; ++number)
    // The smallest products first.
    for (int64_t order = split.parts - 1; order >= 0; --order)
      for (int64_t part = 0; part <= order; ++part)
        multiply(part, order - part, number);
  os << "wgmma.commit_group.sync.aligned;";
  return text;
}

/// A statement that changes sums, of whose constraints those of other operands
/// are the last ones.
Values WarpgroupProduct::change(ValueRange sums, ValueRange others,
                                StringRef scratch, StringRef constraints,
                                StringRef statements) {
  std::string all;
  llvm::raw_string_ostream os(all);
  for (size_t i = 0; i < sums.size(); ++i)
    os << (i ? ",=f" : "=f");
  os << scratch;
  for (size_t i = 0; i < sums.size(); ++i)
    os << "," << i;
  os << constraints;
  SmallVector<Type> types(sums.size(), b.getF32Type());
  if (!scratch.empty())
    types.push_back(b.getI64Type());
  Values operands(sums);
  llvm::append_range(operands, others);
  Value changed =
      LLVM::InlineAsmOp::create(
          b, LLVM::LLVMStructType::getLiteral(b.getContext(), types), operands,
          statements, all, /*has_side_effects=*/true,
          /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
          LLVM::AsmDialectAttr(), ArrayAttr())
          .getResult(0);
  Values result;
  for (size_t i = 0; i < sums.size(); ++i)
    result.push_back(
        LLVM::ExtractValueOp::create(b, changed, static_cast<int64_t>(i)));
  return result;
}

Values WarpgroupProduct::prepare(Value rowSlab, int64_t step) {
  Values words;
  SmallVector<Values> ofRows = readRows(rowSlab, step * kDepth);
  for (int64_t part = 0; part < split.parts; ++part) {
    const Values &first = ofRows[part], &second = ofRows[split.parts + part];
    for (auto [x, y] : llvm::zip_equal(first, second))
      for (Value word : {x, y})
        words.push_back(
            word.getType() == b.getI32Type()
                ? word
                : Value(LLVM::BitcastOp::create(b, b.getI32Type(), word)));
  }
  return words;
}

Values WarpgroupProduct::begin(ValueRange words, Value columnSlab, int64_t step,
                               ValueRange added) {
  Values others(words);
  others.push_back(describe(columnSlab));
  others.push_back(arith::ConstantOp::create(b, b.getBoolAttr(/*value=*/true)));
  std::string constraints;
  for (size_t i = 0; i < words.size(); ++i)
    constraints += ",r";
  auto count = static_cast<int64_t>(words.size());
  return change(added, others, ",=&l", constraints + ",l,b",
                getStatements(count, step));
}

Values WarpgroupProduct::wait(ValueRange added) {
  return change(added, {}, "", "", "wgmma.wait_group.sync.aligned 0;");
}

/// While one step is multiplied, the next one is prepared, in registers of its
/// own; beyond the last one, what is prepared is not used.
Values WarpgroupProduct::multiply(Slabs &slabs, ValueRange before) {
  slabs.fill();
  slabs.wait(slabs.getStages() - 2, slabs.getReads());
  Values words = prepare(slabs.getRows(slabs.getReads()), 0), sums;
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  int64_t depth = *slabs.getKnown(), most = packed.countMostAdded();
  for (int64_t from = 0; from < depth; from += most) {
    Values carried(countAll(), zero);
    llvm::append_range(carried, words);
    int64_t to = std::min(from + most, depth);
    carried = slabs.run(
        slabs.number(from), slabs.number(to), carried,
        [&](const Slabs::Turn &turn, ValueRange carried) {
          Values added(carried.take_front(countAll()));
          Values prepared(carried.drop_front(countAll()));
          for (int64_t step = 0; step < countSteps(); ++step) {
            added = begin(prepared, slabs.getColumns(turn.reads), step, added);
            bool isLast = step + 1 == countSteps();
            if (isLast) {
              slabs.wait(slabs.getStages() - 3, slabs.getNext(turn.reads));
              slabs.copyNext(turn);
            }
            Value stage = isLast ? slabs.getNext(turn.reads) : turn.reads;
            prepared = prepare(slabs.getRows(stage), isLast ? 0 : step + 1);
            added = wait(added);
          }
          llvm::append_range(added, prepared);
          return added;
        });
    words.assign(carried.begin() + countAll(), carried.end());
    Values some = finish(ValueRange(carried).take_front(countAll()));
    if (sums.empty())
      sums = some;
    else
      for (auto [sum, more] : llvm::zip_equal(sums, some))
        sum = arith::AddFOp::create(b, sum, more);
  }
  Values ordered = order(sums);
  if (!before.empty())
    for (auto [sum, more] : llvm::zip_equal(ordered, before))
      sum = arith::AddFOp::create(b, more, sum);
  return ordered;
}

std::unique_ptr<TileProduct> createWarpgroupProduct(Builder &b, Precision mode,
                                                    const Slab &rows,
                                                    const Slab &columns,
                                                    const PackedColumns &packed,
                                                    Value thread) {
  return std::make_unique<WarpgroupProduct>(b, mode, rows, columns, packed,
                                            thread);
}

} // namespace gyre::kernels
