//===- Fuse.cpp - gyre-fuse: functions to programs of kernels -------------===//
//
// Each value is computed at a stage: what a gather reads, or what uses a sum
// over rows, needs values of all rows, so it comes a stage after them. Values
// that are returned or cross a stage are delivered by a kernel: of their stage,
// of their rows, and of the map that they are summed over. What a kernel needs
// of its own stage is computed in it, also where another kernel computes it,
// too: a row's values are cheaper to compute than to store and load.
//
//===----------------------------------------------------------------------===//

#include "Rows.h"
#include "SinkSums.h"
#include "Stages.h"

#include "gyre/Dialect/ContractBuilder.h"
#include "gyre/Dialect/PolySyntax.h"
#include "gyre/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace gyre {

#define GEN_PASS_DEF_FUSE
#include "gyre/Transforms/Passes.h.inc"

using namespace fusion;

namespace {

/// What one kernel delivers.
struct Group {
  int64_t stage;
  PolyAttr rows;
  Value owner;
  SmallVector<Value> delivered;
};

class Fuser {
public:
  explicit Fuser(FuncOp func) : func(func), b(func.getContext()) {}
  void run();

private:
  /// The stage of the kernel that computes a value.
  int64_t stageOf(Value value) const { return stages.of(value); }
  void require(Value value);
  void collect();
  Group &groupFor(int64_t stage, PolyAttr rows, Value owner);
  void build(Group &group);
  Value findWhole(Value value) const;
  Value load(Value value);
  Value compute(Value value);
  Value buildContractRow(ContractOp op);

  FuncOp func;
  OpBuilder b;
  Stages stages;
  llvm::SetVector<Value> required;
  /// Values that are returned again.
  SmallVector<Value> repeated;
  SmallVector<Group> groups;
  /// Values of whole arrays, by the values that they replace; one for each time
  /// that a value is returned.
  llvm::DenseMap<Value, SmallVector<Value, 1>> delivered;

  // The kernel that is being built.
  KernelOp kernel;
  int64_t stage = 0;
  llvm::DenseMap<Value, Value> inBody;
};

} // namespace

void Fuser::require(Value value) {
  if (value.getDefiningOp())
    required.insert(value);
}

void Fuser::collect() {
  for (Value value : func.getReturn().getOperands())
    if (!required.insert(value))
      repeated.push_back(value);
  for (Operation &op : func.getBody().front().without_terminator())
    for (Value operand : op.getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (!source || stages.isShared(operand))
        continue;
      if (sumsRows(source) || isa<GatherOp>(op) ||
          stageOf(operand) < stageOf(op.getResult(0)))
        require(operand);
    }
  // Owners first: they can deliver rows and totals, too.
  SmallVector<Value> all;
  for (bool owned : {true, false})
    for (Value value :
         llvm::concat<const Value>(required.getArrayRef(), repeated))
      if (isa_and_present<SegmentSumOp>(value.getDefiningOp()) == owned)
        all.push_back(value);
  PolyAttr one = PolyAttr::constant(func.getContext(), 1);
  for (Value value : all) {
    Operation *op = value.getDefiningOp();
    Value owner;
    PolyAttr rows = getRows(value);
    if (auto sum = dyn_cast_if_present<SegmentSumOp>(op)) {
      owner = sum.getMap();
      rows = getRows(sum.getRows());
    } else if (op && isTotal(op)) {
      rows = getRows(op->getOperand(0));
    }
    groupFor(stageOf(value), rows ? rows : one, owner)
        .delivered.push_back(value);
  }
  SmallVector<Group> sorted;
  for (int64_t at = 0; sorted.size() < groups.size(); ++at)
    for (Group &group : groups)
      if (group.stage == at)
        sorted.push_back(group);
  groups = std::move(sorted);
}

/// Without an owner, any kernel of the same rows will do.
Group &Fuser::groupFor(int64_t stage, PolyAttr rows, Value owner) {
  for (Group &group : groups)
    if (group.stage == stage && group.rows == rows &&
        (!owner || group.owner == owner))
      return group;
  return groups.emplace_back(Group{stage, rows, owner, {}});
}

/// The array of a value that is in memory as a whole.
Value Fuser::findWhole(Value value) const {
  auto it = delivered.find(value);
  return it == delivered.end() ? value : it->second.front();
}

/// The row of a value that is in memory as a whole.
Value Fuser::load(Value value) {
  Value whole = findWhole(value);
  std::optional<unsigned> dim = getRowsDim(value);
  if (!dim)
    return whole;
  return RowOp::create(b, value.getLoc(), whole, *dim, Value());
}

Value Fuser::buildContractRow(ContractOp op) {
  StringAttr rows = getRowsAxis(op);
  auto drop = [&](Attribute subscript) {
    SmallVector<Attribute> kept;
    for (Attribute entry : cast<ArrayAttr>(subscript))
      if (!rows || cast<ArrayAttr>(entry) != b.getArrayAttr({rows}))
        kept.push_back(entry);
    return b.getArrayAttr(kept);
  };
  SmallVector<Value> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(compute(input));
  auto subscripts = llvm::map_to_vector(op.getSubscripts(), drop);
  SmallVector<AxisAttr> sizes;
  for (AxisAttr axis : op.getDomain().getAsRange<AxisAttr>())
    if (axis.getName() != rows)
      sizes.push_back(axis);
  return buildContract(
      b, op.getLoc(), inputs, subscripts, drop(op.getResultSubscript()), sizes,
      op.getRelationAttr(), op.getAccAttr(), op.getPrecision());
}

/// The value of the kernel's row, in its body.
Value Fuser::compute(Value value) {
  if (Value known = inBody.lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  Value result;
  if (!op || (delivered.contains(value) && stageOf(value) < stage)) {
    result = load(value);
  } else if (auto gather = dyn_cast<GatherOp>(op)) {
    result = RowOp::create(b, op->getLoc(), findWhole(gather.getX()),
                           gather.getAxis(), gather.getMap());
  } else if (auto contract = dyn_cast<ContractOp>(op)) {
    result = buildContractRow(contract);
  } else {
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, compute(operand));
    Operation *row = b.clone(*op, mapping);
    for (Value each : row->getResults()) {
      auto type = cast<TensorType>(each.getType());
      SmallVector<PolyAttr> dims(type.getDims());
      if (std::optional<unsigned> dim = getRowsDim(each))
        dims.erase(dims.begin() + *dim);
      each.setType(type.cloneWithDims(dims));
    }
    for (auto [from, to] : llvm::zip_equal(op->getResults(), row->getResults()))
      inBody[from] = to;
    return inBody[value];
  }
  return inBody[value] = result;
}

/// Gives a kernel without sums over a map the map that it gathers most over: so
/// the rows of a node are read once for all rows that refer to it.
static void chooseOwner(KernelOp kernel) {
  llvm::MapVector<Value, int64_t> cells;
  for (RowOp row : kernel.getBody().getOps<RowOp>()) {
    if (!row.getMap())
      continue;
    int64_t count = 1;
    for (int64_t size : cast<TensorType>(row.getResult().getType()).getShape())
      count *= size;
    cells[row.getMap()] += count;
  }
  auto most = llvm::max_element(
      cells, [](auto &a, auto &b) { return a.second < b.second; });
  if (most != cells.end())
    kernel.getOwnerMutable().assign(most->first);
}

void Fuser::build(Group &group) {
  stage = group.stage;
  inBody.clear();
  Location loc = group.delivered.front().getLoc();
  SmallVector<Attribute> deliveries;
  SmallVector<Type> types;
  SmallVector<Value> sources;
  for (Value value : group.delivered) {
    Operation *op = value.getDefiningOp();
    types.push_back(value.getType());
    auto kind = DeliveryKind::total;
    int64_t axis = 0;
    sources.push_back(value);
    if (auto sum = dyn_cast_if_present<SegmentSumOp>(op)) {
      kind = DeliveryKind::segment;
      axis = sum.getAxis();
      sources.back() = sum.getRows();
    } else if (op && isTotal(op)) {
      sources.back() = op->getOperand(0);
    } else if (std::optional<unsigned> dim = getRowsDim(value)) {
      kind = DeliveryKind::row;
      axis = *dim;
    }
    deliveries.push_back(DeliveryAttr::get(func.getContext(), kind, axis));
  }
  b.setInsertionPoint(func.getReturn());
  kernel = KernelOp::create(b, loc, types, group.rows, group.owner,
                            b.getArrayAttr(deliveries), ScheduleAttr());
  b.createBlock(&kernel.getBody());
  SmallVector<Value> rows;
  for (Value source : sources)
    rows.push_back(compute(source));
  DeliverOp::create(b, loc, rows);
  if (!kernel.getOwner())
    chooseOwner(kernel);
  for (auto [value, result] :
       llvm::zip_equal(group.delivered, kernel.getResults()))
    delivered[value].push_back(result);
}

void Fuser::run() {
  sinkSums(func);
  stages.compute(func);
  collect();
  SmallVector<Operation *> replaced;
  for (Operation &op : func.getBody().front().without_terminator())
    replaced.push_back(&op);
  for (Group &group : groups)
    build(group);
  for (OpOperand &operand : llvm::reverse(func.getReturn()->getOpOperands())) {
    SmallVector<Value, 1> &results = delivered[operand.get()];
    operand.set(results.back());
    results.pop_back();
  }
  for (Operation *op : llvm::reverse(replaced))
    op->erase();
}

namespace {
struct Fuse : impl::FuseBase<Fuse> {
  void runOnOperation() override {
    for (FuncOp func : getOperation().getOps<FuncOp>()) {
      if (failed(checkRows(func)))
        return signalPassFailure();
      Fuser(func).run();
    }
  }
};
} // namespace

} // namespace gyre
