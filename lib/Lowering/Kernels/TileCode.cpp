//===- TileCode.cpp - The code of a block of a tile's threads -------------===//
//
// A block of threads has a tile of rows and columns. Slabs of both operands are
// copied to shared memory, several ahead of the one that is multiplied; the
// sums stay in registers, and what follows the product is computed from them.
//
//===----------------------------------------------------------------------===//

#include "TileCode.h"
#include "Warp.h"

#include "gyre/Dialect/PolySyntax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gyre::kernels {

using tiles::Piece;
using tiles::Pieces;
using tiles::Product;
using tiles::Step;

/// Which tile of which batch, and of which part of the sums, it is. Blocks that
/// are neighbours have the same rows, which are read from memory once.
void TileCode::enterBlock(Value block) {
  CellCode code = scope.getCode(b);
  auto countTiles = [&](ArrayRef<AxisAttr> axes, int64_t extent) -> Value {
    Value count = code.size(product.count(axes));
    return arith::CeilDivSIOp::create(b, count, constant(b, extent));
  };
  // Fewer than 2^31 blocks: numbers of 32 bits are divided in less time.
  Type narrow = b.getI32Type(), wide = b.getI64Type();
  block = arith::TruncIOp::create(b, narrow, block);
  auto take = [&](Value count) -> Value {
    Value by = arith::TruncIOp::create(b, narrow, count);
    Value rest = arith::RemUIOp::create(b, block, by);
    block = arith::DivUIOp::create(b, block, by);
    return arith::ExtUIOp::create(b, wide, rest);
  };
  columnTile = take(countTiles(product.columns, scope.tile.getColumns()));
  Value row = take(countTiles(product.rows, scope.tile.getRows()));
  batch = take(code.size(product.count(product.batch)));
  part = arith::ExtUIOp::create(b, wide, block);
  firstColumn = arith::MulIOp::create(b, columnTile,
                                      constant(b, scope.tile.getColumns()));
  firstRow = arith::MulIOp::create(b, row, constant(b, scope.tile.getRows()));
  for (TileTerm &term : terms) {
    const Product &own = term.scope.product;
    for (auto &[axis, index] : own.fixed)
      term.at[axis] = constant(b, index);
    setIndices(b, code, own.batch, batch, term.at);
  }
}

/// The depth that is summed: all of it, or a part of the axes of runtime size.
void TileCode::findRange(TileTerm &term) {
  const Product &product = term.scope.product;
  CellCode code = scope.getCode(b);
  PolyAttr cut = PolyAttr::constant(b.getContext(), 1), whole = cut;
  for (AxisAttr axis : product.depth) {
    PolyAttr &size = axis.getSize().getConstant() ? whole : cut;
    size = size.mul(axis.getSize());
  }
  term.begin = constant(b, 0);
  term.end = code.size(product.count(product.depth));
  if (!scope.parts)
    return;
  Value all = code.size(cut), width = code.size(whole);
  Value each = arith::CeilDivSIOp::create(b, all, constant(b, *scope.parts));
  Value lo = arith::MulIOp::create(b, part, each);
  Value hi = arith::MinSIOp::create(b, arith::AddIOp::create(b, lo, each), all);
  term.begin = arith::MulIOp::create(b, lo, width);
  term.end = arith::MulIOp::create(b, hi, width);
}

void TileCode::begin(TileTerm &term) {
  findRange(term);
  term.rows.begin(thread, firstRow, term.at);
  term.columns.begin(thread, firstColumn, term.at);
  if (term.scope.packed)
    term.packedSlabs = term.scope.packed->begin(
        b, scope.params.get(Params::partial), batch, columnTile, thread);
}

/// Copies the slabs that begin at depth `k` to a stage, its place in bytes.
void TileCode::copy(TileTerm &term, Value stage, Value k) {
  Value to =
      LLVM::GEPOp::create(b, memory.getType(), b.getI8Type(), memory, stage);
  term.rows.copy(to, k, term.end);
  auto bytes = static_cast<int32_t>(term.rows.getSlab().getBytes());
  to = LLVM::GEPOp::create(b, memory.getType(), b.getI8Type(), to,
                           ArrayRef<LLVM::GEPArg>{bytes});
  if (term.scope.packed)
    term.scope.packed->copy(b, term.packedSlabs, to, k, thread,
                            scope.tile.getThreads());
  else
    term.columns.copy(to, k, term.end);
}

Values TileCode::multiply(TileTerm &term, TileProduct &tile, ValueRange sums) {
  const Product &product = term.scope.product;
  std::optional<int64_t> known;
  if (!scope.parts)
    known = product.count(product.depth).getConstant();
  Slabs slabs(b,
              {scope.tile.getDepth(), term.rows.getSlab().getBytes(),
               getStageBytes(), getStages(), scope.tile.getThreads(),
               scope.tile.getWarpgroups()},
              memory, thread, known, term.begin, term.end);
  slabs.setCopy([&](Value stage, Value k) { copy(term, stage, k); });
  if (term.rows.getSlab().isSplit)
    slabs.setArrived([&](Value ofRows, Value ofColumns) {
      term.rows.splitOwn(ofRows);
      term.columns.splitOwn(ofColumns);
    });
  Values all = tile.multiply(slabs, sums);
  totalBytes = std::max(totalBytes, slabs.getTotalBytes());
  return all;
}

void TileCode::ifInside(Value at, ArrayRef<AxisAttr> axes, int64_t extent,
                        function_ref<void()> body) {
  PolyAttr size = product.count(axes);
  std::optional<int64_t> fixed = size.getConstant();
  if (fixed && *fixed % extent == 0)
    return body();
  CellCode code = scope.getCode(b);
  Value inside =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, at, code.size(size));
  scf::IfOp::create(b, inside, [&](OpBuilder &, Location) {
    body();
    scf::YieldOp::create(b);
  });
}

/// The last dimension of more than one cell.
static std::optional<int64_t> getInnermost(Type type) {
  auto dims = cast<TensorType>(type).getDims();
  for (int64_t dim = dims.size(); dim > 0; --dim)
    if (!dims[dim - 1].isConstant(1))
      return dim - 1;
  return std::nullopt;
}

/// Whether groups of `count` cells along a dimension lie side by side.
static bool isInnermost(Type type, int64_t dim, int64_t count) {
  return dim == getInnermost(type) &&
         tiles::isMultipleOf(cast<TensorType>(type).getDims()[dim], count);
}

/// Visits what elementwise ops of a kernel's body read from memory.
static void visitLoads(CellsOp kernel, Value value, Operation *base,
                       llvm::SmallDenseSet<Value> &visited,
                       function_ref<void(Value)> visit) {
  Operation *op = value.getDefiningOp();
  if (op == base || !visited.insert(value).second)
    return;
  if (!op || op->getParentOp() != kernel)
    return visit(value);
  if (tiles::isElementwise(op))
    for (Value operand : op->getOperands())
      visitLoads(kernel, operand, base, visited, visit);
}

std::vector<std::pair<unsigned, tiles::Steps>> TileCode::getWays() const {
  std::vector<std::pair<unsigned, tiles::Steps>> ways;
  for (auto [r, all] : llvm::enumerate(piece.steps))
    for (const tiles::Steps &steps : all)
      ways.push_back({r, steps});
  return ways;
}

/// The axis of a subscript's entry whose cells lie side by side.
static StringAttr getLast(ContractOp op, Attribute entry) {
  StringAttr last;
  for (StringAttr axis : cast<ArrayAttr>(entry).getAsRange<StringAttr>())
    if (!op.getAxisSize(axis).isConstant(1))
      last = axis;
  return last;
}

/// Where a contract of one operand moves the cells along a dimension; none
/// where groups of `count` are not kept together.
static std::optional<int64_t> findMoved(ContractOp move, int64_t dim,
                                        int64_t count) {
  StringAttr last =
      getLast(move, cast<ArrayAttr>(move.getSubscripts()[0])[dim]);
  if (!last || !tiles::isMultipleOf(move.getAxisSize(last), count))
    return std::nullopt;
  for (auto [to, entry] : llvm::enumerate(move.getResultSubscript()))
    if (getLast(move, entry) == last)
      return to;
  return std::nullopt;
}

/// How many columns of a thread lie side by side in the results, and begin
/// where an access of that many elements may.
int64_t TileCode::countNeighbours(const TileProduct &tile) {
  int64_t count = tile.getNeighbours();
  if (product.columns.empty() || count == 1)
    return 1;
  ContractOp op = product.op;
  AxisAttr innermost = product.columns.back();
  StringAttr last;
  walkAxes(op.getResultSubscript(), [&](StringAttr axis) {
    if (!op.getAxisSize(axis).isConstant(1))
      last = axis;
  });
  if (last != innermost.getName() ||
      !tiles::isMultipleOf(innermost.getSize(), count))
    return 1;
  for (const auto &[r, steps] : getWays()) {
    Type type = scope.kernel->getResult(r).getType();
    std::optional<int64_t> dim = getInnermost(op.getResult().getType());
    for (const Step &step : steps) {
      // Neighbours are found by what is known of their addresses.
      if (step.kind == Step::spread)
        return 1;
      if (step.kind == Step::shift && step.axis == *dim &&
          !tiles::isMultipleOf(step.by, count))
        return 1;
      if (step.kind == Step::compute &&
          !isInnermost(step.value.getType(), *dim, count))
        return 1;
      if (step.kind != Step::move)
        continue;
      dim = findMoved(cast<ContractOp>(step.op), *dim, count);
      if (!dim)
        return 1;
    }
    if (!isInnermost(type, *dim, count))
      return 1;
  }
  return count;
}

/// Takes the index of an operand apart into those of its axes.
static void setIndicesOf(Builder &b, CellCode &code, ContractOp op,
                         unsigned input, ValueRange index, AxisIndices &at) {
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>())
    if (axis.getSize().isConstant(1))
      at[axis.getName()] = constant(b, 0);
  for (auto [entry, place] : llvm::zip_equal(
           cast<ArrayAttr>(op.getSubscripts()[input]).getAsRange<ArrayAttr>(),
           index)) {
    auto axes = llvm::map_to_vector(
        entry.getAsRange<StringAttr>(), [&](StringAttr name) {
          return AxisAttr::get(b.getContext(), name, op.getAxisSize(name));
        });
    setIndices(b, code, axes, place, at);
  }
}

Values moveCell(Builder &b, CellCode &code, ContractOp move, ValueRange index) {
  AxisIndices moved;
  setIndicesOf(b, code, move, 0, index, moved);
  return getPosition(code, move, move.getResultSubscript(), moved);
}

/// The sizes by which the sums of parts are counted; of parts, any.
SmallVector<PolyAttr> getPartSizes(const Product &product) {
  ContractOp op = product.op;
  return {PolyAttr::constant(op.getContext(), 1), product.count(product.batch),
          product.count(product.rows), product.count(product.columns)};
}

/// The product's cell, of its whole sum.
Value TileCode::finish(CellCode &code, Value sum) {
  if (product.coefficient != 1) {
    Value factor = arith::ConstantOp::create(
        b, b.getFloatAttr(sum.getType(), product.coefficient));
    sum = arith::MulFOp::create(b, sum, factor);
  }
  ContractOp op = product.op;
  return code.convert(sum, elementOf(op.getResult()));
}

/// Loads `count` cells from an index on, the first time, and says what the one
/// of number `number` is.
void TileCode::loadNeighbour(CellCode &code, Value value, ValueRange index,
                             int64_t number, int64_t count, Loaded &loaded) {
  Type element = elementOf(value);
  Value &vector = loaded[value];
  if (!vector) {
    Value array = scope.params.get(Params::tensor, value);
    Value from = LLVM::GEPOp::create(b, array.getType(), element, array,
                                     code.linearise(index, dimsOf(value)));
    vector = LLVM::LoadOp::create(b, VectorType::get({count}, element), from,
                                  count * element.getIntOrFloatBitWidth() / 8,
                                  /*isVolatile=*/false,
                                  /*isNonTemporal=*/false,
                                  /*isInvariant=*/value != scope.addend);
  }
  code.provide(value, index, vector::ExtractOp::create(b, vector, number));
}

/// The product of a cell of a contract's operand with the other one's, of its
/// family of tuples; `index` becomes that of the result.
Value TileCode::spread(CellCode &code, const Step &step, Value sum,
                       Values &index) {
  auto op = cast<ContractOp>(step.op);
  AxisIndices own;
  setIndicesOf(b, code, op, step.input, index, own);
  for (const tiles::Spread::Tie &tie : step.to->ties) {
    Value at = code.scale(own.at(step.to->along), tie.step);
    own[tie.axis] = code.add(at, constant(b, tie.first));
  }
  unsigned other = 1 - step.input;
  Value cell = code.get(
      op.getInputs()[other],
      getPosition(code, op, cast<ArrayAttr>(op.getSubscripts()[other]), own));
  Values before = index;
  index = getPosition(code, op, op.getResultSubscript(), own);
  code.provide(op.getInputs()[step.input], before, sum);
  for (const Step &alike : step.alike) {
    auto its = cast<ContractOp>(alike.op);
    Value number = code.get(its.getInputs()[alike.input], before);
    Values place = before;
    number = spread(code, alike, number, place);
    code.provide(its.getResult(), index, number);
  }
  if (step.to->coefficient != 1) {
    Value factor = arith::ConstantOp::create(
        b, b.getFloatAttr(sum.getType(), step.to->coefficient));
    sum = arith::MulFOp::create(b, sum, factor);
  }
  return arith::MulFOp::create(b, sum, cell);
}

/// Follows a number from its cell of the product to where it is delivered; the
/// one of number `number` of `count` neighbours.
Value TileCode::follow(CellCode &code, ArrayRef<Step> steps, Value sum,
                       Values &index, int64_t number, int64_t count,
                       SmallVectorImpl<Loaded> &loaded) {
  loaded.resize(steps.size());
  for (auto [i, step] : llvm::enumerate(steps)) {
    switch (step.kind) {
    case Step::shift:
      index[step.axis] = code.add(index[step.axis], code.size(step.by));
      break;
    case Step::move:
      index = moveCell(b, code, cast<ContractOp>(step.op), index);
      break;
    case Step::spread:
      sum = spread(code, step, sum, index);
      break;
    case Step::compute:
      if (count > 1) {
        llvm::SmallDenseSet<Value> visited;
        visitLoads(scope.kernel, step.value, step.op, visited,
                   [&, &own = loaded[i]](Value value) {
                     if (isa<FloatType>(elementOf(value)))
                       loadNeighbour(code, value, index, number, count, own);
                   });
      }
      code.provide(step.op->getResult(0), index, sum);
      sum = code.get(step.value, index);
      break;
    }
  }
  return sum;
}

/// Whether positions lie side by side, from where a vector may.
static bool areNeighbours(ValueRange positions) {
  int64_t count = positions.size();
  for (auto [i, position] : llvm::enumerate(positions))
    if (CellCode::getDistance(positions.front(), position) !=
        static_cast<int64_t>(i))
      return false;
  return count > 1 && CellCode::getDivisor(positions.front()) % count == 0;
}

/// Stores numbers that lie side by side from a position on.
void TileCode::storeVector(ValueRange numbers, Value array, Value position) {
  Type element = numbers.front().getType();
  int64_t count = numbers.size();
  Value vector = vector::FromElementsOp::create(
      b, VectorType::get({count}, element), numbers);
  LLVM::StoreOp::create(
      b, vector,
      LLVM::GEPOp::create(b, array.getType(), element, array, position),
      count * element.getIntOrFloatBitWidth() / 8);
}

/// Computes what cells (i, j) to (i, j + count) of the thread become, of which
/// `vector` at a time lie side by side.
TileCode::Delivery TileCode::computeCells(TileProduct &tile, ValueRange sums,
                                          int64_t i, int64_t j, int64_t count,
                                          int64_t vector) {
  CellsOp kernel = scope.kernel;
  CellCode code = scope.getCode(b);
  ContractOp op = product.op;
  Value row = code.add(firstRow, tile.getRow(i));
  auto ways = getWays();
  Delivery delivery{SmallVector<Values>(ways.size()),
                    SmallVector<Values>(ways.size())};
  auto &[numbers, positions] = delivery;
  SmallVector<SmallVector<Loaded, 2>, 1> loaded(ways.size());
  // Several are neighbours.
  Value first = code.add(firstColumn, tile.getColumn(j));
  for (int64_t more = 0; more < count; ++more) {
    Value column = code.add(first, constant(b, more));
    AxisIndices indices = terms.front().at;
    setIndices(b, code, product.rows, row, indices);
    setIndices(b, code, product.columns, column, indices);
    Values index = getPosition(code, op, op.getResultSubscript(), indices);
    Value sum = tile.getSum(sums, i, j + more);
    bool begins = more % vector == 0;
    // The sums of a part lie as the product counts its cells.
    if (scope.parts) {
      numbers[0].push_back(sum);
      if (begins)
        positions[0].push_back(
            code.linearise({part, batch, row, column}, getPartSizes(product)));
      continue;
    }
    for (auto [i, way] : llvm::enumerate(ways)) {
      Values own = index;
      numbers[i].push_back(follow(code, way.second, finish(code, sum), own,
                                  more, vector, loaded[i]));
      if (begins)
        positions[i].push_back(code.linearise(
            own, scope.stacks.getSizes(kernel.getResult(way.first))));
    }
  }
  return delivery;
}

void TileCode::storeCells(const Delivery &delivery, int64_t vector) {
  CellCode code = scope.getCode(b);
  auto ways = getWays();
  const auto &[numbers, positions] = delivery;
  for (auto [i, own] : llvm::enumerate(numbers)) {
    if (own.empty())
      continue;
    Value array = scope.parts ? scope.params.get(Params::partial)
                              : scope.params.get(Params::result, ways[i].first);
    if (vector == 1 && areNeighbours(positions[i]))
      storeVector(own, array, positions[i].front());
    else
      for (auto [n, position] : llvm::enumerate(positions[i])) {
        ValueRange some = ValueRange(own).slice(n * vector, vector);
        if (vector == 1)
          code.store(some.front(), some.front().getType(), array, position);
        else
          storeVector(some, array, position);
      }
  }
}

/// How many groups of `count` cells of a row are computed before any of them is
/// stored: as many as there are registers for what they read. What was not
/// asked for before a store is asked for after it, and waited for each time.
int64_t TileCode::countTogether(int64_t count) {
  constexpr int64_t registers = 32;
  int64_t loads = 0;
  for (const auto &[r, steps] : getWays())
    for (const Step &step : steps) {
      if (step.kind == Step::spread)
        return 1;
      if (step.kind != Step::compute)
        continue;
      llvm::SmallDenseSet<Value> visited;
      visitLoads(scope.kernel, step.value, step.op, visited,
                 [&](Value) { ++loads; });
    }
  return std::max<int64_t>(1,
                           registers / (count * std::max<int64_t>(1, loads)));
}

void TileCode::store(TileProduct &tile, ValueRange sums) {
  const Slab &ofRows = terms.front().rows.getSlab();
  const Slab &ofColumns = terms.front().columns.getSlab();
  int64_t vector = countNeighbours(tile), count = vector;
  // Cells that are neighbours may go to some that are; and the assembler joins
  // loads that no stores are between.
  if (tiles::isMultipleOf(product.count(product.columns), tile.getNeighbours()))
    count = tile.getNeighbours();
  // Columns that all tiles have are under no condition of their own.
  std::optional<int64_t> columns = product.count(product.columns).getConstant();
  bool isWhole = columns && *columns % ofColumns.extent == 0;
  int64_t together =
      isWhole && !scope.parts ? count * countTogether(count) : count;
  for (int64_t i = 0; i < ofRows.ofThread; ++i) {
    Value row = arith::AddIOp::create(b, firstRow, tile.getRow(i));
    ifInside(row, product.rows, ofRows.extent, [&] {
      for (int64_t j = 0; j < ofColumns.ofThread; j += together) {
        Value column = arith::AddIOp::create(b, firstColumn, tile.getColumn(j));
        ifInside(column, product.columns, ofColumns.extent, [&] {
          SmallVector<Delivery> deliveries;
          for (int64_t k = j; k < std::min(j + together, ofColumns.ofThread);
               k += count)
            deliveries.push_back(computeCells(tile, sums, i, k, count, vector));
          for (const Delivery &delivery : deliveries)
            storeCells(delivery, vector);
        });
      }
    });
  }
}

void TileCode::emit(gpu::GPUFuncOp func, Value block, Value thread) {
  thread = arith::TruncIOp::create(b, b.getI32Type(), thread);
  this->thread = thread;
  memory = getDynamicMemory(b, func);
  enterBlock(block);
  Values sums;
  std::unique_ptr<TileProduct> tile;
  for (TileTerm &term : terms) {
    // All threads have multiplied the last slabs of the one before.
    if (tile)
      gpu::BarrierOp::create(b);
    begin(term);
    // Which cells a thread has is the same for all of them.
    tile =
        TileProduct::create(b, term.scope.product, term.rows.getSlab(),
                            term.columns.getSlab(), term.scope.packed, thread);
    sums = multiply(term, *tile, sums);
  }
  store(*tile, sums);
}

void TileCode::emitPack(Value number) {
  TileTerm &term = terms.front();
  for (auto &[axis, index] : product.fixed)
    term.at[axis] = constant(b, index);
  CellCode code = scope.getCode(b);
  setIndices(b, code, product.batch, scope.packed->getBatch(b, number),
             term.at);
  term.columns.begin(/*thread=*/{}, constant(b, 0), term.at);
  scope.packed->pack(b, term.columns, scope.params.get(Params::partial),
                     number);
}

Value TileCode::addParts(Value cell, Value first, Value last) {
  CellCode code = scope.getCode(b);
  Type type = terms.front().rows.getSlab().element;
  Value cells = code.count(getPartSizes(product));
  Value array = scope.params.get(Params::partial);
  Value zero = arith::ConstantOp::create(b, b.getFloatAttr(type, 0.0));
  return code.loop(
      first, last, zero, [&](Value part, ValueRange sum) -> Values {
        Value place = arith::AddIOp::create(
            b, arith::MulIOp::create(b, part, cells), cell);
        Value pointer =
            LLVM::GEPOp::create(b, array.getType(), type, array, place);
        return {arith::AddFOp::create(b, sum[0],
                                      LLVM::LoadOp::create(b, type, pointer))};
      })[0];
}

void TileCode::deliverSum(Value cell, Value sum) {
  CellCode code = scope.getCode(b);
  ContractOp op = product.op;
  Values number = code.delinearise(cell, getPartSizes(product));
  AxisIndices indices;
  for (auto &[axis, index] : product.fixed)
    indices[axis] = constant(b, index);
  setIndices(b, code, product.batch, number[1], indices);
  setIndices(b, code, product.rows, number[2], indices);
  setIndices(b, code, product.columns, number[3], indices);
  Values index = getPosition(code, op, op.getResultSubscript(), indices);
  CellsOp kernel = scope.kernel;
  sum = finish(code, sum);
  code.store(sum, elementOf(op.getResult()),
             scope.params.get(Params::result, uintptr_t(0)),
             code.linearise(index, dimsOf(kernel.getResult(0))));
}

} // namespace gyre::kernels
