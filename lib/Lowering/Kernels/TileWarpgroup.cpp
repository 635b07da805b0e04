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

/// Depth of a unit of packed columns, and a lane's of it.
constexpr int64_t kDepth = 16, kDepths = 4;

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
  /// The parts of numbers whose products are summed together: of the first
  /// ones, the others, which correct these, or all, with sums of their own for
  /// what corrects.
  enum Kind { mains, corrections, all };

  /// Sums of a thread; and all that it adds to, with their corrections.
  int64_t countSums() const { return rows.ofThread * columns.ofThread; }
  int64_t countAll() const {
    return split.parts == 1 ? countSums() : 2 * countSums();
  }
  int64_t countSteps() const { return rows.depth / kDepth; }
  void addCorrections(Values &sums, ValueRange corrections);
  /// The numbers that a thread has of the rows of a step, and words of them.
  Values load(Value rowSlab, int64_t step);
  Values splitRows(ValueRange numbers);
  Values prepare(Value rowSlab, int64_t step) {
    return splitRows(load(rowSlab, step));
  }
  Value describe(Value columnSlab);
  std::string getStatements(Kind kind, int64_t words, int64_t step,
                            int64_t steps, bool adds) const;
  Values change(ValueRange added, ValueRange others, StringRef scratch,
                StringRef constraints, StringRef statements);
  /// Adds the products of the steps that these are the words of, or begins the
  /// sums with them. They are there when they are waited for: until then
  /// nothing else may touch what they are added to.
  Values begin(Kind kind, ArrayRef<Values> words, Value columnSlab,
               int64_t step, ValueRange added, bool adds = true);
  Values wait(ValueRange added);
  /// A thread's sums lie eight columns of one row, then of the other.
  int64_t getPlace(int64_t sum) const {
    return sum % 4 / 2 * columns.ofThread + sum / 4 * 2 + sum % 2;
  }
  Values order(ValueRange sums);
  Values addInTurns(Slabs &slabs, ValueRange before);

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

void WarpgroupProduct::addCorrections(Values &sums, ValueRange corrections) {
  auto contraction = arith::FastMathFlagsAttr::get(
      b.getContext(), arith::FastMathFlags::contract);
  Value unscale =
      arith::ConstantOp::create(b, b.getF32FloatAttr(float(1 / split.scale)));
  for (auto [sum, correction] : llvm::zip_equal(sums, corrections))
    sum = arith::AddFOp::create(
        b, sum, arith::MulFOp::create(b, correction, unscale, contraction),
        contraction);
}

Values WarpgroupProduct::order(ValueRange sums) {
  Values ordered(countSums());
  for (auto [i, sum] : llvm::enumerate(sums))
    ordered[getPlace(static_cast<int64_t>(i))] = sum;
  return ordered;
}

/// Those of one row after the other.
Values WarpgroupProduct::load(Value slab, int64_t step) {
  constexpr int64_t several = kDepths;
  int64_t pitch = rows.getPitch(), depth = step * kDepth;
  auto swizzle = rows.getSwizzle();
  auto times = [&](Value x, int64_t by) -> Value {
    return arith::MulIOp::create(b, x, constant32(b, by));
  };
  auto add = [&](Value x, Value y) -> Value {
    return arith::AddIOp::create(b, x, y);
  };
  auto read = [&](Value offset, int64_t more, int64_t count) -> Value {
    Value at = LLVM::GEPOp::create(b, slab.getType(), rows.element, slab,
                                   add(offset, constant32(b, more)));
    return LLVM::LoadOp::create(b, VectorType::get({count}, rows.element), at,
                                count * rows.getElementBytes());
  };
  Values numbers(rows.ofThread * several);
  if (rows.alongDepth) {
    Value along = add(times(depthLane, several), constant32(b, depth));
    // Rows of a lane differ in bits that exchange nothing.
    Value bits =
        arith::AndIOp::create(b, rowLane, constant32(b, swizzle->mask));
    along = arith::XOrIOp::create(b, along, times(bits, 1 << swizzle->to));
    Value offset =
        add(times(add(firstRow, times(rowLane, several)), pitch), along);
    for (int64_t i = 0; i < rows.ofThread; ++i) {
      Value loaded = read(offset, i * pitch, several);
      for (int64_t k = 0; k < several; ++k)
        numbers[i * several + k] = vector::ExtractOp::create(b, loaded, k);
    }
  } else {
    Value cell = arith::XOrIOp::create(b, times(rowLane, several),
                                       times(depthLane, 1 << swizzle->to));
    Value offset = add(times(depthLane, several * pitch), add(firstRow, cell));
    for (int64_t k = 0; k < several; ++k) {
      Value loaded = read(offset, (depth + k) * pitch, rows.ofThread);
      for (int64_t i = 0; i < rows.ofThread; ++i)
        numbers[i * several + k] = vector::ExtractOp::create(b, loaded, i);
    }
  }
  return numbers;
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

/// All products of some steps. Operands: what is added to, and a register for
/// the description of some columns; what was there before; words of rows, of
/// the parts what the instructions take, of one step after the other; the
/// description of the slab's columns; and what is true, and what is not, if the
/// first products are added to nothing.
std::string WarpgroupProduct::getStatements(Kind kind, int64_t count,
                                            int64_t step, int64_t steps,
                                            bool adds) const {
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
  int64_t scratch = kind == all ? countAll() : countSums();
  int64_t words = 2 * scratch + 1, first = words + count * steps;
  int64_t always = first + 1, never = first + 2;
  int64_t ofPart = kind == mains ? count : count / split.parts;
  bool begins = !adds;
  os << "wgmma.fence.sync.aligned;\n";
  auto multiply = [&](int64_t i, int64_t part, int64_t columnPart,
                      int64_t number) {
    int64_t place =
        packed.getPlace(0, columnPart, step + i) * wordBytes / unit +
        number * 2 * 8 * 16 / unit;
    os << "add.s64 $" << scratch << ", $" << first << ", " << place
       << ";\nwgmma.mma_async.sync.aligned.m64n" << columns.extent << "k"
       << (isTF32 ? 8 : 16) << ".f32." << format << "." << format << " ";
    bool isMain = part == 0 && columnPart == 0;
    list(isMain || kind != all ? 0 : countSums(), countSums());
    os << ", ";
    list(words + i * count + part * ofPart + number * ofInstruction,
         ofInstruction);
    os << ", $" << scratch << ", $" << (begins ? never : always) << ", 1, 1"
       << (isTF32 ? "" : ", 0") << ";\n";
    begins = false;
  };
  for (int64_t i = 0; i < steps; ++i)
    for (int64_t number = 0; number < ofPart / ofInstruction; ++number)
      // The smallest products first.
      for (int64_t order = kind == mains ? 0 : split.parts - 1;
           order >= (kind == corrections); --order)
        for (int64_t part = 0; part <= order; ++part)
          multiply(i, part, order - part, number);
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

/// Of the parts one after the other, what the instructions take.
Values WarpgroupProduct::splitRows(ValueRange numbers) {
  Values words, own(numbers);
  auto first = split.apply(b, ArrayRef(own).take_front(kDepths));
  auto second = split.apply(b, ArrayRef(own).drop_front(kDepths));
  for (auto [ofFirst, ofSecond] : llvm::zip_equal(first, second))
    for (auto [x, y] : llvm::zip_equal(ofFirst, ofSecond))
      for (Value word : {x, y})
        words.push_back(
            word.getType() == b.getI32Type()
                ? word
                : Value(LLVM::BitcastOp::create(b, b.getI32Type(), word)));
  return words;
}

Values WarpgroupProduct::begin(Kind kind, ArrayRef<Values> words,
                               Value columnSlab, int64_t step, ValueRange added,
                               bool adds) {
  Values others;
  std::string constraints;
  size_t count = words.front().size() / (kind == mains ? split.parts : 1);
  for (ArrayRef<Value> ofStep : words)
    for (Value word : ofStep.take_front(count)) {
      others.push_back(word);
      constraints += ",r";
    }
  others.push_back(describe(columnSlab));
  others.push_back(arith::ConstantOp::create(b, b.getBoolAttr(/*value=*/true)));
  constraints += ",l,b";
  if (!adds) {
    others.push_back(
        arith::ConstantOp::create(b, b.getBoolAttr(/*value=*/false)));
    constraints += ",b";
  }
  return change(added, others, ",=&l", constraints,
                getStatements(kind, static_cast<int64_t>(count), step,
                              static_cast<int64_t>(words.size()), adds));
}

Values WarpgroupProduct::wait(ValueRange added) {
  return change(added, {}, "", "", "wgmma.wait_group.sync.aligned 0;");
}

/// Adds the products of each slab to sums that matrix units do not add to:
/// first what corrects, then the main products, in the same registers. So the
/// sums are as exact as rounded ones, however long, and take no more registers
/// than those to which matrix units add all products.
Values WarpgroupProduct::addInTurns(Slabs &slabs, ValueRange before) {
  slabs.fill();
  slabs.wait(slabs.getStages() - 2, slabs.getReads());
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  Values carried(2 * countSums(), zero);
  for (int64_t i = 0; i < countSums() && !before.empty(); ++i)
    carried[countSums() + i] = before[getPlace(i)];
  // Words of all steps of a slab, whose first numbers are loaded already.
  auto splitAll = [&](Value stage, ValueRange first) {
    Values words = splitRows(first);
    for (int64_t step = 1; step < countSteps(); ++step)
      llvm::append_range(words, prepare(slabs.getRows(stage), step));
    return words;
  };
  llvm::append_range(
      carried,
      splitAll(slabs.getReads(), load(slabs.getRows(slabs.getReads()), 0)));
  carried = slabs.run(
      slabs.getFirst(), slabs.getLast(), carried,
      [&](const Slabs::Turn &turn, ValueRange carried) {
        Values added(carried.take_front(countSums()));
        carried = carried.drop_front(countSums());
        Values sums(carried.take_front(countSums()));
        carried = carried.drop_front(countSums());
        SmallVector<Values> words;
        for (size_t of = carried.size() / countSteps(); !carried.empty();
             carried = carried.drop_front(of))
          words.push_back(Values(carried.take_front(of)));
        Value ofColumns = slabs.getColumns(turn.reads);
        Value next = slabs.getNext(turn.reads);
        added = begin(split.parts > 1 ? corrections : mains, words, ofColumns,
                      0, added, /*adds=*/false);
        slabs.wait(slabs.getStages() - 3, next);
        slabs.copyNext(turn);
        if (split.parts > 1) {
          addCorrections(sums, added = wait(added));
          added = begin(mains, words, ofColumns, 0, added, /*adds=*/false);
        }
        Values numbers = load(slabs.getRows(next), 0);
        added = wait(added);
        for (auto [sum, main] : llvm::zip_equal(sums, added))
          sum = arith::AddFOp::create(b, sum, main);
        llvm::append_range(added, sums);
        // Not before: what defines words of a product is not to be beside
        // another one.
        llvm::append_range(added, splitAll(next, numbers));
        return added;
      });
  return order(ValueRange(carried).slice(countSums(), countSums()));
}

/// While one step is multiplied, the next one is prepared, in registers of its
/// own; beyond the last one, what is prepared is not used.
Values WarpgroupProduct::multiply(Slabs &slabs, ValueRange before) {
  int64_t most = packed.countMostAdded();
  bool isLong = slabs.getKnown().value_or(most + 1) > most;
  if (isLong || !before.empty())
    return addInTurns(slabs, before);
  slabs.fill();
  slabs.wait(slabs.getStages() - 2, slabs.getReads());
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  Values carried(countAll(), zero);
  llvm::append_range(carried, prepare(slabs.getRows(slabs.getReads()), 0));
  carried = slabs.run(
      slabs.getFirst(), slabs.getLast(), carried,
      [&](const Slabs::Turn &turn, ValueRange carried) {
        Values added(carried.take_front(countAll()));
        Values prepared(carried.drop_front(countAll()));
        for (int64_t step = 0; step < countSteps(); ++step) {
          added =
              begin(all, prepared, slabs.getColumns(turn.reads), step, added);
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
  Values sums(ValueRange(carried).take_front(countSums()));
  if (split.parts > 1)
    addCorrections(sums, ValueRange(carried).slice(countSums(), countSums()));
  // Here, not where each sum is used: that takes two registers of each till
  // then, which what follows has need of.
  return order(change(sums, {}, "", "", "// sums are finished"));
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
