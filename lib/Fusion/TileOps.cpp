//===- TileOps.cpp - What is computed with products -----------------------===//

#include "TileOps.h"

#include "CellOps.h"
#include "JoinProducts.h"
#include "Rows.h"
#include "Stages.h"

#include "gyre/Tiles/Product.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace gyre::fusion {

/// Whether the op computes each of its cells from cells of that index, or moves
/// each to a place of its own.
static bool isPointwise(Operation *op) {
  if (auto contract = dyn_cast<ContractOp>(op))
    return movesCells(op) && !contract.getRelationAttr() &&
           namesEachOnce(contract,
                         cast<ArrayAttr>(contract.getSubscripts()[0]));
  return !isa<ConstantOp, ReturnOp>(op) &&
         (op->hasTrait<OpTrait::Elementwise>() ||
          isa<SigmoidOp, SiluOp, SelectOp, ConvertOp>(op));
}

bool multipliesRows(Operation *op) {
  auto contract = dyn_cast<ContractOp>(op);
  return contract && contract.getInputs().size() > 1 &&
         getRowsDim(contract.getResult());
}

/// Whether a value is stored before, or because, kernels of cells use it.
static bool isInMemory(Value value, const CellOps &cells) {
  Operation *op = value.getDefiningOp();
  return !op || isa<ConstantOp>(op) || cells.contains(op) ||
         llvm::any_of(op->getUsers(),
                      [&](Operation *user) { return cells.contains(user); });
}

/// What becomes of products of rows and matrices, and of nothing else, is a
/// part of their kernels, if all else that it takes is in memory there: their
/// sums are neither stored nor loaded.
void CellOps::followProducts(FuncOp func) {
  llvm::SmallDenseSet<Value> products;
  for (Operation &op : func.getBody().front().without_terminator()) {
    auto isProduct = [&](Value value) {
      return products.contains(value) && value.hasOneUse();
    };
    if (contains(&op)) {
      auto concat = dyn_cast<ConcatOp>(op);
      if (multipliesRows(&op) ||
          (concat && llvm::all_of(concat.getInputs(), isProduct)))
        products.insert(op.getResult(0));
      continue;
    }
    if (!isPointwise(&op) || !llvm::any_of(op.getOperands(), isProduct) ||
        !llvm::all_of(op.getOperands(), [&](Value operand) {
          return isProduct(operand) || isInMemory(operand, *this);
        }))
      continue;
    ops.insert(&op);
    products.insert(op.getResult(0));
  }
}

namespace {

/// Follows products of rows and matrices where these are computed on tiles,
/// which takes one product for each cell.
class TileFollower {
public:
  TileFollower(FuncOp func, const CellOps &cells, llvm::DenseSet<Value> &stored,
               llvm::DenseSet<Value> &spread)
      : func(func), cells(cells), stored(stored), spread(spread) {
    stages.compute(func, cells);
  }

  void run(llvm::DenseSet<Operation *> &ops);

private:
  bool isProduct(Value value) const {
    return products.contains(value) && value.hasOneUse();
  }
  bool isThere(Value value, Value product) const;
  bool isPlaced(ContractOp op) const;
  /// The product that the op multiplies with what is in memory, if any.
  Value findSpread(ContractOp op) const;
  bool follows(Operation &op);
  void takeIn(Value value, llvm::DenseSet<Operation *> &ops);

  FuncOp func;
  const CellOps &cells;
  llvm::DenseSet<Value> &stored, &spread;
  Stages stages;
  llvm::SmallDenseSet<Value> products;
  /// Ops that read rows which would not be stored but for them.
  SmallVector<Operation *> eager;
};

} // namespace

/// Whether a value is in memory, or of rows that are computed before a product.
bool TileFollower::isThere(Value value, Value product) const {
  Operation *op = value.getDefiningOp();
  return !op || isa<ConstantOp>(op) || cells.contains(op) ||
         (getRowsDim(value) && stages.of(value) < stages.of(product));
}

static bool isUsedFromMemory(Operation *op, const CellOps &cells) {
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    return isa<ReturnOp>(user) || cells.contains(user);
  });
}

/// Whether the op puts a product beside zeros that are then added to what is in
/// memory, so that only the product's cells change.
bool TileFollower::isPlaced(ContractOp op) const {
  Value product = op.getInputs().front();
  if (!isProduct(product) || !op->hasOneUse() || !tiles::getPlacement(op))
    return false;
  auto sum = dyn_cast<arith::AddFOp>(*op->user_begin());
  if (!sum || !isUsedFromMemory(sum, cells))
    return false;
  Value rest = sum.getLhs() == op.getResult() ? sum.getRhs() : sum.getLhs();
  Operation *source = rest.getDefiningOp();
  if (!isThere(rest, product) || (source && movesCells(source)))
    return false;
  stored.insert(rest);
  return true;
}

Value TileFollower::findSpread(ContractOp op) const {
  if (op.getInputs().size() != 2)
    return {};
  for (unsigned input : {0, 1})
    if (isProduct(op.getInputs()[input]) &&
        isThere(op.getInputs()[1 - input], op.getInputs()[input]))
      return tiles::getSpreads(op, input) && tiles::coversResult(op)
                 ? op.getInputs()[input]
                 : Value();
  return {};
}

/// Takes elementwise ops of what is in memory into the kernel of their user.
void TileFollower::takeIn(Value value, llvm::DenseSet<Operation *> &ops) {
  Operation *op = value.getDefiningOp();
  if (!op || cells.contains(op) || !value.hasOneUse() || !isPointwise(op))
    return;
  ops.insert(op);
  for (Value operand : op->getOperands())
    takeIn(operand, ops);
}

bool TileFollower::follows(Operation &op) {
  if (getJoined(&op)) {
    products.insert(op.getResult(0));
    return true;
  }
  if (auto contract = dyn_cast<ContractOp>(op);
      contract && isPlaced(contract)) {
    products.insert(contract.getResult());
    return true;
  }
  if (auto contract = dyn_cast<ContractOp>(op))
    if (Value product = findSpread(contract)) {
      spread.insert(product);
      products.insert(contract.getResult());
      return true;
    }
  // The sum that ends in the array of its other term; nothing follows it.
  auto isBeside = [&](Value value) {
    auto contract = value.getDefiningOp<ContractOp>();
    return isProduct(value) && contract &&
           tiles::getPlacement(contract).has_value();
  };
  if (llvm::any_of(op.getOperands(), isBeside))
    return true;
  if (!isPointwise(&op))
    return false;
  // The last one; others are stored before.
  Value product;
  for (Value operand : op.getOperands())
    if (isProduct(operand) &&
        (!product || stages.of(product) <= stages.of(operand)))
      product = operand;
  if (!product)
    return false;
  bool isEager = false;
  for (Value operand : op.getOperands()) {
    if (operand == product || isInMemory(operand, cells))
      continue;
    if (!isThere(operand, product))
      return false;
    isEager = true;
  }
  for (Value operand : op.getOperands())
    if (operand != product && isProduct(operand))
      stored.insert(operand);
  if (isEager)
    eager.push_back(&op);
  products.insert(op.getResult(0));
  return true;
}

void TileFollower::run(llvm::DenseSet<Operation *> &ops) {
  for (Operation &op : func.getBody().front().without_terminator()) {
    if (cells.contains(&op)) {
      auto concat = dyn_cast<ConcatOp>(op);
      if (multipliesRows(&op) ||
          (concat && llvm::all_of(concat.getInputs(), [&](Value input) {
             return isProduct(input);
           })))
        products.insert(op.getResult(0));
      else if (concat && llvm::any_of(concat.getInputs(), [&](Value input) {
                 return isProduct(input);
               }))
        for (Value input : concat.getInputs())
          takeIn(input, ops);
    } else if (follows(op)) {
      ops.insert(&op);
    }
  }
  // For what kernels of rows use, it is rows that they had better compute.
  for (Operation *op : llvm::reverse(eager))
    if (!isUsedFromMemory(op, cells))
      ops.erase(op);
}

void CellOps::followOnTiles(FuncOp func) {
  TileFollower(func, *this, stored, spread).run(ops);
}

} // namespace gyre::fusion
