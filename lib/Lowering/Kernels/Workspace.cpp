//===- Workspace.cpp - The plans of a function, and its buffers -----------===//

#include "Workspace.h"

#include "Buffers.h"
#include "CellKernels.h"
#include "TileKernel.h"

#include "../Entry.h"

using namespace mlir;

namespace gyre::kernels {

static LogicalResult checkOp(Operation &op) {
  if (isa<KernelOp, CellsOp, ReturnOp>(op))
    return success();
  return op.emitError(
             "[lower-kernel-op] expected kernels only (gyre-fuse makes "
             "them), got ")
         << op.getName();
}

static LogicalResult refuse(Operation *op, StringRef expected, Type type) {
  return op->emitError("[lower-kernel-type] expected ")
         << expected << ", got " << type;
}

static bool isHalf(Type element) {
  return isa<Float16Type, BFloat16Type>(element);
}

/// Halves are loaded, converted and stored.
static LogicalResult checkHalves(Operation &op) {
  bool moves = isa<RowOp, ConvertOp>(op);
  for (Type type : op.getResultTypes())
    if (!moves && isHalf(cast<TensorType>(type).getElementType()))
      return refuse(&op,
                    "values of f16 or bf16 that are converted "
                    "(gyre-widen-halves does it)",
                    type);
  return success();
}

static LogicalResult checkRelation(Operation &op) {
  auto contract = dyn_cast<ContractOp>(op);
  if (!contract || !contract.getRelationAttr() || contract.getTuples())
    return success();
  return op.emitError("[lower-relation] expected an evaluated relation "
                      "(gyre-specialise evaluates it), got a comprehension");
}

static LogicalResult checkAccumulator(ContractOp op) {
  Type element = op.getResult().getType().getElementType();
  if (op.getAccumulatorType() == element &&
      (op.getPrecision() != Precision::fp64 || element.isF64()))
    return success();
  return refuse(op, "an accumulator of the values' type",
                op.getAccumulatorType());
}

/// Sums over rows go on in memory, too: not in halves.
static LogicalResult checkKernel(KernelOp kernel) {
  for (Operation &op : kernel.getBody().front()) {
    if (failed(checkHalves(op)))
      return failure();
    for (Type type : op.getResultTypes())
      if (Type element = cast<TensorType>(type).getElementType();
          !isa<FloatType>(element) && (isa<RowOp>(op) || !element.isInteger(1)))
        return refuse(&op, "values of f64, f32, f16 or bf16", type);
    auto contract = dyn_cast<ContractOp>(op);
    if (contract && failed(checkAccumulator(contract)))
      return failure();
  }
  for (auto [i, type] : llvm::enumerate(kernel.getResultTypes())) {
    Type element = cast<TensorType>(type).getElementType();
    bool isRow = kernel.getDelivery(i).getKind() == DeliveryKind::row;
    if (!isa<FloatType>(element) || (!isRow && isHalf(element)))
      return refuse(kernel, "results of f64 or f32, or rows of f16 or bf16",
                    type);
  }
  return success();
}

FailureOr<std::vector<Plan>> planKernels(FuncOp func) {
  std::vector<Plan> plans;
  for (Operation &op : func.getBody().front()) {
    if (failed(checkOp(op)))
      return failure();
    if (auto cells = dyn_cast<CellsOp>(op)) {
      for (Operation &inner : cells.getBody().front())
        if (failed(checkHalves(inner)) || failed(checkRelation(inner)))
          return failure();
      if (failed(checkTiles(cells)))
        return failure();
    }
    auto kernel = dyn_cast<KernelOp>(op);
    if (!kernel)
      continue;
    if (failed(checkKernel(kernel)))
      return failure();
    FailureOr<std::vector<Plan>> parts = Plan::get(kernel);
    if (failed(parts))
      return failure();
    llvm::move(*parts, std::back_inserter(plans));
  }
  return plans;
}

namespace {
/// Asks for buffers.
class Allocator {
public:
  Allocator(FuncOp func, Workspace &workspace)
      : context(func.getContext()), block(func.getBody().front()),
        workspace(workspace) {
    returned.insert_range(func.getReturn().getOperands());
    for (auto [i, op] : llvm::enumerate(block))
      numberOf[&op] = i;
    workspace.stacks.visit([&](Value value, const Stacks::Place &place) {
      parts[place.array].push_back(value);
    });
  }

  void placeResults(Operation *kernel);
  void placeRowParts(const Plan &plan);
  void placeCellParts(CellsOp kernel);
  void placePacked(CellsOp kernel);

  /// Gives what was asked for its place.
  void finish();

private:
  Buffers::Life getLife(Value array) const;
  void addScratch(Value result, EntryBufferAttr buffer);

  MLIRContext *context;
  Block &block;
  Workspace &workspace;
  llvm::SmallDenseSet<Value> returned;
  llvm::DenseMap<Operation *, int64_t> numberOf;
  /// Of an array, the values that lie in it.
  llvm::DenseMap<Value, SmallVector<Value>> parts;
  Buffers buffers;
};
} // namespace

static int64_t getBytes(Type element) {
  return std::max(1u, element.getIntOrFloatBitWidth() / 8);
}

/// From the first kernel that writes to an array to the last that reads it, by
/// whichever name.
Buffers::Life Allocator::getLife(Value array) const {
  int64_t number = numberOf.at(array.getDefiningOp());
  Buffers::Life life{number, number};
  for (Operation *user : array.getUsers())
    life.last =
        std::max(life.last, numberOf.at(block.findAncestorOpInBlock(*user)));
  auto within = parts.find(array);
  if (within == parts.end())
    return life;
  for (Value part : within->second) {
    Buffers::Life other = getLife(part);
    life.first = std::min(life.first, other.first);
    life.last = std::max(life.last, other.last);
  }
  return life;
}

void Allocator::placeResults(Operation *kernel) {
  for (Value result : kernel->getResults()) {
    if (returned.contains(result) || workspace.stacks.contains(result))
      continue;
    auto type = cast<TensorType>(result.getType());
    workspace.bufferOf[result] = buffers.add(
        EntryBufferAttr::get(context, getBytes(type.getElementType()),
                             countElements(type)),
        getLife(result));
  }
}

/// What is read right after the kernel that writes it.
void Allocator::addScratch(Value result, EntryBufferAttr buffer) {
  int64_t number = numberOf.at(result.getDefiningOp());
  workspace.partialOf[result] = buffers.add(buffer, {number, number});
}

void Allocator::placeRowParts(const Plan &plan) {
  for (auto [i, result] : llvm::enumerate(KernelOp(plan.kernel).getResults())) {
    if (plan.kind(i) == DeliveryKind::row)
      continue;
    PolyAttr cells = PolyAttr::constant(
        context, plan.getPartialRows(i) * plan.results[i].getRowCells());
    addScratch(result, EntryBufferAttr::get(
                           context, plan.results[i].getElementBytes(), cells));
  }
}

void Allocator::placeCellParts(CellsOp kernel) {
  if (kernel.getParts())
    addScratch(kernel.getResult(0),
               EntryBufferAttr::get(context, getBytes(getPartType(kernel)),
                                    kernel.getTile() ? countTileParts(kernel)
                                                     : countWork(kernel)));
}

/// Columns that are packed for a kernel are read by it alone.
void Allocator::placePacked(CellsOp kernel) {
  constexpr int64_t wordBytes = 4;
  if (int64_t words = countPackedWords(kernel); words > 0)
    addScratch(kernel.getResult(0),
               EntryBufferAttr::get(context, wordBytes,
                                    PolyAttr::constant(context, words)));
}

void Allocator::finish() {
  Buffers::Places places = buffers.place();
  workspace.buffers = places.sizes;
  for (auto *numbers : {&workspace.bufferOf, &workspace.partialOf})
    for (auto &entry : *numbers)
      entry.second = places.placeOf[entry.second];
}

Workspace Workspace::get(FuncOp func, ArrayRef<Plan> plans) {
  Workspace workspace;
  workspace.stacks = Stacks::get(func);
  Allocator allocator(func, workspace);
  for (Operation &op : func.getBody().front()) {
    if (isa<KernelOp, CellsOp>(op))
      allocator.placeResults(&op);
    if (auto kernel = dyn_cast<CellsOp>(op)) {
      allocator.placeCellParts(kernel);
      allocator.placePacked(kernel);
    }
    // The parts of a kernel write to the same buffers.
    for (const Plan &plan : plans)
      if (plan.isLast && KernelOp(plan.kernel) == &op)
        allocator.placeRowParts(plan);
  }
  allocator.finish();
  for (Operation &op : func.getBody().front())
    op.walk([&](Operation *inner) { requireSizes(inner, workspace.buffers); });
  return workspace;
}

} // namespace gyre::kernels
