//===- TileKernel.cpp - Kernels of tiles ----------------------------------===//

#include "TileKernel.h"

#include "CellKernels.h"
#include "TileCode.h"
#include "Warp.h"

#include "../Entry.h"

#include "gyre/Dialect/PolySyntax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gyre::kernels {

using tiles::Piece;
using tiles::Pieces;
using tiles::Product;

/// How many blocks a piece has.
static Value countBlocks(Builder &b, TileAttr tile, int64_t parts,
                         const Product &product,
                         function_ref<Value(PolyAttr)> size) {
  auto countTiles = [&](ArrayRef<AxisAttr> axes, int64_t extent) -> Value {
    Value count = size(product.count(axes));
    return arith::CeilDivSIOp::create(b, count, constant(b, extent));
  };
  Value blocks = constant(b, parts);
  for (Value count : {countTiles(product.rows, tile.getRows()),
                      countTiles(product.columns, tile.getColumns()),
                      size(product.count(product.batch))})
    blocks = arith::MulIOp::create(b, blocks, count);
  return blocks;
}

/// Ends the code of a piece with something of its own. The optimiser would join
/// the ends of pieces, whose accesses it then knows too little of to make them
/// vectors.
static void keepApart(Builder &b, int64_t number) {
  LLVM::InlineAsmOp::create(
      b, TypeRange(), ValueRange(), "// end of piece " + std::to_string(number),
      /*constraints=*/"", /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
      ArrayAttr());
}

/// How columns are packed, of each of the products that a piece adds up.
using Packings = SmallVector<std::optional<PackedColumns>, 1>;

/// One launch for some pieces: where the blocks of one are at their end, those
/// of the next one begin.
static LogicalResult emitPieces(Program &program, DeviceModule &device,
                                Tables &tables, CellsOp kernel,
                                const std::string &name, Params &params,
                                ArrayRef<Piece> pieces,
                                ArrayRef<Packings> packed, Value addend) {
  // What a block may have of the devices that give it most; launches see what
  // others do.
  constexpr int64_t mostBytes = 227 << 10;
  Builder &b = program.builder();
  TileAttr tile = *kernel.getTile();
  int64_t parts = kernel.getParts().value_or(1);
  Value blocks = constant(b, 0);
  for (const Piece &piece : pieces)
    blocks = arith::AddIOp::create(
        b, blocks,
        countBlocks(b, tile, parts, piece.getProduct(),
                    [&](PolyAttr size) { return program.size(size); }));
  int64_t bytes = 0;
  auto emit = [&](const Piece &piece, gpu::GPUFuncOp func, Value block,
                  Value thread) {
    std::vector<TileScope> scopes;
    for (auto [term, own] :
         llvm::zip_equal(piece.terms, packed[&piece - pieces.data()]))
      scopes.push_back({kernel, term, params, tables, tile, kernel.getParts(),
                        addend, program.getStacks(), own});
    TileCode code(b, scopes, piece);
    code.emit(func, block, thread);
    if (pieces.size() > 1)
      keepApart(b, &piece - pieces.data());
    bytes = std::max(bytes, code.getSharedBytes());
  };
  std::function<void(ArrayRef<Piece>, gpu::GPUFuncOp, Value, Value)> emitFrom =
      [&](ArrayRef<Piece> left, gpu::GPUFuncOp func, Value block,
          Value thread) {
        if (left.size() == 1)
          return emit(left.front(), func, block, thread);
        Value own = countBlocks(
            b, tile, parts, left.front().getProduct(),
            [&](PolyAttr size) { return emitSize(b, params, size); });
        Value isOwn =
            arith::CmpIOp::create(b, arith::CmpIPredicate::slt, block, own);
        scf::IfOp::create(
            b, isOwn,
            [&](OpBuilder &, Location) {
              emit(left.front(), func, block, thread);
              scf::YieldOp::create(b);
            },
            [&](OpBuilder &, Location) {
              emitFrom(left.drop_front(), func,
                       arith::SubIOp::create(b, block, own), thread);
              scf::YieldOp::create(b);
            });
      };
  device.run(name, params, blocks, tile.getThreads(), tile.getWarps(),
             [&](gpu::GPUFuncOp func, Value block, Value thread) {
               emitFrom(pieces, func, block, thread);
               return bytes;
             });
  if (bytes <= mostBytes)
    return success();
  return kernel.emitError("[lower-kernel-tile] expected at most ")
         << mostBytes << " bytes of shared memory, got " << bytes << " of "
         << tile;
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

/// Computes a block of a result that comes of no product. A thread has
/// neighbours that are read and written at once.
static void emitBeside(Program &program, DeviceModule &device, Tables &tables,
                       CellsOp kernel, const std::string &name, Params &params,
                       const Pieces::Other &other) {
  constexpr int64_t mostNeighbours = 4;
  Builder &b = program.builder();
  auto type = cast<TensorType>(other.value.getType());
  Value result = kernel.getResult(other.result);
  PolyAttr threads = countElements(type);
  int64_t neighbours = 1;
  std::optional<int64_t> row =
      type.rank() > 0 ? type.getDims().back().getConstant() : std::nullopt;
  if (row && *row > 0 && *row % mostNeighbours == 0) {
    neighbours = mostNeighbours;
    SmallVector<PolyAttr> sizes(type.getDims());
    sizes.back() = PolyAttr::constant(b.getContext(), *row / neighbours);
    threads = countElements(type.cloneWithDims(sizes));
  }
  runForCells(program, device, name, params, threads, [&](Value number) {
    CellCode code(b, kernel, params, tables);
    Value first = code.scale(number, neighbours);
    Values cells, positions;
    for (int64_t more = 0; more < neighbours; ++more) {
      Values index =
          code.delinearise(code.add(first, constant(b, more)), type.getDims());
      cells.push_back(code.get(other.value, index));
      for (const tiles::Step &step : other.steps)
        if (step.kind == tiles::Step::move)
          index = moveCell(b, code, cast<ContractOp>(step.op), index);
        else
          index[step.axis] = code.add(index[step.axis], code.size(step.by));
      positions.push_back(code.linearise(index, dimsOf(result)));
    }
    for (auto [cell, position] : llvm::zip_equal(cells, positions))
      code.store(cell, elementOf(result),
                 params.get(Params::result, other.result), position);
  });
}

/// How the columns of pieces are packed, side by side in one buffer: all of a
/// piece's or none, as the sums lie otherwise.
static SmallVector<Packings> planPacking(CellsOp kernel,
                                         ArrayRef<Piece> pieces) {
  SmallVector<Packings> all;
  int64_t words = 0;
  for (const Piece &piece : pieces) {
    Packings &own = all.emplace_back();
    int64_t before = 0, next = words;
    for (const Product &term : piece.terms) {
      own.push_back(PackedColumns::get(kernel, term, next, before));
      if (!own.back())
        break;
      next += own.back()->countWords();
      before += *term.count(term.depth).getConstant();
    }
    if (own.back())
      words = next;
    else
      own.assign(piece.terms.size(), std::nullopt);
  }
  return all;
}

int64_t countPackedWords(CellsOp kernel) {
  int64_t words = 0;
  if (kernel.getTile())
    for (const Packings &ofPiece :
         planPacking(kernel, Pieces::get(kernel)->pieces))
      for (const std::optional<PackedColumns> &packed : ofPiece)
        words += packed ? packed->countWords() : 0;
  return words;
}

/// One launch that packs the columns of all pieces.
static void emitPacking(Program &program, DeviceModule &device, Tables &tables,
                        CellsOp kernel, const std::string &name, Params &params,
                        ArrayRef<Piece> pieces, ArrayRef<Packings> packed) {
  Builder &b = program.builder();
  int64_t threads = 0;
  for (const Packings &ofPiece : packed)
    for (const std::optional<PackedColumns> &own : ofPiece)
      threads += own ? own->countThreads() : 0;
  if (threads == 0)
    return;
  runForCells(program, device, name, params,
              PolyAttr::constant(b.getContext(), threads), [&](Value at) {
                int64_t first = 0;
                auto pack = [&](const Piece &piece, const Product &term,
                                const PackedColumns &own) {
                  Value number =
                      arith::SubIOp::create(b, at, constant(b, first));
                  // Numbers before the first one are large ones.
                  Value works = arith::CmpIOp::create(
                      b, arith::CmpIPredicate::ult, number,
                      constant(b, own.countThreads()));
                  first += own.countThreads();
                  TileScope scope{kernel,
                                  term,
                                  params,
                                  tables,
                                  *kernel.getTile(),
                                  /*parts=*/std::nullopt,
                                  /*addend=*/{},
                                  program.getStacks(),
                                  own};
                  scf::IfOp::create(b, works, [&](OpBuilder &, Location) {
                    TileCode(b, scope, piece).emitPack(number);
                    scf::YieldOp::create(b);
                  });
                };
                for (auto [piece, ofPiece] : llvm::zip_equal(pieces, packed))
                  for (auto [term, own] : llvm::zip_equal(piece.terms, ofPiece))
                    if (own)
                      pack(piece, term, *own);
              });
}

PolyAttr countTileParts(CellsOp kernel) {
  const Product product = Pieces::get(kernel)->pieces.front().getProduct();
  PolyAttr count =
      PolyAttr::constant(kernel.getContext(), kernel.getParts().value_or(1));
  for (PolyAttr size : getPartSizes(product))
    count = count.mul(size);
  return count;
}

/// Adds the parts of each cell. A block has a warp's cells: few cells have many
/// parts, of which each of its warps adds some.
static void emitPartSums(Program &program, DeviceModule &device, Tables &tables,
                         CellsOp kernel, const std::string &name,
                         Params &params, const Piece &piece) {
  constexpr int64_t lanes = 32, partsOfWarp = 16, mostWarps = 8;
  Builder &b = program.builder();
  int64_t parts = *kernel.getParts();
  // Loops that are equally long for all warps are known to be, and unrolled.
  int64_t warps = std::clamp<int64_t>(parts / partsOfWarp, 1, mostWarps);
  while (parts % warps != 0)
    --warps;
  PolyAttr count = PolyAttr::constant(b.getContext(), 1);
  for (PolyAttr size : getPartSizes(piece.getProduct()))
    count = count.mul(size);
  TileScope scope{kernel,        piece.getProduct(), params,
                  tables,        *kernel.getTile(),  kernel.getParts(),
                  /*addend=*/{}, program.getStacks()};
  Value blocks =
      arith::CeilDivSIOp::create(b, program.size(count), constant(b, lanes));
  device.run(
      name, params, blocks, warps * lanes, kCombineWarps,
      [&](gpu::GPUFuncOp func, Value block, Value thread) -> int64_t {
        TileCode code(b, scope, piece);
        Type type = getPartType(kernel);
        Value warp = arith::DivUIOp::create(b, thread, constant(b, lanes));
        Value lane = arith::RemUIOp::create(b, thread, constant(b, lanes));
        Value cell = arith::AddIOp::create(
            b, arith::MulIOp::create(b, block, constant(b, lanes)), lane);
        Value exists = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, cell,
                                             emitSize(b, params, count));
        auto ifTrue = [&](Value condition, function_ref<void()> body) {
          scf::IfOp::create(b, condition, [&](OpBuilder &, Location) {
            body();
            scf::YieldOp::create(b);
          });
        };
        if (warps == 1) {
          ifTrue(exists, [&] {
            code.deliverSum(
                cell, code.addParts(cell, constant(b, 0), constant(b, parts)));
          });
          return 0;
        }
        Value memory = getDynamicMemory(b, func);
        auto getPlace = [&](Value number) -> Value {
          return LLVM::GEPOp::create(b, memory.getType(), type, memory, number);
        };
        ifTrue(exists, [&] {
          Value ofWarp = constant(b, parts / warps);
          Value first = arith::MulIOp::create(b, warp, ofWarp);
          Value last = arith::AddIOp::create(b, first, ofWarp);
          Value sum = code.addParts(cell, first, last);
          LLVM::StoreOp::create(b, sum, getPlace(thread));
        });
        gpu::BarrierOp::create(b);
        Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, warp,
                                              constant(b, 0));
        ifTrue(arith::AndIOp::create(b, exists, isFirst), [&] {
          Value sum;
          for (int64_t i = 0; i < warps; ++i) {
            Value place =
                arith::AddIOp::create(b, lane, constant(b, i * lanes));
            Value own = LLVM::LoadOp::create(b, type, getPlace(place));
            sum = sum ? Value(arith::AddFOp::create(b, sum, own)) : own;
          }
          code.deliverSum(cell, sum);
        });
        return warps * lanes * type.getIntOrFloatBitWidth() / 8;
      });
}

LogicalResult emitTilesForCUDA(Program &program, DeviceModule &device,
                               Tables &tables, CellsOp kernel,
                               const std::string &name, Params &params) {
  Builder &b = program.builder();
  Pieces pieces = *Pieces::get(kernel);
  Value addend = program.getStacks().getAddend(kernel);
  if (!pieces.coverResults && !addend)
    for (const auto &group : llvm::enumerate(groupResults(kernel))) {
      ArrayRef<unsigned> alike = group.value();
      runForCells(
          program, device,
          nameGroup(name + (pieces.rest ? "_rest" : "_zeros"), group.index()),
          params, countCells(kernel, alike.front()), [&](Value at) {
            CellCode code(b, kernel, params, tables);
            for (unsigned i : alike) {
              Type element = elementOf(kernel.getResult(i));
              Value cell;
              if (pieces.rest)
                cell = code.get(pieces.rest,
                                code.delinearise(at, dimsOf(pieces.rest)));
              else
                cell =
                    arith::ConstantOp::create(b, b.getFloatAttr(element, 0.0));
              code.store(cell, element, params.get(Params::result, i), at);
            }
          });
    }
  unsigned number = 0;
  for (const Pieces::Other &other : pieces.others) {
    if (program.getStacks().contains(other.value))
      continue;
    emitBeside(program, device, tables, kernel,
               name + "_beside_" + std::to_string(number++), params, other);
  }
  // The longest sums first: they would be late alone.
  auto getDepth = [](const Piece &piece) {
    int64_t depth = 0;
    for (const Product &term : piece.terms)
      depth += term.count(term.depth).getConstant().value_or(0);
    return depth;
  };
  for (size_t i = 1; i < pieces.pieces.size(); ++i)
    for (size_t j = i;
         j > 0 && getDepth(pieces.pieces[j - 1]) < getDepth(pieces.pieces[j]);
         --j)
      std::swap(pieces.pieces[j - 1], pieces.pieces[j]);
  auto packings = planPacking(kernel, pieces.pieces);
  emitPacking(program, device, tables, kernel, name + "_columns", params,
              pieces.pieces, packings);
  // More code would not stay in the memory that instructions have.
  constexpr size_t mostTogether = 2;
  ArrayRef<Piece> left = pieces.pieces;
  ArrayRef<Packings> packed = packings;
  for (number = 0; !left.empty(); ++number) {
    ArrayRef<Piece> some = left.take_front(mostTogether);
    left = left.drop_front(some.size());
    std::string own = number == 0 && left.empty()
                          ? name
                          : name + "_" + std::to_string(number);
    if (failed(emitPieces(program, device, tables, kernel, own, params, some,
                          packed.take_front(some.size()), addend)))
      return failure();
    packed = packed.drop_front(some.size());
  }
  if (kernel.getParts())
    emitPartSums(program, device, tables, kernel, name + "_sums", params,
                 pieces.pieces.front());
  return success();
}

LogicalResult checkTiles(CellsOp kernel) {
  std::optional<TileAttr> tile = kernel.getTile();
  if (!tile)
    return success();
  std::optional<Pieces> pieces = Pieces::get(kernel);
  if (!pieces)
    return kernel.emitError("[lower-kernel-tile] expected products of matrices "
                            "for a tile, got others");
  for (const Piece &piece : pieces->pieces)
    for (const Product &term : piece.terms)
      if (term.getMatrixMode() && (term.count(term.depth).isConstant(0) ||
                                   term.count(term.columns).isConstant(0)))
        return kernel.emitError("[lower-kernel-tile] expected a product of at "
                                "least one column and one term for matrix "
                                "units, got none");
  // Of a warp, and of what its lanes read at once.
  bool fits = tile->getThreadColumns() % 8 == 0 && tile->getDepth() % 16 == 0 &&
              tile->getRows() % (8 * tile->getThreadRows()) == 0 &&
              tile->getColumns() % (4 * tile->getThreadColumns()) == 0;
  if (tile->getWarpgroups() &&
      !llvm::all_of(pieces->pieces, [&](const Piece &piece) {
        return llvm::all_of(piece.terms, [&](const Product &term) {
          return PackedColumns::get(kernel, term, 0, 0);
        });
      }))
    return kernel.emitError("[lower-kernel-tile] expected products on matrix "
                            "units whose columns are the same for all rows, "
                            "for warpgroups, got others");
  if (fits || tile->getWarpgroups() ||
      llvm::none_of(pieces->pieces, [](const Piece &piece) {
        return piece.getProduct().getMatrixMode().has_value();
      }))
    return success();
  return kernel.emitError("[lower-kernel-tile] expected a tile of whole warps "
                          "of 8 x 4 threads, each of a multiple of 8 columns, "
                          "and a depth that is a multiple of 16, for matrix "
                          "units, got ")
         << *tile;
}

} // namespace gyre::kernels
