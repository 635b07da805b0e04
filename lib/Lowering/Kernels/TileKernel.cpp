//===- TileKernel.cpp - Kernels of tiles ----------------------------------===//
//
// A block of threads has a tile of rows and columns. Slabs of both operands are
// copied to shared memory, several ahead of the one that is multiplied; the
// sums stay in registers, and what follows the product is computed from them.
//
//===----------------------------------------------------------------------===//

#include "TileKernel.h"

#include "CellKernels.h"
#include "TileOperand.h"
#include "TileProduct.h"
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

static Value constant32(Builder &b, int64_t value) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
}

namespace {

/// The code of a piece's blocks.
class TileCode {
public:
  TileCode(Builder &b, const TileScope &scope, const Piece &piece)
      : b(b), scope(scope), piece(piece), product(scope.product),
        rows(b, scope, /*isRows=*/true), columns(b, scope, /*isRows=*/false) {}

  int64_t getSharedBytes() const { return getStageBytes() * getStages(); }
  void emit(gpu::GPUFuncOp func, Value block, Value thread);
  /// Adds the parts of a cell of the product.
  void emitSum(Value cell);

private:
  Value finish(CellCode &code, Value sum);
  int64_t getStages() const { return scope.tile.getStages(); }
  int64_t getStageBytes() const {
    return rows.getSlab().getBytes() + columns.getSlab().getBytes();
  }
  void enterBlock(Value block);
  void findRange(Value part);
  void copy(Value stage, Value k);
  Values multiply(TileProduct &tile);
  void store(TileProduct &tile, ValueRange sums);
  void storeCells(TileProduct &tile, ValueRange sums, int64_t i, int64_t j,
                  int64_t count);
  Values move(CellCode &code, ContractOp move, ValueRange index);
  /// Vectors of neighbours, by the values that they are cells of.
  using Loaded = llvm::SmallDenseMap<Value, Value, 2>;
  void loadNeighbour(CellCode &code, Value value, ValueRange index,
                     int64_t number, int64_t count, Loaded &loaded);
  Value follow(CellCode &code, ArrayRef<Step> steps, Value sum, Values &index,
               int64_t number, int64_t count, SmallVectorImpl<Loaded> &loaded);
  int64_t countNeighbours(const TileProduct &tile);
  void ifInside(Value at, ArrayRef<AxisAttr> axes, int64_t extent,
                function_ref<void()> body);

  Builder &b;
  const TileScope &scope;
  const Piece &piece;
  const Product &product;
  TileOperand rows, columns;
  Value memory, part, batch, firstRow, firstColumn, begin, end;
  /// Indices of batches, and fixed ones.
  AxisIndices at;
};

} // namespace

/// Which tile of which batch, and of which part of the sums, it is. Blocks that
/// are neighbours have the same rows, which are read from memory once.
void TileCode::enterBlock(Value block) {
  CellCode code = scope.getCode(b);
  auto countTiles = [&](ArrayRef<AxisAttr> axes, int64_t extent) -> Value {
    return arith::CeilDivSIOp::create(b, code.size(product.count(axes)),
                                      constant(b, extent));
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
  Value column = take(countTiles(product.columns, scope.tile.getColumns()));
  Value row = take(countTiles(product.rows, scope.tile.getRows()));
  batch = take(code.size(product.count(product.batch)));
  part = arith::ExtUIOp::create(b, wide, block);
  firstColumn =
      arith::MulIOp::create(b, column, constant(b, scope.tile.getColumns()));
  firstRow = arith::MulIOp::create(b, row, constant(b, scope.tile.getRows()));
  for (auto &[axis, index] : product.fixed)
    at[axis] = constant(b, index);
  setIndices(b, code, product.batch, batch, at);
}

/// The depth that is summed: all of it, or a part of the axes of runtime size.
void TileCode::findRange(Value part) {
  CellCode code = scope.getCode(b);
  PolyAttr cut = PolyAttr::constant(b.getContext(), 1), whole = cut;
  for (AxisAttr axis : product.depth) {
    PolyAttr &size = axis.getSize().getConstant() ? whole : cut;
    size = size.mul(axis.getSize());
  }
  begin = constant(b, 0);
  end = code.size(product.count(product.depth));
  if (!scope.parts)
    return;
  Value all = code.size(cut), width = code.size(whole);
  Value each = arith::CeilDivSIOp::create(b, all, constant(b, *scope.parts));
  Value lo = arith::MulIOp::create(b, part, each);
  Value hi = arith::MinSIOp::create(b, arith::AddIOp::create(b, lo, each), all);
  begin = arith::MulIOp::create(b, lo, width);
  end = arith::MulIOp::create(b, hi, width);
}

/// Copies the slabs that begin at depth `k` to a stage, its place in bytes.
void TileCode::copy(Value stage, Value k) {
  Value to =
      LLVM::GEPOp::create(b, memory.getType(), b.getI8Type(), memory, stage);
  rows.copy(to, k, end);
  auto bytes = static_cast<int32_t>(rows.getSlab().getBytes());
  to = LLVM::GEPOp::create(b, memory.getType(), b.getI8Type(), to,
                           ArrayRef<LLVM::GEPArg>{bytes});
  columns.copy(to, k, end);
}

Values TileCode::multiply(TileProduct &tile) {
  int64_t depth = scope.tile.getDepth(), stages = getStages();
  // A depth that is known is counted in one register.
  std::optional<int64_t> known = product.count(product.depth).getConstant();
  bool isNarrow = known && !scope.parts && *known < (int64_t(1) << 30);
  auto number = [&](int64_t value) {
    return isNarrow ? constant32(b, value) : constant(b, value);
  };
  Value first = isNarrow ? number(0) : begin;
  Value last = isNarrow ? number(*known) : end;
  auto copyIfAny = [&](Value stage, Value k) {
    Value exists = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, k, last);
    scf::IfOp::create(b, exists, [&](OpBuilder &, Location) {
      copy(stage,
           isNarrow ? Value(arith::ExtUIOp::create(b, b.getI64Type(), k)) : k);
      scf::YieldOp::create(b);
    });
    NVVM::CpAsyncCommitGroupOp::create(b);
  };
  for (int64_t i = 0; i + 1 < stages; ++i)
    copyIfAny(constant32(b, i * getStageBytes()),
              arith::AddIOp::create(b, first, number(i * depth)));
  Values carried = tile.zeros();
  carried.push_back(constant32(b, 0));
  carried.push_back(constant32(b, (stages - 1) * getStageBytes()));
  auto next = [&](Value stage) -> Value {
    Value after =
        arith::AddIOp::create(b, stage, constant32(b, getStageBytes()));
    Value isEnd =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, after,
                              constant32(b, stages * getStageBytes()));
    return arith::SelectOp::create(b, isEnd, constant32(b, 0), after);
  };
  auto loop = scf::ForOp::create(
      b, first, last, number(depth), carried,
      [&](OpBuilder &, Location, Value k, ValueRange carried) {
        Value reads = carried.drop_back().back(), writes = carried.back();
        NVVM::CpAsyncWaitGroupOp::create(b, std::max<int64_t>(stages - 2, 0));
        gpu::BarrierOp::create(b);
        // Into the stage that all threads have multiplied.
        copyIfAny(writes,
                  arith::AddIOp::create(b, k, number((stages - 1) * depth)));
        Value rowSlab = LLVM::GEPOp::create(b, memory.getType(), b.getI8Type(),
                                            memory, reads);
        auto bytes = static_cast<int32_t>(rows.getSlab().getBytes());
        Value columnSlab =
            LLVM::GEPOp::create(b, memory.getType(), b.getI8Type(), rowSlab,
                                ArrayRef<LLVM::GEPArg>{bytes});
        Values sums = tile.add(rowSlab, columnSlab, carried.drop_back(2));
        sums.push_back(next(reads));
        sums.push_back(next(writes));
        scf::YieldOp::create(b, sums);
      });
  return Values(loop.getResults().drop_back(2));
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
                       function_ref<void(Value)> visit) {
  Operation *op = value.getDefiningOp();
  if (op == base)
    return;
  if (!op || op->getParentOp() != kernel)
    return visit(value);
  if (tiles::isElementwise(op))
    for (Value operand : op->getOperands())
      visitLoads(kernel, operand, base, visit);
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
  CellsOp kernel = scope.kernel;
  for (auto [steps, type] :
       llvm::zip_equal(piece.steps, kernel.getResultTypes())) {
    std::optional<int64_t> dim = getInnermost(op.getResult().getType());
    for (const Step &step : steps) {
      if (step.kind == Step::shift && step.axis == *dim &&
          !tiles::isMultipleOf(step.by, count))
        return 1;
      if (step.kind == Step::compute &&
          !isInnermost(step.value.getType(), *dim, count))
        return 1;
      if (step.kind != Step::move)
        continue;
      auto move = cast<ContractOp>(step.op);
      auto from = cast<ArrayAttr>(move.getSubscripts()[0]);
      dim = llvm::find(move.getResultSubscript(), from[*dim]) -
            move.getResultSubscript().begin();
    }
    if (!isInnermost(type, *dim, count))
      return 1;
  }
  return count;
}

/// A cell that was moved.
Values TileCode::move(CellCode &code, ContractOp move, ValueRange index) {
  AxisIndices moved;
  for (AxisAttr axis : move.getDomain().getAsRange<AxisAttr>())
    moved[axis.getName()] = constant(b, 0);
  for (auto [entry, place] : llvm::zip_equal(
           cast<ArrayAttr>(move.getSubscripts()[0]).getAsRange<ArrayAttr>(),
           index))
    moved[cast<StringAttr>(entry[0])] = place;
  return getPosition(code, move, move.getResultSubscript(), moved);
}

/// The sizes by which the sums of parts are counted; of parts, any.
static SmallVector<PolyAttr> getPartSizes(const Product &product) {
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
                                  /*isInvariant=*/true);
  }
  code.provide(value, index, vector::ExtractOp::create(b, vector, number));
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
      if (!step.by.isConstant(0))
        index[step.axis] =
            arith::AddIOp::create(b, index[step.axis], code.size(step.by));
      break;
    case Step::move:
      index = move(code, cast<ContractOp>(step.op), index);
      break;
    case Step::compute:
      if (count > 1)
        visitLoads(scope.kernel, step.value, step.op,
                   [&, &own = loaded[i]](Value value) {
                     if (isa<FloatType>(elementOf(value)))
                       loadNeighbour(code, value, index, number, count, own);
                   });
      code.provide(step.op->getResult(0), index, sum);
      sum = code.get(step.value, index);
      break;
    }
  }
  return sum;
}

/// Delivers cells (i, j) to (i, j + count) of the thread.
void TileCode::storeCells(TileProduct &tile, ValueRange sums, int64_t i,
                          int64_t j, int64_t count) {
  CellsOp kernel = scope.kernel;
  CellCode code = scope.getCode(b);
  ContractOp op = product.op;
  Value row = arith::AddIOp::create(b, firstRow, tile.getRow(i));
  SmallVector<Values> numbers(kernel.getNumResults());
  Values positions(kernel.getNumResults());
  SmallVector<SmallVector<Loaded, 2>, 1> loaded(kernel.getNumResults());
  for (int64_t more = 0; more < count; ++more) {
    Value column =
        arith::AddIOp::create(b, firstColumn, tile.getColumn(j + more));
    AxisIndices indices = at;
    setIndices(b, code, product.rows, row, indices);
    setIndices(b, code, product.columns, column, indices);
    Values index = getPosition(code, op, op.getResultSubscript(), indices);
    Value sum = tile.getSum(sums, i, j + more);
    // The sums of a part lie as the product counts its cells.
    if (scope.parts) {
      numbers[0].push_back(sum);
      if (more == 0)
        positions[0] =
            code.linearise({part, batch, row, column}, getPartSizes(product));
      continue;
    }
    for (auto [r, result] : llvm::enumerate(kernel.getResults())) {
      Values own = index;
      numbers[r].push_back(follow(code, piece.steps[r], finish(code, sum), own,
                                  more, count, loaded[r]));
      if (more == 0)
        positions[r] = code.linearise(own, dimsOf(result));
    }
  }
  for (auto [r, own] : llvm::enumerate(numbers)) {
    Type element = own.front().getType();
    Value number = own.front(), position = positions[r];
    Value array = scope.parts ? scope.params.get(Params::partial)
                              : scope.params.get(Params::result, r);
    if (count == 1) {
      code.store(number, element, array, position);
      continue;
    }
    number = vector::FromElementsOp::create(
        b, VectorType::get({count}, element), own);
    LLVM::StoreOp::create(
        b, number,
        LLVM::GEPOp::create(b, array.getType(), element, array, position),
        count * element.getIntOrFloatBitWidth() / 8);
  }
}

void TileCode::store(TileProduct &tile, ValueRange sums) {
  const Slab &ofRows = rows.getSlab(), &ofColumns = columns.getSlab();
  int64_t count = countNeighbours(tile);
  for (int64_t i = 0; i < ofRows.ofThread; ++i) {
    Value row = arith::AddIOp::create(b, firstRow, tile.getRow(i));
    ifInside(row, product.rows, ofRows.extent, [&] {
      for (int64_t j = 0; j < ofColumns.ofThread; j += count) {
        Value column = arith::AddIOp::create(b, firstColumn, tile.getColumn(j));
        ifInside(column, product.columns, ofColumns.extent,
                 [&] { storeCells(tile, sums, i, j, count); });
      }
    });
  }
}

void TileCode::emit(gpu::GPUFuncOp func, Value block, Value thread) {
  thread = arith::TruncIOp::create(b, b.getI32Type(), thread);
  memory = getDynamicMemory(b, func);
  enterBlock(block);
  findRange(part);
  rows.begin(thread, firstRow, at);
  columns.begin(thread, firstColumn, at);
  auto tile = TileProduct::create(b, product, rows.getSlab(), columns.getSlab(),
                                  thread);
  store(*tile, multiply(*tile));
}

void TileCode::emitSum(Value cell) {
  CellCode code = scope.getCode(b);
  ContractOp op = product.op;
  Type type = rows.getSlab().element;
  auto sizes = getPartSizes(product);
  Value cells = code.count(sizes);
  Value array = scope.params.get(Params::partial);
  Value zero = arith::ConstantOp::create(b, b.getFloatAttr(type, 0.0));
  Value sum =
      code.loop(constant(b, 0), constant(b, *scope.parts), zero,
                [&](Value part, ValueRange sum) -> Values {
                  Value place = arith::AddIOp::create(
                      b, arith::MulIOp::create(b, part, cells), cell);
                  Value pointer = LLVM::GEPOp::create(b, array.getType(), type,
                                                      array, place);
                  return {arith::AddFOp::create(
                      b, sum[0], LLVM::LoadOp::create(b, type, pointer))};
                })[0];
  Values number = code.delinearise(cell, sizes);
  AxisIndices indices;
  for (auto &[axis, index] : product.fixed)
    indices[axis] = constant(b, index);
  setIndices(b, code, product.batch, number[1], indices);
  setIndices(b, code, product.rows, number[2], indices);
  setIndices(b, code, product.columns, number[3], indices);
  Values index = getPosition(code, op, op.getResultSubscript(), indices);
  CellsOp kernel = scope.kernel;
  code.store(finish(code, sum), elementOf(op.getResult()),
             scope.params.get(Params::result, uintptr_t(0)),
             code.linearise(index, dimsOf(kernel.getResult(0))));
}

static void emitPiece(Program &program, DeviceModule &device, Tables &tables,
                      CellsOp kernel, const std::string &name, Params &params,
                      const Piece &piece) {
  Builder &b = program.builder();
  TileAttr tile = *kernel.getTile();
  const Product &product = piece.product;
  auto countTiles = [&](ArrayRef<AxisAttr> axes, int64_t extent) -> Value {
    return arith::CeilDivSIOp::create(b, program.size(product.count(axes)),
                                      constant(b, extent));
  };
  Value blocks = constant(b, kernel.getParts().value_or(1));
  for (Value count : {countTiles(product.rows, tile.getRows()),
                      countTiles(product.columns, tile.getColumns()),
                      program.size(product.count(product.batch))})
    blocks = arith::MulIOp::create(b, blocks, count);
  device.run(name, params, blocks, tile.getThreads(), tile.getWarps(),
             [&](gpu::GPUFuncOp func, Value block, Value thread) {
               TileScope scope{kernel, product, params,
                               tables, tile,    kernel.getParts()};
               TileCode code(b, scope, piece);
               code.emit(func, block, thread);
               return code.getSharedBytes();
             });
}

/// A thread for each of some cells.
static void runForCells(Program &program, DeviceModule &device,
                        const std::string &name, Params &params, PolyAttr count,
                        function_ref<void(Value at)> emit) {
  constexpr int64_t threads = 128;
  Builder &b = program.builder();
  Value blocks =
      arith::CeilDivSIOp::create(b, program.size(count), constant(b, threads));
  device.run(
      name, params, blocks, threads, kCombineWarps,
      [&](gpu::GPUFuncOp, Value block, Value thread) {
        Value at = arith::AddIOp::create(
            b, arith::MulIOp::create(b, block, constant(b, threads)), thread);
        Value works = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, at,
                                            emitSize(b, params, count));
        scf::IfOp::create(b, works, [&](OpBuilder &, Location) {
          emit(at);
          scf::YieldOp::create(b);
        });
        return 0;
      });
}

PolyAttr countTileParts(CellsOp kernel) {
  const Product product = Pieces::get(kernel)->pieces.front().product;
  PolyAttr count =
      PolyAttr::constant(kernel.getContext(), kernel.getParts().value_or(1));
  for (PolyAttr size : getPartSizes(product))
    count = count.mul(size);
  return count;
}

void emitTilesForCUDA(Program &program, DeviceModule &device, Tables &tables,
                      CellsOp kernel, const std::string &name, Params &params) {
  Builder &b = program.builder();
  Pieces pieces = *Pieces::get(kernel);
  if (!pieces.coverResults)
    runForCells(
        program, device, name + "_zeros", params, countCells(kernel),
        [&](Value at) {
          CellCode code(b, kernel, params, tables);
          for (auto [i, result] : llvm::enumerate(kernel.getResults())) {
            Type element = elementOf(result);
            Value zero =
                arith::ConstantOp::create(b, b.getFloatAttr(element, 0.0));
            code.store(zero, element, params.get(Params::result, i), at);
          }
        });
  for (auto [i, piece] : llvm::enumerate(pieces.pieces)) {
    std::string own =
        pieces.pieces.size() == 1 ? name : name + "_" + std::to_string(i);
    emitPiece(program, device, tables, kernel, own, params, piece);
  }
  if (!kernel.getParts())
    return;
  const Piece &piece = pieces.pieces.front();
  PolyAttr cells = PolyAttr::constant(b.getContext(), 1);
  for (PolyAttr size : getPartSizes(piece.product))
    cells = cells.mul(size);
  runForCells(program, device, name + "_sums", params, cells, [&](Value at) {
    TileScope scope{kernel, piece.product,     params,
                    tables, *kernel.getTile(), kernel.getParts()};
    TileCode(b, scope, piece).emitSum(at);
  });
}

LogicalResult checkTiles(CellsOp kernel) {
  std::optional<TileAttr> tile = kernel.getTile();
  if (!tile)
    return success();
  std::optional<Pieces> pieces = Pieces::get(kernel);
  if (!pieces)
    return kernel.emitError("[lower-kernel-tile] expected products of matrices "
                            "for a tile, got others");
  // Of a warp, and of what its lanes read at once.
  bool fits = tile->getThreadColumns() % 8 == 0 && tile->getDepth() % 16 == 0 &&
              tile->getRows() % (8 * tile->getThreadRows()) == 0 &&
              tile->getColumns() % (4 * tile->getThreadColumns()) == 0;
  if (fits || llvm::none_of(pieces->pieces, [](const Piece &piece) {
        return piece.product.getMatrixMode().has_value();
      }))
    return success();
  return kernel.emitError("[lower-kernel-tile] expected a tile of whole warps "
                          "of 8 x 4 threads, each of a multiple of 8 columns, "
                          "and a depth that is a multiple of 16, for matrix "
                          "units, got ")
         << *tile;
}

} // namespace gyre::kernels
