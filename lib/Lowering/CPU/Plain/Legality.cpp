//===- Legality.cpp - What the plain lowering takes -----------------------===//

#include "Legality.h"

#include "Buffers.h"

#include "../../RelationCells.h"

#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;

namespace gyre::plain {

/// The most cells of a result that the tuples of a relation may span: a table
/// says for each which of them it sums.
static constexpr int64_t kMostCells = int64_t(1) << 24;

static LogicalResult checkType(Operation *op, Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor || getElementBytes(tensor.getElementType()))
    return success();
  return op->emitError("[lower-element-type] expected f64, f32, f16, bf16, i1, "
                       "i8, i16, i32 or i64, got ")
         << tensor.getElementType();
}

static LogicalResult checkContract(ContractOp op) {
  if (op.getRelationAttr() && !op.getTuples())
    return op.emitError("[lower-relation] expected an evaluated relation "
                        "(gyre-specialise evaluates it), got a comprehension");
  if (!isa<FloatType>(op.getAccumulatorType()) ||
      !getElementBytes(op.getAccumulatorType()))
    return op.emitError("[lower-element-type] expected an accumulator f64, "
                        "f32, f16 or bf16, got ")
           << op.getAccumulatorType();
  if (RelationCells(op).count().value_or(kMostCells + 1) > kMostCells)
    return op.emitError("[lower-relation-cells] expected tuples within a block "
                        "of at most ")
           << kMostCells << " cells of the result, got more";
  return success();
}

static LogicalResult checkOp(Operation *op) {
  if (auto contract = dyn_cast<ContractOp>(op))
    return checkContract(contract);
  if (isa<GatherOp, SegmentSumOp, ValidOp, SliceOp, PadOp, ConcatOp, MaxSlotOp,
          SelectSlotOp, SpreadSlotOp, ConvertOp, SelectOp, ConstantOp,
          SigmoidOp, SiluOp, StopGradientOp, ReturnOp>(op))
    return success();
  if (op->hasTrait<OpTrait::Elementwise>() && op->getNumResults() == 1)
    return success();
  return op->emitError("[lower-op] expected a primitive of the algebra "
                       "(gyre-specialise and gyre-decompose leave no other), "
                       "got ")
         << op->getName();
}

/// Sizes that callers can be asked for: each is a dimension of an operand.
static llvm::DenseSet<StringAttr> collectBoundSizes(FuncOp func) {
  llvm::DenseSet<StringAttr> bound;
  auto visit = [&](PolyAttr size) {
    if (StringAttr name = size.getVariable())
      bound.insert(name);
  };
  for (Type type : llvm::concat<const Type>(func.getArgumentTypes(),
                                            func.getResultTypes())) {
    if (auto map = dyn_cast<MapType>(type)) {
      llvm::for_each(map.getAxisSizes(), visit);
      visit(map.getTarget());
    } else {
      llvm::for_each(cast<TensorType>(type).getDims(), visit);
    }
  }
  return bound;
}

static LogicalResult checkSizes(FuncOp func) {
  llvm::DenseSet<StringAttr> bound = collectBoundSizes(func);
  StringAttr unbound;
  AttrTypeWalker walker;
  walker.addWalk([&](PolyAttr size) {
    size.walkVariables([&](StringAttr name) {
      if (!bound.contains(name))
        unbound = name;
    });
  });
  WalkResult walk = func->walk([&](Operation *op) {
    walker.walk(op->getAttrDictionary());
    for (Type type : op->getResultTypes())
      walker.walk(type);
    if (!unbound)
      return WalkResult::advance();
    op->emitError("[lower-size-unbound] expected an argument or result of @")
        << func.getSymName() << " with dimension " << unbound.getValue()
        << ", got none";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

static LogicalResult checkFunc(FuncOp func) {
  for (Type type :
       llvm::concat<const Type>(func.getArgumentTypes(), func.getResultTypes()))
    if (failed(checkType(func, type)))
      return failure();
  for (Operation &op : func.getBody().front()) {
    if (failed(checkOp(&op)))
      return failure();
    for (Type type : op.getResultTypes())
      if (failed(checkType(&op, type)))
        return failure();
  }
  return checkSizes(func);
}

LogicalResult checkModule(ModuleOp module) {
  for (Operation &op : *module.getBody()) {
    if (auto func = dyn_cast<FuncOp>(op)) {
      if (failed(checkFunc(func)))
        return failure();
    } else if (isa<SpecOp>(op)) {
      return op.emitError("[lower-op] expected specialised functions, got a "
                          "spec (gyre-specialise fixes its parameters)");
    } else if (isa<DeriveOp>(op)) {
      return op.emitError("[lower-op] expected functions, got a derivative "
                          "(gyre-differentiate carries it out)");
    }
  }
  return success();
}

} // namespace gyre::plain
