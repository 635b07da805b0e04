//===- Units.cpp - Kernels of several values of one product ---------------===//
//
// Followers of a product are elementwise ops, contracts that multiply each of
// its cells with several others, and concatenations. What else these read is in
// memory, or a part of the unit, too, if nothing but the unit needs it and it
// is computed without loops. What followers do not take on is delivered.
//
//===----------------------------------------------------------------------===//

#include "Units.h"

#include "CellOps.h"
#include "Rows.h"
#include "SplitBlocks.h"
#include "TileOps.h"

#include "gyre/Tiles/Product.h"

using namespace mlir;

namespace gyre::fusion {

namespace {

using OpSet = llvm::SmallSetVector<Operation *, 16>;

/// The unit of one product.
class Unit {
public:
  Unit(FuncOp func, ContractOp product) : func(func), product(product) {}

  /// False if the product had better be stored, or followed as others are.
  bool form();
  void mark(int64_t number);

private:
  void findDependents();
  void grow();
  bool follows(Operation *op);
  bool readsBeside(Operation *op, Value base);
  bool isLight(Value value, OpSet &ops);
  bool isMember(Operation *op) const {
    return op == product || followers.contains(op) || beside.contains(op);
  }
  std::optional<BlockSplit> findSplit(Value value) const;
  /// Whether the op finds the value in memory, whatever is decided here.
  bool takesFromMemory(Operation *user, Value value) const;
  bool dropOne();
  std::pair<unsigned, unsigned> countEnds() const;

  FuncOp func;
  ContractOp product;
  /// What depends on the product, and cannot be there before its kernel is.
  llvm::SmallDenseSet<Operation *> dependents;
  /// Followers, and what they read beside the product.
  OpSet followers, beside;
  /// Of the values that follow: the product, or the spread value, that they are
  /// elementwise functions of.
  llvm::SmallDenseMap<Value, Value> bases;
  llvm::SmallDenseSet<Operation *> dropped;
  /// Whether an elementwise op reads what is computed beside the product.
  bool joins = false;
};

} // namespace

static Attribute getUnit(Operation *op) {
  return op->getDiscardableAttr(kUnitAttr);
}

/// Members of a unit are computed together.
void Unit::findDependents() {
  llvm::SmallDenseSet<Attribute> units;
  dependents.insert(product);
  for (bool changed = true; changed;) {
    changed = false;
    for (Operation &op : func.getBody().front().without_terminator()) {
      Attribute unit = getUnit(&op);
      bool depends = (unit && units.contains(unit)) ||
                     llvm::any_of(op.getOperands(), [&](Value operand) {
                       Operation *source = operand.getDefiningOp();
                       return source && dependents.contains(source);
                     });
      if (!depends)
        continue;
      changed |= dependents.insert(&op).second;
      if (unit)
        changed |= units.insert(unit).second;
    }
  }
}

static bool followsProduct(Operation *op);

/// Whether a value is, or elementwise ops make it of, what a kernel of cells
/// computes, in whose kernel they are, too.
static bool isOrFollowsProduct(Value value) {
  Operation *op = value.getDefiningOp();
  return op && value.hasOneUse() &&
         ((needsCells(op) && !movesCells(op)) || followsProduct(op));
}

static bool followsProduct(Operation *op) {
  return tiles::isElementwise(op) &&
         llvm::any_of(op->getOperands(), isOrFollowsProduct);
}

/// Whether a value is in memory, whatever is decided here.
static bool isStored(Value value) {
  Operation *op = value.getDefiningOp();
  return !op || getUnit(op) || (needsCells(op) && !movesCells(op)) ||
         followsProduct(op) ||
         llvm::any_of(op->getUsers(), [](Operation *user) {
           return isa<ReturnOp>(user) || needsCells(user);
         });
}

/// Whether a cell of the value takes no loop to compute from what is in memory.
/// Adds the ops that do it.
bool Unit::isLight(Value value, OpSet &ops) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<ConstantOp>(op))
    return true;
  if (dependents.contains(op) || isa<MapType>(value.getType()))
    return false;
  if (movesCells(op) && !isa<GatherOp, ValidOp>(op))
    return llvm::all_of(op->getOperands(),
                        [&](Value operand) { return isLight(operand, ops); });
  if (isStored(value))
    return true;
  auto contract = dyn_cast<ContractOp>(op);
  if (!getRowsDim(value) || dropped.contains(op) || tiles::sums(op) ||
      !(tiles::isElementwise(op) || (contract && tiles::getTerms(contract))))
    return false;
  if (!llvm::all_of(op->getOperands(),
                    [&](Value operand) { return isLight(operand, ops); }))
    return false;
  ops.insert(op);
  return true;
}

/// Takes in what the op reads beside values of one base.
bool Unit::readsBeside(Operation *op, Value base) {
  OpSet ops;
  for (Value operand : op->getOperands()) {
    auto follows = bases.find(operand);
    if (follows != bases.end() ? follows->second != base
                               : !isLight(operand, ops))
      return false;
  }
  beside.insert_range(ops);
  joins |= !ops.empty() && !isa<ConcatOp>(op);
  return true;
}

bool Unit::follows(Operation *op) {
  if (dropped.contains(op) || getUnit(op) || op->getNumResults() != 1 ||
      !getRowsDim(op->getResult(0)))
    return false;
  Value result = op->getResult(0), first;
  unsigned number = 0;
  for (OpOperand &operand : op->getOpOperands())
    if (!first && bases.contains(operand.get())) {
      first = operand.get();
      number = operand.getOperandNumber();
    }
  if (!first)
    return false;
  if (tiles::isElementwise(op)) {
    Value base = bases.lookup(first);
    if (!readsBeside(op, base))
      return false;
    bases[result] = base;
    return true;
  }
  if (auto concat = dyn_cast<ConcatOp>(op)) {
    // Blocks of one product each, or of none.
    OpSet ops;
    for (Value input : concat.getInputs())
      if (input != first && !isLight(input, ops))
        return false;
    if (!first.hasOneUse())
      return false;
    beside.insert_range(ops);
    bases[result] = result;
    return true;
  }
  auto contract = dyn_cast<ContractOp>(op);
  if (!contract || contract.getInputs().size() != 2 || tiles::sums(op) ||
      bases.contains(contract.getInputs()[1 - number]) ||
      !tiles::getSpreads(contract, number) ||
      !(tiles::coversResult(contract) || findSplit(result)))
    return false;
  if (!readsBeside(op, bases.lookup(first)))
    return false;
  bases[result] = result;
  return true;
}

void Unit::grow() {
  followers.clear();
  beside.clear();
  bases.clear();
  joins = false;
  bases[product.getResult()] = product.getResult();
  for (Operation *op = product->getNextNode(); op; op = op->getNextNode())
    if (!op->hasTrait<OpTrait::IsTerminator>() && dependents.contains(op) &&
        follows(op))
      followers.insert(op);
}

std::optional<BlockSplit> Unit::findSplit(Value value) const {
  if (!value.hasOneUse())
    return std::nullopt;
  auto sum = dyn_cast<arith::AddFOp>(*value.user_begin());
  // What is added afterwards would be for rows to do.
  if (!sum || !isa<TensorType>(sum.getType()) ||
      llvm::any_of(sum->getUsers(),
                   [](Operation *user) { return isa<arith::AddFOp>(user); }))
    return std::nullopt;
  std::optional<BlockSplit> split =
      BlockSplit::find(sum, /*isLeft=*/sum.getRhs() == value);
  if (split && split->other.getResult() != value)
    return std::nullopt;
  // The kernel of the block writes both to one array, if it has tiles.
  if (split && !isOrFollowsProduct(split->placed.getInputs().front()))
    return std::nullopt;
  return split;
}

bool Unit::takesFromMemory(Operation *user, Value value) const {
  // What follows another product reads all else.
  auto isAnother = [&](Value operand) {
    return operand != value && isOrFollowsProduct(operand);
  };
  return isa<ReturnOp>(user) || needsCells(user) || findSplit(value) ||
         (tiles::isElementwise(user) &&
          llvm::any_of(user->getOperands(), isAnother));
}

/// Drops an op whose result would be stored for kernels of rows, which had
/// better compute it again, or that reads what others compute, too. Functions
/// of the product's own cells may be stored in its place.
bool Unit::dropOne() {
  for (Operation *op : beside)
    for (Operation *user : op->getUsers())
      if (!isMember(user)) {
        dropped.insert(op);
        return true;
      }
  for (Operation *op : llvm::reverse(followers)) {
    Value result = op->getResult(0);
    bool isOwn = bases.lookup(result) == product.getResult();
    for (Operation *user : op->getUsers())
      if (!isMember(user) && !isOwn && !takesFromMemory(user, result)) {
        dropped.insert(op);
        return true;
      }
  }
  return false;
}

bool Unit::form() {
  std::optional<tiles::Product> matrices = tiles::Product::get(product);
  if (!matrices || !matrices->coversResult() || !matrices->pays())
    return false;
  findDependents();
  do
    grow();
  while (dropOne());
  // Concatenations are of one result.
  if (countEnds().first > 1) {
    for (Operation *op : followers)
      if (isa<ConcatOp>(op))
        dropped.insert(op);
    do
      grow();
    while (dropOne());
  }
  auto [ends, ofRows] = countEnds();
  bool spreads = llvm::any_of(
      followers, [](Operation *op) { return isa<ContractOp>(op); });
  // Rows that read one value anyway compute others of its cells as well.
  if (ofRows > 0)
    return ofRows == 1 && ends > 1 && (joins || spreads);
  return ends > 1 || joins;
}

/// How many values are delivered, and how many of them for rows.
std::pair<unsigned, unsigned> Unit::countEnds() const {
  unsigned ends = 0, ofRows = 0;
  for (auto &[value, base] : bases) {
    bool isEnd = false, isOfRows = false;
    for (Operation *user : value.getUsers()) {
      isEnd |= !isMember(user);
      isOfRows |= !isMember(user) && !takesFromMemory(user, value);
    }
    ends += isEnd;
    ofRows += isOfRows;
  }
  return {ends, ofRows};
}

void Unit::mark(int64_t number) {
  Attribute unit =
      IntegerAttr::get(IntegerType::get(func.getContext(), 64), number);
  OpSet members = followers;
  members.insert(product);
  members.insert_range(beside);
  for (Operation *op : members) {
    std::optional<BlockSplit> split;
    if (auto contract = dyn_cast<ContractOp>(op);
        contract && followers.contains(op) && !tiles::coversResult(contract))
      split = findSplit(contract.getResult());
    if (split) {
      op = split->apply();
      for (Operation *unused :
           {split->sum.getOperation(), split->placed.getOperation(),
            split->other.getOperation()})
        unused->erase();
    }
    op->setDiscardableAttr(kUnitAttr, unit);
  }
}

void formUnits(FuncOp func) {
  int64_t number = 0;
  SmallVector<ContractOp> products;
  for (auto op : func.getBody().front().getOps<ContractOp>())
    if (multipliesRows(op) && needsCells(op))
      products.push_back(op);
  for (ContractOp product : products) {
    Unit unit(func, product);
    if (!getUnit(product) && unit.form())
      unit.mark(number++);
  }
}

} // namespace gyre::fusion
