//===- Program.cpp - The host side of a program of kernels ----------------===//

#include "Program.h"

#include "../Entry.h"

#include "gyre/runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace gyre::kernels {

/// Rows and lanes are read in vectors of that many bytes at most.
static constexpr int64_t kAlignment = 16;

static LogicalResult checkOp(Operation &op) {
  if (isa<KernelOp, ReturnOp>(op))
    return success();
  return op.emitError(
             "[lower-kernel-op] expected kernels only (gyre-fuse makes "
             "them), got ")
         << op.getName();
}

static LogicalResult checkElement(Operation *op, Type type, bool inMemory) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor || tensor.getElementType().isF32() ||
      tensor.getElementType().isF64() ||
      (!inMemory && tensor.getElementType().isInteger(1)))
    return success();
  return op->emitError(
             "[lower-kernel-type] expected values of f32 or f64, got ")
         << type;
}

static LogicalResult checkAccumulator(ContractOp op) {
  if (op.getAccumulatorType() == op.getResult().getType().getElementType())
    return success();
  return op.emitError("[lower-kernel-type] expected an accumulator of the "
                      "values' type, got ")
         << op.getAccumulatorType();
}

LogicalResult Program::plan(bool cuda) {
  for (Type type : func.getArgumentTypes())
    if (failed(checkElement(func, type, /*inMemory=*/true)))
      return failure();
  for (Operation &op : func.getBody().front()) {
    if (failed(checkOp(op)))
      return failure();
    auto kernel = dyn_cast<KernelOp>(op);
    if (!kernel)
      continue;
    for (Operation &inner : kernel.getBody().front()) {
      for (Type type : inner.getResultTypes())
        if (failed(checkElement(&inner, type, /*inMemory=*/isa<RowOp>(inner))))
          return failure();
      auto contract = dyn_cast<ContractOp>(inner);
      if (contract && failed(checkAccumulator(contract)))
        return failure();
    }
    for (Type type : kernel.getResultTypes())
      if (failed(checkElement(kernel, type, /*inMemory=*/true)))
        return failure();
    FailureOr<Plan> plan = Plan::get(kernel);
    if (failed(plan) ||
        failed(cuda ? plan->checkForCUDA() : plan->checkForCPU()))
      return failure();
    plans.push_back(std::move(*plan));
  }
  return success();
}

/// A buffer for each value between kernels, and for partial rows. Partial rows
/// are read right after the kernel that writes them: those of different kernels
/// share buffers.
void Program::planWorkspace() {
  llvm::SmallDenseSet<Value> returned;
  returned.insert_range(func.getReturn().getOperands());
  MLIRContext *context = func.getContext();
  llvm::DenseMap<EntryBufferAttr, SmallVector<unsigned>> shared;
  for (const Plan &plan : plans) {
    llvm::DenseMap<EntryBufferAttr, unsigned> taken;
    KernelOp kernel = plan.kernel;
    for (auto [i, result] : llvm::enumerate(kernel.getResults())) {
      int64_t bytes = plan.results[i].getElementBytes();
      if (!returned.contains(result)) {
        bufferOf[result] = buffers.size();
        buffers.push_back(EntryBufferAttr::get(
            context, bytes, countElements(cast<TensorType>(result.getType()))));
      }
      if (plan.kind(i) == DeliveryKind::row)
        continue;
      auto buffer = EntryBufferAttr::get(
          context, bytes,
          PolyAttr::constant(context, plan.getPartialRows(i) *
                                          plan.results[i].getRowCells()));
      SmallVector<unsigned> &free = shared[buffer];
      unsigned number = taken[buffer]++;
      if (number == free.size()) {
        free.push_back(buffers.size());
        buffers.push_back(buffer);
      }
      partialOf[result] = free[number];
    }
  }
}

Value Program::pointerOf(Value memref) {
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(*b, memref);
  address = arith::IndexCastOp::create(*b, b->getI64Type(), address);
  return LLVM::IntToPtrOp::create(
      *b, LLVM::LLVMPointerType::get(b->getContext()), address);
}

void Program::createBody(const std::string &target) {
  EntryAttr entry =
      makeEntry(func, buffers,
                {target == "cuda" ? DeviceKind::CUDA : DeviceKind::CPU,
                 /*compact=*/true, kAlignment});
  OpBuilder builder(func);
  body = createEntryBody(builder, entry, func.getLoc());
  b = std::make_unique<Builder>(func.getLoc(), func.getContext());
  b->setInsertionPointToStart(&body.getBody().front());
  b->setInsertionPoint(func::ReturnOp::create(*b));

  unsigned next = 0;
  auto take = [&]() -> Value { return body.getArgument(next++); };
  for (BlockArgument argument : func.getBody().getArguments()) {
    if (isa<MapType>(argument.getType())) {
      for (Value &array : maps[argument])
        array = pointerOf(take());
    } else {
      pointers[argument] = pointerOf(take());
    }
  }
  for (Value value : func.getReturn().getOperands())
    pointers[value] = pointerOf(take());
  for (StringAttr name : entry.getSizes())
    sizes[name] = arith::IndexCastOp::create(*b, b->getI64Type(), take());
  Value workspace = pointerOf(take());
  Value offset = constant(*b, 0);
  for (EntryBufferAttr buffer : buffers) {
    bufferPointers.push_back(LLVM::GEPOp::create(
        *b, workspace.getType(), b->getI8Type(), workspace, offset));
    Value bytes = arith::MulIOp::create(*b, size(buffer.getElements()),
                                        constant(*b, buffer.getBytes()));
    bytes = arith::AddIOp::create(*b, bytes, constant(*b, GYRE_ALIGNMENT - 1));
    bytes = arith::AndIOp::create(*b, bytes, constant(*b, -GYRE_ALIGNMENT));
    offset = arith::AddIOp::create(*b, offset, bytes);
  }
  for (auto [value, buffer] : bufferOf)
    pointers[value] = bufferPointers[buffer];
}

Value Program::size(PolyAttr poly) {
  Value sum = constant(*b, 0);
  for (auto [coef, monomial] :
       llvm::zip_equal(poly.getCoefs(), poly.getMonomials())) {
    Value product = constant(*b, coef);
    for (StringAttr name : monomial.getAsRange<StringAttr>())
      product = arith::MulIOp::create(*b, product, sizes.at(name));
    sum = arith::AddIOp::create(*b, sum, product);
  }
  return sum;
}

std::string Program::getName(StringRef suffix) const {
  FuncOp op = func;
  return ("gyre_" + op.getSymName() + "_" + suffix).str();
}

Params Program::makeParams(const Plan &plan) {
  Params params;
  KernelOp kernel = plan.kernel;
  auto addMap = [&](Value map) {
    auto &arrays = maps.find(map)->second;
    params.add(Params::index, map, arrays[0]);
    params.add(Params::order, map, arrays[1]);
    params.add(Params::ptr, map, arrays[2]);
    params.addSize(cast<MapType>(map.getType()).getTarget(),
                   size(cast<MapType>(map.getType()).getTarget()));
  };
  Value rows = size(kernel.getRows());
  params.addSize(kernel.getRows(), rows);
  for (auto &[value, view] : plan.views) {
    auto row = value.getDefiningOp<RowOp>();
    Value x = row ? row.getX() : value;
    params.add(Params::tensor, x, pointers.at(x));
    if (row) {
      PolyAttr count = cast<TensorType>(x.getType()).getDims()[row.getAxis()];
      params.addSize(count, size(count));
      if (row.getMap())
        addMap(row.getMap());
    }
  }
  if (kernel.getOwner())
    addMap(kernel.getOwner());
  for (auto [i, result] : llvm::enumerate(kernel.getResults())) {
    params.add(Params::result, i, pointers.at(result));
    if (plan.kind(i) != DeliveryKind::row)
      params.add(Params::partial, i, bufferPointers[partialOf.at(result)]);
  }
  // Each worker has a range of `span` rows; none is without rows.
  Value most = constant(*b, plan.schedule.getWorkers());
  Value span = arith::CeilDivSIOp::create(*b, rows, most);
  span =
      arith::MaxSIOp::create(*b, span, constant(*b, plan.schedule.getSpan()));
  params.add(Params::span, uintptr_t(0), span);
  params.add(Params::workers, uintptr_t(0),
             arith::CeilDivSIOp::create(*b, rows, span));
  return params;
}

FailureOr<std::unique_ptr<Program>> Program::create(FuncOp func,
                                                    const std::string &target) {
  std::unique_ptr<Program> program(new Program);
  program->func = func;
  if (failed(program->plan(target == "cuda")))
    return failure();
  program->planWorkspace();
  program->createBody(target);
  return program;
}

} // namespace gyre::kernels
