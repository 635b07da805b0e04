//===- Units.cpp - Kernels of several values of one product ---------------===//
//
// Followers of a product are elementwise ops, contracts that multiply each of
// its cells with several others, and concatenations. What else these read is in
// memory, or a part of the unit, too, if it is computed without loops, and
// nothing but the unit needs it, or it costs no loads to compute it again. What
// followers do not take on is delivered.
//
//===----------------------------------------------------------------------===//

#include "Units.h"

#include "CellOps.h"
#include "JoinProducts.h"
#include "Rows.h"
#include "SplitBlocks.h"
#include "TileOps.h"

#include "gyre/Tiles/Product.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace gyre::fusion {

namespace {

using OpSet = llvm::SmallSetVector<Operation *, 16>;

/// The unit of one product, or of a sum of products.
class Unit {
public:
  Unit(FuncOp func, const tiles::ProductSum &sum)
      : func(func), sum(sum), product(sum.ops.back()) {}

  /// False if the product had better be stored, or followed as others are.
  bool form();
  void mark(int64_t number);

private:
  void findDependents();
  void grow();
  bool follows(Operation *op);
  Value findSpreadBase(ContractOp op, unsigned input) const;
  bool goesWith(Value value, Value base);
  bool readsBeside(Operation *op, Value base);
  /// How a value is there: not without a loop, in memory, as other cells are,
  /// or computed from them.
  enum class Light { no, stored, moved, computed };
  Light findLight(Value value);
  bool isLight(Value value);
  OpSet getLight(ArrayRef<Value> values);
  bool isMember(Operation *op) const {
    return llvm::is_contained(sum.ops, op) || followers.contains(op) ||
           beside.contains(op);
  }
  /// Whether the op finds the value in memory, whatever is decided here.
  bool takesFromMemory(Operation *user, Value value) const;
  void findArrays(Value value, llvm::SmallDenseSet<Value> &arrays) const;
  bool isReadAnyway(Operation *op) const;
  bool findCopied();
  bool dropOne();
  std::pair<unsigned, unsigned> countEnds() const;

  FuncOp func;
  const tiles::ProductSum &sum;
  /// The last op of the sum.
  Operation *product;
  /// What depends on the product, and cannot be there before its kernel is.
  llvm::SmallDenseSet<Operation *> dependents;
  /// Followers, and what they read beside the product.
  OpSet followers, beside;
  /// Those beside that other kernels compute, too.
  OpSet copied;
  /// Of the values that follow: the product, or the spread value, that they are
  /// elementwise functions of.
  llvm::SmallDenseMap<Value, Value> bases;
  llvm::SmallDenseSet<Operation *> dropped;
  /// Of bases, those of which other blocks are parts.
  llvm::SmallDenseSet<Value> joined;
  /// As far as it is known, with those that are dropped.
  llvm::SmallDenseMap<Value, Light> light;
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
  dependents.insert_range(sum.ops);
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

/// How a cell of the value is there without a loop.
Unit::Light Unit::findLight(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<ConstantOp>(op))
    return Light::stored;
  if (dependents.contains(op) || isa<MapType>(value.getType()))
    return Light::no;
  bool areLight = llvm::all_of(op->getOperands(),
                               [&](Value operand) { return isLight(operand); });
  if (movesCells(op) && !isa<GatherOp, ValidOp>(op))
    return areLight ? Light::moved : Light::no;
  // What nothing else needs is computed.
  auto contract = dyn_cast<ContractOp>(op);
  if (areLight && getRowsDim(value) && !getUnit(op) && !dropped.contains(op) &&
      !tiles::sums(op) && !getJoined(op) &&
      (tiles::isElementwise(op) || (contract && tiles::getTerms(contract))))
    return Light::computed;
  return isStored(value) ? Light::stored : Light::no;
}

bool Unit::isLight(Value value) {
  auto known = light.find(value);
  if (known == light.end()) {
    Light found = findLight(value);
    known = light.insert({value, found}).first;
  }
  return known->second != Light::no;
}

/// The ops that compute light values, in their order.
OpSet Unit::getLight(ArrayRef<Value> values) {
  llvm::SmallSetVector<Value, 16> all(values.begin(), values.end());
  SmallVector<Operation *> ops;
  for (size_t i = 0; i < all.size(); ++i) {
    Light how = light.lookup(all[i]);
    if (how == Light::stored)
      continue;
    Operation *op = all[i].getDefiningOp();
    all.insert_range(op->getOperands());
    if (how == Light::computed)
      ops.push_back(op);
  }
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return OpSet(ops.begin(), ops.end());
}

/// Whether a value of light ones goes to the cells that a spread value goes to,
/// so that it is computed where that one is.
bool Unit::goesWith(Value value, Value base) {
  auto own = value.getDefiningOp<ContractOp>();
  auto other = base.getDefiningOp<ContractOp>();
  if (!own || !other || own.getInputs().size() != 2 || getUnit(own) ||
      dropped.contains(own) || !followers.contains(other) ||
      !llvm::all_of(own.getInputs(),
                    [&](Value input) { return isLight(input); }))
    return false;
  unsigned its = bases.contains(other.getInputs()[0]) ? 0 : 1;
  return tiles::goAlike(other, its, own, 0) ||
         tiles::goAlike(other, its, own, 1);
}

/// Takes in what the op reads beside values of one base.
bool Unit::readsBeside(Operation *op, Value base) {
  SmallVector<Value> read;
  OpSet alike;
  for (Value operand : op->getOperands()) {
    auto follows = bases.find(operand);
    if (follows != bases.end()) {
      if (follows->second != base)
        return false;
    } else if (isLight(operand)) {
      read.push_back(operand);
    } else if (goesWith(operand, base)) {
      alike.insert(operand.getDefiningOp());
      llvm::append_range(read, operand.getDefiningOp()->getOperands());
    } else {
      return false;
    }
  }
  beside.insert_range(alike);
  OpSet ops = getLight(read);
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
  // Blocks beside a product's are computed where they are delivered.
  if (!first || joined.contains(first))
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
    SmallVector<Value> others;
    llvm::copy_if(concat.getInputs(), std::back_inserter(others),
                  [&](Value input) { return input != first; });
    // Those of products alone are tiles of one kernel as it is.
    auto isAlone = [](Value input) {
      return isOrFollowsProduct(input) && !getUnit(input.getDefiningOp());
    };
    if (!first.hasOneUse() || llvm::any_of(others, isAlone) ||
        !llvm::all_of(others, [&](Value input) { return isLight(input); }))
      return false;
    beside.insert_range(getLight(others));
    bases[result] = result;
    if (!others.empty())
      joined.insert(result);
    return true;
  }
  auto contract = dyn_cast<ContractOp>(op);
  if (!contract || contract.getInputs().size() != 2 || tiles::sums(op) ||
      bases.contains(contract.getInputs()[1 - number]) ||
      !tiles::getSpreads(contract, number) || !tiles::coversResult(contract))
    return false;
  if (!readsBeside(op, bases.lookup(first)))
    return false;
  bases[result] = findSpreadBase(contract, number);
  return true;
}

/// The first contract of values with the same base that goes to the same cells:
/// what reads both has one base, too.
Value Unit::findSpreadBase(ContractOp op, unsigned input) const {
  for (Operation *follower : followers) {
    auto other = dyn_cast<ContractOp>(follower);
    if (!other || bases.lookup(other.getResult()) != other.getResult())
      continue;
    unsigned its = bases.contains(other.getInputs()[0]) ? 0 : 1;
    if (bases.lookup(other.getInputs()[its]) ==
            bases.lookup(op.getInputs()[input]) &&
        tiles::goAlike(op, input, other, its))
      return other.getResult();
  }
  return op.getResult();
}

void Unit::grow() {
  followers.clear();
  beside.clear();
  bases.clear();
  joined.clear();
  light.clear();
  joins = false;
  Value root = product->getResult(0);
  bases[root] = root;
  for (Operation *op = product->getNextNode(); op; op = op->getNextNode())
    if (!op->hasTrait<OpTrait::IsTerminator>() && dependents.contains(op) &&
        follows(op))
      followers.insert(op);
}

bool Unit::takesFromMemory(Operation *user, Value value) const {
  // What follows another product reads all else.
  auto isAnother = [&](Value operand) {
    return operand != value && isOrFollowsProduct(operand);
  };
  if (movesCells(user) && user->getNumResults() == 1 && !user->use_empty() &&
      llvm::all_of(user->getUsers(), [&](Operation *next) {
        return takesFromMemory(next, user->getResult(0));
      }))
    return true;
  return isa<ReturnOp>(user) || needsCells(user) || getUnit(user) ||
         (tiles::isElementwise(user) &&
          llvm::any_of(user->getOperands(), isAnother));
}

/// The arrays that a value is computed from.
void Unit::findArrays(Value value, llvm::SmallDenseSet<Value> &arrays) const {
  Operation *op = value.getDefiningOp();
  if (op && isa<ConstantOp>(op))
    return;
  if (!op || light.lookup(value) == Light::stored)
    arrays.insert(value);
  else
    for (Value operand : op->getOperands())
      findArrays(operand, arrays);
}

/// Whether the rest of the unit reads all arrays that an op beside does.
bool Unit::isReadAnyway(Operation *op) const {
  llvm::SmallDenseSet<Value> own, others;
  findArrays(op->getResult(0), own);
  auto isRead = [&](Value operand) {
    Operation *source = operand.getDefiningOp();
    return !source || !isMember(source);
  };
  for (Operation *member : llvm::concat<Operation *const>(followers, beside))
    if (member != op)
      for (Value operand :
           llvm::make_filter_range(member->getOperands(), isRead))
        findArrays(operand, others);
  return llvm::all_of(own, [&](Value array) { return others.contains(array); });
}

/// What others compute, too, if that takes no more loads than it has cells, or
/// none but those of others.
bool Unit::findCopied() {
  copied.clear();
  auto isThere = [&](Value value) {
    return light.lookup(value) == Light::stored &&
           !value.getDefiningOp<ConstantOp>();
  };
  auto sorted = llvm::to_vector(beside);
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
  for (Operation *op : sorted)
    if (llvm::any_of(op->getUsers(), [&](Operation *user) {
          return !isMember(user) || copied.contains(user);
        })) {
      // Other products' kernels store what follows these.
      if (followsProduct(op) ||
          (!isCheap(op->getResult(0), isThere) && !isReadAnyway(op))) {
        dropped.insert(op);
        return false;
      }
      copied.insert(op);
    }
  return true;
}

/// Drops an op whose result would be stored for kernels of rows, which had
/// better compute it again, or that reads what others compute, too. Functions
/// of the product's own cells may be stored in its place.
bool Unit::dropOne() {
  if (!findCopied())
    return true;
  for (Operation *op : llvm::reverse(followers)) {
    Value result = op->getResult(0);
    bool isOwn = bases.lookup(result) == product->getResult(0);
    for (Operation *user : op->getUsers())
      if (!isMember(user) && !isOwn && !takesFromMemory(user, result)) {
        dropped.insert(op);
        return true;
      }
  }
  return false;
}

bool Unit::form() {
  findDependents();
  do
    grow();
  while (dropOne());
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
  SmallVector<Operation *> members, originals(copied.takeVector());
  for (Operation *op :
       llvm::concat<Operation *const>(sum.ops, followers, beside))
    if (!llvm::is_contained(originals, op))
      members.push_back(op);
  llvm::sort(originals,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  IRMapping copies;
  for (Operation *op : originals) {
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    members.push_back(b.clone(*op, copies));
  }
  for (Operation *op : members) {
    for (OpOperand &operand : op->getOpOperands())
      operand.set(copies.lookupOrDefault(operand.get()));
    op->setDiscardableAttr(kUnitAttr, unit);
  }
}

/// Whether elementwise ops make a value of a product, and perhaps of others.
static bool isOfProduct(Value value, llvm::SmallDenseSet<Value> &visited) {
  Operation *op = value.getDefiningOp();
  if (!op || !visited.insert(value).second)
    return false;
  if (tiles::isElementwise(op))
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return isOfProduct(operand, visited);
    });
  return multipliesRows(op) && needsCells(op);
}

/// Splits sums of blocks of which one is what follows a product, as far as they
/// are not among `whole`, by their numbers. Gives the concatenations.
static llvm::MapVector<unsigned, ConcatOp>
splitSums(FuncOp func, const llvm::SmallDenseSet<unsigned> &whole) {
  llvm::MapVector<unsigned, ConcatOp> concats;
  SmallVector<arith::AddFOp> sums(
      func.getBody().front().getOps<arith::AddFOp>());
  for (auto [number, sum] : llvm::enumerate(sums))
    for (bool isLeft : {true, false}) {
      if (!isa<TensorType>(sum.getType()) || whole.contains(number) ||
          concats.contains(number))
        continue;
      std::optional<BlockSplit> split = BlockSplit::find(sum, isLeft);
      for (unsigned input : {0, 1}) {
        llvm::SmallDenseSet<Value> visited;
        if (split && !split->concat &&
            isOfProduct(split->other.getInputs()[input], visited) &&
            tiles::getSpreads(split->other, input)) {
          split->apply();
          concats[number] = split->concat;
        }
      }
    }
  eraseUnused(func);
  return concats;
}

/// Whether a concatenation is a part of what is computed with products, and so
/// are its blocks: else it would be a kernel that copies.
static bool isComputed(ConcatOp concat) {
  auto isProduct = [](Value input) { return isOrFollowsProduct(input); };
  return (getUnit(concat) || llvm::any_of(concat.getInputs(), isProduct)) &&
         llvm::all_of(concat.getInputs(), [&](Value input) {
           Operation *op = input.getDefiningOp();
           return isProduct(input) || (op && getUnit(op));
         });
}

/// Products of rows and matrices that tiles have, and sums of such.
static std::vector<tiles::ProductSum> findProducts(FuncOp func) {
  std::vector<tiles::ProductSum> products;
  auto isTerm = [](Operation *op) {
    return op->hasOneUse() && getJoined(*op->user_begin());
  };
  for (Operation &op : func.getBody().front().without_terminator()) {
    std::optional<tiles::ProductSum> sum = getJoined(&op);
    if (isa<ContractOp>(op) && multipliesRows(&op) && needsCells(&op))
      sum = tiles::ProductSum::get(op.getResult(0));
    if (sum && !isTerm(&op))
      products.push_back(*sum);
  }
  return products;
}

/// What units read is in memory anyway, so that there may be others then.
static void formAll(FuncOp func) {
  int64_t number = 0;
  for (int64_t before = -1; before != number;) {
    before = number;
    for (const tiles::ProductSum &product : findProducts(func)) {
      Unit unit(func, product);
      if (!getUnit(product.ops.back()) && unit.form())
        unit.mark(number++);
    }
  }
}

void formUnits(FuncOp func) {
  if (findProducts(func).empty())
    return;
  llvm::SmallDenseSet<unsigned> whole;
  while (true) {
    OwningOpRef<FuncOp> trial = func.clone();
    llvm::MapVector<unsigned, ConcatOp> concats = splitSums(*trial, whole);
    formAll(*trial);
    size_t before = whole.size();
    for (auto &[number, concat] : concats)
      if (!isComputed(concat))
        whole.insert(number);
    if (whole.size() != before)
      continue;
    func.getBody().takeBody(trial->getBody());
    return;
  }
}

} // namespace gyre::fusion
