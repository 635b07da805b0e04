//===- TileOperand.cpp - What a product reads, slab by slab ---------------===//

#include "TileOperand.h"

#include "gyre/Dialect/PolySyntax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gyre::kernels {

static Value widen(Builder &b, Value number) {
  return arith::ExtUIOp::create(b, b.getI64Type(), number);
}

void setIndices(Builder &b, CellCode &code, ArrayRef<AxisAttr> axes,
                Value number, AxisIndices &at) {
  auto sizes =
      llvm::map_to_vector(axes, [](AxisAttr axis) { return axis.getSize(); });
  for (auto [axis, index] :
       llvm::zip_equal(axes, code.delinearise(number, sizes)))
    at[axis.getName()] = index;
}

Values getPosition(CellCode &code, ContractOp op, ArrayAttr subscript,
                   const AxisIndices &at) {
  Values position;
  for (ArrayAttr entry : subscript.getAsRange<ArrayAttr>()) {
    Values indices;
    SmallVector<PolyAttr> sizes;
    for (auto axis : entry.getAsRange<StringAttr>()) {
      indices.push_back(at.at(axis));
      sizes.push_back(op.getAxisSize(axis));
    }
    position.push_back(code.linearise(indices, sizes));
  }
  return position;
}

TileOperand::TileOperand(Builder &b, const TileScope &scope, bool isRows,
                         const Slab *like)
    : b(b), scope(scope), isRows(isRows) {
  const tiles::Product &product = scope.product;
  ContractOp op = product.op;
  input = isRows ? product.rowsInput : product.columnsInput;
  extentAxes = isRows ? product.rows : product.columns;
  depthAxes = product.depth;
  slab.element = op.getPrecision() == Precision::fp64 ? Type(b.getF64Type())
                                                      : op.getAccumulatorType();
  slab.extent = isRows ? scope.tile.getRows() : scope.tile.getColumns();
  slab.ofThread =
      isRows ? scope.tile.getThreadRows() : scope.tile.getThreadColumns();
  slab.depth = scope.tile.getDepth();
  slab.alongDepth = like && like->alongDepth;
  slab.ofMatrixUnits = product.getMatrixMode().has_value();
  access = tiles::Access::get(product, input);
  planCopies(like);
}

/// How many elements along an axis can be copied at once.
int64_t TileOperand::getWidth(StringAttr contiguous) const {
  ContractOp op = scope.product.op;
  PolyAttr size = op.getAxisSize(contiguous);
  int64_t most = slab.getVector();
  // The parts of a sum begin anywhere on axes of runtime size.
  if (scope.parts && slab.alongDepth && !size.getConstant())
    most = 1;
  for (int64_t count = most; count > 1; count /= 2)
    if (tiles::isMultipleOf(size, count) &&
        access->strides.areMultiplesOf(count, contiguous))
      return count;
  return 1;
}

void TileOperand::planCopies(const Slab *like) {
  if (!access)
    return;
  auto isContiguous = [&](ArrayRef<AxisAttr> axes) {
    return !axes.empty() &&
           access->strides.get(axes.back().getName()).isConstant(1);
  };
  bool isAlongExtent = isContiguous(extentAxes);
  if (!like)
    slab.alongDepth = !isAlongExtent && isContiguous(depthAxes);
  isCopied = !access->isConverted && elementOf(access->array) == slab.element;
  if (isCopied && (slab.alongDepth ? isContiguous(depthAxes) : isAlongExtent))
    width =
        getWidth((slab.alongDepth ? depthAxes : extentAxes).back().getName());
}

bool TileOperand::canSplit() const {
  std::optional<Precision> mode = scope.product.getMatrixMode();
  if (!mode || scope.packed || !isCopied || slab.alongDepth ||
      width != slab.getVector())
    return false;
  PartSplit split = PartSplit::get(*mode);
  return split.format != PartSplit::tf32 && split.parts <= 2;
}

void TileOperand::begin(Value thread, Value first, const AxisIndices &at) {
  this->thread = thread;
  this->first = first;
  this->at = at;
}

Value TileOperand::add(Value x, Place place) {
  Value sum = arith::AddIOp::create(b, x, widen(b, place.number));
  if (place.more == 0)
    return sum;
  return arith::AddIOp::create(b, sum, constant(b, place.more));
}

/// Threads that are neighbours copy neighbours.
TileOperand::Chunk TileOperand::getChunk(int64_t i) {
  int64_t threads = scope.tile.getThreads();
  int64_t ofLine = (slab.alongDepth ? slab.depth : slab.extent) / width;
  Value line = constant32(b, ofLine), number = thread;
  Chunk chunk;
  if (threads % ofLine == 0) {
    chunk.across.more = i * (threads / ofLine);
  } else {
    number = arith::AddIOp::create(b, number, constant32(b, i * threads));
  }
  chunk.across.number = arith::DivUIOp::create(b, number, line);
  Value rest = arith::RemUIOp::create(b, number, line);
  chunk.along.number = arith::MulIOp::create(b, rest, constant32(b, width));
  return chunk;
}

/// The chunks that a thread splits together, of the steps of depth that
/// Slab::isSplit says. Threads that are neighbours have neighbours.
SmallVector<TileOperand::Chunk> TileOperand::getQuad(int64_t i) {
  constexpr int64_t quads = Slab::kStep / Slab::kSteps;
  auto getStep = [](int64_t quad) {
    return quad % quads * 2 + quad / quads * Slab::kStep;
  };
  int64_t threads = scope.tile.getThreads(), ofLine = slab.extent / width;
  int64_t ofThreads = threads / ofLine;
  Value line = constant32(b, ofLine), number = thread;
  Chunk chunk;
  if (threads % ofLine == 0 &&
      (quads % ofThreads == 0 || ofThreads % quads == 0))
    chunk.across.more = getStep(i * ofThreads);
  else
    number = arith::AddIOp::create(b, number, constant32(b, i * threads));
  Value quad = arith::DivUIOp::create(b, number, line);
  Value step = arith::DivUIOp::create(b, quad, constant32(b, quads));
  quad = arith::MulIOp::create(b, quad, constant32(b, 2));
  step = arith::MulIOp::create(b, step, constant32(b, Slab::kApart));
  chunk.across.number = arith::AddIOp::create(b, quad, step);
  Value rest = arith::RemUIOp::create(b, number, line);
  chunk.along.number = arith::MulIOp::create(b, rest, constant32(b, width));
  SmallVector<Chunk> chunks(Slab::kSteps, chunk);
  for (auto [k, own] : llvm::enumerate(chunks))
    own.across.more += k % 2 + k / 2 * Slab::kApart;
  return chunks;
}

/// Whether all blocks of `count` are whole.
static bool isWhole(PolyAttr size, int64_t count) {
  std::optional<int64_t> fixed = size.getConstant();
  return fixed && *fixed % count == 0;
}

static Value both(Builder &b, Value x, Value y) {
  return x && y ? Value(arith::AndIOp::create(b, x, y)) : x ? x : y;
}

/// Whether a depth is before the end; none where all are.
Value TileOperand::isBefore(Value k, Value end) {
  if (isWhole(scope.product.count(depthAxes), slab.depth))
    return {};
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, k, end);
}

/// The same of a depth in the slab. What is left of it is one register for all.
Value TileOperand::isBefore(const Place &depth, Value k, Value end) {
  if (isWhole(scope.product.count(depthAxes), slab.depth))
    return {};
  Value left = arith::SubIOp::create(b, end, k);
  left = arith::MinSIOp::create(b, left, constant(b, slab.depth));
  left = arith::TruncIOp::create(b, b.getI32Type(), left);
  Value number =
      arith::AddIOp::create(b, depth.number, constant32(b, depth.more));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, number, left);
}

/// Whether a cell is one of the operand's; none where all are.
Value TileOperand::isInside(Value x, Value k, Value end) {
  CellCode code = scope.getCode(b);
  PolyAttr extent = scope.product.count(extentAxes);
  Value inside;
  if (!isWhole(extent, slab.extent))
    inside = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, x,
                                   code.size(extent));
  return both(b, inside, isBefore(k, end));
}

/// Whether a row, or column, of the tile is one of the operand's. What is left
/// of these is one register for all.
Value TileOperand::isInTile(const Place &x) {
  CellCode code = scope.getCode(b);
  PolyAttr extent = scope.product.count(extentAxes);
  if (isWhole(extent, slab.extent))
    return {};
  Value left = arith::SubIOp::create(b, code.size(extent), first);
  left = arith::MinSIOp::create(b, left, constant(b, slab.extent));
  left = arith::TruncIOp::create(b, b.getI32Type(), left);
  Value number = arith::AddIOp::create(b, x.number, constant32(b, x.more));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, number, left);
}

/// The offset of a chunk in the array, in elements.
Value TileOperand::getOffset(const Chunk &chunk, Value k) {
  CellCode code = scope.getCode(b);
  const tiles::Strides &strides = access->strides;
  Value offset = code.size(strides.offset);
  auto take = [&](Value index, PolyAttr stride) {
    offset = arith::AddIOp::create(
        b, offset, arith::MulIOp::create(b, index, code.size(stride)));
  };
  for (auto &[axis, stride] : strides.of)
    if (auto index = at.find(axis); index != at.end())
      take(index->second, stride);
  const Place &x = slab.alongDepth ? chunk.across : chunk.along;
  const Place &depth = slab.alongDepth ? chunk.along : chunk.across;
  // What is known before comes last: constants in the instruction.
  int64_t known = 0;
  auto takeAll = [&](ArrayRef<AxisAttr> axes, Value before,
                     const Place &place) {
    if (axes.size() != 1) {
      AxisIndices own;
      setIndices(b, code, axes, add(before, place), own);
      for (AxisAttr axis : axes)
        take(own.at(axis.getName()), strides.get(axis.getName()));
      return;
    }
    PolyAttr stride = strides.get(axes.front().getName());
    std::optional<int64_t> fixed = stride.getConstant();
    Place rest{place.number, fixed ? 0 : place.more};
    take(add(before, rest), stride);
    known += fixed ? *fixed * place.more : 0;
  };
  takeAll(extentAxes, first, x);
  takeAll(depthAxes, k, depth);
  if (known == 0)
    return offset;
  return arith::AddIOp::create(b, offset, constant(b, known));
}

/// Where a cell is in the slab, in elements.
Value TileOperand::getPlace(Value across, Value along) {
  if (auto swizzle = slab.getSwizzle()) {
    Value bits =
        arith::ShRUIOp::create(b, across, constant32(b, swizzle->from));
    bits = arith::AndIOp::create(b, bits, constant32(b, swizzle->mask));
    bits = arith::ShLIOp::create(b, bits, constant32(b, swizzle->to));
    along = arith::XOrIOp::create(b, along, bits);
  }
  return arith::AddIOp::create(
      b, arith::MulIOp::create(b, across, constant32(b, slab.getPitch())),
      along);
}

/// Where a chunk is in shared memory.
Value TileOperand::getAddress(const Chunk &chunk, Value to) {
  int64_t more = chunk.across.more * slab.getPitch();
  Value across = chunk.across.number;
  if (auto swizzle = slab.getSwizzle();
      swizzle && !swizzle->repeats(chunk.across.more)) {
    across = arith::AddIOp::create(b, across, constant32(b, chunk.across.more));
    more = 0;
  }
  Value place = getPlace(across, chunk.along.number);
  place = LLVM::GEPOp::create(b, to.getType(), slab.element, to, place);
  if (more)
    place =
        LLVM::GEPOp::create(b, to.getType(), slab.element, place,
                            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(more)});
  return place;
}

void TileOperand::copyChunk(const Chunk &chunk, Value to, Value k, Value end) {
  constexpr int64_t widest = 16;
  const Place &x = slab.alongDepth ? chunk.across : chunk.along;
  const Place &depth = slab.alongDepth ? chunk.along : chunk.across;
  Value place = getAddress(chunk, to);
  Value array = scope.params.get(Params::tensor, access->array);
  Value from = LLVM::GEPOp::create(b, array.getType(), slab.element, array,
                                   getOffset(chunk, k));
  auto global = LLVM::LLVMPointerType::get(
      b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  from = LLVM::AddrSpaceCastOp::create(b, global, from);
  int64_t bytes = width * slab.getElementBytes();
  Value read, inTile = isInTile(x);
  if (Value inside = both(b, inTile, isBefore(depth, k, end))) {
    Value all = constant32(b, bytes);
    read = arith::SelectOp::create(b, inside, all, constant32(b, 0));
  }
  // The widest copies can pass by the first cache.
  NVVM::CpAsyncOp::create(b, place, from, bytes,
                          bytes == widest ? NVVM::LoadCacheModifierKind::CG
                                          : NVVM::LoadCacheModifierKind::CA,
                          read);
}

Value TileOperand::getCell(Value x, Value depth, Value end) {
  auto compute = [&]() -> Value {
    CellCode code = scope.getCode(b);
    AxisIndices indices = at;
    setIndices(b, code, extentAxes, x, indices);
    setIndices(b, code, depthAxes, depth, indices);
    ContractOp op = scope.product.op;
    return code.convert(
        code.get(op.getInputs()[input],
                 getPosition(code, op,
                             cast<ArrayAttr>(op.getSubscripts()[input]),
                             indices)),
        slab.element);
  };
  Value inside = isInside(x, depth, end);
  if (!inside)
    return compute();
  auto zero = [&]() -> Value {
    return arith::ConstantOp::create(b, b.getFloatAttr(slab.element, 0.0));
  };
  return scf::IfOp::create(
             b, inside,
             [&](OpBuilder &, Location) { scf::YieldOp::create(b, compute()); },
             [&](OpBuilder &, Location) { scf::YieldOp::create(b, zero()); })
      .getResult(0);
}

void TileOperand::computeCell(Value number, Value to, Value k, Value end) {
  Value line = constant32(b, slab.alongDepth ? slab.depth : slab.extent);
  Value across = arith::DivUIOp::create(b, number, line);
  Value along = arith::RemUIOp::create(b, number, line);
  Value x = arith::AddIOp::create(b, first,
                                  widen(b, slab.alongDepth ? across : along));
  Value depth =
      arith::AddIOp::create(b, k, widen(b, slab.alongDepth ? along : across));
  LLVM::StoreOp::create(b, getCell(x, depth, end),
                        LLVM::GEPOp::create(b, to.getType(), slab.element, to,
                                            getPlace(across, along)));
}

void shareAccesses(Builder &b, Value thread, int64_t threads, int64_t count,
                   llvm::function_ref<void(int64_t)> take) {
  for (int64_t i = 0; i * threads < count; ++i) {
    if ((i + 1) * threads <= count) {
      take(i);
      continue;
    }
    Value exists = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread,
                                         constant32(b, count - i * threads));
    scf::IfOp::create(b, exists, [&](OpBuilder &, Location) {
      take(i);
      scf::YieldOp::create(b);
    });
  }
}

void TileOperand::copy(Value to, Value k, Value end) {
  int64_t threads = scope.tile.getThreads(), count = countChunks();
  Value all = constant32(b, count);
  if (!isCopied) {
    scf::ForOp::create(b, thread, all, constant32(b, threads), ValueRange(),
                       [&](OpBuilder &, Location, Value number, ValueRange) {
                         computeCell(number, to, k, end);
                         scf::YieldOp::create(b);
                       });
    return;
  }
  if (!slab.isSplit)
    return shareAccesses(b, thread, threads, count, [&](int64_t i) {
      copyChunk(getChunk(i), to, k, end);
    });
  shareAccesses(b, thread, threads, countQuads(), [&](int64_t i) {
    for (const Chunk &chunk : getQuad(i))
      copyChunk(chunk, to, k, end);
  });
}

/// Splits four neighbours of four steps of depth: what is to be in the place of
/// each step.
SmallVector<Values> TileOperand::splitQuad(ArrayRef<Value> loaded) {
  PartSplit split = PartSplit::get(*scope.product.getMatrixMode());
  SmallVector<Values> places(2 * split.parts, Values(4));
  for (int64_t x = 0; x < width; ++x)
    for (int64_t word = 0; word < 2; ++word) {
      Values pair;
      for (int64_t k : {word, word + 2})
        pair.push_back(vector::ExtractOp::create(b, loaded[k], x));
      // Of two rows the first words come first, of a column both words.
      int64_t at = isRows ? 2 * word + x % 2 : word + 2 * (x % 2);
      for (auto [part, own] : llvm::enumerate(split.apply(b, pair)))
        places[2 * part + x / 2][at] =
            LLVM::BitcastOp::create(b, b.getI32Type(), own.front());
    }
  return places;
}

void TileOperand::splitOwn(Value stage) {
  auto numbers = VectorType::get({width}, slab.element);
  auto words = VectorType::get({width}, b.getI32Type());
  auto alignment = static_cast<unsigned>(width * slab.getElementBytes());
  shareAccesses(
      b, thread, scope.tile.getThreads(), countQuads(), [&](int64_t i) {
        Values places, loaded;
        for (const Chunk &chunk : getQuad(i)) {
          places.push_back(getAddress(chunk, stage));
          loaded.push_back(
              LLVM::LoadOp::create(b, numbers, places.back(), alignment));
        }
        for (auto [own, place] : llvm::zip(splitQuad(loaded), places))
          LLVM::StoreOp::create(b,
                                vector::FromElementsOp::create(b, words, own),
                                place, alignment);
      });
}

} // namespace gyre::kernels
