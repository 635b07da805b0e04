//===- Ahead.cpp - Rows copied to shared memory ahead of time -------------===//

#include "Ahead.h"

#include "Walk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace gyre::kernels {

using cells::Extent;
using cells::Node;
using cells::NodeId;

/// What all blocks of a multiprocessor may take together.
static constexpr int64_t kSharedBytes = 156 << 10;
/// The widest access.
static constexpr int64_t kAccessBytes = 16;
/// The narrowest copy.
static constexpr int64_t kLeastBytes = 4;

//===----------------------------------------------------------------------===//
// What is copied
//===----------------------------------------------------------------------===//

namespace {
/// Writes down the shared words that a body uses; its code is thrown away.
struct Rehearsal : public Lanes {
  Rehearsal(Builder &b, const Plan &plan, const Body &body)
      : b(b), plan(plan), body(body) {}

  Value loadShared(NodeId node) override {
    used.push_back(node);
    return number(plan.graph.node(node).type);
  }
  Value loadAhead(NodeId node) override {
    return body.splat(number(plan.graph.node(node).type));
  }
  unsigned getReuse() const override { return schedule::kReuse; }
  Value openCarried(NodeId node) override {
    return body.zero(plan.graph.node(node));
  }
  void closeCarried(NodeId, Value) override {}
  void deliver(const cells::DeliveredCell &, Extent, Value) override {}
  Value reduce(Value partial) override {
    return number(getElementTypeOrSelf(partial));
  }
  Value number(Type type) {
    return arith::ConstantOp::create(b, b.getZeroAttr(type));
  }

  Builder &b;
  const Plan &plan;
  const Body &body;
  SmallVector<NodeId> used;
};
} // namespace

static int64_t getBlocks(ScheduleAttr schedule) {
  int64_t warps = schedule.getTeams() * schedule::getThreads(schedule) / kWarp;
  return std::max<int64_t>(schedule.getWarps() / warps, 1);
}

Ahead::Ahead(Builder &b, const Plan &plan, const Params &params, Team &team,
             OwnWords &words, ValueRange coordinates)
    : b(b), plan(plan), params(params), team(team), words(words),
      coordinates(coordinates), owner(KernelOp(plan.kernel).getOwner()),
      threads(team.getWarps() * kWarp) {
  room = kSharedBytes / getBlocks(plan.schedule) / plan.schedule.getTeams();
  for (auto &[value, view] : plan.views)
    if (auto row = value.getDefiningOp<RowOp>();
        row && row.getMap() && row.getMap() != owner &&
        !llvm::is_contained(maps, row.getMap()))
      maps.push_back(row.getMap());
  planStreams();
  planLanes();
  chooseDepth();
  memory = team.getDynamicMemory();
}

int64_t Ahead::getBytes() const { return (depth + 1) * rowBytes + nodeBytes; }

/// As many rows as it takes to compute others while one arrives, or to keep the
/// memory busy with what all blocks of a multiprocessor wait for.
void Ahead::chooseDepth() {
  constexpr int64_t latency = 1000, busyBytes = 80 << 10, most = 7;
  // Schedules have a second wave where so few are there by the first.
  int64_t blocks = getBlocks(plan.schedule);
  int64_t teams =
      (blocks <= 2 ? 2 * blocks : blocks) * plan.schedule.getTeams();
  int64_t cycles = schedule::estimateCycles(plan.order.steps.size(),
                                            plan.schedule.getVector(),
                                            teams * team.getWarps());
  bool waits = cycles * schedule::kBytesPerCycle < rowBytes * teams;
  while (depth < most && (waits || depth * cycles < latency) &&
         depth * rowBytes * teams < busyBytes && rowBytes > 0) {
    int64_t before = depth;
    // Turns are taken by the last bits of a position.
    depth = 2 * depth + 1;
    if (getBytes() > room) {
      depth = before;
      return;
    }
  }
}

bool Ahead::isOfOwner(NodeId node) const {
  auto row = plan.graph.node(node).value.getDefiningOp<RowOp>();
  return owner && row && row.getMap() == owner;
}

std::optional<int64_t> Ahead::allocate(int64_t &used, int64_t bytes) {
  int64_t before = used;
  used += llvm::alignTo(bytes, kAccessBytes);
  if (getBytes() <= room)
    return before;
  used = before;
  return std::nullopt;
}

/// The number of bytes that a thread copies for a load; none if it copies
/// nothing.
std::optional<int64_t> Ahead::getCopied(NodeId id) const {
  const Node &node = plan.graph.node(id);
  if (node.kind != Node::load || node.extent != Extent::lane ||
      plan.graph.isInvariant(id) || !node.value.getDefiningOp<RowOp>())
    return std::nullopt;
  const View &view = plan.views.find(node.value)->second;
  int64_t vector = plan.schedule.getVector();
  int64_t bytes = view.getElementBytes() * vector;
  bool isContiguous =
      vector == 1 || view.laneStride() == std::make_pair(int64_t(1), false);
  if (!isContiguous || bytes < kLeastBytes)
    return std::nullopt;
  return bytes;
}

void Ahead::planLanes() {
  for (bool ofOwner : {false, true})
    for (NodeId id = 0; id < plan.graph.getNodes().size(); ++id) {
      auto bytes = getCopied(id);
      if (!bytes || isOfOwner(id) != ofOwner)
        continue;
      if (auto begin =
              allocate(ofOwner ? nodeBytes : rowBytes, *bytes * threads))
        lanes[id] = *begin;
    }
}

/// Lists the words of each value as the body asks for them.
void Ahead::planStreams() {
  Block scratch;
  SmallVector<NodeId> used;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&scratch);
    Body body(b, plan.graph, plan.order, plan.schedule.getVector(), true);
    Value zero = constant(b, 0);
    plan.pointRows(
        b, params, coordinates, zero, [&](Value) { return zero; }, body);
    Rehearsal rehearsal(b, plan, body);
    body.emit(rehearsal);
    used = rehearsal.used;
  }
  llvm::MapVector<Value, Stream> found;
  llvm::DenseMap<NodeId, Value> valueOf;
  for (NodeId id : used) {
    const Node &node = plan.graph.node(id);
    const View &view = plan.views.find(node.value)->second;
    // A cell that is far from the row's others is loaded by itself, and so is
    // one of the owner's node, which is near.
    auto [fixed, timesRows] = view.offset(node.index);
    if (isOfOwner(id) || timesRows != 0 || !llvm::isInt<32>(fixed) ||
        view.getElementBytes() < kLeastBytes)
      continue;
    found[node.value].offsets.push_back(fixed);
    valueOf[id] = node.value;
  }
  for (auto &[value, stream] : found) {
    // Threads that are left over copy the last word.
    stream.offsets.resize(llvm::alignTo(stream.offsets.size(), threads),
                          stream.offsets.back());
    const View &view = plan.views.find(value)->second;
    auto begin =
        allocate(rowBytes, stream.offsets.size() * view.getElementBytes());
    if (!begin)
      continue;
    stream.value = value;
    stream.begin = *begin;
    for (auto [id, of] : valueOf)
      if (of == value)
        streamOf[id] = streams.size();
    streams.push_back(stream);
  }
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static Value times(Builder &b, Value value, int64_t factor) {
  return arith::MulIOp::create(b, value, constant(b, factor));
}

Value Ahead::pieceOf(Value position) {
  Value turn = arith::AndIOp::create(b, position, constant(b, depth));
  return LLVM::GEPOp::create(b, memory.getType(), b.getI8Type(), memory,
                             times(b, turn, rowBytes));
}

Value Ahead::at(Value piece, int64_t begin) {
  return LLVM::GEPOp::create(b, piece.getType(), b.getI8Type(), piece,
                             constant(b, begin));
}

Value Ahead::ofThread(Value piece, int64_t begin, int64_t bytes) {
  Value own = times(b, team.getThread(), bytes);
  return at(LLVM::GEPOp::create(b, piece.getType(), b.getI8Type(), piece, own),
            begin);
}

void Ahead::copy(Value to, Value from, int64_t bytes, bool isShared) {
  // What nobody else reads need not stay in the cache of the first level.
  auto cache = bytes == kAccessBytes && !isShared
                   ? NVVM::LoadCacheModifierKind::CG
                   : NVVM::LoadCacheModifierKind::CA;
  auto global = LLVM::LLVMPointerType::get(
      b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  from = LLVM::AddrSpaceCastOp::create(b, global, from);
  NVVM::CpAsyncOp::create(b, to, from, bytes, cache, Value());
}

void Ahead::copyLanes(Value piece, const Body &from, bool ofOwner) {
  for (auto [id, begin] : lanes) {
    if (isOfOwner(id) != ofOwner)
      continue;
    const Node &node = plan.graph.node(id);
    const RowPointer &row = from.pointers.at(node.value);
    int64_t bytes = *getCopied(id);
    Value to = ofThread(piece, begin, bytes);
    copy(to, row.view->atCell(b, row.pointer, row.rows, node.index), bytes,
         ofOwner);
  }
}

void Ahead::copyRow(Value piece, const Body &from) {
  for (Stream &stream : streams) {
    const RowPointer &row = from.pointers.at(stream.value);
    int64_t bytes = row.view->getElementBytes();
    for (size_t first = 0; first < stream.offsets.size(); first += threads) {
      Value own = words.get([&, first = first](int64_t thread) {
        return stream.offsets[first + thread];
      });
      Value word =
          LLVM::GEPOp::create(b, row.pointer.getType(),
                              row.view->getElementType(), row.pointer, own);
      copy(ofThread(piece, stream.begin + static_cast<int64_t>(first) * bytes,
                    bytes),
           word, bytes, /*isShared=*/true);
    }
  }
  copyLanes(piece, from, /*ofOwner=*/false);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

Value Ahead::rowAt(Value position) {
  Value last = arith::SubIOp::create(b, hi, constant(b, 1));
  Value inside = arith::MinSIOp::create(b, position, last);
  return owner ? loadIndex(b, params.get(Params::order, owner), inside)
               : inside;
}

Values Ahead::nodesOf(Value row) {
  Values result;
  for (Value map : maps)
    result.push_back(loadIndex(b, params.get(Params::index, map), row));
  return result;
}

Body Ahead::point(Value row, ValueRange nodes) {
  Body body(b, plan.graph, plan.order, plan.schedule.getVector(), true);
  plan.pointRows(
      b, params, coordinates, row,
      [&](Value map) {
        return map == owner ? node
                            : nodes[llvm::find(maps, map) - maps.begin()];
      },
      body);
  return body;
}

static Value after(Builder &b, Value position, int64_t count) {
  return arith::AddIOp::create(b, position, constant(b, count));
}

/// What is carried, as i32 for want of registers: with an owner the rows from
/// this position to the one after those that are on their way; the nodes of all
/// of these but the last.
Values Ahead::pack(ValueRange rows, ValueRange nodes) {
  Values carried;
  if (owner)
    llvm::append_range(carried, rows);
  llvm::append_range(carried, nodes);
  for (Value &value : carried)
    value = arith::TruncIOp::create(b, b.getI32Type(), value);
  return carried;
}

Values Ahead::begin(Value number, Value lo, Value end) {
  hi = end;
  node = constant(b, 0);
  memory = LLVM::GEPOp::create(b, memory.getType(), b.getI8Type(), memory,
                               times(b, number, getBytes()));
  SmallVector<Type> types((depth + 1) * maps.size() + (owner ? depth + 2 : 0),
                          b.getI32Type());
  Value any = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, lo, hi);
  auto first = scf::IfOp::create(
      b, any,
      [&](OpBuilder &, Location) {
        Values rows, nodes;
        for (int64_t i = 0; i <= depth; ++i) {
          rows.push_back(rowAt(after(b, lo, i)));
          llvm::append_range(nodes, nodesOf(rows.back()));
        }
        for (int64_t i = 0; i < depth; ++i) {
          Value piece = pieceOf(after(b, lo, i));
          copyRow(piece, point(rows[i], ValueRange(nodes).slice(i * maps.size(),
                                                                maps.size())));
          NVVM::CpAsyncCommitGroupOp::create(b);
        }
        rows.push_back(rowAt(after(b, lo, depth + 1)));
        scf::YieldOp::create(b, pack(rows, nodes));
      },
      [&](OpBuilder &, Location) {
        Value zero = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
        scf::YieldOp::create(b, Values(types.size(), zero));
      });
  return Values(first.getResults());
}

void Ahead::enterNode(Value entered) {
  node = entered;
  if (nodeBytes == 0)
    return;
  Value zero = constant(b, 0);
  Value piece = at(memory, (depth + 1) * rowBytes);
  copyLanes(piece, point(zero, Values(maps.size(), zero)), /*ofOwner=*/true);
  NVVM::CpAsyncCommitGroupOp::create(b);
  // Where rows do not wait for all that is on its way, they do not for this.
  if (depth > 1)
    end();
}

Value Ahead::enter(Value position, Values &carried) {
  NVVM::CpAsyncWaitGroupOp::create(b, depth - 1);
  if (!streams.empty())
    team.synchronise();
  Values wide;
  for (Value value : carried)
    wide.push_back(arith::ExtUIOp::create(b, b.getI64Type(), value));
  Values rows, known;
  if (owner) {
    rows.assign(wide.begin(), wide.begin() + depth + 2);
    rows.push_back(rowAt(after(b, position, depth + 2)));
    known.assign(wide.begin() + depth + 2, wide.end());
  } else {
    rows.push_back(position);
    for (int64_t i = 1; i <= depth + 1; ++i)
      rows.push_back(rowAt(after(b, position, i)));
    known = wide;
  }
  ValueRange last = ValueRange(known).take_back(maps.size());
  nodes.assign(known.begin(), known.begin() + maps.size());
  rowPiece = pieceOf(position);
  Value piece = pieceOf(after(b, position, depth));
  copyRow(piece, point(rows[depth], last));
  NVVM::CpAsyncCommitGroupOp::create(b);
  llvm::append_range(known, nodesOf(rows[depth + 1]));
  carried = pack(ValueRange(rows).drop_front(),
                 ValueRange(known).drop_front(maps.size()));
  for (Stream &stream : streams)
    stream.used = 0;
  return rows[0];
}

Value Ahead::nodeOf(Value map) const {
  return map == owner ? node : nodes[llvm::find(maps, map) - maps.begin()];
}

void Ahead::end() { NVVM::CpAsyncWaitGroupOp::create(b, 0); }

Value Ahead::load(NodeId id) {
  const Node &node = plan.graph.node(id);
  if (auto lane = lanes.find(id); lane != lanes.end()) {
    Type type = node.type;
    int64_t vector = plan.schedule.getVector();
    if (vector > 1)
      type = VectorType::get({vector}, type);
    int64_t bytes = node.type.getIntOrFloatBitWidth() / 8 * vector;
    // Volatile, or else the optimisers would load all cells where the row
    // begins, and have no registers left.
    return LLVM::LoadOp::create(
        b, type,
        ofThread(isOfOwner(id) ? at(memory, (depth + 1) * rowBytes) : rowPiece,
                 lane->second, bytes),
        std::min(bytes, kAccessBytes), /*isVolatile=*/true);
  }
  auto found = streamOf.find(id);
  if (found == streamOf.end())
    return {};
  Stream &stream = streams[found->second];
  int64_t bytes = node.type.getIntOrFloatBitWidth() / 8;
  int64_t group = kAccessBytes / bytes;
  int64_t inGroup = stream.used % group;
  if (inGroup == 0) {
    stream.group = LLVM::LoadOp::create(
        b, VectorType::get({group}, node.type),
        at(rowPiece, stream.begin + static_cast<int64_t>(stream.used) * bytes),
        kAccessBytes);
  }
  ++stream.used;
  return vector::ExtractOp::create(b, stream.group, inGroup);
}

} // namespace gyre::kernels
