//===- StoreByColumns.cpp - Matrices in the order of tiles ----------------===//

#include "StoreByColumns.h"

#include "CellOps.h"
#include "Rows.h"

#include "gyre/Dialect/ContractBuilder.h"
#include "gyre/Tiles/Access.h"

using namespace mlir;

namespace gyre::fusion {

namespace {
class Storer {
public:
  explicit Storer(FuncOp func) : func(func) {}
  void run();

private:
  void store(ContractOp op);
  Value swap(Value value, int64_t dim);

  FuncOp func;
  /// Values with their last dimension swapped with another one.
  llvm::DenseMap<std::pair<Value, int64_t>, Value> swapped;
};
} // namespace

/// The value with dimension `dim` and the last one swapped, stored whole: parts
/// of one array are parts of one that is stored.
Value Storer::swap(Value value, int64_t dim) {
  Value &known = swapped[{value, dim}];
  if (known)
    return known;
  OpBuilder b(func.getContext());
  if (Operation *op = value.getDefiningOp())
    b.setInsertionPointAfter(op);
  else
    b.setInsertionPointToStart(&func.getBody().front());
  auto dims = cast<TensorType>(value.getType()).getDims();
  int64_t last = dims.size() - 1;
  auto slice = value.getDefiningOp<SliceOp>();
  int64_t cut = slice ? static_cast<int64_t>(slice.getAxis()) : last;
  if (cut != last && cut != dim) {
    Value whole = swap(slice.getX(), dim);
    Value part = SliceOp::create(b, slice.getLoc(), whole, slice.getAxisAttr(),
                                 slice.getFrom(), slice.getSize());
    return swapped[{value, dim}] = part;
  }
  SmallVector<AxisAttr> axes;
  SmallVector<Attribute> from, to;
  for (auto [i, size] : llvm::enumerate(dims)) {
    StringAttr name = b.getStringAttr("i" + std::to_string(i));
    axes.push_back(AxisAttr::get(b.getContext(), name, size));
    from.push_back(b.getArrayAttr({name}));
  }
  to = from;
  std::swap(to[dim], to[last]);
  Value stored = buildContract(b, value.getLoc(), value, b.getArrayAttr(from),
                               b.getArrayAttr(to), axes);
  stored.getDefiningOp()->setAttr(kStoredAttr, b.getUnitAttr());
  return swapped[{value, dim}] = stored;
}

void Storer::store(ContractOp op) {
  std::optional<tiles::Product> product = tiles::Product::get(op);
  if (!product || product->depth.empty() || !needsCells(op))
    return;
  Value matrix = op.getInputs()[product->columnsInput];
  if (getRowsDim(matrix) || !getRowsDim(op.getResult()))
    return;
  std::optional<tiles::Access> access =
      tiles::Access::get(*product, product->columnsInput);
  StringAttr column = product->columns.back().getName();
  if (!access || access->strides.get(column).isConstant(1) ||
      !access->strides.get(product->depth.back().getName()).isConstant(1))
    return;
  // Both have dimensions of their own, and the depth the last one.
  auto subscript = cast<ArrayAttr>(op.getSubscripts()[product->columnsInput]);
  Builder b(op.getContext());
  auto entry = llvm::find(subscript, b.getArrayAttr({column}));
  if (entry == subscript.end() ||
      subscript[subscript.size() - 1] !=
          b.getArrayAttr({product->depth.back().getName()}))
    return;
  int64_t dim = entry - subscript.begin();
  SmallVector<Attribute> entries(subscript.begin(), subscript.end());
  std::swap(entries[dim], entries.back());
  SmallVector<Attribute> subscripts(op.getSubscripts().begin(),
                                    op.getSubscripts().end());
  subscripts[product->columnsInput] = b.getArrayAttr(entries);
  op.getInputsMutable()[product->columnsInput].assign(swap(matrix, dim));
  op.setSubscriptsAttr(b.getArrayAttr(subscripts));
}

void Storer::run() {
  for (auto op :
       llvm::make_early_inc_range(func.getBody().front().getOps<ContractOp>()))
    store(op);
}

void storeByColumns(FuncOp func) { Storer(func).run(); }

} // namespace gyre::fusion
